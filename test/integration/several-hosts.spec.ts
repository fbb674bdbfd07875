import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processEnv } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { BlackHole } from '../support/black-hole.js';
import { aTransaction } from '../support/builders.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { reservedPort } from '../support/ports.mjs';
import { Standby } from '../support/standby.js';
import { Wire } from '../support/wire.js';
import { later, needs } from '../support/needs.js';
import { migrate } from '../../src/bootstrap/migrate.js';
import { ensureAppRole, requireOwnerLogin } from '../../src/platform/database/connection/app-role.js';
import {
  loginOf,
  NoWritableHostError,
  targetsOf,
  withClient,
} from '../../src/platform/database/connection/with-client.js';

let database: TestDatabase;
let hole: BlackHole;
let standby: Standby;
let primary: Wire;
let refusing: string;
let t: TestApp;

/** The URL with these hosts in the place of its own. */
const at = (url: string, ...hosts: readonly string[]): string =>
  url.replace(/@[^/]*/, `@${hosts.join(',')}`).concat('?target_session_attrs=read-write');

const server = (): string => new URL(database.appUrl).host;
const black = (): string => new URL(hole.url).host;
const away = (): readonly string[] => [refusing, black(), `127.0.0.1:${standby.port}`];

/** A Redis that never answers, and what the service said first on each connection. */
const greetings: number[] = [];
const redis = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (data) => greetings.push(data[0] ?? 0));
});

beforeAll(async () => {
  database = await freshDatabase();
  standby = await Standby.of(database);
  hole = await BlackHole.before(database.appUrl);
  hole.drop();
  refusing = `127.0.0.1:${await reservedPort()}`;
  primary = new Wire(new URL(database.appUrl));
  await primary.mend();
  redis.listen(0, '127.0.0.1');
  await once(redis, 'listening');
  t = await startTestApp({
    database,
    settings: {
      databaseUrl: at(database.appUrl, ...away(), new URL(primary.url).host),
      databaseConnectTimeoutMs: 500,
      redisUrl: `rediss://127.0.0.1:${(redis.address() as AddressInfo).port}`,
    },
  });
});

afterAll(async () => {
  await t.close();
  primary.cut();
  await standby.close();
  await hole.close();
  redis.close();
});

const askedIn = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    return rows[0]?.name ?? '';
  });

describe('a service whose URL names several hosts', () => {
  it('starts with a first host that refuses, one that hangs and one that takes no writes', async () => {
    await t.api
      .as(await t.client())
      .ingest(aTransaction())
      .expect(202);
  });

  it('goes over to a standby that was promoted when its primary is away', async () => {
    const api = t.api.as(await t.client());
    primary.cut();
    standby.promote();
    await eventually('what is sent is accepted again', async () => {
      const { status } = await api.ingest(aTransaction());
      expect([202, 503]).toContain(status);
      return status === 202;
    });
    await eventually('it is ready', async () => (await fetch(`${t.url}/health/ready`)).ok);
  });

  it('speaks TLS with rediss on every connection', async () => {
    // Queues and rate limits have connections of their own.
    await eventually('some were opened', () => greetings.length > 3);
    expect(new Set(greetings)).toEqual(new Set([0x16]));
  });
});

describe('a connection of its own', () => {
  const name = (): string => new URL(database.appUrl).pathname.slice(1);

  it.each([
    ['refuses', () => refusing],
    ['hangs', black],
  ])('passes over a first host that %s', async (_, first) => {
    expect(await askedIn(at(database.appUrl, first(), server()))).toBe(name());
    expect(await askedIn(at(database.appUrl, server(), first()))).toBe(name());
  });

  it('passes over a standby, and finds a host by its IPv6 address', async () => {
    const reading = await Standby.of(database);
    try {
      const mapped = `[::ffff:127.0.0.1]:${new URL(database.appUrl).port}`;
      expect(await askedIn(at(database.appUrl, `127.0.0.1:${reading.port}`, mapped))).toBe(name());
    } finally {
      await reading.close();
    }
  });

  it('says of each host why it is none, by its place', async () => {
    const failed = await askedIn(at(database.appUrl, refusing, `wrong.invalid`)).catch((e: unknown) => e);
    expect(failed).toBeInstanceOf(NoWritableHostError);
    expect((failed as Error).message).toBe(
      'No host of DATABASE_URL or DATABASE_OWNER_URL takes writes (host 1: ECONNREFUSED; host 2: ENOTFOUND).',
    );
  });

  it('is made to the only host of a URL as it is', () => {
    expect(targetsOf(database.appUrl)).toEqual([database.appUrl]);
  });
});

describe('the command line', () => {
  const hosts = (): readonly string[] => [refusing, black(), server()];

  const run = async (
    command: string,
    env: Record<string, string>,
  ): Promise<{ code: unknown; said: string }> => {
    const child = spawn(process.execPath, [...fromSource('cli/main.ts'), command], {
      env: {
        ...processEnv(t),
        DATABASE_URL: at(database.appUrl, ...hosts()),
        REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
        DATA_DIR: tmpdir(),
        ...env,
      },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
    const [code] = (await once(child, 'exit')) as [unknown];
    return { code, said };
  };

  needs('redis').it('finds what takes writes in production, and ends when it is refused', async () => {
    const { code, said } = await run('doctor', { NODE_ENV: 'production' });
    // The database of the tests does not wait for the disk.
    expect([code, said]).toEqual([
      1,
      expect.stringContaining('The database of DATABASE_URL runs with fsync=off'),
    ]);
  });

  later('looks at what takes writes', async () => {
    const { code, said } = await run('doctor', {});
    expect([code, said]).toEqual([0, expect.stringContaining('ok    database and queue')]);
  });

  it('migrates what takes writes, as the owner, and prepares the role there', async () => {
    const ownerUrl = at(database.ownerUrl, ...hosts());
    expect(await migrate(ownerUrl)).toEqual([]);
    const { user, password } = loginOf(database.appUrl);
    await ensureAppRole(ownerUrl, user, password);
    await requireOwnerLogin(ownerUrl);
    await expect(ensureAppRole(ownerUrl, loginOf(ownerUrl).user, 'p')).rejects.toThrow(
      'must not use the role',
    );
  });
});
