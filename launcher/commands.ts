import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';

export interface UserIds {
  readonly uid: number;
  readonly gid: number;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly ids?: UserIds | undefined;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface RunResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

// A laptop's logs must not grow for ever.
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

/** Empties a log that has grown beyond what anybody reads. */
export function trimLog(file: string): void {
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) truncateSync(file);
}

/** The absolute path of a program on PATH. */
export function findOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** Runs a program to its end. A failure, a timeout or a missing program is an answer (`ok: false`), not an exception. */
export async function run(command: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const [program = '', ...args] = await endsWithParent(command);
  const { ids, timeoutMs = 60_000, env = process.env, cwd, signal } = options;
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env, timeout: timeoutMs, encoding: 'utf8', ...(cwd && { cwd }), ...(signal && { signal }), ...ids },
      (error, stdout, stderr) => {
        resolve({ ok: error === null, stdout, stderr: stderr || (error?.message ?? '') });
      },
    );
  });
}

/**
 * Starts a server that outlives the call but not this process.
 * It gets its own session: Ctrl-C at the terminal must not reach the database before the service has drained.
 * And nothing of our environment: it holds secrets, and PG… variables that would change the server.
 */
export async function spawnServer(
  command: readonly string[],
  options: { logFile: string; env: NodeJS.ProcessEnv; ids?: UserIds | undefined },
): Promise<ChildProcess> {
  const [program = '', ...args] = await endsWithParent(command);
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], ...options.env },
      ...options.ids,
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/**
 * Linux: when this process dies, even by SIGKILL, the kernel sends SIGINT to the child, which both servers take as
 * "stop cleanly". Elsewhere the next start finds what was left over (`stopLeftover`).
 * The wrapper executes the program in its own place, so the pid is the program's.
 */
export async function endsWithParent(command: readonly string[]): Promise<readonly string[]> {
  pdeathsig ??= probePdeathsig();
  return [...(await pdeathsig), ...command];
}

let pdeathsig: Promise<readonly string[]> | undefined;

async function probePdeathsig(): Promise<readonly string[]> {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv') : undefined;
  if (setpriv === undefined) return [];
  const wrapper = [setpriv, '--pdeathsig', 'INT'];
  // busybox has a setpriv without this option
  return new Promise((resolve) => {
    execFile(setpriv, [...wrapper.slice(1), 'true'], (error) => {
      resolve(error === null ? wrapper : []);
    });
  });
}
