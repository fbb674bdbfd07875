import { Injectable, Logger } from '@nestjs/common';
import { In, Not, type SelectQueryBuilder } from 'typeorm';
import { UnitOfWork } from '../../../platform/database/index.js';
import { DomainError, publicId } from '../../../platform/kernel/index.js';
import { cursorKeys, encodeCursor } from '../../../platform/http/index.js';
import { SealBrokenError, Vault } from '../../../platform/privacy/index.js';
import { decryptPayloads } from './sealed-payloads.js';
import type { EndpointScope } from '../domain/endpoint-scope.js';
import type { EventEnvelope, EventType } from '../events.dto.js';
import { FeedWaitsService } from './feed-waits.service.js';
import { FeedIncarnationsService } from './feed-incarnations.service.js';
import {
  EventFeedQueries,
  FIRST_ID,
  LAST_ID,
  type FeedPosition,
  type FeedSlice,
} from '../store/event-feed.queries.js';
import { EventEntity } from '../store/entities.js';

export type ListedEvent = EventEntity;

/** A position in one incarnation of the feed: a restore of the database begins a new incarnation. */
export interface FeedCursor extends FeedPosition {
  readonly incarnation: number;
}

export interface FeedPage {
  readonly events: readonly EventEnvelope[];
  /** The start of the next page; never null, so that a reader at the end can poll with it later. */
  readonly next: FeedCursor;
  readonly hasMore: boolean;
}

interface EventFilter {
  readonly clientAppId: string;
  readonly type?: EventType | undefined;
}

// Maximum events of one resource in a response. A transaction usually has fewer than ten.
const MAX_EVENTS_OF_TRANSACTION = 200;

// Incarnation of readers without a cursor, higher than all others: they have seen no events that a restore lost.
const LAST_INCARNATION = 2_147_483_647;

/** Encodes a position in the feed. Cursors of earlier releases have no incarnation and belong to the first. */
export const feedCursor = ({ incarnation, position, id }: FeedCursor): string =>
  encodeCursor([incarnation, position, id]);

export function feedCursorOf(cursor: string | undefined): FeedCursor | null {
  if (cursor === undefined) return null;
  try {
    const [incarnation, position, id] = cursorKeys(cursor, 'integer', 'integer', 'uuid') ?? [0, 0, FIRST_ID];
    return { incarnation, position, id };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [position, id] = cursorKeys(cursor, 'integer', 'uuid') ?? [0, FIRST_ID];
    return { incarnation: 1, position, id };
  }
}

/**
 * Throws FEED_REWOUND if the cursor is beyond the point to which the database was restored: its reader has seen events
 * that are lost, and would miss new events at the same positions. The suggested cursor repeats some events.
 */
function refuseRewound(after: FeedCursor, incarnation: number, found: FeedSlice): void {
  const isAhead = after.incarnation > incarnation || after.position > found.horizon;
  const point = isAhead ? Math.min(found.point ?? found.earlierPoint, found.earlierPoint) : found.point;
  if (point === null || (!isAhead && after.position < point)) return;
  const suggestion = feedCursor({ incarnation, position: Math.max(0, point - 1), id: LAST_ID });
  throw new DomainError('FEED_REWOUND', {
    details: [
      {
        path: 'cursor',
        code: 'FEED_REWOUND',
        message: 'Is beyond the point to which the database was put back; go on with the suggested one.',
        suggestion,
      },
    ],
  });
}

function orderNewestFirst(
  query: SelectQueryBuilder<EventEntity>,
  before: FeedPosition | null,
): SelectQueryBuilder<EventEntity> {
  if (before) query.andWhere('(e.position, e.id) < (:position, :id)', before);
  return query.orderBy('e.position', 'DESC').addOrderBy('e.id', 'DESC');
}

/** Reads events for integrators that fetch them instead of webhooks or in addition to webhooks. */
@Injectable()
export class EventFeedService {
  private readonly logger = new Logger(EventFeedService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly feed: EventFeedQueries,
    private readonly incarnations: FeedIncarnationsService,
    private readonly vault: Vault,
    private readonly waits: FeedWaitsService,
  ) {}

  /**
   * Events of an application after a cursor, or since a time, in the order of their database transactions. An event
   * appears only when no earlier event can still be committed, so a reader never skips one. Events about erased persons
   * are left out. At the end of the feed the call waits for the next event, until `over` aborts.
   */
  async read(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    from: { readonly after: FeedCursor | null; readonly since: Date | null },
    types: readonly EventType[] | null,
    limit: number,
    over: AbortSignal | null = null,
  ): Promise<FeedPage> {
    const page = await this.readNow(owner, from, types, limit);
    if (page.events.length > 0 || page.hasMore || !over) return page;
    // Continues from where this page ended, so that no row is read twice.
    const arrived = await this.waits.waitForEvents(owner, page.next.position, over);
    return arrived ? this.read(owner, { after: page.next, since: null }, types, limit, over) : page;
  }

  private async readNow(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    from: { readonly after: FeedCursor | null; readonly since: Date | null },
    types: readonly EventType[] | null,
    limit: number,
  ): Promise<FeedPage> {
    const { since } = from;
    const after = from.after ?? (await this.findStart(owner.organisationId, since));
    const slice = (): Promise<FeedSlice> =>
      this.feed.readSlice(owner, { incarnation: LAST_INCARNATION, ...after }, since, types, limit + 1);
    let found = await slice();
    if (found.incarnation === null) {
      await this.incarnations.detectRestart();
      found = await slice();
    }
    const { rows, horizon, incarnation } = found;
    if (incarnation === null) throw new DomainError('NOT_READY', { retryAfterSeconds: 1 });
    if (from.after) refuseRewound(from.after, incarnation, found);
    const shownRows = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const last = shownRows.at(-1);
    // At the end of the feed the next page begins at the horizon, so that rows of other types are not read again.
    const endPosition = { position: Math.max(horizon - 1, after.position), id: LAST_ID };
    const place = hasMore && last ? { position: last.position, id: last.id } : endPosition;
    const next = { incarnation, ...place };
    return { events: await this.decryptEvents(owner.organisationId, shownRows), next, hasMore };
  }

  /** Events of an application before a position, the newest first; the next page begins at `last`. */
  async listNewestEvents(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    types: readonly EventType[] | null,
    before: FeedPosition | null,
    limit: number,
  ): Promise<{ events: readonly EventEnvelope[]; last: FeedPosition | null }> {
    const rows = await this.uow.read(owner.organisationId, (db) => {
      const query = db.createQueryBuilder(EventEntity, 'e').where({
        clientAppId: owner.clientAppId,
        resourceType: Not('test'),
        ...(types === null ? {} : { type: In(types) }),
      });
      return orderNewestFirst(query, before)
        .limit(limit + 1)
        .getMany();
    });
    const shownEvents = rows.slice(0, limit);
    const lastShown = rows.length > limit ? shownEvents.at(-1) : undefined;
    return {
      events: await this.decryptEvents(owner.organisationId, shownEvents),
      last: lastShown ? { position: Number(lastShown.position), id: lastShown.id } : null,
    };
  }

  async pageByResource(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    resourceId: string,
  ): Promise<readonly EventEnvelope[]> {
    const rows = await this.uow.read(owner.organisationId, (db) =>
      db.find(EventEntity, {
        where: { resourceId, clientAppId: owner.clientAppId },
        order: { sequence: 'ASC' },
        take: MAX_EVENTS_OF_TRANSACTION,
      }),
    );
    return this.decryptEvents(owner.organisationId, rows);
  }

  /** Up to `limit + 1` events before a position, the newest first, including test events. */
  async page(
    organisationId: string,
    { type, clientAppId }: EventFilter,
    before: FeedPosition | null,
    limit: number,
  ): Promise<ListedEvent[]> {
    return this.uow.read(organisationId, (db) => {
      const where = { clientAppId, ...(type === undefined ? {} : { type }) };
      const query = db.createQueryBuilder(EventEntity, 'e').where(where);
      return orderNewestFirst(query, before)
        .limit(limit + 1)
        .getMany();
    });
  }

  /** Finds an event; `envelope` is null when the person that it is about was erased. */
  async get(
    { organisationId, clientAppId }: EndpointScope,
    id: string,
  ): Promise<{ event: ListedEvent; envelope: EventEnvelope | null }> {
    const event = await this.uow.read(organisationId, (db) =>
      db.findOneBy(EventEntity, {
        id,
        organisationId,
        ...(clientAppId === undefined ? {} : { clientAppId }),
      }),
    );
    if (!event) throw new DomainError('EVENT_NOT_FOUND');
    const [envelope = null] = await this.decryptEvents(organisationId, [event]);
    return { event, envelope };
  }

  private async findStart(organisationId: string, since: Date | null): Promise<FeedPosition> {
    const position = since === null ? 0 : await this.feed.positionBefore(organisationId, since);
    return { position, id: FIRST_ID };
  }

  private async decryptEvents(
    organisationId: string,
    rows: readonly { readonly id: string; readonly sealedPayload: Buffer }[],
  ): Promise<EventEnvelope[]> {
    const plaintexts = await decryptPayloads(
      this.vault,
      rows.map(({ id, sealedPayload }) => ({ id, organisationId, sealedPayload })),
    );
    return plaintexts.flatMap((body, i) => {
      if (Buffer.isBuffer(body)) return [JSON.parse(body.toString()) as EventEnvelope];
      if (body instanceof SealBrokenError) {
        this.logger.error(`event ${publicId('evt', rows[i]?.id ?? '')} does not open`);
      }
      return [];
    });
  }
}
