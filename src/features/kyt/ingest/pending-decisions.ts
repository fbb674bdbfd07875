import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';

type End = (decided: boolean) => void;

/** Evaluates transactions in the process that accepted them. */
export interface PromptEvaluator {
  /**
   * Returns a lease for a submission that this process can evaluate immediately; null if the queue should evaluate it.
   * `underWay`: how many submissions this process is storing or evaluating.
   */
  leaseFor(isWaitedFor: boolean, underWay: number): EvaluationLease | null;
  /** Evaluates a transaction that was stored under the lease. Resolves after the attempt, even if it failed. */
  start(held: DecryptedTransaction): Promise<unknown>;
}

/**
 * Holds the transactions that this process evaluates immediately, and the callers who wait for decisions. Makes no
 * queries: `DecisionWaitService` polls the database.
 */
@Injectable()
export class PendingDecisions {
  private readonly endsByRef = new Map<string, Set<End>>();
  private waitingCount = 0;
  private closed = false;
  private evaluator: PromptEvaluator | undefined;
  /** Transactions that this process is evaluating. */
  private readonly underWay = new Set<string>();
  /** The number of submissions that are being stored. */
  private storing = 0;

  constructor(private readonly settings: Settings) {}

  /** The number of waiting callers. */
  get size(): number {
    return this.waitingCount;
  }

  /** Returns the transactions that callers wait for and that another process may evaluate. */
  findRemotelyPending(): string[] {
    return [...this.endsByRef.keys()].filter((ref) => !this.underWay.has(ref));
  }

  useEvaluator(evaluator: PromptEvaluator): void {
    this.evaluator = evaluator;
  }

  /** Returns a lease to evaluate a submission immediately in this process; null if the queue should evaluate it. */
  leaseFor(isWaitedFor: boolean): EvaluationLease | null {
    if (this.closed || !this.evaluator) return null;
    // A caller beyond the limit does not wait.
    const willWait = isWaitedFor && this.waitingCount < this.settings.ingestWaitLimit;
    return this.evaluator.leaseFor(willWait, this.storing + this.underWay.size);
  }

  /** Counts a submission while it is stored; after that, `evaluate` counts it if this process evaluates it. */
  async trackStoring<T>(storing: Promise<T>): Promise<T> {
    this.storing += 1;
    try {
      return await storing;
    } finally {
      this.storing -= 1;
    }
  }

  /** Starts the evaluation of a transaction that was just stored under the lease. */
  evaluate(held: DecryptedTransaction): void {
    if (!this.evaluator) return;
    this.underWay.add(held.id);
    void this.evaluator.start(held).finally(() => this.underWay.delete(held.id));
  }

  /** Resolves to true once the transaction is decided; to false if `signal` aborts or too many callers wait already. */
  wait(ref: string, signal: AbortSignal): Promise<boolean> {
    if (this.closed || signal.aborted || this.waitingCount >= this.settings.ingestWaitLimit) {
      return Promise.resolve(false);
    }
    return new Promise<boolean>((resolve) => {
      const onAbort = (): void => {
        end(false);
      };
      const end: End = (isDecided) => {
        signal.removeEventListener('abort', onAbort);
        this.removeWait(ref, end);
        resolve(isDecided);
      };
      signal.addEventListener('abort', onAbort);
      this.addWait(ref, end);
    });
  }

  /** Resolves the waits for transactions whose evaluations are committed. */
  resolve(refs: readonly string[]): void {
    if (this.waitingCount === 0) return;
    for (const ref of refs) this.endWaits(ref, true);
  }

  /** Resolves every wait to false, and accepts no more. */
  close(): void {
    this.closed = true;
    for (const ref of [...this.endsByRef.keys()]) this.endWaits(ref, false);
  }

  private endWaits(ref: string, decided: boolean): void {
    for (const end of this.endsByRef.get(ref) ?? []) end(decided);
  }

  private addWait(ref: string, end: End): void {
    const ends = this.endsByRef.get(ref);
    if (ends) ends.add(end);
    else this.endsByRef.set(ref, new Set([end]));
    this.waitingCount += 1;
  }

  private removeWait(ref: string, end: End): void {
    const ends = this.endsByRef.get(ref);
    if (!ends?.delete(end)) return;
    if (ends.size === 0) this.endsByRef.delete(ref);
    this.waitingCount -= 1;
  }
}
