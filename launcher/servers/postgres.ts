import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { run } from '../commands.js';
import { hasCode, LauncherError } from '../launcher-error.js';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.js';
import { withClient } from '../../src/platform/database/connection/with-client.js';
import { passwordIn, writePrivate } from '../private-files.js';
import { ServerProcess, stopLeftover, type Server } from './server-process.js';
import { giveTo, reachableFolder, serverUser, type ServerUser } from './server-user.js';

export const OWNER = 'vigia';
const DATABASE = 'vigia';

export interface PostgresOptions {
  readonly dir: string;
  readonly cacheDir: string;
  readonly durable: boolean;
  readonly countStatements: boolean;
  readonly port?: number | undefined;
  readonly say: (line: string) => void;
}

export interface RunningPostgres {
  readonly server: Server;
  /** As the owner of the database, a superuser. */
  readonly ownerUrl: string;
}

interface Cluster {
  readonly user: ServerUser;
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
  readonly password: string;
}

/** Starts PostgreSQL on 127.0.0.1 with its data in `dir`, made if it is not there yet. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const begin = performance.now();
  const { dir, say } = options;
  const user = await serverUser();
  const home = await reachableFolder(user, dir);
  const binaries = await findPostgres(user, user.ids === undefined ? options.cacheDir : home);
  const dataDir = path.join(home, 'pg');
  const cluster: Cluster = { user, binaries, dataDir, password: ownerPassword(dir, dataDir) };
  if (hasPostgresData(home)) refuseOtherMajor(cluster);
  else await initialise(cluster, options.durable);

  const server = new ServerProcess({
    name: 'PostgreSQL',
    logFile: path.join(dir, 'postgres.log'),
    preferredPort: options.port,
    env: environment,
    ids: user.ids,
    stopSignal: 'SIGINT', // "fast": open transactions are rolled back, nobody is waited for
    clearAway: async () => {
      await stopLeftoverPostgres(dataDir);
      await giveTo(user, dataDir);
    },
    command: (port) => user.wrap([path.join(binaries.bin, 'postgres'), ...flags(dataDir, port, options)]),
    answers: async (port) => answers(ownerUrl(cluster, port, 'postgres')),
    lost: say,
  });
  await server.start();
  try {
    await createDatabase(ownerUrl(cluster, server.port, 'postgres'));
  } catch (error) {
    await server.stop();
    throw error;
  }
  const place = home === dir ? '' : `, data in ${home}`;
  say(
    `PostgreSQL ${binaries.version} on 127.0.0.1:${server.port} ` +
      `(${binaries.source}, ${user.description}${place}; ${Math.round(performance.now() - begin)} ms)`,
  );
  return { server, ownerUrl: ownerUrl(cluster, server.port, DATABASE) };
}

/** Whether a database was made here before. */
export function hasPostgresData(dir: string): boolean {
  return existsSync(path.join(dir, 'pg', 'PG_VERSION'));
}

/** Stops a PostgreSQL that works on this data, and removes the pid file of one that died. */
export async function stopLeftoverPostgres(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  await stopLeftover(pid, 'PostgreSQL', (command) => command.includes(`-D ${dataDir} `));
  // PostgreSQL clears a stale file itself, unless the pid now belongs to another program.
  rmSync(pidFile, { force: true });
}

// LC_ALL: on macOS PostgreSQL refuses to start without a locale. Messages in English, as the error checks expect.
const environment = { LC_ALL: 'C', TZ: 'UTC' };

const MEGABYTE = 1_048_576;
const [MIN_BUFFERS_MB, MAX_BUFFERS_MB] = [128, 1_024];

/**
 * A thirty-second part of the memory: this database shares the machine with the service and whatever else runs there. What
 * does not fit is read and written again and again: with a million transactions of history 256 MB cost 3 % more CPU than 768.
 */
function buffers(): string {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const megabytes = Math.round(memory / 32 / MEGABYTE);
  return `${Math.min(MAX_BUFFERS_MB, Math.max(MIN_BUFFERS_MB, megabytes))}MB`;
}

const durableFlags = {
  shared_buffers: buffers(),
  max_wal_size: '2GB',
  checkpoint_timeout: '15min', // fewer full-page images; recovery from a laptop's crash still takes seconds
};
const throwAwayFlags = {
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/**
 * Returns the settings of the server. Nothing of it is what a session of the service sets for itself: a server that
 * somebody else runs would lack it.
 */
export function serverSettings({
  durable,
  countStatements,
}: Pick<PostgresOptions, 'durable' | 'countStatements'>): Readonly<Record<string, string | number>> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '', // its path has a length limit, and it would be a second way in
    max_connections: 100,
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_min_duration_statement: 500,
    // Parameters and DETAIL lines hold row values, and those are personal data.
    log_parameter_max_length: 0,
    log_error_verbosity: 'terse',
    ...(durable ? durableFlags : throwAwayFlags),
    ...(countStatements ? { shared_preload_libraries: 'pg_stat_statements' } : {}),
  };
}

function flags(dataDir: string, port: number, options: PostgresOptions): string[] {
  const pairs = Object.entries(serverSettings(options)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  return ['-D', dataDir, '-p', String(port), ...pairs];
}

function ownerUrl({ password }: Cluster, port: number, database: string): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`;
}

/** The owner's password; a database whose password is lost cannot be opened, so a new one would only hide that. */
function ownerPassword(dir: string, dataDir: string): string {
  const file = path.join(dir, 'pg.password');
  if (!existsSync(file) && existsSync(path.join(dataDir, 'PG_VERSION'))) {
    throw new LauncherError(
      `${file} is missing, but there is a database in ${dataDir}.\n` +
        `Restore the file, or delete the folder ${dir} to start afresh.`,
    );
  }
  return passwordIn(file);
}

function refuseOtherMajor({ dataDir, binaries }: Cluster): void {
  const major = Number(readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8'));
  if (major === binaries.major) return;
  throw new LauncherError(
    `The database in ${dataDir} was made by PostgreSQL ${major}; the one found is ${binaries.version} (${binaries.bin}).\n` +
      `Set POSTGRES_BIN to the folder of a PostgreSQL ${major}, or delete ${dataDir} to start afresh.`,
  );
}

/** Makes the data folder under another name first: initdb writes PG_VERSION early, so half a folder looks like a whole one. */
async function initialise({ user, binaries, dataDir, password }: Cluster, durable: boolean): Promise<void> {
  const draft = `${dataDir}.new`;
  const passwordFile = `${draft}.password`; // a copy, since the file itself may be out of that user's reach
  writePrivate(passwordFile, `${password}\n`);
  await giveTo(user, passwordFile);
  try {
    let failure = '';
    for (const locale of locales(binaries.major)) {
      rmSync(draft, { recursive: true, force: true });
      mkdirSync(draft, { mode: 0o700 });
      await giveTo(user, draft);
      const done = await run(
        user.wrap([
          path.join(binaries.bin, 'initdb'),
          ...['-D', draft, '-U', OWNER, '--pwfile', passwordFile, '-A', 'scram-sha-256', '-E', 'UTF8'],
          ...['--data-checksums', '--no-instructions', ...locale, ...(durable ? [] : ['--no-sync'])],
        ]),
        { env: { PATH: process.env['PATH'], ...environment }, ids: user.ids, timeoutMs: 120_000 },
      );
      if (done.ok) {
        renameSync(draft, dataDir);
        return;
      }
      failure = done.stderr.trim();
    }
    throw new LauncherError(`PostgreSQL could not make its data folder ${dataDir}:\n${failure}`);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * The same order of text everywhere, by code point, with upper and lower case beyond ASCII.
 * The character type serves the trigram search; a system without that locale does without.
 */
function locales(major: number): readonly (readonly string[])[] {
  const characters = `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`;
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']; // since PostgreSQL 17
  return [[...(major >= 17 ? builtin : []), '--locale=C', characters], ['--locale=C']];
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => Promise.resolve());
    return true;
  } catch (error) {
    if (hasCode(error, '28P01')) {
      throw new LauncherError(
        'The password in pg.password does not open the database beside it. Restore the file, or delete the folder.',
        { cause: error },
      );
    }
    // Not listening yet, starting up, or busy with recovery.
    if (hasCode(error, 'ECONNREFUSED', 'ECONNRESET', '57P03')) return false;
    throw error;
  }
}

async function createDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(DATABASE)}`);
  });
}
