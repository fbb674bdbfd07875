import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import type { OpenTransaction } from '../domain/claimed.js';

type End = (decided: boolean) => void;

/** The process that evaluates a transaction, and how long no other one may. */
export interface EvaluationLease {
  readonly owner: string;
  readonly ms: number;
}

/** Evaluates in this process the transactions that callers wait for. */
export interface PromptEvaluator {
  /** False if it is so busy that the queue is quicker, which may have idle workers elsewhere. */
  readonly hasRoom: boolean;
  /** True if it is so idle that transactions without a waiting caller are evaluated soonest here, too. */
  readonly isIdle: boolean;
  /** The lease under which its transactions are stored. */
  readonly lease: EvaluationLease;
  /** Evaluates a transaction that is stored under its lease; resolves after the attempt, failed or not. */
  start(held: OpenTransaction): Promise<unknown>;
}

// More than these are left to a worker's larger batches: at full load many small batches cost twice as much.
const MAX_IDLE = 8;

/** Keeps the callers who wait for decisions; it never queries for a decision itself. */
@Injectable()
export class PendingDecisions {
  private readonly endsByRef = new Map<string, Set<End>>();
  private count = 0;
  private closed = false;
  private evaluator: PromptEvaluator | undefined;
  /** Transactions that this process is evaluating. */
  private readonly underWay = new Set<string>();
  /** Number of transactions without a waiting caller that are being stored to be evaluated here. */
  private promised = 0;

  constructor(private readonly settings: Settings) {}

  /** The number of waiting callers. */
  get size(): number {
    return this.count;
  }

  /** Returns the transactions that callers wait for and another process may decide. */
  pendingRemotely(): string[] {
    return [...this.endsByRef.keys()].filter((ref) => !this.underWay.has(ref));
  }

  useEvaluator(evaluator: PromptEvaluator): void {
    this.evaluator = evaluator;
  }

  /** The lease for a submission whose caller waits; null if this process cannot evaluate it at once. */
  get lease(): EvaluationLease | null {
    const isFull = this.closed || this.count >= this.settings.ingestWaitLimit;
    return !isFull && this.evaluator?.hasRoom ? this.evaluator.lease : null;
  }

  /** The lease for a submission without a waiting caller; null if it is better left to the queue. */
  get idleLease(): EvaluationLease | null {
    const isFree = !this.closed && this.promised + this.underWay.size < MAX_IDLE;
    return isFree && this.evaluator?.isIdle ? this.evaluator.lease : null;
  }

  /** Counts a submission while it is being stored under an idle lease; `evaluate` counts it afterwards. */
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

  /** Resolves to true once the transaction is decided; to false at once if too many wait, and when `over` aborts. */
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

  /** Resolves every wait to false, and takes no new ones. */
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
