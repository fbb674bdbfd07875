import { Injectable } from '@nestjs/common';
import { execute, sqlArray, system, UnitOfWork } from '../../../platform/database/index.js';
import { uuidOf } from '../../../platform/kernel/index.js';
import { QueueTransport } from '../../../platform/queue/index.js';
import { UNKNOWN_DELIVERIES, UNKNOWN_EVENTS } from '../store/event-incarnation.statements.js';

/** An event or a delivery that somebody else holds and the database does not. */
export interface QueuedTail {
  readonly kind: 'event' | 'delivery';
  readonly id: string;
  /** The time in the id. */
  readonly madeAt: Date;
  readonly heldBy: string;
}

const IDS = /\b(evt|whd)_[0-9a-f]{32}\b/g;
const KINDS = { evt: 'event', whd: 'delivery' } as const;

/** Finds events and deliveries that a restore of the database lost, as far as others kept their ids. */
@Injectable()
export class LostTailService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly queue: QueueTransport,
  ) {}

  /** Deliveries in jobs that Redis still holds. Rejects when Redis is away. */
  async findInQueue(): Promise<QueuedTail[]> {
    return this.unknown('delivery', await this.queue.held('webhooks.delivery'), 'Redis');
  }

  /** Lost events and deliveries that a text names: a log of the service or of a proxy, or the records of a receiver. */
  async describe(text: string, heldBy: string): Promise<QueuedTail[]> {
    const found = { evt: new Set<string>(), whd: new Set<string>() };
    for (const [id = '', prefix] of text.matchAll(IDS)) {
      if (prefix !== 'evt' && prefix !== 'whd') continue;
      const uuid = uuidOf(prefix, id);
      if (uuid !== null) found[prefix].add(uuid);
    }
    return [
      ...(await this.unknown(KINDS.evt, [...found.evt], heldBy)),
      ...(await this.unknown(KINDS.whd, [...found.whd], heldBy)),
    ];
  }

  private async unknown(
    kind: QueuedTail['kind'],
    ids: readonly string[],
    heldBy: string,
  ): Promise<QueuedTail[]> {
    if (ids.length === 0) return [];
    const which = kind === 'event' ? UNKNOWN_EVENTS : UNKNOWN_DELIVERIES;
    const rows = await this.uow.read(system('webhooks.restore-report'), (db) =>
      execute(db, which, [sqlArray.uuids(ids)]),
    );
    return rows.map(({ id }) => ({ kind, id, madeAt: timeOf(id), heldBy }));
  }
}

/** UUIDs of version 7 begin with their time. */
const timeOf = (uuid: string): Date => new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16));
