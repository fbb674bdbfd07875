import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import {
  retry,
  isDatabaseUnavailable,
  isLostRace,
  isTooExpensive,
  sqlStateOf,
  system,
  UnitOfWork,
} from '../../../platform/database/index.js';
import { SharedTurns } from '../../../platform/kernel/index.js';
import { EvaluationWriter } from './evaluation-writer.js';
import { EvaluationService, firstEvaluationTrigger } from './evaluation.service.js';
import { FailureHandler } from './failure-handler.js';
import { finalEventSequence, type ClaimedTransaction, type DecryptedTransaction } from '../domain/claimed.js';
import type { TransactionEvidence } from '../domain/facts/evidence.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';
import { FactCollector } from '../facts/fact-collector.js';
import { TransactionWorkRepository, type CrashSuspect } from '../store/work/transaction-work.repository.js';
import { TransactionDecrypter } from './transaction-decrypter.js';

const MAX_PAUSE_MS = 1_000;
// How often a transaction may be begun in a shared batch without being finished. After that it may be what crashes the
// process: the batch is begun again in halves, until that transaction is alone.
const MAX_SHARED_BEGINNINGS = 1;
// Maximum time that other batches wait for a transaction that is evaluated alone. A transaction that crashes its
// process does so sooner.
const MOST_ALONE_MS = 2_000;
// Maximum number of commits that are tried. Each failed commit means that another batch opened or closed a case of one
// of the same customers in between.
const MAX_EVALUATIONS = 5;

/** Claims and evaluates transactions in batches, each with one commit. */
@Injectable()
export class PipelineService implements OnModuleDestroy {
  private readonly logger = new Logger(PipelineService.name);
  private readonly processName = `${hostname()}:${process.pid}`;
  /** The lease of transactions that this process stores and evaluates immediately. */
  readonly lease: EvaluationLease;
  private readonly turns = new SharedTurns(MOST_ALONE_MS);
  /** The batches under way. */
  private readonly batches = new Set<readonly ClaimedTransaction[]>();
  private calls = 0;
  private transactionsInJobs = 0;
  private stopping = false;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly work: TransactionWorkRepository,
    private readonly transactionDecrypter: TransactionDecrypter,
    private readonly evaluator: EvaluationService,
    private readonly writer: EvaluationWriter,
    private readonly failures: FailureHandler,
    private readonly settings: Settings,
    private readonly factCollector: FactCollector,
  ) {
    this.lease = { owner: `${this.processName}:stored`, ms: settings.pipelineLeaseMs };
  }

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /**
   * Claims and evaluates the given transactions that are free. Safe to repeat. Waits while the database is unavailable:
   * if the job failed, the reconciler would find its transactions only a minute later.
   */
  async processTransactions(refs: readonly string[]): Promise<void> {
    // Each call has its own owner id, so that it releases only its own claims.
    const owner = `${this.processName}:${++this.calls}`;
    this.transactionsInJobs += refs.length;
    try {
      await this.retryUntilDone(refs, owner, () => this.advanceTogether(refs, owner));
    } finally {
      this.transactionsInJobs -= refs.length;
    }
  }

  /** The number of transactions in the jobs that this process works on. */
  get fromQueue(): number {
    return this.transactionsInJobs;
  }

  /** Evaluates waiting transactions of organisations that have no large part in a batch under way; returns how many. */
  async processOthers(most: number): Promise<number> {
    const busy = [...this.batches].flatMap(mainOrganisationsOf);
    const refs = await this.work.findWaitingOfOthers(busy, MAX_SHARED_BEGINNINGS, most);
    if (refs.length > 0) await this.processTransactions(refs);
    return refs.length;
  }

  /** Evaluates transactions that this process stored under its own lease: already claimed and decrypted. */
  async processHeld(held: readonly DecryptedTransaction[]): Promise<void> {
    const refs = held.map(({ id }) => id);
    await this.retryUntilDone(refs, this.lease.owner, () =>
      this.turns.runTogether(() => this.whileLeased(refs, this.lease.owner, () => this.evaluate(held, held))),
    );
  }

  /** Ends the lease of transactions that this process did not begin, so that another worker may claim them. */
  async releaseUnstarted(held: readonly DecryptedTransaction[]): Promise<void> {
    await this.work.releaseUnstarted(
      held.map(({ id }) => id),
      this.lease.owner,
    );
  }

  /**
   * Runs `first`. If the database becomes unavailable meanwhile, waits for it, claims the transactions again and
   * repeats the work.
   */
  private async retryUntilDone(
    refs: readonly string[],
    owner: string,
    first: () => Promise<void>,
  ): Promise<void> {
    let wasAway = false;
    let work = first;
    for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        // A claim may be stored although its answer was lost: it is released, without counting the attempt.
        if (wasAway) await this.work.releaseUnstarted(refs, owner);
        wasAway = false;
        await work();
        return;
      } catch (error) {
        if (this.stopping || !isDatabaseUnavailable(error)) throw error;
        work = () => this.advanceTogether(refs, owner);
        // If the work itself was too much for the database, its claim is not released, so that the attempt counts.
        // Without a count the work would be repeated for ever.
        wasAway = !isTooExpensive(error);
        await sleep(pauseMs);
      }
    }
  }

  private async advanceTogether(refs: readonly string[], owner: string): Promise<void> {
    const claimed = await this.evaluateTogether(refs, owner, MAX_SHARED_BEGINNINGS);
    if (claimed === refs.length) return;
    const suspects = await this.work.findCrashSuspects(refs, MAX_SHARED_BEGINNINGS);
    for (const part of partsOf(suspects)) {
      const [only] = part;
      if (only !== undefined && part.length === 1) await this.evaluateAlone(only, owner);
      else await this.evaluateTogether(part, owner);
    }
  }

  /** Claims and evaluates free transactions; returns how many. */
  private evaluateTogether(refs: readonly string[], owner: string, begunUpTo?: number): Promise<number> {
    const { pipelineLeaseMs: leaseMs } = this.settings;
    return this.turns.runTogether(async () =>
      this.evaluateClaimed(await this.work.claim(refs, owner, leaseMs, begunUpTo), owner),
    );
  }

  /** Claims and evaluates a transaction while this process evaluates no other, so that only it can end the process. */
  private evaluateAlone(ref: string, owner: string): Promise<number> {
    const { pipelineLeaseMs: leaseMs } = this.settings;
    return this.turns.runAlone(async () =>
      this.evaluateClaimed(await this.work.claimAlone(ref, owner, leaseMs), owner),
    );
  }

  private async evaluateClaimed(claimed: readonly ClaimedTransaction[], owner: string): Promise<number> {
    const { pipelineMaxAttempts: most } = this.settings;
    if (claimed.length === 0) return 0;
    const ids = claimed.map((transaction) => transaction.id);
    this.batches.add(claimed);
    const work = this.whileLeased(ids, owner, async () => {
      // A transaction that crashes its process leaves no error; only the number of its attempts alone shows the crash.
      for (const spent of claimed.filter(({ attempt }) => attempt > most)) {
        await this.failures.deadLetter(spent, { code: 'ATTEMPTS_EXHAUSTED', stage: 'CLAIM' });
      }
      await this.evaluate(claimed.filter(({ attempt }) => attempt <= most));
    });
    await work.finally(() => this.batches.delete(claimed));
    return claimed.length;
  }

  private async whileLeased(ids: readonly string[], owner: string, work: () => Promise<void>): Promise<void> {
    const renewal = this.keepLease(ids, owner);
    try {
      await work();
    } finally {
      clearInterval(renewal);
    }
  }

  /** Evaluates a batch; if it fails, one transaction at a time, so that a bad one does not delay others. */
  private async evaluate(
    batch: readonly ClaimedTransaction[],
    opened: readonly DecryptedTransaction[] | null = null,
  ): Promise<void> {
    if (batch.length === 0) return;
    let stage = 'OPEN';
    try {
      const open = opened ?? (await this.open(batch));
      stage = 'EVIDENCE';
      const evidence = await this.factCollector.collect(open);
      stage = 'EVALUATION';
      await this.conclude(open, evidence, (reached) => {
        stage = reached;
      });
    } catch (error) {
      // `retryUntilDone` releases the transactions when the database is back; this does not count as an attempt.
      if (isDatabaseUnavailable(error)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only) {
        await this.failures.handleFailure(only, { code: failureCode(error), stage }, error);
        return;
      }
      this.logger.warn(
        `a batch of ${batch.length} failed at ${stage}, its transactions are evaluated one by one`,
      );
      for (const transaction of batch) await this.evaluate([transaction]);
    }
  }

  /** Evaluates and commits. Repeats both if a case that the batch uses was changed in between. */
  private async conclude(
    open: readonly DecryptedTransaction[],
    evidence: readonly TransactionEvidence[],
    reach: (stage: 'EVALUATION' | 'COMMIT') => void,
  ): Promise<void> {
    await retry(
      async () => {
        reach('EVALUATION');
        const concluded = await this.evaluator.evaluate(open, evidence, (transaction) =>
          firstEvaluationTrigger(finalEventSequence(transaction)),
        );
        reach('COMMIT');
        await this.writer.commit(concluded);
      },
      { maxAttempts: MAX_EVALUATIONS, retryOn: isLostRace },
    );
  }

  /** Decrypts the bodies. Dead-letters transactions whose body cannot be decrypted or read. */
  private async open(batch: readonly ClaimedTransaction[]): Promise<DecryptedTransaction[]> {
    const open: DecryptedTransaction[] = [];
    for (const { transaction, result } of await this.transactionDecrypter.decryptAndRead(batch)) {
      if ('failure' in result) await this.failures.deadLetter(transaction, result.failure);
      else open.push(result.open);
    }
    return open;
  }

  private keepLease(ids: readonly string[], owner: string): NodeJS.Timeout {
    const { pipelineLeaseMs: leaseMs } = this.settings;
    return setInterval(() => {
      this.uow
        .run(system('kyt.leases'), (tx) => this.work.renew(tx, ids, owner, leaseMs))
        .catch((error: unknown) => {
          // It is safe to lose the lease, because the outdated fence then makes the commit void.
          this.logger.warn(`leases not renewed: ${failureCode(error)}`);
        });
    }, leaseMs / 3);
  }
}

/** Returns the organisations that have at least half of a batch. */
function mainOrganisationsOf(batch: readonly ClaimedTransaction[]): string[] {
  const counts = new Map<string, number>();
  for (const { organisationId } of batch) counts.set(organisationId, (counts.get(organisationId) ?? 0) + 1);
  return [...counts].flatMap(([organisationId, count]) =>
    2 * count >= batch.length ? [organisationId] : [],
  );
}

/** Returns halves of each group of transactions that were begun equally often. */
function partsOf(suspects: readonly CrashSuspect[]): string[][] {
  const groups = new Map<number, string[]>();
  for (const { id, begun } of suspects) groups.set(begun, [...(groups.get(begun) ?? []), id]);
  return [...groups.values()].flatMap((refs) => {
    const half = Math.ceil(refs.length / 2);
    return refs.length === 1 ? [refs] : [refs.slice(0, half), refs.slice(half)];
  });
}

/** Returns a stable code for the kind of failure: from `error.name`, never the message, which may quote data. */
function failureCode(error: unknown): string {
  const state = sqlStateOf(error);
  if (state !== undefined) return `DATABASE_${state}`;
  return error instanceof Error ? error.name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase() : 'UNKNOWN';
}
