import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, LogAuditor } from '../../src/audit/index.js';
import { CustomersService } from '../../src/customers/index.js';
import { system, UnitOfWork } from '../../src/database/index.js';
import { publicId, uuidOf } from '../../src/kernel/index.js';
import { TaxId } from '../../src/kernel/tax-id.js';
import { BlindIndex, SealBroken, sealContext, SubjectKeys, Vault } from '../../src/privacy/index.js';
import { brStarter, RulesetsService } from '../../src/rules/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { databaseAsText } from '../support/leaks.js';

/** Fictional, with valid check digits; of nobody else in the tests. */
const CPF = '39053344705';
const NAME = 'Zulmira Canaria Ficticia';
const WHY = 'The court asks for it in a case of the state of Sao Paulo.';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let analyst: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false, scopes: ['kyt:ingest', 'kyt:read', 'customers:read'] });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  integrator = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
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
  const [found] = await t.app.get(CustomersService).identify([
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
    expect(after['components']).toMatchObject({ PROFILE: { source: 'customers' } });
    expect((after['components'] as { PROFILE: { reason?: string } }).PROFILE.reason).toBeUndefined();
    // 24,400.01 in 30 days against three times 4,800.
    expect((after['reasons'] as { ruleId: string }[]).map(({ ruleId }) => ruleId)).toContain('BR-PRO-19');
    await officer.call('put', route(id, 'risk-level')).send({ riskLevel: 'HIGH' }).expect(200);
    expect((await analyst.get('/operator/customers?riskLevel=HIGH').expect(200)).body.data).toMatchObject([
      { id },
    ]);
    expect(await trailOf(id)).toBe('COMPLETE');
  });
});

describe('Retention and erasure', () => {
  it('is refused while the relationship lasts, and the record is restricted instead', async () => {
    const externalCustomerId = `kept-${randomUUID()}`;
    await evaluated({ externalCustomerId, cpfCnpj: undefined });
    const { body } = await analyst
      .get(`/operator/customers?externalCustomerId=${externalCustomerId}`)
      .expect(200);
    const [{ id }] = body.data as [CustomerAnswer];
    const refused = expectError(await officer.post(route(id, 'erase')), 409, 'RETENTION_REQUIRED');
    expect(refused.details).toMatchObject([{ code: 'RETENTION' }]);
    expect(dataOf(await analyst.get(route(id)))).toMatchObject({ restricted: true, erased: false });
    const ended = await officer.call('put', route(id, 'relationship')).send({ endedOn: '2015-03-01' });
    const { retainUntil } = dataOf(ended);
    expect(retainUntil).toBe(`${new Date().getUTCFullYear() + 11}-01-01`);
    expectError(await officer.post(route(id, 'erase')), 409, 'RETENTION_REQUIRED');
    expect(await trailOf(id)).toBe('COMPLETE');
  });

  it('is refused under a legal hold, and takes the person away when nothing stands against it', async () => {
    const id = await aStranger('28001238938');
    await officer.post(route(id, 'legal-hold')).send({ reason: WHY }).expect(200);
    expectError(await officer.post(route(id, 'legal-hold')).send({ reason: WHY }), 409, 'STATE_CONFLICT');
    const held = expectError(await officer.post(route(id, 'erase')), 409, 'RETENTION_REQUIRED');
    expect(held.details).toMatchObject([{ code: 'LEGAL_HOLD' }]);
    await officer.call('delete', route(id, 'legal-hold')).expect(200);

    const uuid = uuidOf('cus', id)!;
    const { rows: sealedBefore } = await t.owner.query<{ sealed: Buffer }>(
      'SELECT sealed FROM customers WHERE id = $1',
      [uuid],
    );
    const erased = dataOf(await officer.post(route(id, 'erase')).expect(200));
    expect(erased).toMatchObject({ erased: true, name: null, documentMasked: null, profile: null });
    expect((await analyst.get('/operator/customers?document=28001238938').expect(200)).body.data).toEqual([]);
    expectError(await officer.post(route(id, 'reveal')).send({ reason: WHY }), 404, 'CUSTOMER_NOT_FOUND');
    expectError(
      await analyst.call('patch', route(id, 'profile')).send({ pep: true }),
      404,
      'CUSTOMER_NOT_FOUND',
    );

    // The key is destroyed: not even the ciphertext of before can be opened.
    expect(await destroyKeys()).toBeGreaterThan(0);
    const context = sealContext('customers', uuid, client.organisationId);
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
    const log = t.app.get(LogAuditor);
    await eventually(
      'everything is sealed',
      async () => (await log.status(client.organisationId)).pending === 0,
    );
    const { checkpoint } = await log.status(client.organisationId);
    const proof = await log.inclusion(client.organisationId, 0, checkpoint!.size);
    expect(proof.root.equals(checkpoint!.root)).toBe(true);

    // Whoever comes back is somebody new.
    expect(await aStranger('28001238938')).not.toBe(id);
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
    const context = sealContext('customers', one!.id, client.organisationId);
    await expect(t.app.get(Vault).openMany([{ sealed: two!.sealed, context }])).rejects.toThrow(SealBroken);
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
