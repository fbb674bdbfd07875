import { Worker } from 'node:worker_threads';
import { buffersOfSegment, type PackedSegment, type SearchQuery } from '../domain/search/list-segment.js';
import {
  packQueries,
  type ListSearch,
  type BuilderAnswer,
  type BuilderRow,
  type FoundCandidates,
  type SearchAnswer,
  type SearchMessage,
} from './search-messages.js';

/** Thrown if the search thread is stopped or did not answer in time. That never means "no match". */
export class SearchUnavailableError extends Error {
  constructor(readonly code: 'STOPPED' | 'TIMEOUT') {
    super('The search thread gave no answer.');
    this.name = 'SearchUnavailable';
  }
}

type Sent = SearchMessage extends infer M ? (M extends unknown ? Omit<M, 'id'> : never) : never;

interface Waiting {
  readonly resolve: (answer: SearchAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | null;
}

const script = new URL('./search.worker.js', import.meta.url);

const newWorker = (role: 'build' | 'serve'): Worker =>
  new Worker(script, {
    workerData: role,
    // Thousands of short-lived candidates are created; in a larger young generation most are collected cheaply.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  });

/** The thread that holds and searches the indexes, so that a search never blocks the event loop. */
export class SearchThread {
  private readonly worker = newWorker('serve');
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private stopped = false;

  constructor(onStopped: () => void) {
    this.worker.on('message', (answer: SearchAnswer) => {
      const waiting = this.waiting.get(answer.id);
      if (!waiting) return;
      this.waiting.delete(answer.id);
      if (waiting.timer) clearTimeout(waiting.timer);
      waiting.resolve(answer);
    });
    // The error message may quote a name, and only the exit matters.
    this.worker.on('error', () => undefined);
    this.worker.on('exit', () => {
      const wasStopped = this.stopped;
      this.stopped = true;
      for (const { reject, timer } of this.waiting.values()) {
        if (timer) clearTimeout(timer);
        reject(new SearchUnavailableError('STOPPED'));
      }
      this.waiting.clear();
      if (!wasStopped) onStopped();
    });
    this.worker.unref();
  }

  /** Searches the lists for each query. Rejects with SearchUnavailableError. */
  async search(
    questions: readonly SearchQuery[],
    lists: readonly ListSearch[],
    limit: number,
    timeoutMs: number,
  ): Promise<readonly FoundCandidates[]> {
    if (questions.length === 0 || lists.length === 0) return questions.map(() => null);
    const cells = packQueries(questions);
    const answer = await this.send({ kind: 'ask', questions: cells, lists, limit }, [], timeoutMs);
    return answer.kind === 'answer' ? answer.found : [];
  }

  async put(mode: 'replace' | 'append', list: string, segment: PackedSegment): Promise<void> {
    await this.send({ kind: mode, list, segment }, buffersOfSegment(segment), null);
  }

  async remove(list: string, ids: readonly string[]): Promise<void> {
    await this.send({ kind: 'remove', list, ids }, [], null);
  }

  async drop(list: string): Promise<void> {
    await this.send({ kind: 'drop', list }, [], null);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.worker.terminate();
  }

  private send(message: Sent, transfer: ArrayBuffer[], timeoutMs: number | null): Promise<SearchAnswer> {
    if (this.stopped) return Promise.reject(new SearchUnavailableError('STOPPED'));
    const id = this.nextId;
    this.nextId += 1;
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === null
          ? null
          : setTimeout(() => {
              this.waiting.delete(id);
              reject(new SearchUnavailableError('TIMEOUT'));
            }, timeoutMs);
      this.waiting.set(id, { resolve, reject, timer });
      this.worker.postMessage({ ...message, id }, transfer);
    });
  }
}

// Number of batches sent ahead to the builder; more would only fill the memory.
const AHEAD = 4;

/** Builds a segment from batches of rows, in a separate thread. */
export async function buildSegment(batches: AsyncIterable<readonly BuilderRow[]>): Promise<PackedSegment> {
  const worker = newWorker('build');
  let takenCount = 0;
  let sent = 0;
  let wake: () => void = () => undefined;
  const failed = { error: null as Error | null };
  const built = new Promise<PackedSegment>((resolve, reject) => {
    const fail = (): void => {
      failed.error ??= new SearchUnavailableError('STOPPED');
      wake();
      reject(failed.error);
    };
    worker.on('message', (answer: BuilderAnswer) => {
      if (answer.kind === 'built') resolve(answer.segment);
      else takenCount += 1;
      wake();
    });
    worker.on('error', fail);
    worker.on('exit', fail);
  });
  built.catch(() => undefined);
  try {
    for await (const rows of batches) {
      worker.postMessage({ kind: 'rows', rows });
      sent += 1;
      while (sent - takenCount >= AHEAD && !failed.error) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
      if (failed.error) throw failed.error;
    }
    worker.postMessage({ kind: 'end' });
    return await built;
  } finally {
    await worker.terminate();
  }
}
