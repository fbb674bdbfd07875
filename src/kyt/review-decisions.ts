import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { again, isOvertaken, UnitOfWork } from '../database/index.js';
import { Clock, newUuid, publicId } from '../kernel/index.js';
import { Reconciler } from '../queue/index.js';
import { ReviewEffects, type DecidedReview } from '../reviews/index.js';
import { BlindIndex, Vault, type SubjectRef } from '../privacy/index.js';
import { EventPublisher, type ComposedEvent } from '../webhooks/index.js';
import { decidedData } from './domain/decided-data.js';
import { subjectsOf } from './domain/grouping.js';
import { DecisionRepository, type DecidableTransaction } from './store/decision.repository.js';
import { WorkRepository } from './store/work.repository.js';
import { TransactionReader } from './transaction-reader.js';

const NAME = 'kyt.review-decided';
const TARGET = 'KYT';
// A case about missing data can have hundreds of transactions; each page is one commit.
const PAGE = 100;
const MAX_TRIES = 5;

/** Gives transactions the outcome that a person decided on, and says so; the evaluations stay as they were made. */
@Injectable()
export class ReviewDecisions implements OnModuleInit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly effects: ReviewEffects,
    private readonly decisions: DecisionRepository,
    private readonly work: WorkRepository,
    private readonly reader: TransactionReader,
    private readonly events: EventPublisher,
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly reconciler: Reconciler,
  ) {}

  onModuleInit(): void {
    this.reconciler.register(this.effects.waiting(NAME, TARGET));
  }

  /** Carries out those of these decisions that are not carried out yet. Safe to repeat, and after a crash. */
  async carryOut(reviewIds: readonly string[]): Promise<void> {
    for (const decided of await this.effects.pending(TARGET, reviewIds)) {
      let after: string | null = null;
      for (;;) {
        const links = await this.effects.transactions(decided, after, PAGE);
        const last = links.at(-1);
        await this.decide(
          decided,
          links.map(({ transactionRef }) => transactionRef),
          links.length < PAGE,
        );
        if (!last || links.length < PAGE) break;
        after = last.transactionRef;
      }
    }
  }

  /** One page in one commit; again when an evaluation or another decision took the place of an event meanwhile. */
  private async decide(decided: DecidedReview, refs: readonly string[], last: boolean): Promise<void> {
    await again(MAX_TRIES, isOvertaken, async () => {
      const { organisationId, reviewId, decidedAt } = decided;
      const open = await this.decisions.undecided(organisationId, reviewId, refs, decidedAt);
      await this.commit(decided, open, await this.compose(decided, open), last);
    });
  }

  private async commit(
    decided: DecidedReview,
    open: readonly DecidableTransaction[],
    events: ReadonlyMap<string, ComposedEvent>,
    last: boolean,
  ): Promise<void> {
    const { organisationId, reviewId, outcome, resolution, maker, checker, decidedAt } = decided;
    await this.uow.run(organisationId, async (tx) => {
      // Whoever else carries out the same decision waits here, and then finds it done.
      if (!(await this.effects.hold(tx, TARGET, reviewId))) return;
      if (open.length > 0) {
        const entries = await this.audit.record(
          tx,
          open.map((one) => ({
            subject: { organisationId, type: 'transaction', id: one.id },
            action: 'transaction.decided',
            actor: { type: 'system', id: NAME },
            requestId: null,
            correlationId: one.correlationId,
            occurredAt: new Date(this.clock.now()),
            content: {
              review: publicId('rev', reviewId),
              resolution,
              outcome,
              evaluationVersion: one.version,
              maker: publicId('opr', maker),
              checker: publicId('opr', checker),
            },
          })),
        );
        await this.decisions.insert(
          tx,
          open.map((one, i) => ({
            id: newUuid(),
            organisationId,
            transactionRef: one.id,
            evaluationVersion: one.version,
            reviewId,
            outcome,
            eventSequence: one.newestSequence + 1,
            decidedAt,
            trailHash: entries[i]?.hash ?? Buffer.alloc(0),
          })),
        );
        await this.events.publish(tx, [...events.values()]);
      }
      if (last) await this.effects.arrived(tx, TARGET, reviewId);
    });
  }

  /** The event of each transaction; about an erased person nobody is told anything. */
  private async compose(
    decided: DecidedReview,
    open: readonly DecidableTransaction[],
  ): Promise<ReadonlyMap<string, ComposedEvent>> {
    const subjects = await this.subjectsOf(decided.organisationId, open);
    await this.vault.prepare(subjects.values());
    const occurredAt = new Date(this.clock.now());
    return new Map(
      open.flatMap((one) => {
        const subject = subjects.get(one.id);
        if (!subject) return [];
        const event = this.events.compose({
          organisationId: decided.organisationId,
          clientAppId: one.clientAppId,
          type: 'kyt.transaction.pipeline.completed',
          resource: { type: 'transaction', id: one.id },
          sequence: one.newestSequence + 1,
          correlationId: one.correlationId,
          traceparent: one.traceparent,
          occurredAt,
          subject,
          data: decidedData(one.transactionId, one, decided),
        });
        return [[one.id, event] as const];
      }),
    );
  }

  private async subjectsOf(
    organisationId: string,
    open: readonly DecidableTransaction[],
  ): Promise<ReadonlyMap<string, SubjectRef>> {
    const completed = await this.work.readManyCompleted(
      organisationId,
      open.map(({ id }) => id),
    );
    return new Map(
      (await this.reader.open(completed)).flatMap(({ transaction, result }) =>
        'open' in result
          ? [
              [
                transaction.id,
                subjectsOf(this.index, organisationId, result.open.submission, transaction.receivedAt).main,
              ] as const,
            ]
          : [],
      ),
    );
  }
}
