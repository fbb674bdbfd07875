import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';

type End = (decided: boolean) => void;

/** Knows which callers wait for the decision about which transactions; it never asks whether one is there. */
@Injectable()
export class DecisionWaits {
  private readonly endsByRef = new Map<string, Set<End>>();
  private count = 0;
  private closed = false;
  private evaluate: ((ref: string) => void) | undefined;

  constructor(private readonly settings: Settings) {}

  /** How many callers wait. */
  get size(): number {
    return this.count;
  }

  /** The transactions that somebody waits for. */
  refs(): string[] {
    return [...this.endsByRef.keys()];
  }

  /** Hears of each transaction that was stored just now and is waited for. */
  onStored(evaluate: (ref: string) => void): void {
    this.evaluate = evaluate;
  }

  /** True once the transaction is decided; false at once when too many wait, and when the caller's time is over. */
  until(ref: string, over: AbortSignal, storedNow: boolean): Promise<boolean> {
    if (this.closed || over.aborted || this.count >= this.settings.ingestWaitLimit) {
      return Promise.resolve(false);
    }
    const decided = new Promise<boolean>((resolve) => {
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
    if (storedNow) this.evaluate?.(ref);
    return decided;
  }

  /** The evaluations of these transactions are committed. */
  settle(refs: readonly string[]): void {
    if (this.count === 0) return;
    for (const ref of refs) this.end(ref, true);
  }

  /** Nobody waits any longer. */
  close(): void {
    this.closed = true;
    for (const ref of this.refs()) this.end(ref, false);
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
