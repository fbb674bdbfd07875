import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { verifyReceipt } from '../../src/features/kyt/domain/replay.js';
import { ReceiptExportService } from '../../src/features/kyt/replay/receipt-export.service.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/answers.js';
import { approve, askedIn } from '../support/approvals.js';
import { aTransaction, cpfOf, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { bindAnew } from '../support/tamper.js';

let t: TestApp;
let client: TestClient;
let api: TestApi;
let first: TestApi;
let second: TestApi;

interface Payer {
  readonly customer: string;
  readonly id: string;
}

const LISTS = {
  un: ['SANCTIONS', 'u1;Anacleto Sancionado Ficticio;PERSON;;;\nu2;Belmira Designada Ficticia;PERSON;;;\n'],
  extra: ['DEBARMENT', 'd1;Casimiro Impedido Ficticio;PERSON;;;\n'],
  pep: ['PEP', 'p1;Otavio Politico Ficticio;PERSON;;;\n'],
} as const;
const ONE: Payer = { customer: CPF.customer, id: 'customer-one' };
const OTHER: Payer = { customer: CPF.payee, id: 'customer-other' };
const JUSTIFICATION = 'Another date of birth in the identity document.';

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
  api = t.api.as(client);
  const { organisationId } = client;
  const officer = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  first = await officer();
  second = await officer();
  await fillLists(organisationId);
});

async function fillLists(organisationId: string): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  for (const [key, [kind, lines]] of Object.entries(LISTS)) {
    const row = await t.app
      .get(ScreeningListsService)
      .findOrCreate(ctx, { key, name: key, kind, format: 'HOUSE_CSV' });
    const { id } = await t.app.get(ListImporterService).startImport(ctx, row, null);
    const main = Readable.from([Buffer.from(`key;name;kind;birthDate;type;value\n${lines}`)]);
    await t.app
      .get(ListImporterService)
      .runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  }
  await t.app.get(SearchIndexService).refresh();
}

afterAll(async () => {
  await t.close();
});

let last = 0;
/** A payment to somebody of whose document no list knows, so that one can only say something of the name. */
async function paid(
  by: Payer,
  name: string,
  as = client,
  fields: Record<string, unknown> = {},
): Promise<TransactionAnswer> {
  const api = t.api.as(as);
  last += 1;
  const transactionId = `memory-${last}`;
  const body = aTransaction({
    transactionId,
    externalCustomerId: by.id,
    cpfCnpj: by.customer,
    amount: 100,
    origin: { name: 'Maria Exemplo', cpfCnpj: by.customer, country: 'BR' },
    destination: { name, cpfCnpj: cpfOf(name), accountReference: '0001-77', country: 'BR' },
    ...fields,
  });
  await api.ingest(body).expect(202);
  return api.settled(transactionId);
}
const again = async (answer: TransactionAnswer): Promise<TransactionAnswer> =>
  (await api.get(`/kyt/transactions/${answer.transactionId}`).expect(200)).body.data as TransactionAnswer;

interface Hit {
  readonly id: string;
  readonly entryKey: string;
  readonly status: string;
}
const openHits = async (): Promise<Hit[]> =>
  (await first.get('/operator/hits?mandatory=true&status=PENDING').expect(200)).body.data as Hit[];
const propose = (id: string, disposition = 'DISMISSED_FALSE_POSITIVE') =>
  first.post(`/operator/hits/${id}/proposals`).send({ disposition, justification: JUSTIFICATION });
const listsOf = ({ components }: TransactionAnswer): object => components!['LISTS'] as object;

describe('A UN hit that two people dismiss', () => {
  let hit: Hit;
  const cleared: TransactionAnswer[] = [];

  it('dismissed by one person leaves the next transaction in REVIEW', async () => {
    const found = await paid(ONE, 'Anacleto Sancionado Ficticio');
    expect(found.outcome).toBe('REVIEW');
    hit = (await openHits()).find(({ entryKey }) => entryKey === 'u1')!;
    const asked = await propose(hit.id).expect(202);
    expect((await paid(ONE, 'Anacleto Sancionado Ficticio')).outcome).toBe('REVIEW');
    await approve(second, asked);
  });

  it('clears exactly that pair, and says so', async () => {
    for (let i = 0; i < 2; i += 1) {
      const same = await paid(ONE, 'Anacleto Sancionado Ficticio');
      expect(listsOf(same)).toMatchObject({ state: 'HIT_DISMISSED', hits: [hit.id] });
      expect([same.outcome, same.nonDefensibleReasons]).toEqual(['APPROVED', []]);
      cleared.push(same);
    }
    const other = await paid(OTHER, 'Anacleto Sancionado Ficticio');
    expect([other.outcome, listsOf(other)]).toEqual(['REVIEW', expect.objectContaining({ state: 'HIT' })]);
    expect((await paid(ONE, 'Belmira Designada Ficticia')).outcome).toBe('REVIEW');
  });

  it('holds again when its time is over', async () => {
    const ends = async (when: string): Promise<void> => {
      await t.owner.query(`UPDATE screening_hits SET expires_at = ${when} WHERE id = $1`, [
        uuidOf('hit', hit.id),
      ]);
      await bindAnew(t, 'screening_hit', uuidOf('hit', hit.id) ?? '');
    };
    await ends(`now() - interval '1 second'`);
    expect((await paid(ONE, 'Anacleto Sancionado Ficticio')).outcome).toBe('REVIEW');
    expect((await first.get(`/operator/hits/${hit.id}`)).body.data).toMatchObject({
      status: 'PENDING',
      expiresAt: null,
    });
    await approve(second, await propose(hit.id).expect(202));
    const view = (await first.get(`/operator/hits/${hit.id}`)).body.data as { expiresAt: string };
    expect(Math.round((Date.parse(view.expiresAt) - Date.now()) / 86_400_000)).toBe(365);
    cleared.push(await paid(ONE, 'Anacleto Sancionado Ficticio'));
  });

  it('is refused to whoever has only the role of the database', async () => {
    const id = uuidOf('hit', hit.id);
    const attempts = [
      `UPDATE screening_hits SET status = 'PENDING', expires_at = NULL WHERE id = $1`,
      `UPDATE screening_hits SET expires_at = expires_at + interval '1 year' WHERE id = $1`,
      `UPDATE screening_hits SET for_customer_id = NULL WHERE id = $1`,
      `UPDATE screening_hits SET entry_key = 'u2' WHERE id = $1 AND EXISTS (SELECT FROM screening_lists)`,
      `UPDATE screening_hits SET mandatory = false WHERE id = $1`,
      `UPDATE screening_hits SET status = 'DISMISSED_FALSE_POSITIVE', expires_at = now(), decided_as = $1
         WHERE status = 'PENDING' AND mandatory AND id <> $1`,
      `INSERT INTO screening_hits (id, organisation_id, subject_index, role, list_id, entry_key, entry_id, entry_hash,
         snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed_explanation, status, expires_at)
       SELECT gen_random_uuid(), organisation_id, subject_index, role, list_id, 'u3', entry_id, entry_hash,
         snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed_explanation, status, expires_at
       FROM screening_hits WHERE id = $1`,
    ];
    for (const attempt of attempts) {
      const refused = await asService(attempt, [id!]);
      expect([attempt, refused]).toEqual([attempt, '23001']);
    }
  });

  it('reopened by two, lists what it let through and judges it again', async () => {
    const reason = 'The identity document was forged.';
    const asked = await first.post(`/operator/hits/${hit.id}/reopen`).send({ reason }).expect(202);
    expect((await paid(ONE, 'Anacleto Sancionado Ficticio')).outcome).toBe('APPROVED');
    await approve(second, asked);
    const { data } = (await first.get(`/operator/hits/${hit.id}/cleared?limit=2`).expect(200)).body as {
      data: unknown[];
    };
    expect(data).toHaveLength(2);
    for (const one of cleared) {
      await eventually('it is judged again', async () => (await again(one)).outcome === 'REVIEW');
    }
    const all = (await first.get(`/operator/hits/${hit.id}/cleared`).expect(200)).body.data as {
      reopenedAt: string | null;
      judgedAt: string | null;
    }[];
    expect(all).toHaveLength(cleared.length + 1);
    await eventually('all are judged', async () => {
      const { body } = await first.get(`/operator/hits/${hit.id}/cleared`).expect(200);
      return (body.data as typeof all).every(({ reopenedAt, judgedAt }) => reopenedAt && judgedAt);
    });
    expect((await paid(ONE, 'Anacleto Sancionado Ficticio')).outcome).toBe('REVIEW');
    expectError(await first.post(`/operator/hits/${hit.id}/reopen`).send({ reason }), 409, 'STATE_CONFLICT');
  });

  it('reopened and decided at once, one of the two takes place', async () => {
    const reason = 'The identity document was forged.';
    await approve(second, await propose(hit.id).expect(202));
    const asked = askedIn(await first.post(`/operator/hits/${hit.id}/reopen`).send({ reason }).expect(202));
    const digest = { digest: asked.digest };
    const answers = await Promise.all(
      [1, 2, 3].map(() => second.post(`/operator/approvals/${asked.id}/approve`).send(digest)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // While it is closed nobody proposes; the entry is open now, and it can be proposed again.
    await propose(hit.id).expect(202);
    expectError(await propose(hit.id), 409, 'STATE_CONFLICT');
  });
});

/** Runs a statement as the role of the service, in a transaction of the organisation; returns the state it ended in. */
async function asService(sql: string, values: readonly string[]): Promise<string> {
  const { organisationId } = client;
  const connection = await t.owner.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(`SELECT set_config('vigia.organisations', $1, true)`, [`{${organisationId}}`]);
    await connection.query('SET LOCAL ROLE vigia_app');
    const { rowCount } = await connection.query(sql, [...values]);
    if (rowCount === 0) return 'nothing';
    await connection.query('SET CONSTRAINTS screening_hits_memory, screening_hits_approved IMMEDIATE');
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
  }
}

describe('What one person alone decides, where nobody independent is', () => {
  let alone: TestApi;
  let own: TestClient;

  beforeEach(async () => {
    own = await t.client({ rules: false });
    const { organisationId } = own;
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    alone = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    await fillLists(organisationId);
  });

  const approveAlone = async (asked: { readonly body: unknown }): Promise<void> => {
    const { id, digest, approvalId = id } = askedIn(asked);
    const shown = digest
      ? { digest }
      : askedIn(await alone.get(`/operator/approvals/${approvalId}`).expect(200));
    await alone
      .post(`/operator/approvals/${approvalId}/approve`)
      .send({ digest: shown.digest, singleControl: true })
      .expect(200);
  };

  /** Decides it again from its receipt, outside of the service. */
  async function receiptOf(answer: TransactionAnswer): Promise<Record<string, unknown>> {
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE organisation_id = $1 AND transaction_id = $2',
      [own.organisationId, answer.transactionId],
    );
    const bundle = await t.app.get(ReceiptExportService).createBundle(own.organisationId, rows[0]!.id, null);
    expect(verifyReceipt(bundle).problems).toEqual([]);
    return JSON.parse(bundle.receipt) as Record<string, unknown>;
  }

  it('a hit: what it clears is not defensible, and its receipt says why and replays', async () => {
    const found = await paid(ONE, 'Anacleto Sancionado Ficticio', own);
    expect(found).toMatchObject({ outcome: 'REVIEW', nonDefensibleReasons: [] });
    const { body } = await alone.get('/operator/hits?mandatory=true').expect(200);
    const [hit] = body.data as { id: string }[];
    const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: JUSTIFICATION };
    await approveAlone(await alone.post(`/operator/hits/${hit!.id}/proposals`).send(dismissal).expect(202));
    const cleared = await paid(ONE, 'Anacleto Sancionado Ficticio', own);
    expect(cleared).toMatchObject({
      outcome: 'REVIEW',
      defensible: false,
      nonDefensibleReasons: ['SINGLE_CONTROL'],
    });
    expect(await receiptOf(cleared)).toMatchObject({
      nonDefensibleReasons: ['SINGLE_CONTROL'],
      components: {
        LISTS: {
          state: 'HIT_DISMISSED',
          hits: [hit!.id],
          marks: ['SINGLE_CONTROL'],
          terms: { thresholds: { un: [expect.any(Number), expect.any(Number)] } },
        },
      },
    });
    expect((await paid(ONE, 'Maria Outra', own)).nonDefensibleReasons).toEqual([]);
  });

  it('a case: its payment is on HOLD, unless the installation has declared the organisation single-handed', async () => {
    const found = await paid(ONE, 'Anacleto Sancionado Ficticio', own);
    const { body } = await alone.get('/operator/hits?mandatory=true').expect(200);
    const [hit] = body.data as { id: string }[];
    const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: JUSTIFICATION };
    await approveAlone(await alone.post(`/operator/hits/${hit!.id}/proposals`).send(dismissal).expect(202));
    const cases = await alone.get('/operator/reviews').expect(200);
    const [review] = cases.body.data as { id: string }[];
    const decision = { resolution: 'APPROVED', report: 'ARCHIVE', justification: JUSTIFICATION };
    const asked = await alone.post(`/operator/reviews/${review!.id}/decision`).send(decision).expect(202);
    const { id, digest } = askedIn(asked);
    const refused = await alone
      .post(`/operator/approvals/${id}/approve`)
      .send({ digest, singleControl: true });
    expect(expectError(refused, 403, 'FOUR_EYES_REQUIRED').details).toMatchObject([
      { path: 'singleControl', code: 'NOT_SINGLE_HANDED' },
    ]);
    expect(await t.api.as(own).settled(found.transactionId)).toMatchObject({ verdict: 'HOLD' });

    await t.owner.query('UPDATE organisations SET single_handed_at = now() WHERE id = $1', [
      own.organisationId,
    ]);
    expect((await alone.get('/operator/approvals/control').expect(200)).body).toMatchObject({
      data: { singleHanded: true },
    });
    await approveAlone(asked);
    await eventually('the decision counts', async () => {
      const now = await t.api.as(own).settled(found.transactionId);
      return now.verdict === 'RELEASE';
    });
    expect(await t.api.as(own).settled(found.transactionId)).toMatchObject({
      defensible: false,
      nonDefensibleReasons: ['SINGLE_CONTROL'],
    });
  });

  it('what a customer declared, and what an application says of one', async () => {
    const { organisationId } = own;
    await paid(ONE, 'Maria Outra', own);
    const [customer] = (await alone.get('/operator/customers').expect(200)).body.data as { id: string }[];
    const path = `/operator/customers/${customer!.id}`;
    await alone.call('patch', `${path}/profile`).send({ monthlyIncome: 3_000, pep: false }).expect(200);
    expect((await paid(ONE, 'Maria Outra', own)).nonDefensibleReasons).toEqual([]);
    await approveAlone(await alone.post(`${path}/facts/confirm`).send({ reason: JUSTIFICATION }).expect(202));
    const judged = await paid(ONE, 'Maria Outra', own);
    expect(await receiptOf(judged)).toMatchObject({ components: { PROFILE: { marks: ['SINGLE_CONTROL'] } } });
    // The mark is not washed off by a value that one person may write down.
    await alone.call('patch', `${path}/profile`).send({ monthlyIncome: 9_000 }).expect(200);
    const again = await paid(ONE, 'Maria Outra', own);
    expect(await receiptOf(again)).toMatchObject({ components: { PROFILE: { marks: ['SINGLE_CONTROL'] } } });

    const boss = t.api.asOperator(await t.operator({ roles: ['ADMIN'], organisationId }));
    const grant = { scopes: ['kyt:ingest', 'kyt:read', 'customers:write'], reason: JUSTIFICATION };
    const app = `/operator/client-apps/${publicId('app', own.id)}`;
    const asked = askedIn(await boss.post(`${app}/scopes`).send(grant).expect(202));
    const consent = { digest: asked.digest, singleControl: true };
    await boss.post(`/operator/approvals/${asked.id}/approve`).send(consent).expect(200);
    await eventually('the application may', async () => {
      const row = { externalCustomerId: OTHER.id, document: OTHER.customer, monthlyIncome: 4_000 };
      return (await t.api.as(own).call('put', '/customers/profiles').send([row])).status === 200;
    });
    const said = await paid(OTHER, 'Maria Outra', own);
    expect(await receiptOf(said)).toMatchObject({ components: { PROFILE: { marks: ['SINGLE_CONTROL'] } } });
  });

  it('a silenced rule', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const body = { until, reason: 'Too many of them since the holiday.' };
    const asked = await alone
      .post('/operator/rulesets/br-starter/rules/BR-PIX-16/snooze')
      .send(body)
      .expect(202);
    expect((await paid(ONE, 'Maria Outra', own)).nonDefensibleReasons).toEqual([]);
    await approveAlone(asked);
    const silenced = await paid(ONE, 'Maria Outra', own);
    expect(silenced.nonDefensibleReasons).toEqual(['SINGLE_CONTROL']);
    expect(await receiptOf(silenced)).toMatchObject({
      silenced: { 'BR-PIX-16': 'SNOOZED' },
      marks: ['SINGLE_CONTROL'],
    });
    const { rows } = await t.owner.query<{ id: string; ruleset_key: string }>(
      'SELECT id, ruleset_key FROM rule_snoozes WHERE organisation_id = $1',
      [own.organisationId],
    );
    const lift = `/operator/rulesets/br-starter/snoozes/${publicId('snz', rows[0]!.id)}/lift`;
    await alone.post(lift).send({}).expect(200);
    expect((await paid(ONE, 'Maria Outra', own)).nonDefensibleReasons).toEqual([]);
  });

  it('is said to whoever signs in, until somebody else is there', async () => {
    const acts = async (who: TestApi): Promise<readonly string[]> =>
      ((await who.get('/operator/me').expect(200)).body as { data: { singleControl: string[] } }).data
        .singleControl;
    expect(await acts(alone)).toEqual(
      expect.arrayContaining(['hit.decide', 'ruleset.publish', 'list.import']),
    );
    expect(await acts(first)).not.toContain('hit.decide');
  });

  it('a lower risk level, for that customer', async () => {
    const three = { customer: cpfOf('three'), id: 'customer-three' };
    expect((await paid(three, 'Maria Outra', own)).nonDefensibleReasons).toEqual([]);
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM customers WHERE organisation_id = $1 ORDER BY id DESC LIMIT 1',
      [own.organisationId],
    );
    const path = `/operator/customers/${publicId('cus', rows[0]!.id)}/risk-level`;
    await alone.call('put', path).send({ riskLevel: 'HIGH' }).expect(200);
    const body = { riskLevel: 'LOW', reason: JUSTIFICATION };
    await approveAlone(await alone.post(`${path}/lower`).send(body).expect(202));
    const lowered = await paid(three, 'Maria Outra', own);
    expect(lowered).toMatchObject({ defensible: false, nonDefensibleReasons: ['SINGLE_CONTROL'] });
    expect(await receiptOf(lowered)).toMatchObject({
      components: { PROFILE: { marks: ['SINGLE_CONTROL'] } },
    });
    expect((await paid(ONE, 'Maria Outra', own)).nonDefensibleReasons).toEqual([]);
  });

  it('an import that its list waited for', async () => {
    const lists = (await alone.get('/operator/lists').expect(200)).body.data as { id: string; key: string }[];
    const path = `/operator/lists/${lists.find(({ key }) => key === 'extra')!.id}/imports`;
    const file = Buffer.from('key;name;kind;birthDate;type;value\nd2;Outro Impedido Ficticio;PERSON;;;\n');
    const { id } = askedIn(await alone.post(path).attach('file', file, 'list.csv').expect(202));
    await eventually('the import waits', async () => {
      const { data } = (await alone.get(`${path}/${id}`).expect(200)).body as { data: { status: string } };
      return data.status === 'AWAITING_CONFIRMATION';
    });
    const body = { reason: JUSTIFICATION };
    await approveAlone(await alone.post(`${path}/${id}/confirm`).send(body).expect(202));
    await t.app.get(SearchIndexService).refresh();
    expect(await receiptOf(await paid(ONE, 'Maria Outra', own))).toMatchObject({
      defensible: false,
      nonDefensibleReasons: ['SINGLE_CONTROL'],
      components: { LISTS: { marks: ['SINGLE_CONTROL'] } },
    });
  });

  it('a version of a flow, which keeps the mark', async () => {
    const { body } = await alone.get('/operator/flows/step-up').expect(200);
    const { definition } = (body as { data: { definition: object } }).data;
    const next = { ...definition, minimumAge: 0, reason: JUSTIFICATION };
    await approveAlone(await alone.post('/operator/flows/step-up/versions').send(next).expect(202));
    const { rows } = await t.owner.query(
      `SELECT version, single_control AS alone FROM flows WHERE organisation_id = $1 AND key = 'step-up' ORDER BY version`,
      [own.organisationId],
    );
    expect(rows).toEqual([
      { version: 1, alone: false },
      { version: 2, alone: true },
    ]);
  });

  it('exchange rates, for what they convert', async () => {
    const boss = t.api.asOperator(await t.operator({ roles: ['ADMIN'], organisationId: own.organisationId }));
    // In Brazil it may still be yesterday.
    const rates = [0, 86_400_000].map((ago) => ({
      ...{ currency: 'USD', rate: '5.25' },
      date: new Date(Date.now() - ago).toISOString().slice(0, 10),
    }));
    const asked = askedIn(
      await boss
        .post('/operator/fx/rates')
        .send({ source: 'PTAX', rates, reason: JUSTIFICATION })
        .expect(202),
    );
    const consent = { digest: asked.digest, singleControl: true };
    await boss.post(`/operator/approvals/${asked.id}/approve`).send(consent).expect(200);
    // Rates that another process imports are used within two seconds; those of this one at once.
    const dollars = await paid(ONE, 'Maria Outra', own, { currency: 'USD', amount: 20 });
    expect(dollars.nonDefensibleReasons).toContain('SINGLE_CONTROL');
    expect(await receiptOf(dollars)).toMatchObject({ components: { FX: { marks: ['SINGLE_CONTROL'] } } });
    // Sums over the days before hold those dollars; of other customers who pay other people they do not.
    const reais = await paid(ONE, 'Maria Outra', own);
    expect([reais.outcome, reais.nonDefensibleReasons]).toEqual(['REVIEW', ['SINGLE_CONTROL']]);
    expect(await receiptOf(reais)).toMatchObject({ components: { VELOCITY: { marks: ['SINGLE_CONTROL'] } } });
    expect((await paid(OTHER, 'Maria Terceira', own)).nonDefensibleReasons).toEqual([]);
  });

  it('the terms of a list, which every receipt holds, and the lists that are off', async () => {
    const lists = (await alone.get('/operator/lists').expect(200)).body.data as { id: string; key: string }[];
    const change = { archived: true, reason: 'Its publisher sends it no longer.' };
    const { id } = lists.find(({ key }) => key === 'extra')!;
    await approveAlone(await alone.post(`/operator/lists/${id}/changes`).send(change).expect(202));
    await t.app.get(SearchIndexService).refresh();
    const receipt = await receiptOf(await paid(OTHER, 'Maria Outra', own));
    expect(receipt).toMatchObject({
      defensible: false,
      components: { LISTS: { marks: ['SINGLE_CONTROL'], terms: { off: ['extra'] } } },
    });
  });

  it('the custom fields, for everything that is read by them', async () => {
    const field = { name: 'store', path: 'shop.store', type: 'string', types: ['PIX_*'], history: 'NONE' };
    const body = { fields: [field], reason: JUSTIFICATION };
    await approveAlone(await alone.post('/operator/custom-fields').send(body).expect(202));
    const judged = await paid(OTHER, 'Maria Outra', own);
    expect(judged).toMatchObject({ defensible: false, nonDefensibleReasons: ['SINGLE_CONTROL'] });
    expect(await receiptOf(judged)).toMatchObject({ marks: ['SINGLE_CONTROL'] });
  });

  it('a ruleset, for everything that it judges', async () => {
    const body = { toVersion: brStarter.version, reason: JUSTIFICATION };
    await approveAlone(await alone.post('/operator/rulesets/br-starter/rollback').send(body).expect(202));
    const judged = await paid(OTHER, 'Maria Outra', own);
    expect(judged).toMatchObject({ defensible: false, nonDefensibleReasons: ['SINGLE_CONTROL'] });
    expect(await receiptOf(judged)).toMatchObject({ marks: ['SINGLE_CONTROL'] });
  });
});
