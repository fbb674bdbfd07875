import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AuditTrail, systemActor, type SubjectType } from '../../src/audit/index.js';
import { publicId, uuidOf } from '../../src/kernel/index.js';
import { IndexKeeper, ListImporter, ScreeningLists } from '../../src/screening/index.js';
import { ReviewGates } from '../../src/reviews/cases/review-gates.service.js';
import { ReviewQueries } from '../../src/reviews/store/review.queries.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;
let client: TestClient;
let officer: TestApi;
/** A superuser, for whom no trigger runs. */
let intruder: pg.Client;
let ids: Readonly<Record<'customer' | 'review' | 'hit' | 'transaction' | 'list' | 'operator', string>>;

const document = '12345678909';
const one = async (text: string, values: unknown[] = []): Promise<string> => {
  const { rows } = await t.owner.query<{ id: string }>(text, values);
  return rows[0]?.id ?? '';
};

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  const { organisationId } = client;
  const operator = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  officer = t.api.asOperator(operator);
  const ctx = systemActor(organisationId, 'test');
  const list = await t.app
    .get(ScreeningLists)
    .ensure(ctx, { key: 'sanctions', name: 'Sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' });
  const importer = t.app.get(ListImporter);
  const snapshot = await importer.begin(ctx, list, null);
  const file = 'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n';
  const main = Readable.from([Buffer.from(file)]);
  await importer.run(ctx, list, snapshot.id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(IndexKeeper).refresh();
  const origin = { name: 'Anacleto Sancionado Fictício', cpfCnpj: document, country: 'BR' };
  const body = aTransaction({ externalCustomerId: 'attacked', cpfCnpj: document, origin });
  await t.api.as(client).ingest(body).expect(202);
  await t.api.as(client).settled(body.transactionId);
  const review = await eventually('a case about the hit', () =>
    one('SELECT review_id AS id FROM review_hits WHERE organisation_id = $1', [organisationId]).then(
      (id) => id !== '' && id,
    ),
  );
  ids = {
    review,
    customer: await one('SELECT customer_id AS id FROM reviews WHERE id = $1', [review]),
    hit: await one('SELECT hit_id AS id FROM review_hits WHERE review_id = $1', [review]),
    transaction: await one('SELECT id FROM kyt_transactions WHERE transaction_id = $1', [body.transactionId]),
    list: list.id,
    operator: uuidOf('opr', operator.id) ?? operator.id,
  };
  intruder = new pg.Client(t.database.ownerUrl);
  await intruder.connect();
  await intruder.query('SET session_replication_role = replica');
  await intruder.query(`SET vigia.system = 'test'`);
  for (const table of ['kyt_transactions', 'events']) {
    await intruder.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  }
});
afterAll(async () => {
  await intruder.end();
  await t.close();
});

const customerDossier = async (): Promise<string> => {
  const path = `/operator/customers/${publicId('cus', ids.customer)}/dossier`;
  const { status, body } = await officer.get(path);
  // A justification that no longer opens is not shown at all.
  if (status !== 200) return `refused with ${status}`;
  return (body as { data: { head: { trail: { status: string } } } }).data.head.trail.status;
};

/** Asks the gate that each decision of a case goes through. */
const decision = async (): Promise<string> => {
  try {
    const review = await t.app.get(ReviewQueries).get(client.organisationId, ids.review);
    await t.app.get(ReviewGates).refuseBrokenTrails(review);
    return 'goes on';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** Asks for a package that promises whole trails, about the customer. */
const packaged = async (about: object = { customerId: publicId('cus', ids.customer) }): Promise<string> => {
  const { body } = await officer
    .post('/operator/audit/exports')
    .send({ ...about, reason: 'What a court has asked for.' });
  const { data, error } = body as { data?: { id: string }; error?: { code: string } };
  if (!data) return error?.code ?? '';
  return eventually('the package', async () => {
    const { body: found } = await officer.get(`/operator/audit/exports/${data.id}`).expect(200);
    const { status } = (found as { data: { status: string } }).data;
    return status === 'READY' || status === 'BLOCKED' || status === 'FAILED' ? status : undefined;
  });
};

const trailOf = async (type: SubjectType, id: string): Promise<string> => {
  const { organisationId } = client;
  return (await t.app.get(AuditTrail).trailStatus({ organisationId, type, id })).status;
};

/** Runs a change of these rows as the intruder, and puts the rows back afterwards. */
async function during(table: string, rows: string, change: string, look: () => Promise<void>): Promise<void> {
  const { rows: names } = await intruder.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
       AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  const columns = names.map(({ name }) => name).join(', ');
  await intruder.query(`CREATE TEMP TABLE kept AS SELECT ${columns} FROM ${table} WHERE ${rows}`);
  const { rowCount } = await intruder.query(`${change} WHERE ${rows}`);
  expect(rowCount).toBeGreaterThan(0);
  try {
    await look();
  } finally {
    await intruder.query(`DELETE FROM ${table} WHERE ${rows}`);
    await intruder.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM kept`);
    await intruder.query('DROP TABLE kept');
  }
}

describe('Before anybody attacks', () => {
  it('everything says that it is complete', async () => {
    expect(await customerDossier()).toBe('COMPLETE');
    expect(await decision()).toBe('goes on');
    expect(await packaged()).toBe('READY');
  });
});

const CLOSED = `collects = false, status = 'CLOSED', proposed_by = '11111111-1111-1111-1111-111111111111', proposed_at = now(), resolution = 'APPROVED',
  report = 'ARCHIVE', justification = '\\x00', closed_by = '22222222-2222-2222-2222-222222222222', closed_at = now()`;

describe('What nobody may call complete: dossier, decision and package', () => {
  const aboutReview = (): string => `id = '${ids.review}'`;
  const aboutHit = (): string => `id = '${ids.hit}'`;
  const aboutCustomer = (): string => `id = '${ids.customer}'`;
  it.each<[string, string, () => string, string]>([
    ['a case closed as approved and archived', 'reviews', aboutReview, `UPDATE reviews SET ${CLOSED}`],
    ['a priority', 'reviews', aboutReview, 'UPDATE reviews SET priority = 4'],
    [
      'a deadline',
      'reviews',
      aboutReview,
      `UPDATE reviews SET analysis_deadline = analysis_deadline + interval '1 year'`,
    ],
    ['an open case deleted', 'reviews', aboutReview, 'DELETE FROM reviews'],
    [
      'the hits of a case deleted',
      'review_hits',
      () => `review_id = '${ids.review}'`,
      'DELETE FROM review_hits',
    ],
    [
      'the transactions of a case deleted',
      'review_transactions',
      () => `review_id = '${ids.review}'`,
      'DELETE FROM review_transactions',
    ],
    ['a pending hit deleted', 'screening_hits', aboutHit, 'DELETE FROM screening_hits'],
    [
      'the disposition of a hit',
      'screening_hits',
      aboutHit,
      `UPDATE screening_hits SET status = 'DISMISSED_FALSE_POSITIVE', expires_at = now() + interval '1 day'`,
    ],
    [
      'a risk level',
      'customers',
      aboutCustomer,
      `UPDATE customers SET risk_level = 'LOW', risk_level_by = 'OPERATOR'`,
    ],
    [
      'an event deleted',
      'events',
      () => `resource_id = '${ids.transaction}' AND sequence = 2`,
      'DELETE FROM events',
    ],
  ])('%s', async (_, table, rows, change) => {
    await during(table, rows(), change, async () => {
      expect(await customerDossier()).not.toBe('COMPLETE');
      expect(['AUDIT_TRAIL_INCOMPLETE', 'REVIEW_NOT_FOUND']).toContain(await decision());
      expect(['AUDIT_TRAIL_INCOMPLETE', 'BLOCKED']).toContain(await packaged());
    });
    expect(await customerDossier()).toBe('COMPLETE');
  });

  // The customer's own dossier holds what is under the keys of the customer: the case still names the transaction.
  it('the person of a transaction, in what is about the case', async () => {
    const change = `UPDATE kyt_transactions SET customer_key = '\\x01'`;
    await during('kyt_transactions', `id = '${ids.transaction}'`, change, async () => {
      const reviewId = publicId('rev', ids.review);
      const { body } = await officer.get(`/operator/reviews/${reviewId}/dossier`).expect(200);
      expect(body).toMatchObject({ data: { head: { trail: { status: 'STATE_MISMATCH' } } } });
      expect(await decision()).toBe('AUDIT_TRAIL_INCOMPLETE');
      expect(['AUDIT_TRAIL_INCOMPLETE', 'BLOCKED']).toContain(await packaged({ reviewId }));
    });
  });

  it.each<[string, SubjectType, () => string, string, string]>([
    [
      'the role of an operator',
      'operator',
      () => ids.operator,
      'operators',
      `UPDATE operators SET roles = '{ADMIN}'`,
    ],
    [
      'the threshold of a list',
      'screening_list',
      () => ids.list,
      'screening_lists',
      'UPDATE screening_lists SET mandatory_threshold = 1',
    ],
  ])('%s, in the trail of its own', async (_, type, id, table, change) => {
    expect(await trailOf(type, id())).toBe('COMPLETE');
    await during(table, `id = '${id()}'`, change, async () => {
      expect(await trailOf(type, id())).toBe('STATE_MISMATCH');
    });
  });
});
