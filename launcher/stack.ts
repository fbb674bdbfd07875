// Owns the servers that Vigia needs on a machine without any: PostgreSQL and Redis, started below one folder.
// Promises that they end with this process, that a second start finds its data, and that the pids are the servers' own.
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { ensureAppRole, urlForRole } from '../src/platform/database/connection/app-role.js';
import { APP_ROLE } from '../src/platform/database/connection/session-settings.js';
import { LauncherError } from './launcher-error.js';
import { lockFolder, lockOwner } from './lock.js';
import { startPostgres, stopLeftoverPostgres, type RunningPostgres } from './servers/postgres.js';
import { loginOf, withClient } from '../src/platform/database/connection/with-client.js';
import { passwordIn } from './private-files.js';
import { startRedis, stopLeftoverRedis, type RunningRedis } from './servers/redis.js';
import type { Server } from './servers/server-process.js';
import { folderElsewhere } from './servers/server-user.js';

export { passwordIn } from './private-files.js';
export type { Server } from './servers/server-process.js';

export interface StackOptions {
  /** Data, logs and passwords. One stack at a time. */
  readonly dir: string;
  /** Binaries that had to be fetched; may be shared between stacks. */
  readonly cacheDir: string;
  /** False gives up durability for speed: tests only. */
  readonly durable: boolean;
  readonly quiet?: boolean;
  /** Loads `pg_stat_statements`: benchmarks only. */
  readonly countStatements?: boolean;
  /** Preferred ports; another free one is taken when they are in use. */
  readonly pgPort?: number;
  readonly redisPort?: number;
  /** Ends a download that is under way. */
  readonly signal?: AbortSignal;
}

/** Servers that run already and are used as they are. */
export interface GivenServers {
  readonly ownerUrl?: string | undefined;
  /** Derived from the owner's URL and a password of our own when it is not given. */
  readonly appUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
}

export interface Stack {
  /** The owner of the tables: for migrations. */
  readonly ownerUrl: string;
  /** The role `vigia_app`, which owns nothing: for the service. */
  readonly appUrl: string;
  /** Null when there is no Redis to be had. */
  readonly redisUrl: string | null;
  /** Null when the server was given. */
  readonly postgres: Server | null;
  readonly redis: Server | null;
  /** Stops what was started here, Redis first. The data stays. */
  stop(): Promise<void>;
  /** Stops and deletes everything. */
  discard(): Promise<void>;
}

export type OwnStack = Stack & { readonly postgres: Server };

/** Starts PostgreSQL and Redis in a folder that it locks: for tests, benchmarks and crash tests. */
export async function startStack(options: StackOptions): Promise<OwnStack>;
export async function startStack(options: StackOptions, given: GivenServers): Promise<Stack>;
export async function startStack(options: StackOptions, given: GivenServers = {}): Promise<Stack> {
  const unlock = lockFolder(options.dir);
  try {
    const stack = await startServers(options, given);
    const stop = async (): Promise<void> => {
      await stack.stop();
      unlock();
    };
    return { ...stack, stop };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Starts what is not given, and makes sure that the application's role can log in.
 * The caller holds the lock of the folder.
 */
export async function startServers(options: StackOptions, given: GivenServers): Promise<Stack> {
  const dir = path.resolve(options.dir);
  const running: { postgres?: RunningPostgres; redis?: RunningRedis | null } = {};
  const stop = async (): Promise<void> => {
    await running.redis?.server.stop();
    await running.postgres?.server.stop();
  };
  try {
    if (given.ownerUrl !== undefined) await requireDatabase(given.ownerUrl);
    await startMissing({ ...options, dir, cacheDir: path.resolve(options.cacheDir) }, given, running);
    const ownerUrl = given.ownerUrl ?? running.postgres?.ownerUrl ?? '';
    const appUrl =
      given.appUrl ?? urlForRole(ownerUrl, APP_ROLE, passwordIn(path.join(dir, 'pg-app.password')));
    const { user, password } = loginOf(appUrl);
    await ensureAppRole(ownerUrl, user, password);
    return {
      ownerUrl,
      appUrl,
      redisUrl: given.redisUrl ?? running.redis?.url ?? null,
      postgres: running.postgres?.server ?? null,
      redis: running.redis?.server ?? null,
      stop,
      discard: async () => {
        await stop();
        for (const folder of [dir, folderElsewhere(dir)]) rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Looked at before anything is started. */
async function requireDatabase(url: string): Promise<void> {
  try {
    await withClient(url, async (client) => client.query('SELECT 1'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LauncherError(
      `The given database (DATABASE_OWNER_URL or DATABASE_URL) cannot be used: ${reason}`,
    );
  }
}

/** Both at once; when one fails, the other is known to the caller, who stops it. */
async function startMissing(
  options: StackOptions,
  given: GivenServers,
  running: { postgres?: RunningPostgres; redis?: RunningRedis | null },
): Promise<void> {
  const { dir, cacheDir, durable, countStatements = false, pgPort, redisPort, signal } = options;
  const say = options.quiet === true ? (): void => undefined : console.log;
  const results = await Promise.allSettled([
    given.ownerUrl === undefined &&
      startPostgres({ dir, cacheDir, durable, countStatements, say, port: pgPort }).then(
        (postgres) => (running.postgres = postgres),
      ),
    given.redisUrl === undefined &&
      startRedis({ dir, cacheDir, durable, say, signal, port: redisPort }).then(
        (redis) => (running.redis = redis),
      ),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/**
 * Deletes the folders in `parent` whose names begin with `prefix` and whose launcher died without tidying up,
 * such as a killed test run; servers that still run there are stopped.
 */
export async function sweepAbandoned(parent: string, prefix: string): Promise<void> {
  const names = readdirSync(parent).filter((name) => name.startsWith(prefix));
  for (const dir of names.map((name) => path.join(parent, name))) {
    const isOurs = statSync(dir, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (!isOurs || lockOwner(dir) !== 'stale') continue;
    await stopLeftoverRedis(dir);
    for (const folder of [dir, folderElsewhere(dir)]) {
      await stopLeftoverPostgres(path.join(folder, 'pg'));
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
