import { Injectable } from '@nestjs/common';
import { sqlArray, system, UnitOfWork } from '../../../platform/database/index.js';
import { uuidOf } from '../../../platform/kernel/index.js';
import { QueueTransport } from '../../../platform/queue/index.js';
import { UNKNOWN_DELIVERIES, UNKNOWN_EVENTS } from '../store/event-incarnation.statements.js';

/** An event or a delivery that is missing in the database, and the system that still has its id. */
export interface LostItem {
  readonly kind: 'event' | 'delivery';
  readonly id: string;
  /** The creation time, from the UUIDv7. */
  readonly madeAt: Date;
  readonly heldBy: string;
}

const IDS = /\b(evt|whd)_[0-9a-f]{32}\b/g;
const KINDS = { evt: 'event', whd: 'delivery' } as const;

/** After a restore: finds lost events and deliveries whose ids other systems still have. */
@Injectable()
export class LostEventsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly queue: QueueTransport,
  ) {}

  /** Lost deliveries that jobs in Redis still refer to. Rejects when Redis is unavailable. */
  async findInQueue(): Promise<LostItem[]> {
    return this.findUnknown('delivery', await this.queue.listHeldIds('webhooks.delivery'), 'Redis');
  }

  /** Lost events and deliveries whose ids occur in a text: a log of the service or a proxy, a receiver's records. */
  async findInText(text: string, heldBy: string): Promise<LostItem[]> {
    const idsByPrefix = { evt: new Set<string>(), whd: new Set<string>() };
    for (const [id = '', prefix] of text.matchAll(IDS)) {
      if (prefix !== 'evt' && prefix !== 'whd') continue;
      const uuid = uuidOf(prefix, id);
      if (uuid !== null) idsByPrefix[prefix].add(uuid);
    }
    return [
      ...(await this.findUnknown(KINDS.evt, [...idsByPrefix.evt], heldBy)),
      ...(await this.findUnknown(KINDS.whd, [...idsByPrefix.whd], heldBy)),
    ];
  }

  private async findUnknown(
    kind: LostItem['kind'],
    ids: readonly string[],
    heldBy: string,
  ): Promise<LostItem[]> {
    if (ids.length === 0) return [];
    const unknownStatement = kind === 'event' ? UNKNOWN_EVENTS : UNKNOWN_DELIVERIES;
    const rows = await this.uow.rows(system('webhooks.restore-report'), unknownStatement, [
      sqlArray.uuids(ids),
    ]);
    return rows.map(({ id }) => ({ kind, id, madeAt: timeOf(id), heldBy }));
  }
}

/** UUIDv7: the first 48 bits are the creation time in ms. */
const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16));
