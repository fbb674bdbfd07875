import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnServer, trimLog, type UserIds } from '../commands.js';
import { hasCode, LauncherError } from '../launcher-error.js';
import { freePort } from './ports.js';
import { childrenOf, commandOf, waitUntilGone } from './process-table.js';

/** The differences between one kind of server and another. */
export interface ServerSpec {
  readonly name: string;
  readonly logFile: string;
  readonly preferredPort?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly ids?: UserIds | undefined;
  /** Asks the server to stop cleanly, without waiting for its clients. */
  readonly stopSignal: 'SIGINT' | 'SIGTERM';
  /** Before each start, and before a port is chosen: stops what an earlier run left behind. */
  clearAway(): Promise<void>;
  command(port: number): readonly string[];
  /** True when it answers, false when it does not yet; throws when it never will. */
  answers(port: number): Promise<boolean>;
  started?(pid: number, port: number): void;
  stopped?(): void;
  /** It ended without being asked to. */
  lost(line: string): void;
}

/** A server that can be stopped, killed and started again on the same port with the same data. */
export interface Server {
  /** The process id of the server itself, not of a wrapper; another one after each start. */
  readonly pid: number;
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** SIGKILL to the server and all its children, as in a power cut. */
  kill9(): Promise<void>;
}

// Replaying the log after a crash may take a while; a server that is still alive is given this long.
const START_TIMEOUT_MS = 120_000;
const STOP_STEPS = [
  { signal: undefined, timeoutMs: 20_000 }, // the spec's own, polite one
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

class PortTaken extends LauncherError {}

export class ServerProcess implements Server {
  private child: ChildProcess | undefined;
  private fixedPort: number | undefined;

  constructor(private readonly spec: ServerSpec) {}

  get pid(): number {
    const pid = this.child?.pid;
    if (pid === undefined) throw new LauncherError(`${this.spec.name} is not running.`);
    return pid;
  }

  get port(): number {
    if (this.fixedPort === undefined) throw new LauncherError(`${this.spec.name} has not been started.`);
    return this.fixedPort;
  }

  async start(): Promise<void> {
    if (this.child !== undefined) return;
    await this.spec.clearAway();
    if (this.fixedPort !== undefined) {
      await this.launch(this.fixedPort);
      return;
    }
    // Between finding a free port and listening on it, another program may take it.
    for (let attempt = 1; this.fixedPort === undefined; attempt++) {
      const port = await freePort(attempt === 1 ? this.spec.preferredPort : undefined);
      try {
        await this.launch(port);
        this.fixedPort = port;
      } catch (error) {
        if (!(error instanceof PortTaken) || attempt === 3) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    const child = this.release();
    if (child?.pid === undefined) return;
    for (const { signal, timeoutMs } of STOP_STEPS) {
      child.kill(signal ?? this.spec.stopSignal);
      if (await hasExited(child, timeoutMs)) break;
    }
    this.spec.stopped?.();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async kill9(): Promise<void> {
    const child = this.release();
    if (child?.pid === undefined) return;
    const children = childrenOf(child.pid);
    child.kill('SIGKILL');
    await hasExited(child, 5_000);
    for (const pid of children) killIfRunning(pid, 'SIGKILL');
    for (const pid of children) await waitUntilGone(pid, 5_000);
  }

  /** From here on its end is no surprise. */
  private release(): ChildProcess | undefined {
    const child = this.child;
    this.child = undefined;
    return child;
  }

  private async launch(port: number): Promise<void> {
    const { spec } = this;
    trimLog(spec.logFile);
    const logStart = existsSync(spec.logFile) ? statSync(spec.logFile).size : 0;
    const child = await spawnServer(spec.command(port), spec);
    const failure = new Promise<never>((_resolve, reject) => child.once('error', reject));
    try {
      await Promise.race([failure, this.untilItAnswers(child, port, logStart)]);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    this.child = child;
    child.once('exit', () => {
      if (this.child !== child) return;
      this.child = undefined;
      spec.lost(`${spec.name} has stopped unexpectedly; see ${spec.logFile}`);
    });
    if (child.pid !== undefined) spec.started?.(child.pid, port);
  }

  private async untilItAnswers(child: ChildProcess, port: number, logStart: number): Promise<void> {
    const { name, logFile } = this.spec;
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await this.spec.answers(port))) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw this.explain(port, textFrom(logFile, logStart));
      }
      if (Date.now() > deadline) throw new LauncherError(`${name} does not answer; see ${logFile}`);
      await sleep(20);
    }
  }

  private explain(port: number, log: string): LauncherError {
    const { name, logFile } = this.spec;
    if (/address already in use/i.test(log)) {
      return new PortTaken(`Port ${port} on 127.0.0.1 was taken before ${name} could listen on it.`);
    }
    const tail = log.trim().split('\n').slice(-8).join('\n');
    return new LauncherError(`${name} did not start. The end of ${logFile}:\n${tail}`);
  }
}

/**
 * Stops a server that a killed launcher left running, so that there is one way to start: fresh, with our flags.
 * The command line has to show that it is ours: pids are used again.
 */
export async function stopLeftover(
  pid: number,
  name: string,
  isOurs: (command: string) => boolean,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isOurs(commandOf(pid))) return;
    killIfRunning(pid, signal);
    if (await waitUntilGone(pid, 20_000)) return;
  }
  throw new LauncherError(
    `${name} of an earlier run (process ${pid}) cannot be stopped. End it by hand and start again.`,
  );
}

function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error; // it is gone already
  }
}

async function hasExited(child: ChildProcess, timeoutMs: number): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  child.ref(); // it does not keep us alive otherwise, and then nobody would hear the event
  const timeout = new AbortController();
  const exited = once(child, 'exit', { signal: timeout.signal }).then(
    () => true,
    () => false,
  );
  const timer = setTimeout(() => {
    timeout.abort();
  }, timeoutMs);
  try {
    return await exited;
  } finally {
    clearTimeout(timer);
    child.unref();
  }
}

function textFrom(file: string, start: number): string {
  if (!existsSync(file)) return '';
  const text = readFileSync(file);
  return text.subarray(Math.min(start, text.length)).toString('utf8');
}
