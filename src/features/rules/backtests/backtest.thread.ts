import { Worker } from 'node:worker_threads';
import type { BacktestCheckpoint } from '../domain/backtest/backtest-tally.js';
import type { RulesetDefinition } from '../language/index.js';
import type { HistoryPage } from './backtest-history.js';

/** Messages to the thread; `add` is answered when its snapshots are counted. */
export type ThreadRequest =
  | {
      readonly id: number;
      readonly add: Uint8Array<ArrayBuffer>;
      readonly declared: Uint8Array<ArrayBuffer> | null;
    }
  | { readonly id: number; readonly resume: BacktestCheckpoint }
  | { readonly id: number; readonly ask: 'state' };

export interface ThreadStart {
  readonly definition: RulesetDefinition;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

export type ThreadAnswer =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly failure: string };

const SCRIPT = new URL('../jobs/backtest.worker.js', import.meta.url);

interface PendingRequest {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A worker thread that evaluates snapshots, so that this does not block the event loop. It has no database: it gets
 * bytes and returns counts.
 */
export class BacktestThread {
  private readonly worker: Worker;
  private readonly pendingRequests = new Map<number, PendingRequest>();
  private lastId = 0;
  private failure: Error | null = null;

  constructor({ content, from, to }: { content: RulesetDefinition; from: Date; to: Date }) {
    const start: ThreadStart = { definition: content, from: from.getTime(), to: to.getTime() };
    this.worker = new Worker(SCRIPT, { workerData: start });
    this.worker.on('message', (message: ThreadAnswer) => {
      const pending = this.pendingRequests.get(message.id);
      this.pendingRequests.delete(message.id);
      if ('failure' in message) pending?.reject(new Error(message.failure));
      else pending?.resolve(message.answer);
    });
    this.worker.on('error', (error) => {
      this.fail(error instanceof Error ? error : new Error('the thread of a back-test broke down'));
    });
    this.worker.on('exit', () => {
      this.fail(new Error('the thread of a back-test ended'));
    });
  }

  async resume(checkpoint: BacktestCheckpoint): Promise<void> {
    await this.request({ resume: checkpoint });
  }

  /**
   * Sends snapshots to the thread, which evaluates and counts them; their buffers are transferred and unusable
   * afterwards. Returns how many of them are in the range of the back-test.
   */
  async add({ bytes, declared }: Pick<HistoryPage, 'bytes' | 'declared'>): Promise<number> {
    const handedOver = declared ? [bytes.buffer, declared.buffer] : [bytes.buffer];
    return (await this.request({ add: bytes, declared }, handedOver)) as number;
  }

  async state(): Promise<BacktestCheckpoint['tally']> {
    return (await this.request({ ask: 'state' })) as BacktestCheckpoint['tally'];
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private request(
    request:
      | { add: Uint8Array<ArrayBuffer>; declared: Uint8Array<ArrayBuffer> | null }
      | { resume: BacktestCheckpoint }
      | { ask: 'state' },
    handedOver: readonly ArrayBuffer[] = [],
  ): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (this.failure) {
        reject(this.failure);
        return;
      }
      this.pendingRequests.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...request } satisfies ThreadRequest, handedOver);
    });
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.pendingRequests.values()) reject(this.failure);
    this.pendingRequests.clear();
  }
}
