import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';

type End = (decided: boolean) => void;

/** Evaluates in this process what callers wait for. */
export interface PromptEvaluator {
  /** False when it has so much to do that the queue is quicker, which may have idle workers elsewhere. */
  readonly hasRoom: boolean;
  /** Resolves when it has tried, whatever came of it. */
  take(ref: string): Promise<unknown>;
}

/** Knows which callers wait for the decision about which transactions; it never asks whether one is there. */
@Injectable()
export class DecisionWaits {
  private readonly endsByRef = new Map<string, Set<End>>();
  private count = 0;
  private closed = false;
  private evaluator: PromptEvaluator | undefined;
  /** Those that this process evaluates just now. */
  private readonly underWay = new Set<string>();

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

  /** True when what is waited for can be evaluated in this process. */
  get canEvaluate(): boolean {
    const isFull = this.closed || this.count >= this.settings.ingestWaitLimit;
    return !isFull && (this.evaluator?.hasRoom ?? false);
  }

  /** Has a transaction evaluated that was stored just now. */
  evaluate(ref: string): void {
    if (!this.evaluator) return;
    this.underWay.add(ref);
    void this.evaluator.take(ref).finally(() => this.underWay.delete(ref));
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
