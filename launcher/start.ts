import { rmSync } from 'node:fs';
import path from 'node:path';
import { RUNTIME_VARIABLES, runtimeFile } from '../src/cli/runtime-env.js';
import { databaseUrls } from '../src/platform/config/database-settings.js';
import { trimLog } from './commands.js';
import { variable } from './environment.js';
import { hasCode, LauncherError } from './launcher-error.js';
import { lockFolder } from './lock.js';
import { isPortFree } from './servers/ports.js';
import { hasPostgresData } from './servers/postgres.js';
import { writePrivate } from './private-files.js';
import { developmentSecrets } from './secrets.js';
import { Shutdown } from './shutdown.js';
import { startServers, type GivenServers } from './stack.js';
import { watchService } from './watch.js';
import { firstCall } from './welcome.js';

const PREFERRED_PORTS = { pgPort: 54_329, redisPort: 63_799 }; // out of the way of installed servers

/**
 * `npm start`: brings up everything that Vigia needs on this machine, then Vigia; ends the process when it stops.
 * `npm run dev` watches: the service restarts when a source changes.
 */
export async function start({ watch = false } = {}): Promise<void> {
  const shutdown = new Shutdown();
  await shutdown.guard(async () => {
    const { env } = process;
    const nodeEnv = variable(env, 'NODE_ENV') ?? 'development';
    const production = nodeEnv === 'production';
    const dir = path.resolve(variable(env, 'DATA_DIR') ?? '.data');
    const given = await inWords(() => Promise.resolve(givenServers(env)));
    if (production) requireServers(given);

    shutdown.add(lockFolder(dir));
    await requirePort(env);
    if (!production) Object.assign(env, developmentSecrets(dir, env, hasPostgresData(dir)));
    const cacheDir = path.join(dir, 'cache');
    const options = { dir, cacheDir, durable: true, signal: shutdown.signal, ...PREFERRED_PORTS };
    const stack = await startServers(options, given);
    shutdown.add(async () => stack.stop());
    env['NODE_ENV'] = nodeEnv;
    env['DATA_DIR'] = dir;
    env['DATABASE_OWNER_URL'] = stack.ownerUrl;
    env['DATABASE_URL'] = stack.appUrl;
    if (stack.redisUrl !== null) env['REDIS_URL'] = stack.redisUrl;
    if (!production) env['LOG_FILE'] ??= logFile(dir);
    // Who starts it by hand waits for it, and sends the first transactions one by one.
    env['WARM_UP_MS'] ??= '0';
    await startVigia(shutdown, { production, watch });
    publishEnvironment(dir);
    shutdown.add(() => {
      rmSync(runtimeFile(dir), { force: true });
    });
  });
}

/** In development the terminal is for the person; LOG_FILE= (empty) brings the log lines back to it. */
function logFile(dir: string): string {
  const file = path.join(dir, 'vigia.log');
  trimLog(file);
  return file;
}

/** For `npm run vigia`, which works on the databases of the running service. */
function publishEnvironment(dir: string): void {
  const entries = RUNTIME_VARIABLES.map((name) => [name, process.env[name]]);
  writePrivate(runtimeFile(dir), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/** Only now are the modules of the service loaded: they read the environment. */
async function startVigia(
  shutdown: Shutdown,
  { production, watch }: { readonly production: boolean; readonly watch: boolean },
): Promise<void> {
  shutdown.signal.throwIfAborted();
  const { migrate } = await import('../src/bootstrap/migrate.js');
  const migrations = await inWords(async () => migrate(process.env['DATABASE_OWNER_URL'] ?? ''));
  console.log(`Database schema is up to date (${migrations.length} migrations applied now)`);

  shutdown.signal.throwIfAborted();
  const { seedDemo } = await import('#vigia/demo');
  const demo = production ? undefined : await inWords(async () => seedDemo());
  const { firstSetupInstruction } = await import('../src/cli/commands/operators.command.js');
  const setup = production ? await inWords(async () => firstSetupInstruction()) : null;

  shutdown.signal.throwIfAborted();
  const url = watch ? await watchService(shutdown, addressOf(process.env)) : await startHere(shutdown);

  const seconds = process.uptime().toFixed(1);
  const log = variable(process.env, 'LOG_FILE');
  console.log(
    `\nVigia is ready after ${seconds} s: ${url}${production ? '' : `\nConsole:     ${url}/console (npm run vigia -- operators code analyst)\nDevelopers:  ${url}/developers\nSwagger UI:  ${url}/docs\nOperators:   ${url}/operator/docs (npm run vigia -- operators login admin)`}`,
  );
  if (log !== undefined) console.log(`Log:         ${log}`);
  if (demo !== undefined) {
    const call = firstCall({ url, ...demo, now: new Date() });
    console.log(`Credentials: ${demo.credentialsFile}`);
    console.log(
      `\nSend a first transaction; ?wait=2000 has the answer say what was decided (verdict):\n\n${call}\n`,
    );
  }
  if (setup !== null) console.log(`\nThere is no operator yet. ${setup}\n`);
  console.log('Ctrl-C stops everything; the data stays.');
}

async function startHere(shutdown: Shutdown): Promise<string> {
  const { startService } = await import('../src/bootstrap/service.js');
  const service = await inWords(async () => startService());
  shutdown.add(async () => service.close());
  return service.url;
}

const addressOf = (env: NodeJS.ProcessEnv): string => `http://127.0.0.1:${variable(env, 'PORT') ?? 3000}`;

/** DATABASE_URL alone is the owner's; beside DATABASE_OWNER_URL it is the application's. Empty means unset. */
export function givenServers(env: NodeJS.ProcessEnv): GivenServers {
  const { app, owner } = databaseUrls(env);
  return {
    ownerUrl: owner ?? app ?? undefined,
    appUrl: owner === null ? undefined : (app ?? undefined),
    redisUrl: variable(env, 'REDIS_URL'),
  };
}

function requireServers({ ownerUrl, redisUrl }: GivenServers): void {
  const missing = [
    ...(ownerUrl === undefined ? ['DATABASE_URL'] : []),
    ...(redisUrl === undefined ? ['REDIS_URL'] : []),
  ];
  if (missing.length === 0) return;
  throw new LauncherError(
    `NODE_ENV is production, so these have to be set: ${missing.join(', ')}.\n` +
      'The servers that npm start brings are for a laptop; to use them, start with NODE_ENV=development.',
  );
}

/** Looked at first: nobody should wait for two databases to hear this. */
async function requirePort(env: NodeJS.ProcessEnv): Promise<void> {
  const port = Number(variable(env, 'PORT') ?? 3000);
  // A PORT that is no port is reported with all other settings.
  if (!Number.isInteger(port) || port <= 0 || port > 65_535) return;
  if (!(await isPortFree(port, variable(env, 'HOST') ?? '127.0.0.1'))) throw portTaken(port);
}

/** Says what the person can put right without a stack trace. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  const { SettingsError } = await import('../src/platform/config/index.js');
  const { UnreleasedSchemaError } = await import('../src/bootstrap/migrate.js');
  try {
    return await work();
  } catch (error) {
    if (error instanceof SettingsError || error instanceof UnreleasedSchemaError) {
      throw new LauncherError(error.message);
    }
    if (hasCode(error, 'EADDRINUSE')) throw portTaken(Number(variable(process.env, 'PORT') ?? 3000));
    throw error;
  }
}

function portTaken(port: number): LauncherError {
  return new LauncherError(
    `Port ${port} is in use by another program. Choose another one: PORT=${port + 1} npm start`,
  );
}
