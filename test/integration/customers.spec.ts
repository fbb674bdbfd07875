import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalsService } from '../../src/features/approvals/index.js';
import { AuditTrail, LogAuditorService } from '../../src/features/audit/index.js';
import {
  CustomerIdentificationService,
  type CustomerObservation,
} from '../../src/features/customers/index.js';
import {
  CustomerRepository,
  type NewCustomer,
} from '../../src/features/customers/store/customer.repository.js';
import { system, UnitOfWork, type Tx } from '../../src/platform/database/index.js';
import { newUuid, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { TaxId } from '../../src/platform/kernel/values/tax-id.js';
import {
  BlindIndex,
  SealBrokenError,
  encryptionContextOf,
  SubjectKeys,
  Vault,
} from '../../src/platform/privacy/index.js';
import { ReviewsService, type CaseAlert } from '../../src/features/reviews/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, waitOut } from '../support/approvals.js';
import { anArtifact } from '../support/artifacts.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { databaseAsText } from '../support/leaks.js';
import { customerSighted } from '../support/observations.js';
import { laterBlock } from '../support/needs.js';

/** Fictional, with valid check digits; of nobody else in the tests. */
const CPF = '39053344705';
const NAME = 'Zulmira Canaria Ficticia';
const WHY = 'The court asks for it in a case of the state of Sao Paulo.';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let second: TestApi;
let analyst: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false, scopes: ['kyt:ingest', 'kyt:read', 'customers:read'] });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  integrator = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  second = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  analyst = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

interface CustomerAnswer {
  readonly id: string;
  readonly [name: string]: unknown;
}
const dataOf = (answer: { body: unknown }): CustomerAnswer => (answer.body as { data: CustomerAnswer }).data;
const route = (id: string, step = ''): string => `/operator/customers/${id}${step === '' ? '' : `/${step}`}`;

/** A customer with whom nothing has come about yet. */
async function aStranger(document: string | null = null): Promise<string> {
  const parsed = document === null ? null : TaxId.parse(document);
  const [found] = await t.app.get(CustomerIdentificationService).identify([
    {
      organisationId: client.organisationId,
      clientAppId: client.id,
      externalCustomerId: `stranger-${randomUUID()}`,
      taxId: parsed?.ok === true ? parsed.id : null,
      name: NAME,
      birthDate: null,
      by: 'SESSION',
      requestId: null,
      correlationId: 'test',
      traceparent: null,
    },
  ]);
  return publicId('cus', found!.customerId);
}

const trailOf = async (id: string): Promise<string> => {
  const subject = {
    organisationId: client.organisationId,
    type: 'customer',
    id: uuidOf('cus', id)!,
  } as const;
  return (await t.app.get(AuditTrail).trailStatus(subject)).status;
};

const destroyKeys = (): Promise<number> =>
  t.app
    .get(UnitOfWork)
    .run(system('privacy.erasure'), (tx) => t.app.get(SubjectKeys).destroyRequested(tx, 0));

let last = 0;
async function evaluated(fields: Record<string, unknown>): Promise<Record<string, unknown>> {
  last += 1;
  const transactionId = `cus-${last}`;
  await integrator.ingest(aTransaction({ transactionId, ...fields })).expect(202);
  return (await integrator.settled(transactionId)) as unknown as Record<string, unknown>;
}

describe('A customer', () => {
  it('is one record whatever it is called by, found by document, and masked everywhere but where it is revealed', async () => {
    const id = await aStranger(CPF);
    for (const document of [CPF, '390.533.447-05']) {
      const { body } = await analyst.get(`/operator/customers?document=${document}`).expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({ id, documentMasked: '***.533.447-**', name: NAME }),
      ]);
    }
    expect((await analyst.get('/operator/customers?document=11144477735').expect(200)).body.data).toEqual([]);
    expectError(await analyst.get('/operator/customers?document=11111111111'), 400, 'VALIDATION_FAILED');
    expect(JSON.stringify((await analyst.get(route(id)).expect(200)).body)).not.toContain(CPF);
    const own = dataOf(await integrator.get(`/customers/${id}`).expect(200));
    expect(own).toMatchObject({ customerId: id, documentMasked: '***.533.447-**', assurance: 'DOCUMENT' });
    expect(Object.keys(own)).not.toContain('riskLevel');

    expectError(await analyst.post(route(id, 'reveal')).send({ reason: WHY }), 403, 'PERMISSION_DENIED');
    expectError(await officer.post(route(id, 'reveal')).send({}), 400, 'VALIDATION_FAILED');
    expect(dataOf(await officer.post(route(id, 'reveal')).send({ reason: WHY }).expect(200))).toEqual({
      id,
      name: NAME,
      document: CPF,
      birthDate: null,
      email: null,
      phone: null,
    });
    const { rows } = await t.owner.query(
      `SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY subject_seq`,
      [uuidOf('cus', id)],
    );
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'customer.identified',
      'customer.revealed',
    ]);
    expect(await trailOf(id)).toBe('COMPLETE');
  });

  it('is found with others by id, each as the list shows it, and nothing for an id that never existed', async () => {
    const ids = [await aStranger(), await aStranger()];
    const list = (ids: readonly string[]): string => `/operator/customers?ids=${ids.join(',')}`;
    const shown = dataOf(await analyst.get(list(ids)).expect(200));
    expect(shown).toEqual(
      expect.arrayContaining(ids.map((id) => expect.objectContaining({ id, name: NAME }))),
    );
    expect(shown).toHaveLength(2);
    const never = `cus_${'0'.repeat(32)}`;
    expect(dataOf(await analyst.get(list([never])).expect(200))).toEqual([]);
    expectError(await analyst.get(list(['one'])), 400, 'VALIDATION_FAILED');
  });

  it('has a profile that rules read from the next transaction on', async () => {
    const externalCustomerId = `rich-${randomUUID()}`;
    const document = '16899535009';
    const own = {
      name: 'Rita Exemplo da Renda',
      cpfCnpj: document,
      country: 'BR',
      accountReference: '0001-55',
    };
    const incoming = {
      externalCustomerId,
      cpfCnpj: document,
      type: 'ACCOUNT_CREDIT',
      amount: 14_400,
      origin: { name: 'Empresa Exemplo', cpfCnpj: '11222333000181', country: 'BR' },
      destination: own,
      metadata: { direction: 'IN', deviceId: 'device-9', ipAddress: '203.0.113.9' },
    };
    const before = await evaluated({ ...incoming, amount: 10_000.01 });
    expect(before['components']).toMatchObject({
      PROFILE: { state: 'MISSING_INPUT', reason: 'NOT_DECLARED' },
    });
    const { body } = await analyst
      .get(`/operator/customers?externalCustomerId=${externalCustomerId}`)
      .expect(200);
    const [{ id }] = body.data as [CustomerAnswer];
    const changed = await analyst
      .call('patch', route(id, 'profile'))
      .send({ monthlyIncome: 4_800, pep: false });
    expect(dataOf(changed)).toMatchObject({
      profile: { monthlyIncome: 4_800, pep: false, nightLimit: null },
    });
    await analyst.call('patch', route(id, 'profile')).send({ nightLimit: 1_500 }).expect(200);
    const after = await evaluated(incoming);
    expect(after['components']).toMatchObject({ PROFILE: { source: 'customers', reason: 'NOT_CLASSIFIED' } });
    // 24,400.01 in 30 days against three times 4,800.
    expect((after['reasons'] as { ruleId: string }[]).map(({ ruleId }) => ruleId)).toContain('BR-PRO-19');
    await officer.call('put', route(id, 'risk-level')).send({ riskLevel: 'HIGH' }).expect(200);
    expect((await analyst.get('/operator/customers?riskLevel=HIGH').expect(200)).body.data).toMatchObject([
      { id },
    ]);
    expect(await trailOf(id)).toBe('COMPLETE');
  });
});

const sighted = (on: TestApp, externalCustomerId: string | null, document: string | null): Promise<string> =>
  customerSighted(on, client, externalCustomerId, document);

laterBlock('Two records of one person', () => {
  let other: TestApp;
  beforeAll(async () => {
    other = await startTestApp({ like: t, settings: { role: 'api' } });
  });
  afterAll(async () => {
    await other.close();
  });

  /** Counts the rows that still point at a record, in whatever table. */
  const pointingAt = async (id: string): Promise<Record<string, number>> => {
    const { rows: columns } = await t.owner.query<{ table: string; column: string }>(
      `SELECT c.conrelid::regclass::text AS "table", a.attname AS "column"
       FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       WHERE c.confrelid = 'customers'::regclass AND c.contype = 'f'`,
    );
    const found: Record<string, number> = {};
    for (const { table, column } of columns) {
      const { rows } = await t.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`,
        [uuidOf('cus', id)],
      );
      if (rows[0]!.n > 0) found[`${table}.${column}`] = rows[0]!.n;
    }
    return found;
  };

  it('become one when a transaction names the id of one and the document of the other, however many say so at once', async () => {
    const document = '71460238001';
    const externalCustomerId = `twin-${randomUUID()}`;
    const { organisationId } = client;
    await evaluated({ externalCustomerId, cpfCnpj: undefined, amount: 11, origin: {} });
    await evaluated({ externalCustomerId: undefined, cpfCnpj: document, amount: 12, origin: {} });
    const old = await sighted(t, externalCustomerId, null);
    const kept = await sighted(t, null, document);
    expect(old).not.toBe(kept);
    // The record that goes has a case, a file, a risk, a hold, and a declared profile.
    await officer.call('put', route(old, 'risk-level')).send({ riskLevel: 'HIGH' }).expect(200);
    await officer.call('put', route(kept, 'risk-level')).send({ riskLevel: 'HIGH' }).expect(200);
    const lower = { riskLevel: 'LOW', reason: WHY };
    const asked = askedIn(await officer.post(route(kept, 'risk-level/lower')).send(lower).expect(202));
    await officer.post(route(old, 'legal-hold')).send({ reason: WHY }).expect(200);
    await analyst.call('patch', route(old, 'profile')).send({ monthlyIncome: 4_800 }).expect(200);
    const asks = (customer: string, kind: 'MANUAL' | 'DATA_GAP'): CaseAlert => ({
      ...{ organisationId, kind, theme: 'DATA_GAP', customerId: uuidOf('cus', customer), clientAppId: null },
      priority: 'HIGH',
      ...{ riskScore: null, occurredAt: new Date(), requestId: null, correlationId: null },
    });
    const opened = await t.app.get(UnitOfWork).run(organisationId, (tx) =>
      t.app
        .get(ReviewsService)
        .openCases(tx, [asks(old, 'MANUAL'), asks(old, 'DATA_GAP'), asks(kept, 'DATA_GAP')], {
          ...{ type: 'system', id: 'test' },
        }),
    );
    const file = await anArtifact(t, organisationId, { customerId: uuidOf('cus', old) });
    // The other process remembers the old record.
    expect(await sighted(other, externalCustomerId, null)).toBe(old);

    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) => sighted(i % 2 === 0 ? t : other, externalCustomerId, document)),
    );
    expect(new Set(all)).toEqual(new Set([kept]));
    expect(await sighted(t, externalCustomerId, null)).toBe(kept);
    await eventually(
      'the other process knows as well',
      async () => (await sighted(other, externalCustomerId, null)) === kept,
    );
    // Somebody asked it about a part of the person: it is not approved for the whole.
    const { digest } = asked;
    const approved = await second.post(`/operator/approvals/${asked.id}/approve`).send({ digest });
    expectError(approved, 409, 'STATE_CONFLICT');
    // Nothing is left behind but the sign to where it went.
    expect(await pointingAt(old)).toEqual({ 'reviews.moved_from': 2 });
    const { body: cases } = await analyst.get(`/operator/reviews?customerId=${kept}`).expect(200);
    const listed = (cases.data as { id: string }[]).map(({ id }) => id);
    expect(listed).toEqual(expect.arrayContaining(opened.map(({ reviewId }) => publicId('rev', reviewId))));
    const shown = dataOf(await analyst.get(`/operator/artifacts/${publicId('art', file.id)}`).expect(200));
    expect(shown).toMatchObject({ customerId: kept });
    // The stricter of both, under either id.
    for (const id of [old, kept]) {
      expect(dataOf(await analyst.get(route(id)).expect(200))).toMatchObject({
        ...{ id: kept, mergedIds: [old], riskLevel: 'HIGH', legalHold: true },
        profile: { monthlyIncome: 4_800 },
      });
    }
    expect(dataOf(await integrator.get(`/customers/${old}`).expect(200))).toMatchObject({ customerId: kept });
    const { body } = await analyst.get(`/operator/customers?externalCustomerId=${externalCustomerId}`);
    expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual([kept]);
    const { body: dossier } = await officer.get(route(old, 'dossier')).expect(200);
    expect(dossier.data).toMatchObject({ head: { subjectId: kept }, transactionCount: 2 });
    // One entry each, one event each of when they became known, and whole trails.
    const { rows } = await t.owner.query(
      `SELECT action, count(*)::int AS n FROM audit_entries
       WHERE subject_id = ANY ($1::text[]) AND action IN ('customer.merged', 'customer.absorbed') GROUP BY 1 ORDER BY 1`,
      [[uuidOf('cus', old), uuidOf('cus', kept)]],
    );
    expect(rows).toEqual([
      { action: 'customer.absorbed', n: 1 },
      { action: 'customer.merged', n: 1 },
    ]);
    const { rows: events } = await t.owner.query(
      `SELECT resource_id AS id, count(*)::int AS n FROM events
       WHERE resource_id = ANY ($1::uuid[]) AND type = 'customer.identified' GROUP BY 1`,
      [[uuidOf('cus', old), uuidOf('cus', kept)]],
    );
    expect(events.map(({ n }: { n: number }) => n)).toEqual([1, 1]);
    expect([await trailOf(old), await trailOf(kept)]).toEqual(['COMPLETE', 'COMPLETE']);
    // The old id now means the record that stays.
    const { body: manual } = await analyst
      .post('/operator/reviews')
      .send({ customerId: old, reason: 'Somebody asks about the customer by the old id.' })
      .expect(201);
    expect(manual.data).toMatchObject({ customerId: kept });
    // Rows that another process still wrote for the old record follow.
    await t.owner.query(`UPDATE reviews SET customer_id = $1 WHERE id = $2`, [
      uuidOf('cus', old),
      opened[0]!.reviewId,
    ]);
    await eventually(
      'what came late is moved',
      async () => !('reviews.customer_id' in (await pointingAt(old))),
    );
    // The hold came along with its reason, and holds.
    expect(
      expectError(await officer.post(route(old, 'erase')).send({ reason: WHY }), 409, 'RETENTION_REQUIRED')
        .details,
    ).toMatchObject([{ code: 'LEGAL_HOLD' }]);
  });

  it('become one whatever a process remembers of either, and all of a batch find the one that stays', async () => {
    for (const batched of [false, true]) {
      const [document, old, own] = [
        cpfOf(`cached ${batched}`),
        `cached-${randomUUID()}`,
        `own-${randomUUID()}`,
      ];
      const from = await sighted(t, old, null);
      const into = await sighted(t, own, document);
      expect(from).not.toBe(into);
      const parsed = TaxId.parse(document);
      const id = parsed.ok ? parsed.id : null;
      const seen = (externalCustomerId: string | null, taxId: TaxId | null): CustomerObservation => ({
        ...{ organisationId: client.organisationId, clientAppId: client.id, externalCustomerId, taxId },
        ...{
          name: null,
          birthDate: null,
          by: 'KYT',
          requestId: null,
          correlationId: 'test',
          traceparent: null,
        },
      });
      const batch = [seen(old, id), ...(batched ? [seen(old, null), seen(null, id)] : [])];
      const found = await t.app.get(CustomerIdentificationService).identify(batch);
      expect(found.map((one) => one && publicId('cus', one.customerId))).toEqual(batch.map(() => into));
      expect(await sighted(t, old, null)).toBe(into);
      expect(dataOf(await analyst.get(route(into)).expect(200))).toMatchObject({ mergedIds: [from] });
    }
  });

  it('stay apart when each has a document of its own', async () => {
    const externalCustomerId = `apart-${randomUUID()}`;
    const one = await sighted(t, externalCustomerId, '98765432100');
    const two = await sighted(t, null, '86288366757');
    expect(await sighted(t, externalCustomerId, '86288366757')).toBe(two);
    expect(await sighted(t, externalCustomerId, null)).toBe(one);
    expect(dataOf(await analyst.get(route(two)))).toMatchObject({ id: two, mergedIds: [] });
    // Also one of whom nothing was known: neither record takes anything of the other, in whatever process.
    const three = await Promise.all(
      [t, other, t, other].map((on) => sighted(on, externalCustomerId, '24843803480')),
    );
    expect(new Set(three).size).toBe(1);
    expect([one, two]).not.toContain(three[0]);
    const { rows } = await t.owner.query<{ id: string; own: boolean }>(
      `SELECT id, subject_index = document_index AS own FROM customers WHERE id = ANY ($1::uuid[])`,
      [[one, two, three[0]!].map((id) => uuidOf('cus', id))],
    );
    expect(rows.map(({ own }) => own)).toEqual([true, true, true]);
    expect(await sighted(other, externalCustomerId, null)).toBe(one);
  });

  it('are erased together, with their files, and another process opens nothing a few seconds later', async () => {
    const document = '60872412300';
    const externalCustomerId = `gone-${randomUUID()}`;
    const old = await sighted(t, externalCustomerId, null);
    const kept = await sighted(t, null, document);
    const file = await anArtifact(t, client.organisationId, { customerId: uuidOf('cus', old) });
    expect(await sighted(t, externalCustomerId, document)).toBe(kept);
    const there = other.api.asOperator(
      await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId }),
    );
    const content = `/operator/artifacts/${publicId('art', file.id)}/content`;
    await there.get(content).expect(200);
    expect(dataOf(await there.post(route(kept, 'reveal')).send({ reason: WHY }).expect(200))).toMatchObject({
      document,
    });
    const { rows: sealed } = await t.owner.query<{ id: string; sealed: Buffer }>(
      'SELECT id, sealed FROM customers WHERE id = ANY ($1::uuid[])',
      [[uuidOf('cus', old), uuidOf('cus', kept)]],
    );
    const values = sealed.map((row) => ({
      sealed: row.sealed,
      context: encryptionContextOf('customers', row.id, client.organisationId),
    }));
    expect((await other.app.get(Vault).openMany(values)).every((plain) => plain !== null)).toBe(true);

    const asked = await officer.post(route(old, 'erase')).send({ reason: WHY }).expect(202);
    await waitOut(t, await approve(second, asked));
    expect(dataOf(await officer.get(route(old)))).toMatchObject({ id: kept, erased: true });
    expectError(await officer.get(content), 410, 'ARTIFACT_GONE');
    await eventually(
      'the other process opens nothing any more',
      async () =>
        (await other.app.get(Vault).openMany(values)).every((plain) => plain === null) &&
        (await there.get(content)).status === 410,
    );
    // And takes whoever comes back for somebody new.
    const back = await sighted(other, externalCustomerId, document);
    expect([old, kept]).not.toContain(back);
    expect([await trailOf(old), await trailOf(kept)]).toEqual(['COMPLETE', 'COMPLETE']);
  });
});

describe('Retention and erasure', () => {
  it.each([
    ['of today', {}],
    // Retention counts from when it came, or its sender could end it by a date.
    ['that its sender dates long ago', { occurredAt: '2012-05-02T12:00:00Z' }],
  ])('is refused after a payment %s, and the record is restricted instead', async (_, when) => {
    const externalCustomerId = `kept-${randomUUID()}`;
    await evaluated({ externalCustomerId, cpfCnpj: undefined, ...when });
    const { body } = await analyst
      .get(`/operator/customers?externalCustomerId=${externalCustomerId}`)
      .expect(200);
    const [{ id }] = body.data as [CustomerAnswer];
    const refused = expectError(
      await officer.post(route(id, 'erase')).send({ reason: WHY }),
      409,
      'RETENTION_REQUIRED',
    );
    expect(refused.details).toMatchObject([{ code: 'RETENTION' }]);
    expect(dataOf(await analyst.get(route(id)))).toMatchObject({ restricted: true, erased: false });
    const ended = await officer.call('put', route(id, 'relationship')).send({ endedOn: '2015-03-01' });
    const { retainUntil } = dataOf(ended);
    expect(retainUntil).toBe(`${new Date().getUTCFullYear() + 11}-01-01`);
    expectError(await officer.post(route(id, 'erase')).send({ reason: WHY }), 409, 'RETENTION_REQUIRED');
    expect(await trailOf(id)).toBe('COMPLETE');
  });

  it('is refused under a legal hold, and takes the person away when nothing stands against it', async () => {
    const id = await aStranger('28001238938');
    await analyst
      .call('patch', route(id, 'profile'))
      .send({ monthlyIncome: 4_800, nightLimit: 500 })
      .expect(200);
    await officer.post(route(id, 'legal-hold')).send({ reason: WHY }).expect(200);
    expectError(await officer.post(route(id, 'legal-hold')).send({ reason: WHY }), 409, 'STATE_CONFLICT');
    const held = expectError(
      await officer.post(route(id, 'erase')).send({ reason: WHY }),
      409,
      'RETENTION_REQUIRED',
    );
    expect(held.details).toMatchObject([{ code: 'LEGAL_HOLD' }]);
    const lift = await officer.post(route(id, 'legal-hold/lift')).send({ reason: WHY }).expect(202);
    expectError(await officer.post(route(id, 'erase')).send({ reason: WHY }), 409, 'RETENTION_REQUIRED');
    await approve(second, lift);

    const uuid = uuidOf('cus', id)!;
    const { rows: sealedBefore } = await t.owner.query<{ sealed: Buffer }>(
      'SELECT sealed FROM customers WHERE id = $1',
      [uuid],
    );
    const asked = await officer.post(route(id, 'erase')).send({ reason: WHY }).expect(202);
    const confirmation = await officer.post(route(id, 'facts/confirm')).send({ reason: WHY }).expect(202);
    const shown = async (): Promise<unknown> =>
      dataOf(await second.get(`/operator/approvals/${askedIn(confirmation).id}`).expect(200))['summary'];
    expect(await shown()).toMatchObject({ facts: [{ after: 4_800 }, { after: 500 }] });
    expect(await approve(second, asked)).toMatchObject({ status: 'APPROVED' });
    await t.app.get(ApprovalsService).sweep();
    expect(dataOf(await analyst.get(route(id)))).toMatchObject({ erased: false });
    await waitOut(t, askedIn(asked));
    expect(await shown()).toMatchObject({ customerName: null, facts: [] });
    expect(dataOf(await analyst.get(route(id)))).toMatchObject({
      erased: true,
      name: null,
      documentMasked: null,
      profile: null,
    });
    expect((await analyst.get('/operator/customers?document=28001238938').expect(200)).body.data).toEqual([]);
    expectError(await officer.post(route(id, 'reveal')).send({ reason: WHY }), 404, 'CUSTOMER_NOT_FOUND');
    expectError(
      await analyst.call('patch', route(id, 'profile')).send({ pep: true }),
      404,
      'CUSTOMER_NOT_FOUND',
    );

    // The key is destroyed: not even the ciphertext of before can be opened.
    expect(await destroyKeys()).toBeGreaterThan(0);
    const context = encryptionContextOf('customers', uuid, client.organisationId);
    const keys = t.app.get(SubjectKeys);
    const fresh = new Vault(
      Object.assign(Object.create(Object.getPrototypeOf(keys) as object), keys, {
        bySubject: new Map(),
        byId: new Map(),
      }) as SubjectKeys,
      t.app.get(BlindIndex),
    );
    expect(await fresh.openMany([{ sealed: sealedBefore[0]!.sealed, context }])).toEqual([null]);
    expect(await trailOf(id)).toBe('COMPLETE');
    const log = t.app.get(LogAuditorService);
    await eventually(
      'everything is sealed',
      async () => (await log.readStatus(client.organisationId)).pending === 0,
    );
    const { checkpoint } = await log.readStatus(client.organisationId);
    const proof = await log.proveInclusion(client.organisationId, 0, checkpoint!.size);
    expect(proof.root.equals(checkpoint!.root)).toBe(true);

    // A person who comes back is somebody new.
    expect(await aStranger('28001238938')).not.toBe(id);
  });
});

describe('Batches that see the same strangers at once', () => {
  const stranger = (document: Buffer): NewCustomer => ({
    ...{ id: newUuid(), organisationId: client.organisationId, clientAppId: client.id },
    ...{ personType: 'NATURAL', assurance: 'DOCUMENT', identifiedBy: 'KYT', named: false },
    ...{ subjectIndex: document, externalIndex: null, documentIndex: document, maskedIndex: null },
    ...{ sealed: Buffer.of(0), trailHash: Buffer.alloc(32) },
  });
  const inserting = async (condition: string, expected: number): Promise<boolean> => {
    const { rowCount } = await t.owner.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'INSERT INTO customers%' AND ${condition}`,
    );
    return rowCount === expected;
  };

  it('wait for each other one way only, in whatever order they saw them', async () => {
    const uow = t.app.get(UnitOfWork);
    const customers = t.app.get(CustomerRepository);
    /** Inserts and takes back; how often that had to be begun, a deadlock being one more. */
    const insert = async (rows: NewCustomer[], until?: Promise<void>): Promise<number> => {
      let runs = 0;
      const work = async (tx: Tx): Promise<void> => {
        runs += 1;
        await customers.insert(tx, rows);
        await until;
        throw new Error('taken back');
      };
      await expect(uow.run(client.organisationId, work)).rejects.toThrow('taken back');
      return runs;
    };
    const [low, middle, high] = Array.from({ length: 3 }, () => randomBytes(32)).sort(Buffer.compare) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holder = insert([stranger(middle)], held);
    await eventually('the middle one is held', () => inserting(`state = 'idle in transaction'`, 1));
    // In the order given each would have what the other one comes to next, whoever goes on first.
    const both = [
      [low, middle, high],
      [high, middle, low],
    ].map((seen) => insert(seen.map(stranger)));
    await eventually('both wait', () => inserting(`wait_event_type = 'Lock'`, 2));
    release();
    expect(await Promise.all([holder, ...both])).toEqual([1, 1, 1]);
  });
});

describe('What is stored of customers', () => {
  it('swapped between two records opens nowhere', async () => {
    const ids = [await aStranger(), await aStranger()].map((id) => uuidOf('cus', id)!);
    const { rows } = await t.owner.query<{ id: string; sealed: Buffer }>(
      'SELECT id, sealed FROM customers WHERE id = ANY ($1::uuid[])',
      [ids],
    );
    const [one, two] = rows;
    const swap = (a: typeof one, b: typeof one): Promise<unknown> =>
      t.owner.query('UPDATE customers SET sealed = $2 WHERE id = $1', [a!.id, b!.sealed]);
    await swap(one, two);
    await swap(two, one);
    const context = encryptionContextOf('customers', one!.id, client.organisationId);
    await expect(t.app.get(Vault).openMany([{ sealed: two!.sealed, context }])).rejects.toThrow(
      SealBrokenError,
    );
    expectError(await analyst.get(route(publicId('cus', one!.id))), 500, 'INTERNAL_ERROR');
    await swap(one, one);
    await swap(two, two);
    await analyst.get(route(publicId('cus', one!.id))).expect(200);
  });

  it('shows no name, no CPF and no reason in a dump of the database', async () => {
    const { text: dump } = await databaseAsText(t.owner);
    expect(dump.length).toBeGreaterThan(1_000);
    for (const secret of [CPF, '390.533.447-05', '28001238938', NAME, 'Zulmira', WHY]) {
      expect({ secret, found: dump.includes(secret) }).toEqual({ secret, found: false });
    }
  });
});
