import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { DomainError, publicId } from '../../kernel/index.js';
import { SealBroken, sealContext, Vault } from '../../privacy/index.js';
import type { EventEnvelope, EventType } from '../events.dto.js';
import { EventFeedQueries, FIRST_ID, LAST_ID, type FeedPlace } from '../store/event-feed.queries.js';
import { EventEntity } from '../store/entities/event.entity.js';

export type ListedEvent = EventEntity;

export interface FeedPage {
  readonly events: readonly EventEnvelope[];
  /** Where the next page begins; never null, so that a reader who is at the end can come back later. */
  readonly next: FeedPlace;
  readonly hasMore: boolean;
}

interface EventFilter {
  readonly clientAppId: string;
  readonly type?: EventType | undefined;
}

/** Events for whoever fetches them instead of, or beside, receiving them. */
@Injectable()
export class EventFeed {
  private readonly logger = new Logger(EventFeed.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly feed: EventFeedQueries,
    private readonly vault: Vault,
  ) {}

  /**
   * Events of an application after a place, or from a time on, in the order of their transactions. An event shows up
   * once no event before it can still be committed: none is ever skipped. Those about erased persons are left out.
   */
  async read(
    owner: { readonly organisationId: string; readonly clientAppId: string },
    from: { readonly after: FeedPlace | null; readonly since: Date | null },
    types: readonly EventType[] | null,
    limit: number,
  ): Promise<FeedPage> {
    const { since } = from;
    const after = from.after ?? (await this.beginning(owner.organisationId, since));
    const { rows, horizon } = await this.feed.slice(owner, after, since, types, limit + 1);
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const last = shown.at(-1);
    // At the end the next page begins at the horizon: what did not match need not be looked at again.
    const end = { position: Math.max(horizon - 1, after.position), id: LAST_ID };
    const next = hasMore && last ? { position: last.position, id: last.id } : end;
    return { events: await this.open(owner.organisationId, shown), next, hasMore };
  }

  /** Up to `limit + 1` events before a place, the newest first; of the whole application, tests included. */
  async page(
    organisationId: string,
    { type, clientAppId }: EventFilter,
    before: FeedPlace | null,
    limit: number,
  ): Promise<ListedEvent[]> {
    return this.uow.read(organisationId, (db) => {
      const where = { clientAppId, ...(type === undefined ? {} : { type }) };
      const query = db.createQueryBuilder(EventEntity, 'e').where(where);
      if (before) query.andWhere('(e.position, e.id) < (:position, :id)', before);
      query.orderBy('e.position', 'DESC').addOrderBy('e.id', 'DESC');
      return query.limit(limit + 1).getMany();
    });
  }

  /** One event with its content; null content when the person it is about was erased. */
  async get(
    organisationId: string,
    id: string,
  ): Promise<{ event: ListedEvent; envelope: EventEnvelope | null }> {
    const event = await this.uow.read(organisationId, (db) =>
      db.findOneBy(EventEntity, { id, organisationId }),
    );
    if (!event) throw new DomainError('EVENT_NOT_FOUND');
    const [envelope = null] = await this.open(organisationId, [event]);
    return { event, envelope };
  }

  private async beginning(organisationId: string, since: Date | null): Promise<FeedPlace> {
    const position = since === null ? 0 : await this.feed.positionBefore(organisationId, since);
    return { position, id: FIRST_ID };
  }

  private async open(
    organisationId: string,
    rows: readonly { readonly id: string; readonly sealedPayload: Buffer }[],
  ): Promise<EventEnvelope[]> {
    const opened = await this.vault.tryOpenMany(
      rows.map(({ id, sealedPayload }) => ({
        sealed: sealedPayload,
        context: sealContext('events', id, organisationId),
      })),
    );
    return opened.flatMap((body, i) => {
      if (Buffer.isBuffer(body)) return [JSON.parse(body.toString()) as EventEnvelope];
      if (body instanceof SealBroken) {
        this.logger.error(`event ${publicId('evt', rows[i]?.id ?? '')} does not open`);
      }
      return [];
    });
  }
}
