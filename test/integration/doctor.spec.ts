import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { DoctorFinding } from '../../src/cli/commands/doctor/finding.js';
import { pageOf, runChecks } from '../../src/cli/commands/doctor/doctor.command.js';
import { isPooledByTransaction } from '../../src/platform/database/connection/app-role-check.js';
import { transportFaultOf } from '../../src/platform/queue/transports/bull.transport.js';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { systemActorContext } from '../../src/features/operators/index.js';
import { ProvidersService } from '../../src/features/providers/index.js';
import { WebhookEndpointsService, WebhookTargets } from '../../src/features/webhooks/index.js';
import type { SettingValues } from '../../src/platform/config/index.js';
import { HttpSender } from '../../src/platform/outbound/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../support/identity-provider.js';
import { mailServer } from '../support/mail-server.js';
import { S3Server } from '../support/s3-server.js';

let t: TestApp;
const key = `org-${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  t = await startTestApp();
  await t.app.get(ClientAppsService).ensureOrganisation(key, 'An institution');
});

afterAll(async () => {
  await t.close();
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

const asked = async (): Promise<Map<string, DoctorFinding>> =>
  new Map((await runChecks(t.app, t.settings, key)).map((finding) => [finding.what, finding]));

describe('vigia doctor', () => {
  it('finds a new service well but for the lists that it lacks', async () => {
    // A service that has just started may still be reading its lists.
    const found = await eventually('it is ready', async () => {
      const findings = await asked();
      return findings.has('database and queue') && findings;
    });
    expect(found.get('database and queue')?.verdict).toBe('ok');
    expect(found.get('vigia_outbox_oldest_seconds')?.verdict).toBe('ok');
    expect(found.get('lists of kind PEP')).toMatchObject({ verdict: 'bad' });
    expect(found.get('lists of kind SANCTIONS')).toMatchObject({ verdict: 'bad' });
  });

  it('shows who a connection acts as and its limits, and what the server lacks', async () => {
    const found = await asked();
    const says = 'acts as vigia_app; jit off, TimeZone UTC, random_page_cost 1.1, statement_timeout 10s';
    expect(found.get('database session')).toMatchObject({
      verdict: 'ok',
      says: expect.stringContaining(says),
    });
    // The servers of the tests give up durability for speed, and nothing else.
    const lacking = [...found.keys()].filter((what) => what.startsWith('PostgreSQL'));
    expect(lacking.sort()).toEqual(
      ['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => `PostgreSQL: ${name}`),
    );
    expect(found.get('PostgreSQL: fsync')).toMatchObject({ verdict: 'look' });
  });

  it('says what waits, as readiness and metrics do', async () => {
    await t.owner.query(
      `INSERT INTO outbox (id, queue, payload, created_at)
       VALUES ('00000000-0000-7000-8000-000000000001', 'nobody.takes-this', '{"refs":[]}', now() - interval '1 hour')`,
    );
    const lock = await t.owner.connect();
    try {
      // As a relay that hangs would.
      await lock.query('BEGIN');
      await lock.query('SELECT FROM outbox FOR UPDATE');
      await eventually('readiness says it', async () => {
        const { degraded } = (await (await fetch(`${t.url}/health/ready`)).json()) as { degraded: string[] };
        return degraded.includes('outbox');
      });
      expect((await asked()).get('vigia_outbox_oldest_seconds')?.verdict).toBe('bad');
      expect((await asked()).get('outbox')).toMatchObject({
        verdict: 'bad',
        says: 'see docs/runbooks/VigiaOutbox.md',
      });
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
      await t.owner.query('DELETE FROM outbox');
    }
  });

  it('names a page that is there for whatever readiness says', () => {
    for (const reason of [
      'redis',
      'redis-cluster',
      'redis-refuses-writes',
      'database',
      'audit',
      'disk-full',
    ]) {
      expect(existsSync(pageOf(reason))).toBe(true);
    }
    expect(pageOf('redis')).toBe('docs/runbooks/VigiaOutbox.md');
  });

  it('has metrics of the process, the pool, the outbox and the queue', async () => {
    // The first life of the feed is noticed within a round of the reconciler.
    const text = await eventually('the feed has a life', async () => {
      const metrics = await (await fetch(`${t.url}/metrics`)).text();
      return metrics.includes('vigia_event_feed_life 1') && metrics;
    });
    for (const name of [
      'vigia_build_info{',
      'vigia_database_up 1',
      'vigia_database_pool{state="waiting"} ',
      'vigia_outbox_messages ',
      'vigia_queue_waiting_jobs{queue="kyt.pipeline"} 0',
      'nodejs_eventloop_lag_p99_seconds ',
      'nodejs_gc_duration_seconds_count',
      'process_cpu_seconds_total ',
    ]) {
      expect(text).toContain(name);
    }
  });
});

describe('the targets of outgoing requests', () => {
  const bucket = ['artifacts', 'key-4711', 'secret-of-the-bucket', 'us-east-1'] as const;
  /** A path that a doctor must not print. */
  const PATH = '/hooks/token-4711';

  const closed = async (server: Server): Promise<void> => {
    server.close();
    await once(server, 'close');
  };

  /** Returns what a service of these targets finds, without what every service has. */
  async function foundAt(organisation: string, targets: Partial<SettingValues>): Promise<DoctorFinding[]> {
    const [s3Bucket, s3AccessKeyId, s3SecretAccessKey] = bucket;
    const other = await startTestApp({
      like: t,
      settings: {
        ...{ role: 'api', artifactStore: 's3', s3Bucket, s3AccessKeyId, s3SecretAccessKey },
        ...{ publicUrl: 'http://127.0.0.1:3000', oidcClientId: CLIENT_ID, oidcClientSecret: CLIENT_SECRET },
        ...{ evidenceSecret: 'secret-of-the-evidence', webhookTimeoutMs: 5_000, ...targets },
      },
    });
    try {
      const found = await runChecks(other.app, other.settings, organisation);
      expect(JSON.stringify(found)).not.toMatch(/secret|token-4711/i);
      return found.filter(({ what }) => /^[A-Z3_]+$|^(provider|webhook)/.test(what));
    } finally {
      await other.close();
    }
  }

  it('are said to be reachable, or why not, and learn nothing', async () => {
    const requests: string[] = [];
    const plain = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(204).end();
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const own = `127.0.0.1:${portOf(plain)}`;
    const [taken, commands]: [string[], string[]] = [[], []];
    const mail = await mailServer(taken, commands);
    // The provider explains its defaults at length.
    for (const level of ['info', 'warn'] as const) {
      jest.spyOn(console, level).mockImplementation(() => undefined);
    }
    const idp = await IdentityProvider.listen('http://127.0.0.1:3000/operator/auth/oidc/callback');
    const s3 = new S3Server(...bucket);
    const s3Endpoint = await s3.listen();
    const named = `org-${randomBytes(4).toString('hex')}`;
    const organisationId = await t.app.get(ClientAppsService).ensureOrganisation(named, named);
    const { id: clientAppId } = await t.client({ organisationId });
    await t.app
      .get(ProvidersService)
      .install(
        { ...systemActorContext('test'), organisationId },
        { name: 'faces', checks: ['FACE_MATCH'], url: `http://${own}${PATH}` },
      );
    await t.app.get(WebhookEndpointsService).create({
      organisationId,
      clientAppId,
      url: `http://${own}${PATH}`,
      actor: { type: 'system', id: 'test' },
    });
    const targets = {
      oidcIssuer: idp.issuer,
      mailUrl: `smtp://127.0.0.1:${portOf(mail)}`,
      evidenceUrl: `http://${own}${PATH}`,
      s3Endpoint,
    };

    const found = await foundAt(named, targets);
    expect(found.map(({ what, verdict }) => [what.replace(/whe_\w+/, 'whe_…'), verdict])).toEqual([
      ['OIDC_ISSUER', 'ok'],
      ['MAIL_URL', 'ok'],
      ['EVIDENCE_URL', 'ok'],
      ['S3_ENDPOINT', 'ok'],
      ['provider faces', 'ok'],
      ['webhook endpoint whe_…', 'ok'],
    ]);
    expect(found.find(({ what }) => what === 'EVIDENCE_URL')?.says).toBe(`${own} is reachable`);
    expect([requests, taken, commands]).toEqual([[], [], ['EHLO', 'QUIT']]);
    expect(s3.requests.map(({ method }) => method)).toEqual(['GET']);

    s3.failures = 100;
    await Promise.all([idp.close(), closed(mail)]);
    const https = `https://${own}`;
    const without = await foundAt(named, { ...targets, evidenceUrl: https });
    expect(without.slice(0, 4).map(({ verdict, says }) => [verdict, says.replace(/^\S+ /, '')])).toEqual([
      ['bad', 'is not: nobody listens there (ECONNREFUSED)'],
      ['bad', 'is not: nobody listens there (ECONNREFUSED)'],
      ['bad', expect.stringMatching(/^is not: it does not speak TLS \(/)],
      ['bad', 'is not: it answers with status 503'],
    ]);
    await Promise.all([closed(plain), s3.close()]);
    const alone = await foundAt(named, { ...targets, oidcIssuer: null, mailUrl: null, evidenceUrl: null });
    expect(alone.map(({ verdict, says }) => [verdict, says.replace(/^\S+ /, '')])).toEqual([
      ['bad', 'is not: nobody listens there (ECONNREFUSED)'],
      ['bad', 'is not: nobody listens there (ECONNREFUSED)'],
      ['look', 'is not: nobody listens there (ECONNREFUSED)'],
    ]);
  });

  it.each([
    ['a certificate that nobody known has signed', `https://localhost`, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['an address that is not allowed', 'http://10.0.0.7', 'ADDRESS_NOT_ALLOWED'],
  ])('are told apart: %s', async (_, url, code) => {
    const secure = https.createServer({
      cert: readFileSync('test/support/tls/localhost.cert.pem'),
      key: readFileSync('test/support/tls/localhost.key.pem'),
    });
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const sender = new HttpSender(t.app.get(WebhookTargets), {
      ...{ timeoutMs: 5_000, readLimitBytes: 0, maxFreeSockets: 0 },
    });
    expect(await sender.reach(`${url}:${portOf(secure)}`)).toBe(code);
    sender.destroy();
    secure.close();
  });
});

describe('what the start refuses', () => {
  it('knows a pooler that lends one connection to two clients, or two to one', async () => {
    const runner = (pids: number[]): object => ({
      connect: () => Promise.resolve(),
      query: () => Promise.resolve([{ pid: pids.length > 1 ? pids.shift() : pids[0] }]),
      release: () => Promise.resolve(),
    });
    const source = (...runners: number[][]): DataSource =>
      ({ createQueryRunner: () => runner(runners.shift() ?? []) }) as unknown as DataSource;
    expect(await isPooledByTransaction(source([7], [7]))).toBe(true);
    expect(await isPooledByTransaction(source([7], [8, 9]))).toBe(true);
    expect(await isPooledByTransaction(source([7], [8]))).toBe(false);
  });

  it.each([
    ['MOVED 866 127.0.0.1:7001', 'redis-cluster'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'redis-refuses-writes'],
    ["READONLY You can't write against a read only replica.", 'redis-refuses-writes'],
    ['MISCONF Redis is configured to save RDB snapshots', 'redis-refuses-writes'],
    ['Redis did not answer within 500 ms', 'redis'],
  ])('tells the troubles of Redis apart: %s', (message, trouble) => {
    expect(transportFaultOf(new Error(message))).toBe(trouble);
  });
});
