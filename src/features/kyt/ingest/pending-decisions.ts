import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import type { OpenTransaction } from '../domain/claimed.js';

type End = (decided: boolean) => void;

/** A lease under which this process stores a transaction and evaluates it at once; `ms` is its duration. */
export interface EvaluationLease {
  readonly owner: string;
  readonly ms: number;
}

/** Evaluates transactions in the process that accepted them. */
export interface PromptEvaluator {
  /** False if this process is so busy that a worker of the queue, perhaps on another host, is faster. */
  readonly hasRoom: boolean;
  /** True if this process is idle enough to evaluate transactions without a waiting caller too. */
  readonly isIdle: boolean;
  /** The lease under which this process stores transactions that it evaluates at once. */
  readonly lease: EvaluationLease;
  /** Evaluates a transaction that was stored under the lease. Resolves after the attempt, even if it failed. */
  start(held: OpenTransaction): Promise<unknown>;
}

// More transactions without a waiting caller than this go to a worker: at full load small batches cost twice as much.
const MAX_IDLE = 8;

/** Holds the callers who wait for decisions, without queries: `DecisionWaitService` polls the database. */
@Injectable()
export class PendingDecisions {
  private readonly endsByRef = new Map<string, Set<End>>();
  private count = 0;
  private closed = false;
  private evaluator: PromptEvaluator | undefined;
  /** Transactions that this process is evaluating. */
  private readonly underWay = new Set<string>();
  /** Transactions without a waiting caller that are being stored under the idle lease. */
  private promised = 0;

  constructor(private readonly settings: Settings) {}

  /** The number of waiting callers. */
  get size(): number {
    return this.count;
  }

  /** Returns the transactions that callers wait for and that another process may evaluate. */
  pendingRemotely(): string[] {
    return [...this.endsByRef.keys()].filter((ref) => !this.underWay.has(ref));
  }

  useEvaluator(evaluator: PromptEvaluator): void {
    this.evaluator = evaluator;
  }

  /** The lease for a submission with a waiting caller; null if this process cannot evaluate it at once. */
  get lease(): EvaluationLease | null {
    const isFull = this.closed || this.count >= this.settings.ingestWaitLimit;
    return !isFull && this.evaluator?.hasRoom ? this.evaluator.lease : null;
  }

  /** The lease for a submission without a waiting caller; null if the queue should evaluate it. */
  get idleLease(): EvaluationLease | null {
    const isFree = !this.closed && this.promised + this.underWay.size < MAX_IDLE;
    return isFree && this.evaluator?.isIdle ? this.evaluator.lease : null;
  }

  /** Counts a submission while it is stored under the idle lease; after that, `evaluate` counts it. */
  async trackStoring<T>(storing: Promise<T>): Promise<T> {
    this.promised += 1;
    try {
      return await storing;
    } finally {
      this.promised -= 1;
    }
  }

  /** Starts the evaluation of a transaction that was just stored under the lease. */
  evaluate(held: OpenTransaction): void {
    if (!this.evaluator) return;
    this.underWay.add(held.id);
    void this.evaluator.start(held).finally(() => this.underWay.delete(held.id));
  }

  /** Resolves to true once the transaction is decided; to false if `signal` aborts or too many callers wait already. */
  wait(ref: string, signal: AbortSignal): Promise<boolean> {
    if (this.closed || signal.aborted || this.count >= this.settings.ingestWaitLimit) {
      return Promise.resolve(false);
    }
    return new Promise<boolean>((resolve) => {
      const isOver = (): void => {
        end(false);
      };
      const end: End = (isDecided) => {
        signal.removeEventListener('abort', isOver);
        this.remove(ref, end);
        resolve(isDecided);
      };
      signal.addEventListener('abort', isOver);
      this.add(ref, end);
    });
  }

  /** Resolves the waits for transactions whose evaluations are committed. */
  resolve(refs: readonly string[]): void {
    if (this.count === 0) return;
    for (const ref of refs) this.end(ref, true);
  }

  /** Resolves every wait to false, and accepts no more. */
  close(): void {
    this.closed = true;
    for (const ref of [...this.endsByRef.keys()]) this.end(ref, false);
  }

  private end(ref: string, decided: boolean): void {
    for (const end of this.endsByRef.get(ref) ?? []) end(decided);
  }

  private add(ref: string, end: End): void {
    const ends = this.endsByRef.get(ref);
    if (ends) ends.add(end);
    else this.endsByRef.set(ref, new Set([end]));
    this.count += 1;
  }

  private remove(ref: string, end: End): void {
    const ends = this.endsByRef.get(ref);
    if (!ends?.delete(end)) return;
    if (ends.size === 0) this.endsByRef.delete(ref);
    this.count -= 1;
  }
}
