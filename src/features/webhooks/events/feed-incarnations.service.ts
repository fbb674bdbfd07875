import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail, OPERATIONS } from '../../audit/index.js';
import { afterCommit, execute, type Rows, type Tx, UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { QueueTransport } from '../../../platform/queue/index.js';
import { EventFeedQueries } from '../store/event-feed.queries.js';
import { LIVES, NOTICE, STATE } from '../store/event-incarnation.statements.js';

export type FeedIncarnation = Rows<typeof LIVES>;

interface RecordedPosition {
  readonly identity: string;
  readonly horizon: number;
}

const MEMORY_KEY = 'feed';

/** Detects that the database of the feed was restored or promoted, or that its transaction counter went back. */
@Injectable()
export class FeedIncarnationsService {
  private readonly logger = new Logger(FeedIncarnationsService.name);
  private lastPosition: RecordedPosition | null = null;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly feed: EventFeedQueries,
    private readonly queue: QueueTransport,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Startup: begins a new incarnation if the identity of the database has changed. */
  async detectRestart(): Promise<void> {
    await this.uow.run(OPERATIONS, (tx) => this.beginIfChanged(tx, false));
  }

  /**
   * Remembers the current position in Redis and in this process. Begins a new incarnation if the identity of the
   * database changed, or if the counter is below the remembered position (an older copy of the disk was restored).
   */
  async recordPosition(tx: Tx): Promise<void> {
    const [state] = await execute(tx, STATE, []);
    if (!state) return;
    const now = { identity: state.identity, horizon: await this.feed.readHorizon(tx) };
    const rememberedPosition = await this.queue
      .readValue(MEMORY_KEY)
      .then(parsePosition, () => 'away' as const);
    const isRewound = [rememberedPosition === 'away' ? null : rememberedPosition, this.lastPosition].some(
      (before) => before?.identity === now.identity && now.horizon < before.horizon,
    );
    await this.beginIfChanged(tx, isRewound);
    afterCommit(tx, () => {
      this.lastPosition = now;
      // If Redis could not be read, it may hold a later position, which must not be overwritten.
      if (rememberedPosition !== 'away') {
        this.queue.remember(MEMORY_KEY, JSON.stringify(now)).catch(() => undefined);
      }
    });
  }

  /** Returns every incarnation of the feed, oldest first. */
  async listIncarnations(): Promise<FeedIncarnation[]> {
    return this.uow.rows(OPERATIONS, LIVES, []);
  }

  private async beginIfChanged(tx: Tx, isRewound: boolean): Promise<void> {
    const [life] = await execute(tx, NOTICE, [isRewound]);
    if (!life || life.reason === 'FIRST') return;
    const { number, reason, point } = life;
    await this.audit.record(tx, {
      subject: { organisationId: OPERATIONS, type: 'operations', id: 'feed' },
      action: 'ops.feed.rewound',
      actor: { type: 'system', id: 'feed' },
      requestId: null,
      correlationId: null,
      occurredAt: new Date(this.clock.now()),
      content: { incarnation: number, reason, point },
    });
    this.logger.error(
      `the database was restored or promoted: events after position ${point} may be lost (vigia restore report)`,
    );
  }
}

function parsePosition(text: string | null): RecordedPosition | null {
  if (text === null) return null;
  const { identity, horizon } = JSON.parse(text) as Partial<RecordedPosition>;
  return identity === undefined || horizon === undefined ? null : { identity, horizon };
}
