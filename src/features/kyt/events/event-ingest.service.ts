import { Injectable, Logger } from '@nestjs/common';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { compileValidator } from '../../../platform/http/index.js';
import { Clock, DomainError, invalid } from '../../../platform/kernel/index.js';
import { CustomerEventBody } from '../contract/customer-event.dto.js';
import { toCustomerEvent } from '../domain/events/customer-event.js';
import type { PreparedEvent } from '../domain/events/prepared-event.js';
import { differingPaths, isRepeat } from '../domain/submission/fingerprint.js';
import { acceptEach, type RefusedItem } from '../ingest/batches/batch-items.js';
import { ConflictLog } from '../ingest/conflict-log.js';
import { findOriginals, SharedCommits } from '../ingest/batches/shared-commits.js';
import { KytMetrics } from '../kyt-metrics.js';
import {
  EVENT_KEYS,
  FIND_FIRST_EVENTS,
  INGEST_EVENTS,
  type FirstEvent,
} from '../store/events/customer-event.statements.js';
import { EventPreparer, type EventDraft, type EventIntake } from './event-preparer.js';

/** The answer to a submitted event. */
export interface EventReceipt {
  readonly eventId: string;
  readonly duplicate: boolean;
  readonly requestId: string;
  readonly correlationId: string;
  readonly warnings: readonly string[];
  /** The request id of the original submission, if this one repeats it. */
  readonly originalRequestId: string | null;
}

export interface AcceptedEvent {
  readonly status: 200 | 202;
  readonly receipt: EventReceipt;
}

type Caller = Pick<EventIntake, 'client' | 'context'>;

const validate = compileValidator(CustomerEventBody);

/** Accepts events of customers, each at most once per application and eventId. */
@Injectable()
export class EventIngestService {
  private readonly commits: SharedCommits<EventDraft, FirstEvent | null>;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly preparer: EventPreparer,
    private readonly conflicts: ConflictLog,
    private readonly clock: Clock,
    private readonly metrics: KytMetrics,
    private readonly settings: Settings,
  ) {
    const logger = new Logger(EventIngestService.name);
    this.commits = new SharedCommits((drafts) => this.store(drafts), logger, settings, metrics);
  }

  /** Validates a body and accepts it; returns after the commit. */
  async acceptBody(caller: Caller, body: unknown): Promise<AcceptedEvent> {
    const violations = validate(body, { now: () => this.clock.now() });
    if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
    return this.accept(caller, body as CustomerEventBody);
  }

  /** Returns one result per item, in order; each is accepted or refused alone. */
  acceptAll(caller: Caller, items: readonly unknown[]): Promise<(AcceptedEvent | RefusedItem)[]> {
    return acceptEach(items, caller.context, baseUrlOf(this.settings), (item) =>
      this.acceptBody(caller, item),
    );
  }

  /**
   * Accepts a validated event; returns after the commit. The same content under a known id is a duplicate, other content
   * a conflict.
   */
  async accept(caller: Caller, body: CustomerEventBody): Promise<AcceptedEvent> {
    if ((body.externalCustomerId ?? null) === null && (body.cpfCnpj ?? null) === null) {
      throw invalid(
        'externalCustomerId',
        'REQUIRED',
        'Say whose event it is: externalCustomerId or cpfCnpj.',
      );
    }
    const event = toCustomerEvent(body);
    const draft = this.preparer.draft({ event, body, receivedAt: new Date(this.clock.now()), ...caller });
    const first = await this.commits.submit(draft);
    if (first === null) {
      this.metrics.customerEvents.inc({ result: 'accepted' });
      return { status: 202, receipt: receiptOf(draft, event.warnings, null) };
    }
    if (!isRepeat(first.fingerprint, body)) await this.refuse(draft, first);
    this.metrics.customerEvents.inc({ result: 'duplicate' });
    return { status: 200, receipt: receiptOf(draft, first.warnings ?? [], first.requestId) };
  }

  /** Stores events; returns for each the original event of its id, or null if it is new. */
  private async store(drafts: readonly EventDraft[]): Promise<(FirstEvent | null)[]> {
    const rows = await this.preparer.prepare(drafts);
    // Rows are sorted by event id: two batches with the same ids then wait for each other instead of deadlocking.
    const ordered = rows.length === 1 ? rows : rows.toSorted(byEventId);
    const stored = await this.uow.write(
      ordered.map((row) => row.organisationId),
      ...INGEST_EVENTS({ rows: ordered }),
    );
    const created = new Map(stored.map(({ id, seq }) => [id, seq]));
    const firsts = await findOriginals(rows, created, (repeated) => this.findFirst(repeated));
    return rows.map(({ id }) => firsts.get(id) ?? null);
  }

  private async findFirst(rows: readonly PreparedEvent[]): Promise<(FirstEvent | undefined)[]> {
    const found = await this.uow.rows(
      rows.map((row) => row.organisationId),
      FIND_FIRST_EVENTS,
      EVENT_KEYS.arrays(rows),
    );
    const firsts = new Array<FirstEvent | undefined>(rows.length).fill(undefined);
    for (const row of found) firsts[Number(row.i) - 1] = row;
    return firsts;
  }

  /** Records the conflict and throws EVENT_ID_CONFLICT. The original event does not change. */
  private async refuse(
    { client, context, event, fingerprint, body }: EventDraft,
    first: FirstEvent,
  ): Promise<never> {
    await this.conflicts.recordConflict({
      subject: { organisationId: client.organisationId, type: 'client_app', id: client.id },
      action: 'customer_event.conflict_refused',
      actor: { type: 'client', id: client.id },
      requestId: context.requestId,
      correlationId: context.correlationId,
      occurredAt: new Date(this.clock.now()),
      content: { eventId: event.eventId, eventRef: first.id, fingerprint: fingerprint.toString('hex') },
    });
    this.metrics.customerEvents.inc({ result: 'conflict' });
    const stored = await this.preparer.open(first.id, client.organisationId, first.sealedBody);
    throw new DomainError('EVENT_ID_CONFLICT', {
      details: [
        {
          path: 'eventId',
          code: 'ALREADY_USED',
          message: 'Already used with different content by this application.',
        },
        ...(stored === null ? [] : differingPaths(stored, body)).map((path) => ({
          path,
          code: 'DIFFERS',
          message: 'Differs from the first submission.',
        })),
      ],
    });
  }
}

const receiptOf = (
  { event: { eventId }, context: { requestId, correlationId } }: EventDraft,
  warnings: readonly string[],
  originalRequestId: string | null,
): EventReceipt => ({
  eventId,
  duplicate: originalRequestId !== null,
  requestId,
  correlationId,
  warnings,
  originalRequestId,
});

const byEventId = (a: PreparedEvent, b: PreparedEvent): number =>
  a.event.eventId < b.event.eventId ? -1 : 1;
