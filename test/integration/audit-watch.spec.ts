import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { TrailSweepService } from '../../src/features/audit/jobs/trail-sweep.service.js';
import { AuditMetrics } from '../../src/features/audit/audit-metrics.js';
import { RollbackGuard } from '../../src/features/audit/jobs/rollback-guard.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { CATALOGUE } from '../../src/platform/database/regulated/catalogue.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { behindItsBack } from '../support/tamper.js';

let t: TestApp;
let client: TestClient;
let auditor: TestApi;

interface Health {
  readonly status: string;
  readonly rolledBack: boolean;
  readonly sealedLate: number;
  readonly subjects: readonly { subject: string; status: string; consequence: boolean }[];
  readonly watchdog: { status: string; differences: string[] };
}

const health = async (): Promise<Health> => {
  const { body } = await auditor.get('/operator/audit/health').expect(200);
  return (body as { data: Health }).data;
};

/** The background check does not run by itself in tests. */
async function swept(): Promise<void> {
  await t.owner.query(`UPDATE audit_sweeps SET due_at = now()`);
  while ((await t.app.get(TrailSweepService).step()) > 1);
}

const becomes = (what: string, status: 'GREEN' | 'RED'): Promise<Health> =>
  eventually(
    what,
    async () => {
      await swept();
      const found = await health();
      return found.status === status ? found : undefined;
    },
    120_000,
  );

const looks = async (): Promise<number> =>
  (await t.app.get(AuditMetrics).watched.get()).values.reduce((sum, { value }) => sum + value, 0);

/**
 * Two whole looks of the watcher after a fault, health has to be red: it looks every five seconds. On a busy machine those
 * are longer; how many seconds it takes, `test/heavy/audit-watch-times.spec.ts` measures.
 */
async function isRedAfterTwoLooks(): Promise<Health> {
  const before = await looks();
  // The look that is under way may have passed the place already.
  await eventually('the watcher has looked', async () => (await looks()) >= before + 2, 120_000);
  const found = await health();
  expect(found.status).toBe('RED');
  return found;
}

const isDegraded = async (): Promise<boolean> => {
  const { body } = await t.api.get('/health/ready').expect(200);
  return (body as { degraded: string[] }).degraded.includes('audit');
};

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  const { organisationId } = client;
  auditor = t.api.asOperator(await t.operator({ roles: ['AUDITOR'], organisationId }));
  const ctx = systemActor(organisationId, 'test');
  const list = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key: 'sanctions', name: 'Sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' });
  const importer = t.app.get(ListImporterService);
  const snapshot = await importer.startImport(ctx, list, null);
  const file = 'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n';
  const main = Readable.from([Buffer.from(file)]);
  await importer.runImport(ctx, list, snapshot.id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(SearchIndexService).refresh();
});
afterAll(() => t.close());

const judged = async (): Promise<Record<string, { state: string; reason?: string }>> => {
  const body = aTransaction();
  await t.api.as(client).ingest(body).expect(202);
  const { components } = await t.api.as(client).settled(body.transactionId);
  return components as Record<string, { state: string; reason?: string }>;
};

describe('The health of the log', () => {
  it('is green while nothing has happened, and readiness says so', async () => {
    await judged();
    expect(await becomes('green', 'GREEN')).toMatchObject({
      rolledBack: false,
      sealedLate: 0,
      subjects: [],
      watchdog: { status: 'AS_MIGRATED', differences: [] },
    });
    await eventually('readiness says so', async () => !(await isDegraded()), 120_000);
  });

  it('names a trigger that somebody switched off', async () => {
    await t.owner.query('ALTER TABLE reviews DISABLE TRIGGER reviews_bound_update');
    const { watchdog } = await isRedAfterTwoLooks();
    expect(watchdog.differences).toContainEqual(
      expect.stringMatching(/^was made by no migration: trigger reviews reviews_bound_update D/),
    );
    await eventually('readiness says so', isDegraded, 120_000);
    await t.owner.query('ALTER TABLE reviews ENABLE TRIGGER reviews_bound_update');
    await becomes('green', 'GREEN');
  });

  it.each([
    [
      'a function',
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$`,
      'function refuse_change()',
    ],
    ['a grant', 'GRANT DELETE ON audit_entries TO vigia_app', 'table audit_entries'],
    ['row-level security', 'ALTER TABLE customers NO FORCE ROW LEVEL SECURITY', 'table customers'],
    ['a policy', 'ALTER POLICY own_organisation ON customers USING (true)', 'policy customers'],
    [
      'an owner',
      'CREATE ROLE somebody; ALTER TABLE audit_leaves OWNER TO somebody',
      'table audit_leaves somebody',
    ],
  ])('names %s that is not as the migrations made it', async (_, change, name) => {
    const owner = await t.owner.connect();
    await owner.query('BEGIN');
    await owner.query(change);
    const { rows } = await owner.query<{ line: string }>(CATALOGUE);
    await owner.query('ROLLBACK');
    owner.release();
    const pinned = await t.owner.query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE subject_type = 'catalogue'`,
    );
    const { content } = JSON.parse(pinned.rows[0]!.canonical.toString('utf8')) as {
      content: { lines: string[] };
    };
    const added = rows.map(({ line }) => line).filter((line) => !content.lines.includes(line));
    expect(added).toEqual([expect.stringContaining(name)]);
  });

  it('names a list of which an entry was changed, and lists answer nothing until it is as it was', async () => {
    expect((await judged())['LISTS']?.state).not.toBe('ERROR');
    const change = (from: string, to: string): Promise<unknown> =>
      behindItsBack(
        t,
        'screening_entries',
        `UPDATE screening_entries SET content = replace(content, $1, $2)`,
        [from, to],
      );
    await change('Anacleto', 'Somebody');
    const { subjects } = await isRedAfterTwoLooks();
    expect(subjects).toEqual([
      expect.objectContaining({
        subject: expect.stringMatching(/^screening_list:/),
        status: 'STATE_MISMATCH',
        consequence: false,
      }),
    ]);
    await eventually(
      'lists answer nothing',
      async () => {
        await t.app.get(SearchIndexService).refresh();
        const { state, reason } = (await judged())['LISTS'] ?? {};
        return state === 'ERROR' && reason === 'LIST_ALTERED';
      },
      120_000,
    );
    await change('Somebody', 'Anacleto');
    await becomes('green', 'GREEN');
    await eventually(
      'lists answer again',
      async () => {
        await t.app.get(SearchIndexService).refresh();
        return (await judged())['LISTS']?.state !== 'ERROR';
      },
      120_000,
    );
  });

  it('names a ruleset that was changed with its hash, and nothing is judged by it', async () => {
    const change = (sql: string): Promise<unknown> => behindItsBack(t, 'rulesets', sql, []);
    await t.owner.query('CREATE TABLE kept AS SELECT * FROM rulesets');
    await change(
      `UPDATE rulesets SET content = jsonb_set(content::jsonb, '{scoring,reviewAt}', '100'), content_hash = sha256('x')`,
    );
    const { subjects } = await isRedAfterTwoLooks();
    expect(subjects[0]).toMatchObject({
      subject: expect.stringMatching(/^ruleset:/),
      status: 'STATE_MISMATCH',
    });
    await eventually(
      'no ruleset judges',
      async () => (await judged())['RULES']?.reason === 'RULESET_ALTERED',
      120_000,
    );
    await change(
      'UPDATE rulesets r SET content = k.content, content_hash = k.content_hash FROM kept k WHERE k.id = r.id',
    );
    await t.owner.query('DROP TABLE kept');
    await becomes('green', 'GREEN');
  });

  it('names an entry that nothing awaited, and findings that were wiped', async () => {
    await t.owner.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_await_seal');
    await judged();
    const late = await becomes('red', 'RED');
    await t.owner.query('ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_await_seal');
    expect(late.watchdog.status === 'DIFFERS' || late.sealedLate > 0).toBe(true);
    await eventually('it was sealed late', async () => (await health()).sealedLate > 0, 120_000);
    await becomes('green', 'GREEN');
    // A finding that is open, and that somebody deletes.
    const [{ id } = { id: '' }] = (
      await t.owner.query<{ id: string }>('SELECT id FROM kyt_transactions LIMIT 1')
    ).rows;
    await behindItsBack(
      t,
      'kyt_transactions',
      'UPDATE kyt_transactions SET amount = amount + 1 WHERE id = $1',
      [id],
    );
    await eventually(
      'the transaction is found',
      async () => {
        await swept();
        return (await health()).subjects.some(({ subject }) => subject === `transaction:${id}`);
      },
      120_000,
    );
    await t.owner.query('DELETE FROM audit_findings');
    expect((await isRedAfterTwoLooks()).subjects).toContainEqual(
      expect.objectContaining({ subject: `audit_log:${client.organisationId}` }),
    );
    await behindItsBack(
      t,
      'kyt_transactions',
      'UPDATE kyt_transactions SET amount = amount - 1 WHERE id = $1',
      [id],
    );
  });

  it('says that the log was rolled back', async () => {
    await t.app.get(RollbackGuard).anchor();
    await t.owner.query('UPDATE audit_logs SET size = size - 1 WHERE organisation_id = $1', [
      client.organisationId,
    ]);
    await eventually('it is stopped', async () => (await health()).rolledBack, 120_000);
    expect((await health()).status).toBe('RED');
  });
});
