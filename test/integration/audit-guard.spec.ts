import { appendFile, readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DirectExportsService,
  AuditTrail,
  isBlocking,
  LogAuditorService,
  type TrailVerdict,
} from '../../src/features/audit/index.js';
import { AnchorFile } from '../../src/features/audit/log/anchor-file.js';
import { RollbackGuard } from '../../src/features/audit/jobs/rollback-guard.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, type AskedApproval } from '../support/approvals.js';
import { aTransaction } from '../support/builders.js';
import { copyOf, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { later, promised } from '../support/needs.js';
import { behindItsBack } from '../support/tamper.js';
import { expectWithin } from '../support/timing.js';

const REASON = 'Somebody edited the table by hand; the backup of yesterday has it.';

/** A completed transaction whose entries are all sealed, by the id of its row. */
async function aSealedTransaction(t: TestApp, client: TestClient): Promise<string> {
  const body = aTransaction();
  await t.api.as(client).ingest(body).expect(202);
  await t.api.as(client).settled(body.transactionId);
  return eventually('its seal', async () => {
    const { rows } = await t.owner.query<{ id: string; leaves: number }>(
      `SELECT t.id, (SELECT count(*)::int FROM audit_leaves l WHERE l.subject_id = t.id::text) AS leaves
       FROM kyt_transactions t WHERE transaction_id = $1`,
      [body.transactionId],
    );
    return rows[0]?.leaves === 2 ? rows[0].id : undefined;
  });
}

const verdictOn = (t: TestApp, organisationId: string, id: string): Promise<TrailVerdict> =>
  t.app.get(AuditTrail).trailStatus({ organisationId, type: 'transaction', id });

describe('repairs of a trail', () => {
  let t: TestApp;
  let client: TestClient;
  let maker: TestOperator;
  let checker: TestOperator;

  beforeAll(async () => {
    t = await startTestApp();
    client = await t.client();
    const { organisationId } = client;
    maker = await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] });
    checker = await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] });
  });

  afterAll(async () => {
    await t.close();
  });

  const on = (id: string): Promise<TrailVerdict> => verdictOn(t, client.organisationId, id);
  const ask = (id: string, body: object) =>
    t.api
      .asOperator(maker)
      .post('/operator/audit/repairs')
      .send({ subjectType: 'transaction', subjectId: publicId('txn', id), justification: REASON, ...body });
  const apply = (operator: TestOperator, { id, digest }: AskedApproval) =>
    t.api.asOperator(operator).post(`/operator/approvals/${id}/approve`).send({ digest });

  /** Asks as one person and applies as another; the verdict afterwards. */
  async function repaired(id: string, body: object): Promise<TrailVerdict> {
    const asked = askedIn(await ask(id, body).expect(202));
    const repair = uuidOf('rep', asked.subjectId);
    await apply(maker, asked).expect(403);
    expect((await on(id)).status).not.toBe('COMPLETE');
    await apply(checker, asked).expect(200);
    await apply(checker, asked).expect(409);
    const { rows } = await t.owner.query<{ action: string }>(
      `SELECT action FROM audit_entries WHERE subject_type = 'repair' AND subject_id = $1::uuid::text
       ORDER BY subject_seq`,
      [repair],
    );
    expect(rows.map(({ action }) => action)).toEqual(['repair.requested', 'repair.applied']);
    return on(id);
  }

  it('give back the bytes of a deleted entry, and no others', async () => {
    const id = await aSealedTransaction(t, client);
    const bystander = await aSealedTransaction(t, client);
    const { rows } = await t.owner.query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2`,
      [id],
    );
    const canonical = rows[0]!.canonical;
    await behindItsBack(
      t,
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2',
      [id],
    );
    const gap = await on(id);
    expect(gap).toMatchObject({ status: 'MISSING_EVENTS' });
    expect(gap.gaps.map(({ seq }) => seq)).toContain(2);
    expect(isBlocking(gap)).toBe(true);
    expect((await on(bystander)).status).toBe('COMPLETE');

    const forged = Buffer.from(canonical.toString('utf8').replace('APPROVED', 'REJECTED'));
    await ask(id, { kind: 'RESTORE', canonical: forged.toString('base64') }).expect(409);
    for (const other of ['nonsense', '{}', '{"seq":"1"}']) {
      await ask(id, { kind: 'RESTORE', canonical: Buffer.from(other).toString('base64') }).expect(409);
    }
    await ask(id, { kind: 'RESTORE' }).expect(409);
    await ask(bystander, { kind: 'ATTEST' }).expect(409);

    const verdict = await repaired(id, { kind: 'RESTORE', canonical: canonical.toString('base64') });
    expect(verdict).toMatchObject({ status: 'COMPLETE', gaps: [], repairs: [{ kind: 'RESTORE' }] });
  });

  it('restore an entry that was rewritten with everything that pointed at it, which only the seal knows', async () => {
    const id = await aSealedTransaction(t, client);
    const { rows } = await t.owner.query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2`,
      [id],
    );
    // The bytes still say the same to every other check: only a space was added.
    await behindItsBack(
      t,
      'audit_entries',
      `UPDATE audit_entries SET canonical = canonical || ' '::bytea WHERE subject_id = $1 AND subject_seq = 2`,
      [id],
    );
    await behindItsBack(
      t,
      'kyt_evaluations',
      `UPDATE kyt_evaluations v SET trail_hash = e.hash FROM audit_entries e
       WHERE v.transaction_ref = $1::uuid AND e.subject_id = $1::uuid::text AND e.subject_seq = 2`,
      [id],
    );
    expect(await on(id)).toMatchObject({
      status: 'TAMPERED',
      gaps: [{ seq: 2, detail: 'the log sealed other bytes' }],
    });
    await ask(id, { kind: 'RECONSTRUCT' }).expect(409);
    const verdict = await repaired(id, { kind: 'RE_DERIVE' });
    expect(verdict).toMatchObject({ status: 'COMPLETE', repairs: [{ kind: 'RE_DERIVE' }] });
    expect(rows).toHaveLength(1);
  });

  it('write down from the receipt what a lost entry said', async () => {
    const id = await aSealedTransaction(t, client);
    await behindItsBack(
      t,
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2',
      [id],
    );
    expect(await repaired(id, { kind: 'RECONSTRUCT' })).toMatchObject({ status: 'COMPLETE' });
  });

  it.each([
    [
      'of an evaluation, from its receipt',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET outcome = 'REVIEW', recommended_action = 'HOLD', risk_score = 99, risk_level = 'HIGH',
         composition = 'PARTIAL', defensible = false, evaluated_at = now(), receipt_hash = sha256('x') WHERE transaction_ref = $1`,
    ],
    [
      'of an evaluation that names another entry',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET trail_hash = sha256('x') WHERE transaction_ref = $1`,
    ],
    [
      'of a transaction, from its entry and its body',
      'kyt_transactions',
      `UPDATE kyt_transactions SET amount = 1, currency = 'USD', type = 'CARD_PURCHASE', customer_key = sha256('x'),
         document_key = NULL, device_key = sha256('y'), occurred_at = now(), channel = 'ATM', request_id = 'x',
         warnings = '{X}', fingerprint = sha256('z') WHERE id = $1`,
    ],
  ])('put columns back %s', async (_, table, change) => {
    const id = await aSealedTransaction(t, client);
    const key = table === 'kyt_transactions' ? 'id' : 'transaction_ref';
    const stored = async (): Promise<unknown> =>
      (await t.owner.query(`SELECT * FROM ${table} WHERE ${key} = $1`, [id])).rows;
    const before = await stored();
    await behindItsBack(t, table, change, [id]);
    expect((await on(id)).status).toBe('STATE_MISMATCH');
    const verdict = await repaired(id, { kind: 'RE_DERIVE' });
    expect(verdict).toMatchObject({ status: 'COMPLETE', gaps: [], repairs: [{ kind: 'RE_DERIVE' }] });
    expect(await stored()).toEqual(before);
    // A further change is a gap again.
    await behindItsBack(t, table, change, [id]);
    expect((await on(id)).status).toBe('STATE_MISMATCH');
  });

  it('change no row without an approved repair of exactly its subject, whoever asks', async () => {
    const id = await aSealedTransaction(t, client);
    const asked = (by: string): Promise<unknown> =>
      t.app
        .get(UnitOfWork)
        .run(client.organisationId, (tx) =>
          tx.query(by, [client.organisationId, id, JSON.stringify({ risk_score: 99 })]),
        );
    await expect(
      asked(
        `SELECT audit_rederive($1, coalesce((SELECT id FROM audit_repairs WHERE organisation_id = $1 AND kind = 'RE_DERIVE' LIMIT 1),
           $2::uuid), 'kyt_evaluations', '{}', $3)`,
      ),
    ).rejects.toThrow('no approved repair');
    await expect(
      asked(`WITH s AS (SELECT set_config('vigia.rederives', pg_current_xact_id()::text, true))
             UPDATE kyt_evaluations SET risk_score = ($3::jsonb ->> 'risk_score')::int FROM s
             WHERE organisation_id = $1 AND transaction_ref = $2`),
    ).rejects.toThrow('permission denied');
  });

  it('answer for what cannot be brought back; the trail stays marked, and a further gap is a gap again', async () => {
    const id = await aSealedTransaction(t, client);
    // The receipt is what the columns would be derived from.
    await behindItsBack(
      t,
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET receipt = receipt || ' '::bytea, risk_score = 99 WHERE transaction_ref = $1`,
      [id],
    );
    expect((await on(id)).status).toBe('STATE_MISMATCH');
    const { body } = await ask(id, { kind: 'RE_DERIVE' }).expect(409);
    expect(body).toMatchObject({ error: { details: [{ code: 'NO_EVIDENCE' }] } });
    const verdict = await repaired(id, { kind: 'ATTEST' });
    expect(verdict).toMatchObject({ status: 'ATTESTED_GAP', gaps: [] });
    expect(isBlocking(verdict)).toBe(false);
    await behindItsBack(
      t,
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 1',
      [id],
    );
    expect((await on(id)).status).toBe('MISSING_EVENTS');
  });

  it('are refused to whoever may not, and refused by whoever may', async () => {
    const id = await aSealedTransaction(t, client);
    await behindItsBack(
      t,
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2',
      [id],
    );
    const analyst = await t.operator({ organisationId: client.organisationId, roles: ['ANALYST'] });
    const body = {
      subjectType: 'transaction',
      subjectId: publicId('txn', id),
      kind: 'ATTEST',
      justification: REASON,
    };
    await t.api.asOperator(analyst).post('/operator/audit/repairs').send(body).expect(403);
    const asked = askedIn(await ask(id, { kind: 'ATTEST' }).expect(202));
    await t.api
      .asOperator(checker)
      .post(`/operator/approvals/${asked.id}/refuse`)
      .send({ reason: 'The bytes are in the backup.' })
      .expect(200);
    await apply(checker, asked).expect(409);
    expect((await on(id)).status).toBe('MISSING_EVENTS');
  });
});

describe('a database that was put back to an earlier day', () => {
  let yesterday: TestDatabase;
  let client: TestClient;
  let lost: string;
  let now: TestApp;

  beforeAll(async () => {
    const first = await startTestApp();
    client = await first.client();
    await aSealedTransaction(first, client);
    await first.app.close();
    await first.owner.end();
    yesterday = await copyOf(first.database);
    const later = await startTestApp({ like: first });
    lost = await aSealedTransaction(later, client);
    // Ending it writes the newest checkpoints to the anchor file.
    await later.close();
    now = await startTestApp({
      like: first,
      database: yesterday,
      settings: { databaseUrl: yesterday.appUrl },
    });
  });

  afterAll(async () => {
    await now.close();
  });

  it('is noticed at the start: nothing is sealed, judged or exported', async () => {
    const { organisationId } = client;
    expect(now.log.join('')).toContain('is behind its anchor');
    const { rows } = await now.owner.query<{ id: string }>('SELECT id FROM kyt_transactions');
    expect(rows.map(({ id }) => id)).not.toContain(lost);
    const verdict = await verdictOn(now, organisationId, rows[0]!.id);
    expect(verdict.status).toBe('LOG_ROLLED_BACK');
    expect(isBlocking(verdict)).toBe(true);
    const written = now.app
      .get(DirectExportsService)
      .writePackage({ organisationId, filter: {}, requestedBy: 'test', reason: 'a test' }, new PassThrough());
    await expect(written).rejects.toMatchObject({ code: 'AUDIT_TRAIL_INCOMPLETE' });
    // Transactions go on: their entries wait for a log to stand in.
    const body = aTransaction();
    await now.api.as(client).ingest(body).expect(202);
    await now.api.as(client).settled(body.transactionId);
    expect((await now.app.get(LogAuditorService).readStatus(organisationId)).pending).toBeGreaterThanOrEqual(
      2,
    );
  });

  it('goes on as the next incarnation when two people say so, and says what was lost', async () => {
    const { organisationId } = client;
    const maker = now.api.asOperator(await now.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] }));
    const checker = now.api.asOperator(await now.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] }));
    const path = '/operator/audit/log-restarts';
    const answer = await maker.post(path).send({ reason: REASON }).expect(202);
    await maker.post(path).send({ reason: REASON }).expect(409);
    const { id, digest } = askedIn(answer);
    const { body: listed } = await maker.get(path).expect(200);
    const [asked] = (listed as { data: { restoredSize: number; anchorSize: number }[] }).data;
    expect(asked!.anchorSize).toBeGreaterThan(asked!.restoredSize);
    await maker.post(`/operator/approvals/${id}/approve`).send({ digest }).expect(403);
    await approve(checker, answer);
    await eventually('the seal of what waited', async () => {
      const { pending, checkpoint } = await now.app.get(LogAuditorService).readStatus(organisationId);
      return pending === 0 && checkpoint?.incarnation === 2 ? true : undefined;
    });
    const { rows } = await now.owner.query<{ id: string }>('SELECT id FROM kyt_transactions');
    for (const { id } of rows) expect((await verdictOn(now, organisationId, id)).status).toBe('COMPLETE');
    const { rows: entries } = await now.owner.query<{ canonical: Buffer }>(
      `SELECT canonical FROM audit_entries WHERE action = 'audit_log.reincarnated'`,
    );
    expect(JSON.parse(entries[0]!.canonical.toString('utf8'))).toMatchObject({
      content: { incarnation: 2, lostFrom: asked!.restoredSize, lostTo: asked!.anchorSize },
    });
    await maker.post(path).send({ reason: REASON }).expect(409);
  });

  it('is no alarm for a log that only grew, nor for lines that this service did not sign', async () => {
    const guard = now.app.get(RollbackGuard);
    await guard.anchor();
    const { file } = now.app.get(AnchorFile);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    const { note } = JSON.parse(lines.at(-1) ?? '') as { note: string };
    const [origin, , ...rest] = note.split('\n');
    const forged = [origin, '999999', ...rest].join('\n');
    await appendFile(file, `${JSON.stringify({ at: '', note: forged })}\n{"cut off`);
    await guard.check();
    const { rows } = await now.owner.query('SELECT 1 FROM audit_logs WHERE rolled_back_at IS NOT NULL');
    expect(rows).toEqual([]);
  });
});

describe('edits behind the back of the service, among a thousand clean subjects', () => {
  const WITHIN_MS = 5_000;
  // Each with a customer of its own and, for nobody knows who that is, a case: three subjects.
  const CLEAN = 334;
  const DECISION = { resolution: 'REJECTED', report: 'ARCHIVE', justification: REASON };
  let t: TestApp;
  let client: TestClient;
  let officer: TestApi;
  let auditor: TestApi;
  const edited: string[] = [];

  /** A transaction that nothing says whose it is, so that a person decides about it. */
  interface Case {
    readonly transaction: string;
    readonly review: string;
  }
  let cases: Case[];

  beforeAll(async () => {
    t = await startTestApp({ settings: { auditSweepPerSecond: 5_000, auditSweepPercent: 100 } });
    client = await t.client({ rules: false });
    const { organisationId } = client;
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    officer = t.api.asOperator(await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] }));
    auditor = t.api.asOperator(await t.operator({ organisationId, roles: ['AUDITOR'] }));
    const clean = Array.from({ length: CLEAN }, (_, i) =>
      aTransaction({
        transactionId: `clean-${i}`,
        externalCustomerId: `clean-customer-${i}`,
        cpfCnpj: undefined,
        origin: { country: 'BR' },
        metadata: { deviceId: `device-${i}` },
      }),
    );
    const doubtful = Array.from({ length: 5 }, (_, i) =>
      aTransaction({
        transactionId: `doubtful-${i}`,
        externalCustomerId: undefined,
        cpfCnpj: undefined,
        origin: {},
      }),
    );
    for (let at = 0; at < CLEAN; at += 250) {
      await t.api
        .as(client)
        .ingestBatch(clean.slice(at, at + 250))
        .expect(207);
    }
    await t.api.as(client).ingestBatch(doubtful).expect(207);
    await eventually('all are evaluated and sealed', async () => {
      const { rows } = await t.owner.query<{ busy: boolean; evaluated: number }>(
        `SELECT EXISTS (SELECT FROM kyt_work) OR EXISTS (SELECT FROM audit_pending) AS busy,
                  (SELECT count(*)::int FROM kyt_evaluations) AS evaluated`,
      );
      return rows[0]?.busy === false && rows[0].evaluated === CLEAN + doubtful.length;
    });
    const { rows } = await t.owner.query<Case>(
      `SELECT t.id AS transaction, r.review_id AS review FROM kyt_transactions t
       JOIN review_transactions r ON r.transaction_ref = t.id
       WHERE t.transaction_id LIKE 'doubtful-%' ORDER BY t.transaction_id`,
    );
    cases = rows;
  });

  afterAll(async () => {
    await t.close();
  });

  /** Has the sweep go through the whole log once, from its beginning; the number of trails that it judged. */
  async function swept(): Promise<number> {
    const look = async () => {
      const { rows } = await t.owner.query<{ idle: boolean; cycle: number; subjects: number }>(
        `SELECT position = -1 AND lease_until < now() AND due_at > now() AS idle, cycle::int, subjects::int
         FROM audit_sweeps WHERE organisation_id = $1`,
        [client.organisationId],
      );
      return rows[0]?.idle === true && rows[0];
    };
    const before = await eventually('the sweep rests', look);
    await t.owner.query('UPDATE audit_sweeps SET due_at = now() WHERE organisation_id = $1', [
      client.organisationId,
    ]);
    const after = await eventually('the sweep has been round', async () => {
      const now = await look();
      return now !== false && now.cycle > before.cycle && now;
    });
    return after.subjects - before.subjects;
  }

  interface Gap {
    readonly subjectId: string;
    readonly status: string;
  }
  const gaps = async (): Promise<Gap[]> =>
    ((await auditor.get('/operator/audit/gaps').expect(200)).body as { data: Gap[] }).data;
  const decide = ({ review }: Case) =>
    officer.post(`/operator/reviews/${publicId('rev', review)}/decision`).send(DECISION);
  const ask = ({ transaction }: Case) =>
    auditor.post('/operator/audit/exports').send({
      reason: REASON,
      subjectType: 'transaction',
      subjectId: publicId('txn', transaction),
    });

  later('raises no alarm as long as nothing was edited', async () => {
    expect(cases).toHaveLength(5);
    expect(await swept()).toBeGreaterThanOrEqual(1_000);
    expect(await gaps()).toEqual([]);
    const { rows } = await t.owner.query(
      `SELECT 1 FROM audit_findings UNION ALL SELECT 1 FROM audit_entries WHERE action = 'audit_log.gap_found'`,
    );
    expect(rows).toEqual([]);
  });

  promised.each([
    [
      'an edited business row',
      'STATE_MISMATCH',
      'kyt_evaluations',
      'UPDATE kyt_evaluations SET risk_score = risk_score + 1 WHERE transaction_ref = $1::uuid',
    ],
    [
      'a deleted entry',
      'MISSING_EVENTS',
      'audit_entries',
      'DELETE FROM audit_entries WHERE subject_id = $1 AND subject_seq = 2',
    ],
    [
      'an edited entry',
      'TAMPERED',
      'audit_entries',
      `UPDATE audit_entries SET canonical = replace(convert_from(canonical, 'UTF8'), 'REVIEW', 'APPROVED')::bytea
       WHERE subject_id = $1 AND subject_seq = 2`,
    ],
  ])(
    '%s blocks the decision and the export of its subject, and is recorded',
    async (_, kind, table, change) => {
      const one = cases[edited.length]!;
      const id = one.transaction;
      await behindItsBack(t, table, change, [id]);
      const committed = performance.now();
      edited.push(id);
      const refused = await decide(one);
      expectError(refused, 409, 'AUDIT_TRAIL_INCOMPLETE');
      expect(refused.body.error.details).toContainEqual(
        expect.objectContaining({ path: `transaction:${publicId('txn', id)}`, code: kind }),
      );
      const kept = await ask(one);
      expectError(kept, 409, 'AUDIT_TRAIL_INCOMPLETE');
      expect(kept.body.error.details).toContainEqual(
        expect.objectContaining({ path: `transaction:${id}`, code: kind }),
      );
      expectWithin(WITHIN_MS, committed);
      const found = await eventually('the gap is recorded', async () =>
        (await gaps()).find(({ subjectId }) => subjectId.endsWith(id)),
      );
      expectWithin(WITHIN_MS, committed);
      expect(found.status).toBe(kind);
    },
  );

  later(
    'leaves all others free, and the sweep finds exactly what was edited, also what nobody asked about',
    async () => {
      const [, , , free, quiet] = cases;
      await decide(free!).expect(202);
      await ask(free!).expect(202);
      await behindItsBack(
        t,
        'kyt_evaluations',
        'UPDATE kyt_evaluations SET risk_score = risk_score + 1 WHERE transaction_ref = $1::uuid',
        [quiet!.transaction],
      );
      expect(await swept()).toBeGreaterThanOrEqual(1_000);
      expect((await gaps()).map(({ subjectId }) => subjectId).sort()).toEqual(
        [...edited, quiet!.transaction].sort(),
      );
    },
  );
});
