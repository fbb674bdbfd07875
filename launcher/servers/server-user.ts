import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { findOnPath, run, type UserIds } from '../commands.js';
import { LauncherError } from '../launcher-error.js';

/** As whom PostgreSQL runs. It refuses uid 0, so root needs a way round; anybody else runs it as themselves. */
export interface ServerUser {
  /** For the start line. */
  readonly description: string;
  readonly ids?: UserIds;
  /** The command as this user has to be given it. */
  wrap(command: readonly string[]): readonly string[];
}

/**
 * Root prefers a user namespace around the one process: PostgreSQL sees an ordinary uid while the files stay root's;
 * no user is made, nothing changes its owner, and it works below /root. Where namespaces are blocked (the usual
 * Docker profile) an unprivileged account of the system is used.
 */
export async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { description: 'as you', wrap: (command) => command };
  // initdb looks the uid up, so it must be one that the system knows.
  const account = (await accountOf('postgres')) ?? (await accountOf('nobody'));
  if (account === undefined) {
    throw new LauncherError(
      'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as.\n' +
        'Start as an ordinary user, or set DATABASE_URL.',
    );
  }
  const { name, ids } = account;
  const namespace = ['unshare', '--user', `--map-user=${ids.uid}`, `--map-group=${ids.gid}`];
  if (process.env['LAUNCHER_USER_NAMESPACE'] !== 'off' && (await run([...namespace, 'true'])).ok) {
    return { description: 'in a user namespace', wrap: (command) => [...namespace, ...command] };
  }
  return { description: `as ${name}`, ids, wrap: (command) => command };
}

async function accountOf(name: string): Promise<{ name: string; ids: UserIds } | undefined> {
  const [uid, gid] = await Promise.all([run(['id', '-u', name]), run(['id', '-g', name])]);
  return uid.ok && gid.ok ? { name, ids: { uid: Number(uid.stdout), gid: Number(gid.stdout) } } : undefined;
}

/** Where the database lies when another account must run PostgreSQL and cannot get to `dir`. /var/tmp would be swept. */
export function folderElsewhere(dir: string): string {
  return path.join('/var/lib/vigia', createHash('sha256').update(dir).digest('hex').slice(0, 12));
}

/** The folder below which this user keeps the database: `dir`, unless it cannot get there (a checkout below /root). */
export async function reachableFolder(user: ServerUser, dir: string): Promise<string> {
  if (user.ids === undefined) return dir;
  chmodSync(dir, 0o711); // let it pass through
  if ((await run(['test', '-x', dir], { ids: user.ids })).ok) return dir;
  const elsewhere = folderElsewhere(dir);
  mkdirSync(elsewhere, { recursive: true, mode: 0o711 });
  return elsewhere;
}

/** Makes the user the owner of what it has to write, also when an earlier start ran it differently. */
export async function giveTo(user: ServerUser, file: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync(file)) return;
  const { uid, gid } = user.ids ?? { uid: 0, gid: 0 };
  if (statSync(file).uid === uid) return;
  const { ok, stderr } = await run([findOnPath('chown') ?? 'chown', '-R', `${uid}:${gid}`, file]);
  if (!ok) throw new LauncherError(`Could not give ${file} to the database user: ${stderr.trim()}`);
}
