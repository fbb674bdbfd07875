import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { systemActor } from '../../src/features/audit/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { scopes } from '../../src/platform/http/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { ReviewPreconditionsService } from '../../src/features/reviews/cases/review-preconditions.service.js';
import { ReviewQueries } from '../../src/features/reviews/store/review.queries.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { someInFirst } from '../support/needs.js';

let t: TestApp;
let client: TestClient;
let officer: TestApi;
let second: TestApi;
/** A superuser, for whom no trigger runs. */
let intruder: pg.Client;
let ids: Readonly<
  Record<
    | 'customer'
    | 'review'
    | 'closed'
    | 'hit'
    | 'transaction'
    | 'session'
    | 'communication'
    | 'list'
    | 'operator',
    string
  >
>;

const document = '12345678909';
const SANCTIONED = 'Anacleto Sancionado Fictício';
const WHY = 'What was found in the analysis, in more than twenty characters.';
const CONSENT_FLOW = {
  name: { 'pt-BR': 'Aviso', en: 'Notice' },
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [
    {
      id: 'privacy',
      type: 'CONSENT',
      title: { 'pt-BR': 'Privacidade', en: 'Privacy' },
      required: true,
      text: { 'pt-BR': 'Aviso', en: 'Notice' },
      noticeVersion: '1',
    },
  ],
  requiredChecks: [],
} as const;
const one = async (text: string, values: unknown[] = []): Promise<string> => {
  const { rows } = await t.owner.query<{ id: string }>(text, values);
  return rows[0]?.id ?? '';
};

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ scopes });
  const { organisationId } = client;
  const operator = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
  officer = t.api.asOperator(operator);
  second = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
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
  const origin = { name: SANCTIONED, cpfCnpj: document, country: 'BR' };
  const body = aTransaction({ externalCustomerId: 'attacked', cpfCnpj: document, origin });
  await t.api.as(client).ingest(body).expect(202);
  await t.api.as(client).settled(body.transactionId);
  const review = await eventually('a case about the hit', () =>
    one('SELECT review_id AS id FROM review_hits WHERE organisation_id = $1', [organisationId]).then(
      (id) => id !== '' && id,
    ),
  );
  const customer = await one('SELECT customer_id AS id FROM reviews WHERE id = $1', [review]);
  const closed = await closedCase(customer);
  ids = {
    ...{ review, customer, closed, session: await endedSession() },
    communication: await eventually('the communication is drafted', () =>
      one('SELECT id FROM coaf_communications WHERE review_id = $1', [closed]).then((id) => id !== '' && id),
    ),
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

/** A case about the customer with a note, that two people have closed as rejected and to be communicated. */
async function closedCase(customer: string): Promise<string> {
  const about = {
    customerId: publicId('cus', customer),
    reason: 'Somebody rang and asked for another look.',
  };
  const { body } = await officer.post('/operator/reviews').send(about).expect(201);
  const { id } = (body as { data: { id: string } }).data;
  await officer.post(`/operator/reviews/${id}/notes`).send({ text: WHY }).expect(201);
  const decision = { resolution: 'REJECTED', report: 'COMMUNICATE', justification: WHY };
  await approve(second, await officer.post(`/operator/reviews/${id}/decision`).send(decision).expect(202));
  return uuidOf('rev', id) ?? '';
}

/** A session of the customer that is over. */
async function endedSession(): Promise<string> {
  await withFlow(t, client.organisationId, { key: 'consent', ...CONSENT_FLOW });
  const asked = { flowKey: 'consent', externalCustomerId: 'attacked' };
  const { body } = await officer.post('/operator/kyc-sessions').send(asked).expect(201);
  const { sessionId, reference } = (body as { data: { sessionId: string; reference: string } }).data;
  const answers = { userData: { privacy: true } };
  await t.api.post(`/kyc-sessions/${sessionId}/complete`).send(answers).expect(202);
  const id = uuidOf('kys', reference) ?? '';
  await eventually('the session is over', async () => {
    const { body: found } = await officer.get(`/operator/kyc-sessions/${reference}`).expect(200);
    return (found as { data: { status: string } }).data.status === 'COMPLETED';
  });
  return id;
}

/** Pays somebody of the name that is on the list; returns how it was judged, and what was said of the lists. */
async function paidToTheListed(): Promise<Record<string, unknown>> {
  const body = aTransaction({ destination: { name: SANCTIONED, cpfCnpj: CPF.payee, country: 'BR' } });
  await t.api.as(client).ingest(body).expect(202);
  const { outcome, components } = await t.api.as(client).settled(body.transactionId);
  return { outcome, ...(components as Record<string, object>)['LISTS'] };
}

const customerDossier = async (): Promise<string> => {
  const path = `/operator/customers/${publicId('cus', ids.customer)}/dossier`;
  const { status, body } = await officer.get(path);
  // A justification that no longer opens is not shown at all.
  if (status !== 200) return `refused with ${status}`;
  return (body as { data: { head: { trail: { status: string } } } }).data.head.trail.status;
};

/** Asks the gate that each decision of a case goes through. */
const decision = async (about?: 'closed' | 'session'): Promise<string> => {
  const id = about === 'closed' ? ids.closed : ids.review;
  try {
    const found = await t.app.get(ReviewQueries).get(client.organisationId, id);
    const review = about === 'session' ? { ...found, sessionRef: ids.session } : found;
    await t.app.get(ReviewPreconditionsService).refuseBrokenTrails(review, ids.operator);
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
  // The service would draft a deleted communication again.
  const isDraft = table === 'coaf_communications';
  if (isDraft) await intruder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
  try {
    await look();
  } finally {
    await intruder.query(`DELETE FROM ${table} WHERE ${rows}`);
    await intruder.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM kept`);
    await intruder.query('DROP TABLE kept');
    if (isDraft) await intruder.query('COMMIT');
  }
}

describe('Before anybody attacks', () => {
  it('everything says that it is complete', async () => {
    expect(await customerDossier()).toBe('COMPLETE');
    expect(await decision()).toBe('goes on');
    expect(await decision('closed')).toBe('goes on');
    expect(await decision('session')).toBe('goes on');
    expect(await packaged()).toBe('READY');
  });
});

const CLOSED = `collects = false, status = 'CLOSED', proposed_by = '11111111-1111-1111-1111-111111111111', proposed_at = now(), resolution = 'APPROVED',
  report = 'ARCHIVE', justification = '\\x00', closed_by = '22222222-2222-2222-2222-222222222222', closed_at = now()`;

interface Attack {
  readonly table: string;
  readonly rows: () => string;
  readonly change: string;
  /** Somebody decides about it; about the open case if it is left out. */
  readonly about?: 'closed' | 'session';
}

describe('What nobody may call complete: dossier, decision and package', () => {
  const open = { table: 'reviews', rows: (): string => `id = '${ids.review}'` };
  const closed = { table: 'reviews', rows: (): string => `id = '${ids.closed}'`, about: 'closed' } as const;
  const hit = { table: 'screening_hits', rows: (): string => `id = '${ids.hit}'` };
  const linked = (table: string): Pick<Attack, 'table' | 'rows'> => ({
    table,
    rows: () => `review_id = '${ids.review}'`,
  });
  const event = (of: 'transaction' | 'session'): Pick<Attack, 'table' | 'rows'> => ({
    table: 'events',
    rows: () => `resource_id = '${ids[of]}' AND sequence = 2`,
  });
  const attacks: Readonly<Record<string, Attack>> = {
    'a closed case turned from rejected and communicated into approved and archived': {
      ...closed,
      change: `UPDATE reviews SET resolution = 'APPROVED', report = 'ARCHIVE', report_deadline = NULL`,
    },
    'an open case closed': { ...open, change: `UPDATE reviews SET ${CLOSED}` },
    'who approved the end of a case': {
      ...closed,
      change: `UPDATE reviews SET closed_by = '22222222-2222-2222-2222-222222222222'`,
    },
    'the justification of a decision': { ...closed, change: `UPDATE reviews SET justification = '\\x00'` },
    'a deadline': {
      ...open,
      change: `UPDATE reviews SET analysis_deadline = analysis_deadline + interval '1 year'`,
    },
    'a priority': { ...open, change: 'UPDATE reviews SET priority = 4' },
    'the notes of a case deleted': {
      ...{ table: 'review_notes', rows: () => `review_id = '${ids.closed}'`, about: 'closed' },
      change: 'DELETE FROM review_notes',
    },
    'an open case deleted': { ...open, change: 'DELETE FROM reviews' },
    'the hits of a case deleted': { ...linked('review_hits'), change: 'DELETE FROM review_hits' },
    'the transactions of a case deleted': {
      ...linked('review_transactions'),
      change: 'DELETE FROM review_transactions',
    },
    'a pending hit deleted': { ...hit, change: 'DELETE FROM screening_hits' },
    'a draft communication deleted': {
      ...{ table: 'coaf_communications', rows: () => `id = '${ids.communication}'`, about: 'closed' },
      change: 'DELETE FROM coaf_communications',
    },
    'an event of a transaction deleted': { ...event('transaction'), change: 'DELETE FROM events' },
    'an event of a session deleted': {
      ...event('session'),
      about: 'session',
      change: 'DELETE FROM events',
    },
    'the disposition of a hit': {
      ...hit,
      change: `UPDATE screening_hits SET status = 'DISMISSED_FALSE_POSITIVE', expires_at = now() + interval '1 day'`,
    },
    'a risk level': {
      ...{ table: 'customers', rows: () => `id = '${ids.customer}'` },
      change: `UPDATE customers SET risk_level = 'LOW', risk_level_by = 'OPERATOR'`,
    },
    'the role of an operator': {
      ...{ table: 'operators', rows: () => `id = '${ids.operator}'` },
      change: `UPDATE operators SET roles = '{COMPLIANCE_OFFICER,ADMIN}'`,
    },
    'the threshold of a list': {
      ...{ table: 'screening_lists', rows: () => `id = '${ids.list}'` },
      change: 'UPDATE screening_lists SET mandatory_threshold = 1',
    },
    'a name deleted from a list': {
      ...{ table: 'screening_entries', rows: () => `list_id = '${ids.list}'` },
      change: 'DELETE FROM screening_entries',
    },
  };

  it.each(someInFirst(Object.entries(attacks), 8))('%s', async (_, { table, rows, change, about }) => {
    await during(table, rows(), change, async () => {
      // That rows of a list changed is known by counters of the database, which are some seconds late.
      await eventually('the dossier tells', async () => (await customerDossier()) !== 'COMPLETE', 60_000);
      expect(['AUDIT_TRAIL_INCOMPLETE', 'REVIEW_NOT_FOUND']).toContain(await decision(about));
      expect(['AUDIT_TRAIL_INCOMPLETE', 'BLOCKED']).toContain(await packaged());
    });
    await eventually('it is whole again', async () => (await customerDossier()) === 'COMPLETE', 60_000);
  });

  it('the recorded time of entries moved', async () => {
    const moved = (by: string): Promise<unknown> =>
      intruder.query(
        `UPDATE audit_entries SET recorded_at = recorded_at ${by} interval '1 day'
         WHERE subject_type = 'review' AND subject_id = $1`,
        [ids.review],
      );
    await intruder.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only');
    await moved('-');
    expect(await customerDossier()).toBe('TAMPERED');
    expect(await decision()).toBe('AUDIT_TRAIL_INCOMPLETE');
    expect(['AUDIT_TRAIL_INCOMPLETE', 'BLOCKED']).toContain(await packaged());
    await moved('+');
    // The times are right again; that somebody else than the step wrote these rows stays to be seen.
    expect(await customerDossier()).toBe('STATE_MISMATCH');
  });

  it('nobody is approved by a list that has lost a name', async () => {
    await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
    expect(await paidToTheListed()).toMatchObject({ outcome: 'REVIEW' });
    await during(
      'screening_entries',
      `list_id = '${ids.list}'`,
      'DELETE FROM screening_entries',
      async () => {
        await eventually(
          'transactions are not approved',
          async () => {
            await t.app.get(SearchIndexService).refresh();
            const { outcome, reason } = await paidToTheListed();
            // The index finds the name until the change is seen.
            expect(outcome).toBe('REVIEW');
            return reason === 'LIST_ALTERED';
          },
          60_000,
        );
      },
    );
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
});
