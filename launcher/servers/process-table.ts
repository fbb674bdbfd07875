import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Linux is read from /proc: `ps` is missing in slim images. Elsewhere (macOS) `ps` and `pgrep` are part of the system.
const linux = process.platform === 'linux';

/** The fields of /proc/<pid>/stat after the command name, which may itself hold spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // it is gone
  }
}

function ps(column: string, pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() || undefined;
}

/**
 * When the process started, in the system's own words; undefined when it is not running.
 * Together with the pid it names one process for good: pids alone are used again, above all after a reboot.
 */
export function startOf(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (!linux) return ps('state', pid)?.startsWith('Z') ? undefined : ps('lstart', pid);
  const stat = statOf(pid);
  return stat?.[0] === 'Z' ? undefined : stat?.[19];
}

export function isRunning(pid: number): boolean {
  return startOf(pid) !== undefined;
}

/** The command line of a process; empty when it is not running. */
export function commandOf(pid: number): string {
  if (!linux) return ps('command', pid) ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return ''; // it is gone
  }
}

/** The direct children: for PostgreSQL, its backends and background workers. */
export function childrenOf(pid: number): number[] {
  if (!linux) {
    const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    return stdout.split('\n').filter(Boolean).map(Number);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(statOf(candidate)?.[1]) === pid);
}

/** Waits until the process is gone; false when it still runs after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
