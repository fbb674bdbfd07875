import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  readSettings,
  requireServable,
  settingDefinitions,
  Settings,
  SettingsError,
} from '../../src/platform/config/index.js';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { AppRoleCheck } from '../../src/platform/database/connection/app-role-check.js';
import { startService } from '../../src/bootstrap/service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, without } from '../support/builders.js';
import { fromSource } from '../support/engine-flags.js';
import { later } from '../support/needs.js';

const key = (): string => randomBytes(32).toString('base64');
const CANARY = 'CANARY-4711';

/** A production that starts. */
const SAFE: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  ENVIRONMENT: 'production',
  DATABASE_URL: `postgres://vigia_app:${randomBytes(12).toString('hex')}@db.internal/vigia`,
  REDIS_URL: 'redis://redis.internal:6379',
  KEY_RING: `k1:${key()}`,
  AUDIT_KEYS: `a1:${key()}`,
  INDEX_KEY: key(),
  CLIENT_SECRET_PEPPER: key(),
  TRUST_PROXY: '10.0.0.0/24',
};

/** Returns the boot's complaint about an environment; nothing when it goes on. */
function refusal(env: Readonly<Record<string, string | undefined>>): string {
  try {
    requireServable(readSettings(env));
    return '';
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message;
  }
}

/** Every URL of a server in the documents and the compose file, with the variable that it stands for. */
function writtenUrls(): [variable: string, url: string][] {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const text = ['README.md', 'CONTRIBUTING.md', 'docker-compose.yml', ...documents]
    .map((file) => readFileSync(file, 'utf8').replaceAll(/:\?[^}]*\}/g, '}'))
    .join('\n');
  const databases = [...text.matchAll(/\bpostgres(?:ql)?:\/\/[^\s`'"<>)]+/g)].map(([url]) => url);
  const named = [...text.matchAll(/\b([A-Z][A-Z\d_]+)(?:=|: )(\w+:\/\/[^\s`'"<>)]+)/g)];
  const found = new Map([
    ...databases.map((url): [string, [string, string]] => [url, ['DATABASE_URL', url]]),
    ...named
      .filter(([, name = '']) => Object.values(settingDefinitions).some(({ env }) => env === name))
      .map(([, name = '', url = '']): [string, [string, string]] => [name + url, [name, url]]),
  ]);
  return [...found.values()];
}

describe('a production with one bad setting', () => {
  it('starts without it', () => {
    expect(refusal(SAFE)).toBe('');
  });

  const text = (bytes: string): string => Buffer.from(bytes.padEnd(32, 'x')).toString('base64');
  it.each<[variable: string, what: string, value: string | undefined]>([
    ...['KEY_RING', 'AUDIT_KEYS', 'INDEX_KEY', 'CLIENT_SECRET_PEPPER', 'DATABASE_URL', 'REDIS_URL'].map(
      (name): [string, string, undefined] => [name, 'missing', undefined],
    ),
    ...['INDEX_KEY', 'CLIENT_SECRET_PEPPER'].flatMap((name): [string, string, string][] => [
      [name, 'too short', randomBytes(16).toString('base64')],
      [name, 'too long', randomBytes(33).toString('base64')],
      [name, 'all zero', Buffer.alloc(32).toString('base64')],
      [name, 'a pattern', Buffer.from('0102'.repeat(16), 'hex').toString('base64')],
      [name, 'a sentence', text('my very own secret key of 2026!')],
      [name, 'hexadecimal instead of base64', randomBytes(32).toString('hex')],
      [name, 'a word', CANARY],
    ]),
    ...['KEY_RING', 'AUDIT_KEYS'].flatMap((name): [string, string, string][] => [
      [name, 'without an id', key()],
      [name, 'too short', `k1:${randomBytes(16).toString('base64')}`],
      [name, 'all zero', `k1:${Buffer.alloc(32).toString('base64')}`],
      [name, 'a sentence', `k1:${text('my very own secret key of 2026!')}`],
      [name, 'two keys of one id', `k1:${key()},k1:${key()}`],
    ]),
    ['INDEX_KEY', 'the key of another purpose', SAFE['CLIENT_SECRET_PEPPER']],
    ['INDEX_KEY', 'a key of the ring', SAFE['KEY_RING']?.slice(3)],
    ['AUDIT_KEYS', 'the key ring', SAFE['KEY_RING']],
    ['DATABASE_URL', 'another database', 'mysql://vigia_app:secret-4711-abc@db/vigia'],
    ['DATABASE_URL', 'no password', 'postgres://vigia_app@db.internal/vigia'],
    ['DATABASE_URL', 'no password for several hosts', 'postgres://vigia_app@one,two/vigia'],
    ['DATABASE_URL', 'no password for localhost', 'postgres:///vigia'],
    ['DATABASE_URL', 'a raw %', 'postgres://vigia_app:secret-4711-%-abc@db.internal/vigia'],
    [
      'DATABASE_URL',
      'a weak password that the driver prefers',
      'postgres://a:secret-4711-abc@db/v?password=x',
    ],
    ['DATABASE_OWNER_URL', 'a raw %', 'postgres://owner:secret-4711-%-abc@one,two/vigia'],
    ['DATABASE_OWNER_URL', 'a well-known password for several hosts', 'postgres://owner:postgres@a,b/vigia'],
    ['REDIS_URL', 'a raw %', 'redis://:secret-4711-%-abc@redis.internal'],
    ['MAIL_URL', 'a raw %', 'smtps://vigia:secret-4711-%-abc@mail.internal'],
    ['OUTBOUND_PROXY', 'a raw %', 'http://vigia:secret-4711-%-abc@proxy.internal:3128'],
    ['OUTBOUND_DIRECT_HOSTS', 'a port, which no host has', 'inside.example,canary-4711.example:8443'],
    ['EVIDENCE_SECRET', 'missing beside EVIDENCE_URL', undefined],
    ['PUBLIC_URL', 'plain http in capitals', 'HTTP://api.vigia.example'],
    ['DATABASE_URL', 'a well-known password', 'postgres://vigia_app:postgres@db.internal/vigia'],
    ['DATABASE_URL', 'the name as password', 'postgres://a-service-role:a-service-role@db.internal/vigia'],
    ['DATABASE_URL', 'a short password', 'postgres://vigia_app:x7Hq2@db.internal/vigia'],
    ['DATABASE_OWNER_URL', 'a well-known password', 'postgres://owner:changeme1@db.internal/vigia'],
    ['REDIS_URL', 'a well-known password', 'redis://:redis@redis.internal'],
    ['REDIS_URL', 'no URL', CANARY],
    ['PUBLIC_URL', 'plain http', 'http://api.vigia.example'],
    ['WEBHOOK_REQUIRE_HTTPS', 'http targets', 'false'],
    ['WEBHOOK_ALLOW_CIDRS', 'targets inside', '10.0.0.0/8'],
    ['TRUST_PROXY', 'neither proxy nor certificate', undefined],
    ['TRUST_PROXY', 'everybody', '0.0.0.0/0'],
    ['TRUST_PROXY', 'everybody in IPv6', '::/0'],
    ['TRUST_PROXY', 'no block', 'proxy.internal'],
    ['TLS_CERT_FILE', 'a certificate without its key', '/etc/vigia/cert.pem'],
    ['TLS_KEY_FILE', 'a key without its certificate', '/etc/vigia/key.pem'],
    ['ENVIRONMENT', 'one that does not exist', CANARY],
    ['NODE_ENV', 'one that does not exist', CANARY],
    ['ROLE', 'one that does not exist', CANARY],
    ['SERVICE_NAME', 'a header of its own', 'X\r\nSet-Cookie: a'],
    ['PORT', 'no number', CANARY],
    ['PORT', 'too large', '65536'],
    ['INGEST_QUEUE_LIMIT', 'no queue at all', '0'],
    ['RATE_LIMIT_FAILURES_PER_MINUTE', 'no limit', '-1'],
    ['RATE_LIMIT_PUBLIC_PER_MINUTE', 'no limit', '0'],
    ['WEBHOOK_SCHEDULE_SECONDS', 'no attempt', ','],
    ['QUEUE_PREFIX', 'without braces', 'vigia'],
    ['LOG_LEVEL', 'one that does not exist', 'verbose'],
  ])('%s: %s stops the boot, by name and without the value', (variable, _what, value) => {
    // ASVS 11.2.3, 13.2.3, 13.4.2, 15.2.3
    const beside = variable === 'EVIDENCE_SECRET' && { EVIDENCE_URL: 'https://evidence.example' };
    const message = refusal({ ...SAFE, ...beside, [variable]: value });
    expect(message).toMatch(new RegExp(`^  - .*\\b${variable}\\b`, 'm'));
    expect(message).not.toContain(CANARY);
    if (value !== undefined && value.length > 12) expect(message).not.toContain(value);
  });

  it.each(writtenUrls())('%s in the documents is read: %s', (variable, url) => {
    const secret = randomBytes(12).toString('hex');
    const value = url.replace(/:(?:\.\.\.|PASSWORD|\$\{\w+\})@/, `:${secret}@`);
    expect(refusal({ ...SAFE, [variable]: value })).toBe('');
  });

  it('a worker needs neither proxy nor certificate, a socket no password, development none of all that', () => {
    const rest = without(SAFE, 'TRUST_PROXY') as Record<string, string>;
    expect(refusal({ ...rest, ROLE: 'worker' })).toBe('');
    expect(refusal({ ...SAFE, DATABASE_URL: 'postgres:///vigia?host=/var/run/postgresql' })).toBe('');
    expect(
      refusal({
        ...rest,
        NODE_ENV: 'development',
        DATABASE_URL: 'postgres://vigia_app:vigia@localhost/vigia',
        WEBHOOK_REQUIRE_HTTPS: 'false',
      }),
    ).toBe('');
  });

  it('every setting of the service may be left at its default, but those that are secret or name a place', () => {
    const needed = Object.keys(SAFE).filter((name) => refusal({ ...SAFE, [name]: undefined }) !== '');
    // NODE_ENV is production by default, and ENVIRONMENT sandbox.
    expect(needed).toEqual([
      'DATABASE_URL',
      'REDIS_URL',
      'KEY_RING',
      'AUDIT_KEYS',
      'INDEX_KEY',
      'CLIENT_SECRET_PEPPER',
      'TRUST_PROXY',
    ]);
  });

  later('the process ends with code 1 and says why, once per setting', () => {
    const env = {
      ...SAFE,
      PATH: process.env['PATH'],
      INDEX_KEY: CANARY,
      WEBHOOK_REQUIRE_HTTPS: 'false',
      PORT: 'x',
    };
    const run = spawnSync(process.execPath, fromSource('main.ts'), { env, encoding: 'utf8' });
    expect(run.status).toBe(1);
    for (const name of ['INDEX_KEY', 'PORT']) expect(run.stderr).toContain(`  - ${name} `);
    expect(run.stderr + run.stdout).not.toContain(CANARY);
    const later = spawnSync(process.execPath, fromSource('main.ts'), {
      env: { ...SAFE, PATH: process.env['PATH'], WEBHOOK_REQUIRE_HTTPS: 'false' },
      encoding: 'utf8',
    });
    expect([later.status, later.stderr]).toEqual([1, expect.stringContaining('WEBHOOK_REQUIRE_HTTPS=false')]);
  });
});

describe('a production on a database that keeps no promises', () => {
  let t: TestApp;

  beforeAll(async () => {
    t = await startTestApp({ withoutRedis: true });
  });

  afterAll(async () => {
    await t.close();
  });

  const boot = (changes: Partial<Settings>): Promise<unknown> =>
    startService(
      Settings.of({
        ...t.settings,
        nodeEnv: 'production',
        trustProxy: ['10.0.0.0/24'],
        logLevel: 'silent',
        ...changes,
      }),
    );

  it('that acknowledges before the disk has it: the setting of the database is named', async () => {
    const { pathname } = new URL(t.database.ownerUrl);
    const name = pathname.slice(1);
    await t.owner.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    try {
      await expect(boot({})).rejects.toThrow(/DATABASE_URL runs with .*synchronous_commit=off/);
    } finally {
      await t.owner.query(`ALTER DATABASE ${name} RESET synchronous_commit`);
    }
  });

  it('that was seeded for the demo: DATABASE_URL is named', async () => {
    // ASVS 13.2.3
    const apps = t.app.get(ClientAppsService);
    const organisationId = await apps.ensureOrganisation('demo', 'Demo organisation');
    // An organisation of that name alone is nobody's demo.
    await expect(boot({})).rejects.toThrow('fsync=off');
    await apps.create({
      organisationId,
      clientId: 'demo-app',
      name: 'demo',
      publicName: 'Loja Exemplo',
      branding: { logoUrl: null, primaryColor: null },
      scopes: ['kyt:read'],
      rateLimit: { perSecond: 1, burst: 1 },
    });
    await expect(boot({})).rejects.toThrow(/DATABASE_URL leads to a database that was seeded for the demo/);
    await t.owner.query(`UPDATE client_apps SET client_id = 'no-demo-app' WHERE client_id = 'demo-app'`);
  });

  it('that it owns: DATABASE_URL is named', async () => {
    // ASVS 13.2.1
    await expect(boot({ databaseUrl: t.database.ownerUrl })).rejects.toThrow(
      /DATABASE_URL connects as a role/,
    );
  });

  it.each([
    ['TLS_CERT_FILE', { tlsCertFile: '/nowhere/CANARY.pem', tlsKeyFile: '/nowhere/key.pem' }],
    [
      'TLS_KEY_FILE',
      { tlsCertFile: 'test/support/tls/localhost.cert.pem', tlsKeyFile: '/nowhere/CANARY.pem' },
    ],
  ])('%s that cannot be read is named', async (name, files) => {
    await expect(boot(files)).rejects.toThrow(`${name} names a file that cannot be read`);
  });
});

describe('HTTPS by certificate files', () => {
  it('serves the ingest lane and everything else in production, and no plain HTTP', async () => {
    // ASVS 12.1.1, 12.1.2
    const t = await startTestApp({
      settings: {
        nodeEnv: 'production',
        role: 'api',
        tlsCertFile: 'test/support/tls/localhost.cert.pem',
        tlsKeyFile: 'test/support/tls/localhost.key.pem',
      },
      // It refuses the database of the tests, which does not wait for the disk.
      override: (builder) => builder.overrideProvider(AppRoleCheck).useValue({}),
    });
    const ca = readFileSync('test/support/tls/localhost.cert.pem');
    const call = (
      path: string,
      headers: Record<string, string>,
      options: object = {},
      body = '',
    ): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request(`${t.url}${path}`, { ca, headers, ...options }, (response) => {
          response.resume();
          expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
          resolve(response.statusCode ?? 0);
        });
        sent.on('error', reject);
        sent.end(body);
      });
    try {
      expect(t.url).toMatch(/^https:/);
      const client = await t.client();
      const credentials = { 'x-client-id': client.clientId, 'x-client-secret': client.clientSecret };
      const json = { ...credentials, 'content-type': 'application/json' };
      const body = JSON.stringify(aTransaction());
      // The second time it is known, and answered by the lane.
      for (const expected of [202, 200]) {
        const headers = { ...json, 'content-length': String(Buffer.byteLength(body)) };
        expect(await call('/kyt/transactions/ingest', headers, { method: 'POST' }, body)).toBe(expected);
      }
      // With valid credentials and no transaction of that name: over TLS it is looked for.
      expect(await call('/kyt/transactions/x', credentials)).toBe(404);
      // It has a port of its own in production.
      expect(await call('/health/live', {})).toBe(404);
      await expect(
        call('/health/live', {}, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }),
      ).rejects.toThrow();
      // Only suites with forward secrecy and authenticated encryption.
      const tls12 = { maxVersion: 'TLSv1.2' };
      expect(await call('/health/live', {}, { ...tls12, ciphers: 'ECDHE+AESGCM' })).toBe(404);
      for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA', 'ECDHE-ECDSA-AES128-SHA256']) {
        await expect(call('/health/live', {}, { ...tls12, ciphers })).rejects.toThrow();
      }
      await expect(fetch(`${t.url.replace('https', 'http')}/health/live`)).rejects.toThrow();
    } finally {
      await t.close();
    }
  });
});
