import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { composite, isDatabaseAway, isLostRace, sqlStateOf, system, UnitOfWork } from '../database/index.js';
import { Outbox } from '../queue/index.js';
import { cooldownClause } from '../rules/index.js';
import { ReviewsService } from '../reviews/index.js';
import type { Evidence } from '../rules/index.js';
import { StepUps } from '../sessions/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { Conclusions, firstOccasion, type ConcludedTransaction } from './conclusion.js';
import { FailureDesk } from './failure-desk.js';
import { endingSequence, type ClaimedTransaction, type OpenTransaction } from './domain/claimed.js';
import { movesCash } from './domain/transaction-types.js';
import { FactFinder } from './fact-finder.js';
import { KytMetrics } from './kyt-metrics.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { WorkRepository } from './store/work.repository.js';
import { TransactionReader } from './transaction-reader.js';

const LONGEST_PAUSE_MS = 1_000;
// Begun more often than this without an end, a transaction is claimed alone: if it kills its worker, it takes no
// neighbour along.
const TOGETHER_UP_TO = 1;
// Each loss means that another batch opened or closed a case of one of the same customers meanwhile.
const MOST_DRAWN = 5;

const TOLD = {
  name: 'told',
  text: 'SELECT id FROM concluded UNION ALL SELECT id FROM stepped_up',
  values: [],
} as const;

/** Carries claimed transactions to their evaluation, a batch at a time, with one commit for the batch. */
@Injectable()
export class PipelineService implements OnModuleDestroy {
  private readonly logger = new Logger(PipelineService.name);
  private readonly owner = `${hostname()}:${process.pid}`;
  private stopping = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: WorkRepository,
    private readonly reader: TransactionReader,
    private readonly conclusions: Conclusions,
    private readonly evaluations: EvaluationRepository,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly outbox: Outbox,
    private readonly failures: FailureDesk,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
    private readonly facts: FactFinder,
    private readonly reviews: ReviewsService,
    private readonly stepUps: StepUps,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /**
   * Evaluates those of the transactions that nobody else has or has done. Safe to repeat. Waits for a database that
   * is away: a job that gave up would leave its transactions to the reconciler, which finds them a minute later.
   */
  async advance(refs: readonly string[]): Promise<void> {
    for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await this.advanceTogether(refs);
        return;
      } catch (error) {
        if (this.stopping || !isDatabaseAway(error)) throw error;
        await sleep(pauseMs);
      }
    }
  }

  private async advanceTogether(refs: readonly string[]): Promise<void> {
    const claimed = await this.hold(refs, TOGETHER_UP_TO);
    if (claimed === refs.length) return;
    for (const ref of await this.work.suspects(refs, TOGETHER_UP_TO)) await this.hold([ref]);
  }

  /** Claims what is free and was begun at most that often before, evaluates it, and returns how many there were. */
  private async hold(refs: readonly string[], begunUpTo?: number): Promise<number> {
    const { pipelineLeaseMs: leaseMs, pipelineMaxAttempts: most } = this.settings;
    const claimed = await this.work.claim(refs, this.owner, leaseMs, begunUpTo);
    if (claimed.length === 0) return 0;
    const renewal = this.keepLease(claimed.map((transaction) => transaction.id));
    try {
      // A row that kills its worker never comes back to say so; its attempts do.
      for (const spent of claimed.filter(({ attempt }) => attempt > most)) {
        await this.failures.bury(spent, { code: 'ATTEMPTS_EXHAUSTED', stage: 'CLAIM' });
      }
      await this.evaluate(claimed.filter(({ attempt }) => attempt <= most));
    } finally {
      clearInterval(renewal);
    }
    return claimed.length;
  }

  /** Evaluates a batch; when it fails, each of its rows alone, so that one bad row holds up nobody. */
  private async evaluate(batch: readonly ClaimedTransaction[]): Promise<void> {
    if (batch.length === 0) return;
    let stage = 'OPEN';
    try {
      const open = await this.open(batch);
      stage = 'EVIDENCE';
      const evidence = await this.facts.find(open);
      stage = 'EVALUATION';
      await this.conclude(open, evidence, (reached) => {
        stage = reached;
      });
    } catch (error) {
      // The leases run out and the reconciler brings the rows back; counting this against them would be unjust.
      if (isDatabaseAway(error)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only) {
        await this.failures.fail(only, { code: failureCode(error), stage }, error);
        return;
      }
      this.logger.warn(
        `a batch of ${batch.length} failed at ${stage}, its transactions are evaluated one by one`,
      );
      for (const transaction of batch) await this.evaluate([transaction]);
    }
  }

  /** Draws the conclusions and commits them; again when a case that they belong to was changed in between. */
  private async conclude(
    open: readonly OpenTransaction[],
    evidence: readonly Evidence[],
    reach: (stage: 'EVALUATION' | 'COMMIT') => void,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      reach('EVALUATION');
      const concluded = await this.conclusions.draw(open, evidence, (transaction) =>
        firstOccasion(endingSequence(transaction)),
      );
      reach('COMMIT');
      try {
        await this.commit(concluded);
        return;
      } catch (error) {
        if (attempt >= MOST_DRAWN || !isLostRace(error)) throw error;
      }
    }
  }

  /** Opens the bodies; what can never be opened is dead-lettered here. */
  private async open(batch: readonly ClaimedTransaction[]): Promise<OpenTransaction[]> {
    const open: OpenTransaction[] = [];
    for (const { transaction, result } of await this.reader.open(batch)) {
      if ('failure' in result) await this.failures.bury(transaction, result.failure);
      else open.push(result.open);
    }
    return open;
  }

  /** One commit for the batch; what the fence refuses belongs to another worker and is left alone. */
  private async commit(batch: readonly ConcludedTransaction[]): Promise<void> {
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
        // Not prepared: what plan is good depends on how much waits.
        { prepared: false },
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

  private keepLease(ids: readonly string[]): NodeJS.Timeout {
    const { pipelineLeaseMs: leaseMs } = this.settings;
    return setInterval(() => {
      this.uow
        .run(system('kyt.leases'), (tx) => this.work.renew(tx, ids, this.owner, leaseMs))
        .catch((error: unknown) => {
          // Losing the lease is safe: the fence refuses the commit.
          this.logger.warn(`leases not renewed: ${failureCode(error)}`);
        });
    }, leaseMs / 3);
  }
}

/** A stable word for the kind of failure; never the message, which may quote data. */
function failureCode(error: unknown): string {
  const state = sqlStateOf(error);
  if (state !== undefined) return `DATABASE_${state}`;
  return error instanceof Error ? error.name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase() : 'UNKNOWN';
}
