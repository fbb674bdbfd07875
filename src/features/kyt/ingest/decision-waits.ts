import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import type { OpenTransaction } from '../domain/claimed.js';

type End = (decided: boolean) => void;

/** By whom a transaction is evaluated, and how long nobody else is to. */
export interface Lease {
  readonly owner: string;
  readonly ms: number;
}

/** Evaluates in this process what callers wait for. */
export interface PromptEvaluator {
  /** False when it has so much to do that the queue is quicker, which may have idle workers elsewhere. */
  readonly hasRoom: boolean;
  /** True while it has so little to do that what nobody waits for is done here soonest, too. */
  readonly isIdle: boolean;
  /** The lease under which it is stored. */
  readonly lease: Lease;
  /** Evaluates what is stored under its lease; resolves when it has tried, whatever came of it. */
  take(held: OpenTransaction): Promise<unknown>;
}

// Beyond these they are better evaluated in larger batches, by a worker: at full load many small ones cost twice as much.
const MAX_IDLE = 8;

/** Knows which callers wait for the decision about which transactions; it never asks whether one is there. */
@Injectable()
export class DecisionWaits {
  private readonly endsByRef = new Map<string, Set<End>>();
  private count = 0;
  private closed = false;
  private evaluator: PromptEvaluator | undefined;
  /** Those that this process evaluates just now. */
  private readonly underWay = new Set<string>();
  /** Those that nobody waits for and that are being stored to be evaluated here. */
  private promised = 0;

  constructor(private readonly settings: Settings) {}

  /** How many callers wait. */
  get size(): number {
    return this.count;
  }

  /** The transactions that somebody waits for and that another process may decide. */
  elsewhere(): string[] {
    return [...this.endsByRef.keys()].filter((ref) => !this.underWay.has(ref));
  }

  evaluateWith(evaluator: PromptEvaluator): void {
    this.evaluator = evaluator;
  }

  /** The lease under which to store what is waited for; null when this process cannot evaluate it at once. */
  get lease(): Lease | null {
    const isFull = this.closed || this.count >= this.settings.ingestWaitLimit;
    return !isFull && this.evaluator?.hasRoom ? this.evaluator.lease : null;
  }

  /** The lease under which to store what nobody waits for; null when it is better left to the queue. */
  get idleLease(): Lease | null {
    const isFree = !this.closed && this.promised + this.underWay.size < MAX_IDLE;
    return isFree && this.evaluator?.isIdle ? this.evaluator.lease : null;
  }

  /** Counts what is being stored under an idle lease; once it is stored, it is under way. */
  async promise<T>(storing: Promise<T>): Promise<T> {
    this.promised += 1;
    try {
      return await storing;
    } finally {
      this.promised -= 1;
    }
  }

  /** Has a transaction evaluated that was stored just now under the lease. */
  evaluate(held: OpenTransaction): void {
    if (!this.evaluator) return;
    this.underWay.add(held.id);
    void this.evaluator.take(held).finally(() => this.underWay.delete(held.id));
  }

  /** True once the transaction is decided; false at once when too many wait, and when the caller's time is over. */
  until(ref: string, over: AbortSignal): Promise<boolean> {
    if (this.closed || over.aborted || this.count >= this.settings.ingestWaitLimit) {
      return Promise.resolve(false);
    }
    return new Promise<boolean>((resolve) => {
      const isOver = (): void => {
        end(false);
      };
      const end: End = (isDecided) => {
        over.removeEventListener('abort', isOver);
        this.remove(ref, end);
        resolve(isDecided);
      };
      over.addEventListener('abort', isOver);
      this.add(ref, end);
    });
  }

  /** The evaluations of these transactions are committed. */
  settle(refs: readonly string[]): void {
    if (this.count === 0) return;
    for (const ref of refs) this.end(ref, true);
  }

  /** Nobody waits any longer. */
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
