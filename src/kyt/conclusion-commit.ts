import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { composite, UnitOfWork } from '../database/index.js';
import { Outbox } from '../queue/index.js';
import { ReviewsService } from '../reviews/index.js';
import { cooldownClause } from '../rules/index.js';
import { StepUps } from '../sessions/index.js';
import { EventPublisher } from '../webhooks/index.js';
import type { ConcludedTransaction } from './conclusion.js';
import { movesCash } from './domain/transaction-types.js';
import { KytMetrics } from './kyt-metrics.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { WorkRepository } from './store/work.repository.js';

const TOLD = {
  name: 'told',
  text: 'SELECT id FROM concluded UNION ALL SELECT id FROM stepped_up',
  values: [],
} as const;

/** Commits the conclusions of a batch in one statement: the end of the work with everything that follows from it. */
@Injectable()
export class ConclusionCommit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: WorkRepository,
    private readonly evaluations: EvaluationRepository,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly reviews: ReviewsService,
    private readonly stepUps: StepUps,
    private readonly metrics: KytMetrics,
  ) {}

  /** What the fence refuses belongs to another worker and is left alone. */
  async of(batch: readonly ConcludedTransaction[]): Promise<void> {
    if (batch.length === 0) return;
    const cooled = cooldownClause(
      batch.flatMap((row) => row.counted),
      'concluded',
    );
    const cases = batch.flatMap(({ review }) => review ?? []);
    const reviewed = cases.length > 0 ? this.reviews.clauses(cases, 'concluded') : [];
    const asked = batch.flatMap(({ stepUp }) => stepUp ?? []);
    const opened = asked.flatMap(({ made }) => made ?? []);
    // What a session says of itself goes the way of what its evaluation says, if that evaluation is stored.
    const told = opened.length > 0 ? 'told' : 'concluded';
    const stepped = asked.length > 0 ? this.stepUps.clauses(asked, 'concluded') : [];
    const cash = this.outbox.clauseAmong(
      'cash_reported',
      'dossiers.coaf',
      'concluded',
      batch.flatMap(({ transaction }) => (movesCash(transaction.submission.type) ? [transaction.id] : [])),
    );
    const rows = await this.uow.write<{ id: string }>(
      batch.map(({ transaction }) => transaction.organisationId),
      composite(
        // A statement is known by its name and the number of its clauses.
        `kyt-conclude${cooled ? '-cooled' : ''}${reviewed.length > 0 ? '-reviewed' : ''}${cash ? '-cash' : ''}${stepped.length > 0 ? '-stepped' : ''}${opened.length > 0 ? '-opened' : ''}`,
        [
          this.work.concludeClause(batch.map(({ transaction }) => transaction)),
          this.evaluations.insertClause(batch, 'concluded'),
          ...stepped,
          ...(opened.length > 0 ? [TOLD] : []),
          this.audit.appendClause(
            [...batch.map((row) => row.evaluated), ...opened.map(({ entry }) => entry)],
            told,
          ),
          ...this.events.publishClauses(
            [...batch.map((row) => row.completed), ...opened.map(({ event }) => event)],
            told,
          ),
          ...(cooled ? [cooled] : []),
          ...reviewed,
          ...(cash ? [cash] : []),
        ],
        'SELECT id FROM concluded',
        { prepared: true },
      ),
    );
    if (rows.length > 0) this.outbox.announce();
    const mine = new Set(rows.map((row) => row.id));
    const done = batch.filter(({ transaction }) => mine.has(transaction.id));
    this.metrics.fenced.inc(batch.length - done.length);
    for (const { evaluation, evaluatedAt, transaction } of done) {
      this.metrics.completed.inc({ outcome: evaluation.outcome, defensible: String(evaluation.defensible) });
      this.metrics.completionSeconds.observe(
        (evaluatedAt.getTime() - transaction.receivedAt.getTime()) / 1_000,
      );
    }
  }
}
