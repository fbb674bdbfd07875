import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasCode, LauncherError } from './launcher-error.js';
import { startOf } from './servers/process-table.js';

interface Owner {
  readonly pid: number;
  readonly startedAt: string;
}

const lockFile = (dir: string): string => path.join(dir, 'launcher.pid');

/** The running launcher of this folder, `'stale'` for one that died without tidying up, undefined for none. */
export function lockOwner(dir: string): number | 'stale' | undefined {
  let text: string;
  try {
    text = readFileSync(lockFile(dir), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [pid = '', startedAt = ''] = text.split('\n');
  return startedAt !== '' && startOf(Number(pid)) === startedAt ? Number(pid) : 'stale';
}

/**
 * One launcher per folder: a second one would take the first one's servers for leftovers and stop them.
 * Returns the function that gives the folder back.
 */
export function lockFolder(dir: string): () => void {
  // Others may pass through (never list): as root the database may run as another user. What lies inside is 0600/0700.
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  const us: Owner = { pid: process.pid, startedAt: startOf(process.pid) ?? '' };
  for (let attempt = 1; attempt <= 3; attempt++) {
    const owner = lockOwner(dir);
    if (typeof owner === 'number') throw alreadyRunning(dir, owner);
    if (owner === 'stale') rmSync(lockFile(dir), { force: true });
    try {
      writeFileSync(lockFile(dir), `${us.pid}\n${us.startedAt}\n`, { flag: 'wx', mode: 0o600 });
      return () => {
        rmSync(lockFile(dir), { force: true });
      };
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error; // someone was quicker: look again who
    }
  }
  throw new LauncherError(`Could not take the lock ${lockFile(dir)}; start again.`);
}

function alreadyRunning(dir: string, pid: number): LauncherError {
  return new LauncherError(
    `Vigia is already running in ${dir} (process ${pid}).\n` +
      'Stop it first, or start this one elsewhere: DATA_DIR=.data2 PORT=3001 npm start',
  );
}
