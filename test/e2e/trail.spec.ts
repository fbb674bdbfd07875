import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AuditTrail, type TrailVerdict } from '../../src/features/audit/index.js';
import { OrganisationSettingsService } from '../../src/features/auth/index.js';
import { DeliveryAudit } from '../../src/features/webhooks/delivery/delivery-audit.js';
import type { TestApi, TestClient } from '../support/api.js';
import { freshDatabase } from '../support/database.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { behindItsBack } from '../support/tamper.js';
import { WebhookReceiver } from '../support/receiver.js';

let t: TestApp;
let client: TestClient;
let api: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  api = t.api.as(client);
});

afterAll(async () => {
  await t.close();
});

/** A completed transaction, by the id of its row. */
async function aCompletedTransaction(): Promise<{ id: string; transactionId: string }> {
  const body = aTransaction();
  await api.ingest(body).expect(202);
  await api.settled(body.transactionId);
  const id = await eventually('its seal', async () => {
    const { rows } = await t.owner.query<{ id: string; leaves: number }>(
      `SELECT t.id, (SELECT count(*)::int FROM audit_leaves l WHERE l.subject_id = t.id::text) AS leaves
       FROM kyt_transactions t WHERE transaction_id = $1`,
      [body.transactionId],
    );
    return rows[0]?.leaves === 2 ? rows[0].id : undefined;
  });
  return { id, transactionId: body.transactionId };
}

const verdictOn = (id: string): Promise<TrailVerdict> =>
  t.app.get(AuditTrail).trailStatus({ organisationId: client.organisationId, type: 'transaction', id });

const entry = (seq: number): string => `WHERE subject_id = $1 AND subject_seq = ${seq}`;
/** Replaces text inside the hashed bytes; the database computes the hash anew, so the bytes still give it. */
const rewritten = (from: string, to: string): string =>
  `canonical = convert_to(regexp_replace(convert_from(canonical, 'UTF8'), '${from}', '${to}'), 'UTF8')`;

describe('a check of the log', () => {
  it('finds a delivery that somebody marked as delivered, and who lets one person decide alone', async () => {
    const { organisationId } = client;
    const [deliveries, settings] = [t.app.get(DeliveryAudit), t.app.get(OrganisationSettingsService)];
    const receiver = await WebhookReceiver.listen();
    const operator = t.api.asOperator(await t.operator({ organisationId }));
    const endpoints = '/operator/webhook-endpoints';
    const body = {
      clientAppId: publicId('app', client.id),
      url: receiver.url,
      eventTypes: ['kyt.transaction.queued'],
    };
    const made = await operator.post(endpoints).send(body).expect(201);
    const { id } = (made.body as { data: { endpoint: { id: string } } }).data.endpoint;
    await operator.post(`${endpoints}/${id}/pause`).send({}).expect(200);
    await receiver.close();
    await api.ingest(aTransaction()).expect(202);
    const mark = async (status: string): Promise<string> => {
      const { rows } = await t.owner.query<{ id: string }>(
        'UPDATE webhook_deliveries SET status = $1 WHERE organisation_id = $2 RETURNING id',
        [status, organisationId],
      );
      return rows[0]?.id ?? '';
    };
    const waiting = await mark('PENDING');
    expect(await deliveries.checkEnds(organisationId, null)).toEqual([]);
    await mark('DELIVERED');
    const fault = { place: waiting, kind: 'MISSING_EVENTS' };
    expect(await deliveries.checkEnds(organisationId, null)).toMatchObject([fault]);
    expect(await deliveries.checkEnds(organisationId, [waiting])).toMatchObject([fault]);
    await mark('PENDING');

    const declare = (at: string): Promise<unknown> =>
      t.owner.query(`UPDATE organisations SET single_handed_at = ${at} WHERE id = $1`, [organisationId]);
    expect(await settings.checkSingleControl(organisationId)).toEqual([]);
    await declare('now()');
    expect(await settings.checkSingleControl(organisationId)).toMatchObject([{ kind: 'STATE_MISMATCH' }]);
    await declare('NULL');
    expect(await settings.checkSingleControl(organisationId)).toEqual([]);
  });
});

describe('the trail of a transaction', () => {
  it('is COMPLETE when the transaction is completed', async () => {
    const { id } = await aCompletedTransaction();
    expect(await verdictOn(id)).toEqual({ status: 'COMPLETE', length: 2, gaps: [], repairs: [], pruned: 0 });
  });

  it('names who did what, by which request, and no person', async () => {
    const body = aTransaction();
    await api.ingest(body).set({ 'x-request-id': 'req-7', 'x-correlation-id': 'cor-7' }).expect(202);
    const { receiptHash } = await api.settled(body.transactionId);
    const { rows } = await t.owner.query<{ action: string; text: string }>(
      `SELECT a.action, convert_from(a.canonical, 'UTF8') AS text FROM audit_entries a
       JOIN kyt_transactions t ON t.id::text = a.subject_id WHERE t.transaction_id = $1 ORDER BY a.subject_seq`,
      [body.transactionId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['transaction.received', 'transaction.evaluated']);
    expect(rows.map(({ text }) => JSON.parse(text) as object)).toMatchObject([
      { seq: 1, previous: null, actor: `client:${client.id}`, requestId: 'req-7', correlationId: 'cor-7' },
      {
        seq: 2,
        previous: expect.stringMatching(/^[0-9a-f]{64}$/),
        actor: 'system:kyt.pipeline',
        correlationId: 'cor-7',
        content: { outcome: 'APPROVED', score: 0, ruleset: 'br-first@1', receiptHash },
      },
    ]);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/Exemplo|5299822|1114447|customer-/);
  });

  it('is a gap when lists do not find the transaction where its evaluation says', async () => {
    const kept = await aCompletedTransaction();
    const { rows } = await t.owner.query<{ id: string }>(
      `SELECT transaction_ref AS id FROM kyt_standings WHERE organisation_id = $1`,
      [client.organisationId],
    );
    expect(rows).toEqual([]);
    const { id } = kept;
    const STRAY = [
      { kind: 'STATE_MISMATCH', detail: expect.stringContaining('lists do not find it') as unknown },
    ];
    await t.owner.query(
      `INSERT INTO kyt_standings (transaction_ref, organisation_id, evaluation_version, outcome, risk_score, defensible)
       VALUES ($1, $2, 1, 'REJECTED', 0, true)`,
      [id, client.organisationId],
    );
    expect((await verdictOn(id)).gaps).toMatchObject(STRAY);
    await t.owner.query('DELETE FROM kyt_standings WHERE transaction_ref = $1', [id]);
    expect((await verdictOn(id)).status).toBe('COMPLETE');
    // One that waits for a person, and that somebody takes out of every list.
    const body = aTransaction({ cpfCnpj: '***.982.247-**' });
    await api.ingest(body).expect(202);
    expect((await api.settled(body.transactionId)).outcome).toBe('REVIEW');
    const held = await t.owner.query<{ id: string }>(
      `DELETE FROM kyt_standings s USING kyt_transactions t
       WHERE t.id = s.transaction_ref AND t.transaction_id = $1 RETURNING t.id`,
      [body.transactionId],
    );
    expect((await verdictOn(held.rows[0]!.id)).gaps).toMatchObject(STRAY);
  });

  it('of another organisation is not found: an empty trail, MISSING_EVENTS', async () => {
    const { id } = await aCompletedTransaction();
    const other = await t.client();
    const subject = { organisationId: other.organisationId, type: 'transaction', id } as const;
    expect(await t.app.get(AuditTrail).trailStatus(subject)).toMatchObject({
      status: 'MISSING_EVENTS',
      length: 0,
    });
  });

  it.each<[string, string, string, TrailVerdict['status']]>([
    [
      'an entry renamed',
      'audit_entries',
      `UPDATE audit_entries SET action = 'transaction.replayed' ${entry(2)}`,
      'TAMPERED',
    ],
    ['an entry moved', 'audit_entries', `UPDATE audit_entries SET subject_seq = 3 ${entry(2)}`, 'TAMPERED'],
    [
      'bytes that are no entry',
      'audit_entries',
      `UPDATE audit_entries SET canonical = '\\xff00' ${entry(2)}`,
      'TAMPERED',
    ],
    [
      'the link to the entry before replaced',
      'audit_entries',
      `UPDATE audit_entries SET previous_hash = sha256('x') ${entry(2)}`,
      'TAMPERED',
    ],
    [
      'the content of the first entry rewritten, with a fitting hash',
      'audit_entries',
      `UPDATE audit_entries SET ${rewritten('"source":"INGEST"', '"source":"LEGACY"')} ${entry(1)}`,
      'TAMPERED',
    ],
    [
      'the content of the last entry rewritten, with a fitting hash',
      'audit_entries',
      `UPDATE audit_entries SET ${rewritten('"outcome":"APPROVED"', '"outcome":"REJECTED"')} ${entry(2)}`,
      'TAMPERED',
    ],
    ['the last entry deleted', 'audit_entries', `DELETE FROM audit_entries ${entry(2)}`, 'MISSING_EVENTS'],
    ['the first entry deleted', 'audit_entries', `DELETE FROM audit_entries ${entry(1)}`, 'MISSING_EVENTS'],
    [
      'the stored outcome changed',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET outcome = 'REVIEW', recommended_action = 'HOLD' WHERE transaction_ref = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the stored score changed',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET risk_score = 99 WHERE transaction_ref = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the receipt rewritten',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET receipt = set_byte(receipt, 40, get_byte(receipt, 40) # 1) WHERE transaction_ref = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the receipt rewritten, with a fitting hash',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET receipt = '{}', receipt_hash = sha256('{}') WHERE transaction_ref = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'an evaluation that forgot its entry',
      'kyt_evaluations',
      `UPDATE kyt_evaluations SET trail_hash = sha256('x') WHERE transaction_ref = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the amount of the transaction changed',
      'kyt_transactions',
      `UPDATE kyt_transactions SET amount = amount * 10 WHERE id = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the currency of the transaction changed',
      'kyt_transactions',
      `UPDATE kyt_transactions SET currency = 'USD' WHERE id = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the type of the transaction changed',
      'kyt_transactions',
      `UPDATE kyt_transactions SET type = 'OTHER' WHERE id = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the moment of the transaction changed',
      'kyt_transactions',
      `UPDATE kyt_transactions SET occurred_at = occurred_at - interval '1 day' WHERE id = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the fingerprint of the transaction changed',
      'kyt_transactions',
      `UPDATE kyt_transactions SET fingerprint = sha256('x') WHERE id = $1::uuid`,
      'STATE_MISMATCH',
    ],
    [
      'the id of the transaction changed',
      'kyt_transactions',
      `UPDATE kyt_transactions SET transaction_id = 'another' || id WHERE id = $1::uuid`,
      'STATE_MISMATCH',
    ],
  ])('%s by the owner of the server: the verdict tells', async (_what, table, change, status) => {
    const { id } = await aCompletedTransaction();
    const bystander = await aCompletedTransaction();
    await behindItsBack(t, table, change, [id]);
    const verdict = await verdictOn(id);
    expect(verdict.status).toBe(status);
    expect(verdict.gaps.length).toBeGreaterThan(0);
    expect((await verdictOn(bystander.id)).status).toBe('COMPLETE');
  });
});

describe('what the service itself may do to what it has written', () => {
  let app: pg.Client;

  beforeAll(async () => {
    // Row-level security would hide what the grants and triggers are to be tried on.
    app = new pg.Client({ connectionString: t.database.appUrl, options: '-c vigia.system=test' });
    await app.connect();
    await aCompletedTransaction();
    await eventually('the log is sealed', async () => {
      const { rows } = await t.owner.query('SELECT FROM audit_checkpoints');
      return rows.length > 0;
    });
    // The first node comes with the 256th leaf.
    await t.owner.query(`INSERT INTO audit_nodes VALUES ($1, 8, 0, $2)`, [randomUUID(), Buffer.alloc(32)]);
  });

  afterAll(async () => {
    await app.end();
  });

  const columns = {
    audit_checkpoints: 'root',
    audit_entries: 'action',
    audit_leaves: 'hash',
    audit_nodes: 'hash',
    events: 'type',
    kyt_transactions: 'amount',
    kyt_evaluations: 'outcome',
  };

  it.each(Object.entries(columns))(
    'its role can neither UPDATE nor DELETE nor TRUNCATE %s',
    async (table, column) => {
      for (const statement of [
        `UPDATE ${table} SET ${column} = ${column}`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `DROP TABLE ${table}`,
      ]) {
        await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
      const { rows } = await t.owner.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
      expect(rows[0]?.count).toBeGreaterThan(0);
    },
  );

  it.each(Object.entries(columns))('the owner of %s is stopped by the trigger', async (table, column) => {
    await expect(t.owner.query(`UPDATE ${table} SET ${column} = ${column}`)).rejects.toMatchObject({
      code: '23001',
      message: `UPDATE on ${table} is refused: the table is append-only`,
    });
    await expect(t.owner.query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: '23001' });
  });

  it('is safe from TRUNCATE and from a session that plays replica, in every one of these tables', async () => {
    // ASVS 16.4.2
    // Nothing is pruned here; what is, is held to it in a specification of its own.
    const tables = [
      ...Object.keys(columns),
      'app_logos',
      'audit_late_seals',
      'audit_pruned',
      'check_providers',
      'coaf_edits',
      'event_incarnations',
      'freeze_notices',
      'custom_field_schemas',
      'kyc_session_rounds',
      'kyt_custom_field_values',
      'kyt_customer_events',
      'privacy_notices',
    ].sort();
    // A database of its own: tests above switch triggers off.
    const owner = new pg.Client({ connectionString: (await freshDatabase()).ownerUrl });
    await owner.connect();
    try {
      for (const table of tables) {
        await expect(owner.query(`TRUNCATE ${table} CASCADE`)).rejects.toMatchObject({ code: '23001' });
      }
      const { rows } = await owner.query(
        `SELECT DISTINCT c.relname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
         WHERE g.tgname LIKE '%_only' AND g.tgenabled = 'A' ORDER BY 1`,
      );
      expect(rows.map(({ relname }: { relname: string }) => relname)).toEqual(tables);
    } finally {
      await owner.end();
    }
  });

  it('its role cannot become the owner, nor make tables of its own', async () => {
    // ASVS 13.2.2
    await expect(app.query('SET ROLE postgres')).rejects.toMatchObject({
      code: expect.stringMatching(/42501|22023/),
    });
    await expect(app.query('CREATE TABLE public.mine (id int)')).rejects.toMatchObject({ code: '42501' });
    await expect(app.query('ALTER TABLE schema_migrations ADD COLUMN mine int')).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('an entry cannot be put where one is already, nor begin a chain in its middle', async () => {
    const { rows } = await app.query<{ organisation_id: string; subject_id: string }>(
      `SELECT organisation_id, subject_id FROM audit_entries WHERE subject_type = 'transaction' LIMIT 1`,
    );
    const insert = (seq: number, previous: string | null): Promise<unknown> =>
      app.query(
        `INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, canonical, previous_hash)
         VALUES ($1, 'transaction', $2, $3, 'transaction.evaluated', '{}', $4)`,
        [rows[0]?.organisation_id, rows[0]?.subject_id, seq, previous],
      );
    await expect(insert(1, null)).rejects.toMatchObject({ code: '23505' });
    await expect(insert(9, null)).rejects.toMatchObject({ code: '23514', constraint: 'audit_entries_chain' });
  });
});
