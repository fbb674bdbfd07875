import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { pageOf, runChecks, type DoctorFinding } from '../../src/cli/commands/doctor.command.js';
import { isPooledByTransaction } from '../../src/platform/database/connection/app-role-check.js';
import { transportFaultOf } from '../../src/platform/queue/transports/bull.transport.js';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;
const key = `org-${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  t = await startTestApp();
  await t.app.get(ClientAppsService).ensureOrganisation(key, 'An institution');
});

afterAll(async () => {
  await t.close();
});

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
