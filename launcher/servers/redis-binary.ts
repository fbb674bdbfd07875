import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findOnPath, run } from '../commands.js';
import { variable } from '../environment.js';
import { hasCode, LauncherError } from '../launcher-error.js';

export interface RedisBinary {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  /** For the start line, such as "Redis 7.0.15". */
  readonly version: string;
  readonly source: string;
}

export interface RedisSearch {
  readonly cacheDir: string;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

// Homebrew's folders are not on the PATH of every shell, and Debian keeps servers in /usr/sbin.
const folders = ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/usr/sbin'];

/** Finds a Redis or Valkey: REDIS_BIN, an installed one, or on Debian and Ubuntu a private copy; undefined if there is none. */
export async function findRedis(search: RedisSearch): Promise<RedisBinary | undefined> {
  const chosen = variable(process.env, 'REDIS_BIN');
  if (chosen === 'none') return undefined;
  if (chosen !== undefined) return (await probe(chosen, {}, 'REDIS_BIN')) ?? unusable(chosen);
  for (const name of ['valkey-server', 'redis-server']) {
    const files = [findOnPath(name), ...folders.map((folder) => path.join(folder, name))];
    for (const file of files) {
      const found = file === undefined ? undefined : await probe(file, {}, 'installed');
      if (found !== undefined) return found;
    }
  }
  return privateCopy(search);
}

async function probe(file: string, env: NodeJS.ProcessEnv, source: string): Promise<RedisBinary | undefined> {
  if (!existsSync(file)) return undefined;
  const { ok, stdout } = await run([file, '--version'], { env: { ...process.env, ...env } });
  const [, product = 'Redis', version] = /(Redis|Valkey) server v=(\S+)/i.exec(stdout) ?? [];
  return ok && version !== undefined ? { file, env, version: `${product} ${version}`, source } : undefined;
}

function unusable(file: string): never {
  throw new LauncherError(`REDIS_BIN is ${file}, but that is no Redis or Valkey server that can be run.`);
}

/**
 * Debian and Ubuntu: the distribution's own signed packages, fetched as an ordinary user and unpacked in the cache.
 * Nothing is installed.
 */
async function privateCopy(search: RedisSearch): Promise<RedisBinary | undefined> {
  const copy = path.join(search.cacheDir, 'redis');
  const cached = await probeCopy(copy);
  if (cached !== undefined || findOnPath('apt-get') === undefined || findOnPath('dpkg-deb') === undefined) {
    return cached;
  }

  search.say('Fetching Redis from the packages of your system, for this folder only (once) …');
  mkdirSync(search.cacheDir, { recursive: true });
  const work = path.join(search.cacheDir, `redis.${process.pid}`);
  try {
    const packages = await download(path.join(work, 'apt'), search.signal);
    const unpacked = path.join(work, 'unpacked');
    for (const file of packages) {
      if (!(await run(['dpkg-deb', '-x', file, unpacked])).ok) return undefined;
    }
    if ((await probeCopy(unpacked)) === undefined) return undefined;
    moveInto(copy, unpacked);
    return await probeCopy(copy);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The packages of Redis and of the libraries that this system lacks; empty when they cannot be had. */
async function download(work: string, signal: AbortSignal | undefined): Promise<string[]> {
  for (const folder of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(path.join(work, folder), { recursive: true });
  }
  const archives = path.join(work, 'cache/archives');
  const options = [
    '-qq',
    ...[
      '-o',
      'Debug::NoLocking=1',
      '-o',
      `Dir::Cache=${path.join(work, 'cache')}`,
      '-o',
      'APT::Sandbox::User=',
    ],
    ...['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=5', '-o', 'Acquire::https::Timeout=5'],
  ];
  const ownLists = ['-o', `Dir::State::lists=${path.join(work, 'lists')}`];
  const fetch = ['install', '--download-only', '--no-install-recommends', '-y', 'redis-server'];
  const apt = async (...args: string[]): Promise<boolean> =>
    (await run(['apt-get', ...options, ...args], { timeoutMs: 60_000, signal })).ok;

  // The system's package lists may be empty (container images) or too old; then lists of our own.
  const done =
    (await apt(...fetch)) || ((await apt(...ownLists, 'update')) && (await apt(...ownLists, ...fetch)));
  if (!done) return [];
  return readdirSync(archives)
    .filter((name) => name.endsWith('.deb'))
    .map((name) => path.join(archives, name));
}

async function probeCopy(root: string): Promise<RedisBinary | undefined> {
  const file = path.join(root, 'usr/bin/redis-server');
  if (!existsSync(file)) return undefined;
  const libraries = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => /\.so(\.|$)/.test(entry.name))
    .map((entry) => entry.parentPath);
  return probe(
    file,
    { LD_LIBRARY_PATH: [...new Set(libraries)].join(':') },
    "private copy of your system's package",
  );
}

/** Two starts may share the cache; the first one to finish wins. */
function moveInto(place: string, draft: string): void {
  try {
    renameSync(draft, place);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}
