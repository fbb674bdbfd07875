import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '../kernel/index.js';
import type { ArtifactMimeType } from './domain/artifact.js';
import { FileRefused, findingTexts, type Finding } from './domain/file-refused.js';
import type { InspectionAnswer, InspectionMessage, Inspected } from './inspection.js';

// Decoding the largest image that is accepted takes about a second.
const TIMEOUT_MS = 20_000;
// An idle reader holds about 80 MB for nothing.
const IDLE_MS = 60_000;

// Run from the sources, as tests do, the process still needs compiled code.
const script = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/src/uploads/reader.child.js', import.meta.url)
    : new URL('./reader.child.js', import.meta.url),
);

interface Asked {
  readonly id: number;
  readonly resolve: (answer: InspectionAnswer | 'broke') => void;
}

/**
 * Has uploaded files read by a process of its own, one at a time: a second one would take the processor from ingest, and
 * their pixels would add up in memory. The process is started when it is needed and ends when it is idle.
 */
@Injectable()
export class FileReader implements OnApplicationShutdown {
  private readonly logger = new Logger(FileReader.name);
  private child: ChildProcess | null = null;
  private ready = false;
  private current: Asked | null = null;
  private timer: NodeJS.Timeout | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private asked = 0;
  private closed = false;

  /**
   * Waits for its turn and has the content read, handed over in parts: only the reading process ever holds a whole file.
   * Throws the refusal as a DomainError, what reading the content throws, and NOT_READY when no process can be started.
   */
  async inspect(mimeType: ArtifactMimeType, content: () => AsyncIterable<Buffer>): Promise<Inspected> {
    const mine = this.turn.then(() => this.ask(mimeType, content()));
    this.turn = mine.catch(() => undefined);
    const answer = await mine;
    // A file that breaks the reader or keeps it busy for too long is refused like one that it cannot decode.
    if (answer === 'broke') throw refusal('FILE_TYPE_UNSUPPORTED', 'UNREADABLE');
    if (answer.kind === 'refused') throw refusal(answer.code, answer.finding);
    if (answer.kind === 'ready') throw new DomainError('NOT_READY', { retryAfterSeconds: 2 });
    return answer.inspected;
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.turn;
    this.stop();
  }

  private async ask(
    mimeType: ArtifactMimeType,
    content: AsyncIterable<Buffer>,
  ): Promise<InspectionAnswer | 'broke'> {
    if (this.closed) throw new DomainError('NOT_READY', { retryAfterSeconds: 2 });
    clearTimeout(this.timer);
    this.child ??= this.start();
    const { child } = this;
    this.asked += 1;
    const id = this.asked;
    child.ref();
    child.channel?.ref();
    this.timer = setTimeout(() => {
      child.kill('SIGKILL');
    }, TIMEOUT_MS);
    const answered = new Promise<InspectionAnswer | 'broke'>((resolve) => {
      this.current = { id, resolve };
    });
    try {
      for await (const bytes of content) {
        // Once it has ended, or broken, there is an answer already.
        if (!(await delivered(child, { kind: 'part', id, bytes }))) break;
      }
    } catch (error) {
      this.settle('broke');
      throw error;
    }
    if (!(await delivered(child, { kind: 'question', id, mimeType }))) child.kill('SIGKILL');
    return answered;
  }

  private start(): ChildProcess {
    const child = fork(script, [], {
      // Buffers go as they are, not as lists of numbers.
      serialization: 'advanced',
      // Nothing of the service's environment, which holds its keys.
      env: { UV_THREADPOOL_SIZE: '2', VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2' },
      execArgv: ['--max-old-space-size=256', '--disable-proto=delete'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.ready = false;
    child.on('message', (answer: InspectionAnswer) => {
      if (answer.kind === 'ready') this.ready = true;
      else if (answer.id === this.current?.id) this.settle(answer);
    });
    child.on('error', () => {
      this.ended(child);
    });
    child.on('exit', () => {
      this.ended(child);
    });
    return child;
  }

  private settle(answer: InspectionAnswer | 'broke'): void {
    const { current, child } = this;
    if (!current) return;
    this.current = null;
    clearTimeout(this.timer);
    if (child) {
      child.unref();
      child.channel?.unref();
      this.timer = setTimeout(() => {
        this.stop();
      }, IDLE_MS);
      this.timer.unref();
    }
    current.resolve(answer);
  }

  private ended(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    if (!this.current) return;
    this.logger.warn(this.ready ? 'a file broke the process that reads files' : 'no process to read files');
    // One that never began to read says nothing about the file.
    this.settle(this.ready ? 'broke' : { kind: 'ready' });
  }

  private stop(): void {
    const { child } = this;
    this.child = null;
    clearTimeout(this.timer);
    child?.kill();
  }
}

const delivered = (child: ChildProcess, message: InspectionMessage): Promise<boolean> =>
  new Promise((resolve) => {
    child.send(message, (error) => {
      resolve(error === null);
    });
  });

const refusal = (code: 'FILE_TYPE_UNSUPPORTED' | 'FILE_TOO_LARGE', finding: Finding): DomainError =>
  new DomainError(code, {
    details: [{ path: 'file', code: finding, message: findingTexts[finding] }],
    cause: new FileRefused(finding),
  });
