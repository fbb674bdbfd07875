import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '../../../platform/kernel/index.js';
import type { ArtifactMimeType } from '../domain/artifact.js';
import { FileRefusedError } from '../domain/file-errors.js';
import type { InspectionReply, InspectionMessage, InspectedFile, ReaderRequest } from './inspection.js';

// The time limit for one file. Decoding the largest accepted image takes about 1 s.
const TIMEOUT_MS = 20_000;
// A file that used this much CPU time without a result is refused permanently. Below it, the client may retry.
const OWN_FAULT_MS = 10_000;
// The memory limit of the process. The largest image needs about 400 MB, a scanned page less.
const MAX_MEMORY_BYTES = 1_024 * 1_024 * 1_024;
const MEMORY_CHECK_MS = 50;
const RETRY_AFTER_SECONDS = 2;
// Idle time after which the process ends, because it uses about 80 MB.
const IDLE_MS = 60_000;

const script = fileURLToPath(new URL('./reader.child.js', import.meta.url));
// When the service runs from TypeScript sources, the child process needs the same loader.
const loader = import.meta.url.endsWith('.ts')
  ? process.execArgv.filter((flag) => flag.startsWith('--import='))
  : [];

/** `broke`: the file crashed the process. `busy`: the process got no CPU time. */
type Answer = InspectionReply | 'broke' | 'busy';

interface PendingInspection {
  readonly id: number;
  readonly resolve: (answer: Answer) => void;
}

/**
 * Reads uploaded files in a child process, one at a time: a second file would take CPU time from ingest and double the
 * memory. The process starts on demand and ends when it is idle.
 */
@Injectable()
export class FileReader implements OnApplicationShutdown {
  private readonly logger = new Logger(FileReader.name);
  protected child: ChildProcess | null = null;
  private isReady = false;
  private currentInspection: PendingInspection | null = null;
  private timer: NodeJS.Timeout | undefined;
  private queueTail: Promise<unknown> = Promise.resolve();
  private lastId = 0;
  private isClosed = false;
  protected readonly timeoutMs: number = TIMEOUT_MS;
  protected readonly ownFaultMs: number = OWN_FAULT_MS;
  protected readonly mostBytes: number = MAX_MEMORY_BYTES;

  /**
   * Waits in the queue and inspects a file, sent in chunks: only the child process holds a whole file. Throws the
   * refusal as a DomainError, the errors of `content`, NOT_READY when the process cannot start, and OVERLOADED when it
   * got too little CPU time.
   */
  async inspect(mimeType: ArtifactMimeType, content: () => AsyncIterable<Buffer>): Promise<InspectedFile> {
    const answer = await this.askInTurn({ about: 'file', mimeType }, content);
    // A file that crashes the process or exceeds its limits is refused like a file that cannot be decoded.
    if (answer === 'broke') throw refusalError(new FileRefusedError('UNREADABLE'));
    if (answer.kind === 'refused') throw refusalError(new FileRefusedError(answer.finding, answer.key));
    if (answer.kind !== 'accepted') throw notReadyError();
    return answer.inspected;
  }

  /**
   * Renders a page of a PDF as a JPEG. Throws ARTIFACT_NOT_SHOWABLE if that is impossible, and the errors of `inspect`.
   */
  async renderPdfPage(page: number, content: () => AsyncIterable<Buffer>): Promise<Buffer> {
    const answer = await this.askInTurn({ about: 'page', page }, content);
    if (answer === 'broke' || answer.kind === 'refused') throw new DomainError('ARTIFACT_NOT_SHOWABLE');
    if (answer.kind !== 'drawn') throw notReadyError();
    return answer.image;
  }

  /** Converts a picture to a logo: a small PNG without metadata. Throws the errors of `inspect`. */
  async convertLogo(
    mimeType: Exclude<ArtifactMimeType, 'application/pdf'>,
    content: () => AsyncIterable<Buffer>,
  ): Promise<Buffer> {
    const answer = await this.askInTurn({ about: 'logo', mimeType }, content);
    if (answer === 'broke') throw refusalError(new FileRefusedError('UNREADABLE'));
    if (answer.kind === 'refused') throw refusalError(new FileRefusedError(answer.finding, answer.key));
    if (answer.kind !== 'drawn') throw notReadyError();
    return answer.image;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await this.queueTail;
    this.stop();
  }

  private async askInTurn(
    question: ReaderRequest,
    content: () => AsyncIterable<Buffer>,
  ): Promise<Exclude<Answer, 'busy'>> {
    const answering = this.queueTail.then(() => this.ask(question, content()));
    this.queueTail = answering.catch(() => undefined);
    const answer = await answering;
    if (answer === 'busy') throw new DomainError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    return answer;
  }

  private async ask(question: ReaderRequest, content: AsyncIterable<Buffer>): Promise<Answer> {
    if (this.isClosed) throw notReadyError();
    clearTimeout(this.timer);
    this.child ??= this.start();
    const { child } = this;
    this.lastId += 1;
    const id = this.lastId;
    child.ref();
    child.channel?.ref();
    const before = cpuMsOf(child);
    this.timer = setTimeout(() => {
      this.giveUp(child, before);
    }, this.timeoutMs);
    const answered = new Promise<Answer>((resolve) => {
      this.currentInspection = { id, resolve };
    });
    this.checkMemory(child, id);
    try {
      for await (const bytes of content) {
        // If the process has exited or failed, the result is already set.
        if (!(await sendMessage(child, { kind: 'part', id, bytes }))) break;
      }
    } catch (error) {
      this.settle('broke');
      throw error;
    }
    if (!(await sendMessage(child, { kind: 'question', id, question }))) child.kill('SIGKILL');
    return answered;
  }

  private start(): ChildProcess {
    const child = fork(script, [], {
      // Structured clone: sends buffers as bytes, not as JSON arrays.
      serialization: 'advanced',
      // Does not pass the environment of the service, which contains its keys.
      env: { UV_THREADPOOL_SIZE: '2', VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2' },
      execArgv: [...loader, '--max-old-space-size=256', '--disable-proto=delete'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.isReady = false;
    child.on('message', (answer: InspectionReply) => {
      if (answer.kind === 'ready') this.isReady = true;
      else if (answer.id === this.currentInspection?.id) this.settle(answer);
    });
    child.on('error', () => {
      this.handleExit(child);
    });
    child.on('exit', () => {
      this.handleExit(child);
    });
    return child;
  }

  /** Kills a process at the time limit. Its CPU time shows whether the file is at fault. */
  private giveUp(child: ChildProcess, cpuMsBefore: number): void {
    const ownFault = this.isReady && cpuMsOf(child) - cpuMsBefore >= this.ownFaultMs;
    this.logger.warn(ownFault ? 'a file takes too long to read' : 'the process that reads files is starved');
    this.child = null;
    child.kill('SIGKILL');
    this.settle(ownFault ? 'broke' : 'busy');
  }

  /** Kills a process that uses too much memory, because the decoders in it cannot limit their own. */
  private checkMemory(child: ChildProcess, id: number): void {
    if (this.currentInspection?.id !== id || this.child !== child) return;
    if (residentBytesOf(child) > this.mostBytes) {
      this.logger.warn('a file takes too much memory to read');
      this.child = null;
      child.kill('SIGKILL');
      this.settle('broke');
      return;
    }
    setTimeout(() => {
      this.checkMemory(child, id);
    }, MEMORY_CHECK_MS).unref();
  }

  private settle(answer: Answer): void {
    const { currentInspection: current, child } = this;
    if (!current) return;
    this.currentInspection = null;
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

  private handleExit(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    if (!this.currentInspection) return;
    this.logger.warn(this.isReady ? 'a file broke the process that reads files' : 'no process to read files');
    // A child process that exits before it is ready has not read the file, so the file is not to blame.
    this.settle(this.isReady ? 'broke' : { kind: 'ready' });
  }

  private stop(): void {
    const { child } = this;
    this.child = null;
    clearTimeout(this.timer);
    child?.kill();
  }
}

/** CPU time of a process so far, in ms. 0 without /proc: then a slow file is always reported as retryable. */
export function cpuMsOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  try {
    const stat = readFileSync(`/proc/${pid ?? 'none'}/stat`, 'latin1');
    // User and system time are fields 14 and 15, in ticks of 10 ms; the name (field 2) is in parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Resident memory of a process, in bytes. 0 without /proc. */
function residentBytesOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  try {
    // The second number is the resident size, in pages of 4 KiB.
    const [, pages = '0'] = readFileSync(`/proc/${pid ?? 'none'}/statm`, 'latin1').split(' ');
    return Number(pages) * 4_096;
  } catch {
    return 0;
  }
}

const notReadyError = (): DomainError =>
  new DomainError('NOT_READY', { retryAfterSeconds: RETRY_AFTER_SECONDS });

const sendMessage = (child: ChildProcess, message: InspectionMessage): Promise<boolean> =>
  new Promise((resolve) => {
    child.send(message, (error) => {
      resolve(error === null);
    });
  });

const refusalError = (cause: FileRefusedError): DomainError =>
  new DomainError(cause.code, {
    details: [{ path: 'file', code: cause.finding, message: cause.text }],
    cause,
  });
