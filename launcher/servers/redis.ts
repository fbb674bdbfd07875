import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { LauncherError } from '../launcher-error.js';
import { passwordIn, writePrivate } from '../private-files.js';
import { findRedis } from './redis-binary.js';
import { ServerProcess, stopLeftover, type Server } from './server-process.js';

export interface RedisOptions {
  readonly dir: string;
  readonly cacheDir: string;
  readonly durable: boolean;
  readonly port?: number | undefined;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RunningRedis {
  readonly server: Server;
  readonly url: string;
}

/** Starts Redis on 127.0.0.1 with its data in `dir`; null when this system has none and none can be fetched. */
export async function startRedis(options: RedisOptions): Promise<RunningRedis | null> {
  const begin = performance.now();
  const { dir, say } = options;
  const binary = await findRedis(options);
  options.signal?.throwIfAborted(); // an interrupted download is no missing Redis
  if (binary === undefined) {
    say(
      'No Redis here: jobs are handed over inside this process, which is enough to try things out. ' +
        'For the real queue install redis-server or valkey, or set REDIS_URL.',
    );
    return null;
  }
  const password = passwordIn(path.join(dir, 'redis.password'));
  const configuration = path.join(dir, 'redis.conf');
  const stateFile = path.join(dir, 'redis.pid');
  const urlAt = (port: number): string => `redis://:${password}@127.0.0.1:${port}`;

  const server = new ServerProcess({
    name: 'Redis',
    logFile: path.join(dir, 'redis.log'),
    preferredPort: options.port,
    env: binary.env,
    stopSignal: 'SIGTERM',
    clearAway: async () => stopLeftoverRedis(dir),
    command: (port) => {
      writePrivate(configuration, configurationOf({ ...options, port, password }));
      return [binary.file, configuration];
    },
    answers: async (port) => answers(urlAt(port)),
    started: (pid, port) => {
      writePrivate(stateFile, `${pid}\n${port}\n`);
    },
    stopped: () => {
      rmSync(stateFile, { force: true });
    },
    lost: say,
  });
  await server.start();
  say(
    `${binary.version} on 127.0.0.1:${server.port} (${binary.source}; ${Math.round(performance.now() - begin)} ms)`,
  );
  return { server, url: urlAt(server.port) };
}

/** Stops a Redis that an earlier launcher started in this folder and could not stop. */
export async function stopLeftoverRedis(dir: string): Promise<void> {
  const stateFile = path.join(dir, 'redis.pid');
  if (!existsSync(stateFile)) return;
  const [pid = '', port = ''] = readFileSync(stateFile, 'utf8').split('\n');
  // Redis writes its address into its command line.
  await stopLeftover(Number(pid), 'Redis', (command) => command.includes(`127.0.0.1:${port}`));
  rmSync(stateFile, { force: true });
}

/** Returns the settings of the server, besides its place and its password. */
export const redisSettings = (durable: boolean): Readonly<Record<string, string>> => ({
  'maxmemory-policy': 'noeviction', // a queue must refuse rather than forget
  save: '""',
  appendonly: durable ? 'yes' : 'no',
  appendfsync: 'everysec',
});

function configurationOf(options: { dir: string; durable: boolean; port: number; password: string }): string {
  const data = path.join(options.dir, 'redis');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  return [
    `port ${options.port}`,
    'bind 127.0.0.1',
    `requirepass ${options.password}`,
    `dir "${data}"`,
    'daemonize no',
    ...Object.entries(redisSettings(options.durable)).map(([name, value]) => `${name} ${value}`),
    '',
  ].join('\n');
}

/** Asks once, without the client's own retries. */
async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 2_000,
  });
  client.on('error', () => undefined); // the rejected call below says the same
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('WRONGPASS')) {
      throw new LauncherError(
        `Another Redis listens on the port that was meant for ours: ${new URL(url).host}`,
      );
    }
    return false; // not listening yet, or still loading its data
  } finally {
    client.disconnect();
  }
}
