import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { isDatabaseAway, sqlStateOf, UnitOfWork } from '../database/index.js';
import type { Evidence } from '../rules/index.js';
import { EventPublisher } from '../webhooks/index.js';
import { Conclusions, type ConcludedTransaction } from './conclusion.js';
import { FailureDesk } from './failure-desk.js';
import type { ClaimedTransaction, OpenTransaction } from './domain/claimed.js';
import {
  assembleEvidence,
  EVIDENCE_PROVIDERS,
  type Contribution,
  type EvidenceProvider,
} from './domain/evidence.js';
import { KytMetrics } from './kyt-metrics.js';
import { EvaluationRepository } from './store/evaluation.repository.js';
import { WorkRepository } from './store/work.repository.js';
import { TransactionReader } from './transaction-reader.js';

/** Carries claimed transactions to their evaluation, a batch at a time, with one commit for the batch. */
@Injectable()
export class PipelineService {
  private readonly logger = new Logger(PipelineService.name);
  private readonly owner = `${hostname()}:${process.pid}`;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: WorkRepository,
    private readonly reader: TransactionReader,
    private readonly conclusions: Conclusions,
    private readonly evaluations: EvaluationRepository,
    private readonly audit: AuditTrail,
    private readonly events: EventPublisher,
    private readonly failures: FailureDesk,
    private readonly settings: Settings,
    private readonly metrics: KytMetrics,
    @Inject(EVIDENCE_PROVIDERS) private readonly providers: readonly EvidenceProvider[],
  ) {}

  /** Evaluates those of the transactions that nobody else has or has done. Safe to repeat. */
  async advance(refs: readonly string[]): Promise<void> {
    const { pipelineLeaseMs: leaseMs } = this.settings;
    const claimed = await this.uow.run((tx) => this.work.claim(tx, refs, this.owner, leaseMs));
    if (claimed.length === 0) return;
    const renewal = this.keepLease(claimed.map((transaction) => transaction.id));
    try {
      await this.evaluate(await this.open(claimed));
    } finally {
      clearInterval(renewal);
    }
  }

  /** Opens the bodies; what cannot be opened, or was tried too often, is dead-lettered here. */
  private async open(claimed: readonly ClaimedTransaction[]): Promise<OpenTransaction[]> {
    const open: OpenTransaction[] = [];
    for (const { transaction, result } of await this.reader.open(claimed)) {
      if (transaction.attempt > this.settings.pipelineMaxAttempts) {
        // A row that kills its worker never comes back to say so; its attempts do.
        await this.failures.bury(transaction, { code: 'ATTEMPTS_EXHAUSTED', stage: 'CLAIM' });
      } else if ('failure' in result) {
        await this.failures.bury(transaction, result.failure);
      } else {
        open.push(result.open);
      }
    }
    return open;
  }

  /** Evaluates a batch; when it fails, each of its rows alone, so that one bad row holds up nobody. */
  private async evaluate(batch: readonly OpenTransaction[]): Promise<void> {
    if (batch.length === 0) return;
    let stage = 'EVIDENCE';
    try {
      const evidence = await this.gather(batch);
      stage = 'EVALUATION';
      const concluded = await this.conclusions.draw(batch, evidence);
      stage = 'COMMIT';
      await this.commit(concluded);
    } catch (error) {
      // The leases run out and the reconciler brings the rows back; counting this against them would be unjust.
      if (isDatabaseAway(error)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only) {
        await this.failures.fail(only, { code: failureCode(error), stage }, error);
        return;
      }
      this.logger.warn(`a batch of ${batch.length} failed at ${stage}, its transactions are evaluated one by one`);
      for (const transaction of batch) await this.evaluate([transaction]);
    }
  }

  private async gather(batch: readonly OpenTransaction[]): Promise<Evidence[]> {
    const contributions: (readonly Contribution[])[] = [];
    for (const provider of this.providers) contributions.push(await this.ask(provider, batch));
    return batch.map((transaction, i) =>
      assembleEvidence(
        transaction,
        contributions.map((list) => list[i] ?? { components: {} }),
      ),
    );
  }

  private async ask(provider: EvidenceProvider, batch: readonly OpenTransaction[]): Promise<readonly Contribution[]> {
    try {
      return await provider.contribute(batch);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(`evidence ${provider.components.join(', ')} failed`, stackOf(error));
      return batch.map((transaction) => ({
        components: Object.fromEntries(
          provider.components.map((name) => [
            name,
            { state: 'ERROR', source: 'provider', asOf: transaction.receivedAt.toISOString(), reason: 'PROVIDER_FAILED' },
          ]),
        ),
      }));
    }
  }

  /** One commit for the batch; what the fence refuses belongs to another worker and is left alone. */
  private async commit(batch: readonly ConcludedTransaction[]): Promise<void> {
    const done = await this.uow.run(async (tx) => {
      const mine = await this.work.conclude(tx, batch.map(({ transaction }) => transaction));
      const kept = batch.filter(({ transaction }) => mine.has(transaction.id));
      if (kept.length > 0) {
        await this.evaluations.insert(tx, kept);
        await this.audit.append(tx, kept.map((row) => row.evaluated));
        await this.events.publish(tx, kept.map((row) => row.completed));
      }
      return kept;
    });
    this.metrics.fenced.inc(batch.length - done.length);
    for (const { evaluation, evaluatedAt, transaction } of done) {
      this.metrics.completed.inc({ outcome: evaluation.outcome, defensible: String(evaluation.defensible) });
      this.metrics.completionSeconds.observe((evaluatedAt.getTime() - transaction.receivedAt.getTime()) / 1_000);
    }
  }

  private keepLease(ids: readonly string[]): NodeJS.Timeout {
    const { pipelineLeaseMs: leaseMs } = this.settings;
    return setInterval(() => {
      this.uow
        .run((tx) => this.work.renew(tx, ids, this.owner, leaseMs))
        .catch((error: unknown) => {
          // Losing the lease is safe: the fence refuses the commit.
          this.logger.warn(`leases not renewed: ${failureCode(error)}`);
        });
    }, leaseMs / 3);
  }
}

const stackOf = (error: unknown): string | undefined => (error instanceof Error ? error.stack : undefined);

/** A stable word for the kind of failure; never the message, which may quote data. */
function failureCode(error: unknown): string {
  const state = sqlStateOf(error);
  if (state !== undefined) return `DATABASE_${state}`;
  return error instanceof Error ? error.name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase() : 'UNKNOWN';
}
