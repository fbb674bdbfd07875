import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { lockFolder, lockOwner } from '../../launcher/lock.js';
import { freePort } from '../../launcher/servers/ports.js';
import { commandOf, isRunning, startOf, waitUntilGone } from '../../launcher/servers/process-table.js';
import { developmentSecrets } from '../../launcher/secrets.js';
import { startStack, sweepAbandoned, type OwnStack } from '../../launcher/stack.js';
import { givenServers } from '../../launcher/start.js';
import { firstCall } from '../../launcher/welcome.js';
import { ensureAppRole, urlForRole } from '../../src/platform/database/connection/app-role.js';
import { withClient } from '../../src/platform/database/connection/with-client.js';
import { reservedPort } from '../support/ports.mjs';

const cacheDir = path.resolve(process.env['DATA_DIR'] ?? '.data', 'cache');
const scratch = mkdtempSync(path.join(os.tmpdir(), 'vigia-launcher-'));
// A server that is started again needs the port that it had.
const ports = { pgPort: await reservedPort(), redisPort: await reservedPort() };
chmodSync(scratch, 0o711); // as root without user namespaces the database runs as another user
let dir: string;
let count = 0;

beforeEach(() => {
  dir = path.join(scratch, String(++count));
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe('the lock of a data folder', () => {
  const file = (): string => path.join(dir, 'launcher.pid');

  it('refuses a second launcher and names the first', () => {
    const unlock = lockFolder(dir);
    expect(() => lockFolder(dir)).toThrow(`process ${process.pid}`);
    unlock();
    expect(existsSync(file())).toBe(false);
    lockFolder(dir)();
  });

  it('is taken over from a launcher that died, even when its pid belongs to another process now', () => {
    mkdirSync(dir);
    writeFileSync(file(), `${process.pid}\nat another time\n`);
    expect(lockOwner(dir)).toBe('stale');
    const unlock = lockFolder(dir);
    expect(readFileSync(file(), 'utf8')).toBe(`${process.pid}\n${startOf(process.pid)}\n`);
    unlock();
  });
});

describe('the development secrets', () => {
  const file = (): string => path.join(dir, 'secrets.json');

  beforeEach(() => {
    mkdirSync(dir);
  });

  it('are made once, for this user only', () => {
    // ASVS 13.3.1, 13.3.2
    const made = developmentSecrets(dir, {}, false);
    expect(made.KEY_RING).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
    expect(new Set(Object.values(made)).size).toBe(4);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(developmentSecrets(dir, {}, true)).toEqual(made);
  });

  it('are those of the environment where it has them', () => {
    const env = {
      KEY_RING: 'k7:ring',
      AUDIT_KEYS: 'a7:seed',
      INDEX_KEY: 'index',
      CLIENT_SECRET_PEPPER: 'pepper',
    };
    expect(developmentSecrets(dir, env, false)).toEqual(env);
    expect(existsSync(file())).toBe(false);
    expect(developmentSecrets(dir, { INDEX_KEY: 'index' }, false)).toMatchObject({ INDEX_KEY: 'index' });
  });

  it('are not replaced by new ones that could not read the data', () => {
    expect(() => developmentSecrets(dir, {}, true)).toThrow('secrets.json is missing');
  });

  it('never show up in the message about a broken file', () => {
    writeFileSync(file(), '{ "keyRing": "k1:do-not-print"');
    expect(() => developmentSecrets(dir, {}, true)).toThrow(/^(?!.*do-not-print).*cannot be read as JSON/);
    writeFileSync(file(), '{ "keyRing": "k1:do-not-print" }');
    expect(() => developmentSecrets(dir, {}, true)).toThrow(
      /^(?!.*do-not-print).*no usable indexKey, clientSecretPepper/,
    );
  });
});

describe('the servers that are given', () => {
  it('take DATABASE_URL alone for that of the owner', () => {
    expect(givenServers({ DATABASE_URL: 'postgres://db' })).toMatchObject({
      ownerUrl: 'postgres://db',
      appUrl: undefined,
    });
  });

  it('take DATABASE_URL beside DATABASE_OWNER_URL for that of the application', () => {
    const env = { DATABASE_URL: 'postgres://app', DATABASE_OWNER_URL: 'postgres://owner', REDIS_URL: '' };
    expect(givenServers(env)).toEqual({
      ownerUrl: 'postgres://owner',
      appUrl: 'postgres://app',
      redisUrl: undefined,
    });
  });

  it('are the same database for every role', () => {
    expect(urlForRole('postgres://vigia:old@db:5432/x?sslmode=require', 'vigia_app', 'p@ss/?')).toBe(
      'postgres://vigia_app:p%40ss%2F%3F@db:5432/x?sslmode=require',
    );
    expect(() => urlForRole('postgres:///x?host=/tmp', 'vigia_app', 'p')).toThrow('names no host');
  });
});

describe('the first call', () => {
  it('has every field that its evaluation needs', () => {
    const now = new Date('2026-11-20T12:34:56.789Z');
    const command = firstCall({ url: 'http://127.0.0.1:3000', clientId: 'id', clientSecret: 'secret', now });
    const [, body = ''] = /-d '(.*)'$/.exec(command) ?? [];
    expect(JSON.parse(body)).toEqual({
      transactionId: 'demo-20261120123456789',
      externalCustomerId: 'customer-1001',
      cpfCnpj: '111.444.777-35',
      type: 'PIX_TRANSFER',
      channel: 'MOBILE_APP',
      amount: 150.75,
      currency: 'BRL',
      occurredAt: '2026-11-20T12:34:56.789Z',
      origin: {
        name: 'Bia Exemplo',
        cpfCnpj: '111.444.777-35',
        accountReference: '0001/10010-1',
        country: 'BR',
      },
      destination: { name: 'Padaria Exemplo', cpfCnpj: '12.345.678/0001-95', country: 'BR' },
      metadata: {
        deviceId: 'dev-1001',
        deviceRegistered: true,
        ipAddress: '198.51.100.10',
        dict: { statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } } },
      },
    });
  });
});

describe('a free port', () => {
  it('is the preferred one unless that is taken', async () => {
    const preferred = await reservedPort();
    expect(await freePort(preferred)).toBe(preferred);
    const server = createServer().listen(preferred, '127.0.0.1');
    await once(server, 'listening');
    expect(await freePort(preferred)).not.toBe(preferred);
    server.close();
  });
});

describe('a stack', () => {
  const home = path.join(scratch, 'stack');
  // Durable, since one test cuts the power; one start for all, since a start costs as much as all the tests.
  const options = { dir: home, cacheDir, durable: true, quiet: true, ...ports };
  let stack: OwnStack;
  const sql = async (url: string, text: string): Promise<unknown[]> =>
    withClient(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

  beforeAll(async () => {
    stack = await startStack(options);
  });
  afterAll(async () => {
    await stack.discard();
    expect(existsSync(home)).toBe(false);
  });

  it('has its folder to itself', async () => {
    await expect(startStack(options)).rejects.toThrow('already running');
  });

  it('stops, kills and starts Redis on the same port', async () => {
    const { redis, redisUrl } = stack;
    if (redis === null || redisUrl === null) return; // this system has none, which the stack says with null
    const ping = async (): Promise<string> => {
      const client = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => undefined); // the call rejects
      await client.connect();
      return client.ping().finally(() => {
        client.disconnect();
      });
    };
    expect(await ping()).toBe('PONG');
    await redis.stop();
    await expect(ping()).rejects.toThrow();
    await redis.start();
    expect(await ping()).toBe('PONG');
    await redis.kill9();
    await redis.restart();
    expect(await ping()).toBe('PONG');
  });

  it('lets several processes prepare the role of the application at once, and refuses the owner as such', async () => {
    const { ownerUrl } = stack;
    const password = "it's \\ a @password";
    await Promise.all([1, 2, 3, 4].map(async () => ensureAppRole(ownerUrl, 'service', password)));
    expect(await sql(urlForRole(ownerUrl, 'service', password), 'SELECT current_user AS name')).toEqual([
      { name: 'service' },
    ]);
    await ensureAppRole(ownerUrl, 'service', 'changed');
    expect(await sql(urlForRole(ownerUrl, 'service', 'changed'), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await expect(ensureAppRole(ownerUrl, 'vigia', 'p')).rejects.toThrow('must not use the role that owns');
  });

  it('survives a power cut of its servers with its data, its port and its passwords', async () => {
    const { ownerUrl, appUrl, postgres } = stack;
    expect(commandOf(postgres.pid)).toMatch(/^\S*\/postgres -D /);
    await sql(ownerUrl, 'CREATE TABLE kept AS SELECT 1 AS n; GRANT SELECT ON kept TO vigia_app');
    await expect(sql(appUrl, 'DROP TABLE kept')).rejects.toThrow('must be owner');
    const killed = postgres.pid;
    await postgres.kill9();
    expect(isRunning(killed)).toBe(false);
    await postgres.start();
    expect(await sql(appUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('finds its data at the second start, also beside a pid file that names somebody else by now', async () => {
    await stack.stop();
    writeFileSync(path.join(home, 'pg', 'postmaster.pid'), `${process.pid}\n${home}/pg\n0\n1\n\n`);
    const before = new URL(stack.appUrl);
    stack = await startStack(options);
    expect(new URL(stack.appUrl).password).toBe(before.password);
    expect(await sql(stack.appUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });
});

describe('a launcher that is killed', () => {
  it('takes its servers with it, and the next run removes its folder', async () => {
    const options = { dir: path.join(scratch, 'killed-1'), cacheDir, durable: false, quiet: true };
    const launcher = path.resolve('launcher/stack.ts');
    const program = `import { startStack } from ${JSON.stringify(launcher)};
      const { postgres, redis } = await startStack(${JSON.stringify(options)});
      console.log(JSON.stringify([postgres.pid, redis?.pid ?? 0]));
      setInterval(() => {}, 1000);`;
    const child = spawn(
      process.execPath,
      ['--import=./test/support/register.mjs', '--input-type=module', '-e', program],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [postgres = 0, redis = 0] = JSON.parse(line.toString()) as number[];
    expect(isRunning(postgres)).toBe(true);

    child.kill('SIGKILL');
    await once(child, 'exit');
    // Where the kernel does not help (macOS), the sweep stops them.
    if (process.platform === 'linux') expect(await waitUntilGone(postgres, 5_000)).toBe(true);
    await sweepAbandoned(scratch, 'killed-');
    expect([isRunning(postgres), isRunning(redis)]).toEqual([false, false]);
    expect(existsSync(options.dir)).toBe(false);
  });
});
