import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { scopes, type Role } from '../../src/platform/http/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { withLists } from '../support/lists.js';
import { askingFrom, QUICK_FLOW } from '../support/page-flow.js';

const WHY = 'The customer said so at the counter today.';
const DAY_MS = 86_400_000;
/** Half past eleven in the evening in São Paulo, of the evening before. */
const AT_NIGHT = `${new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)}T02:30:00.000Z`;
const LARGE = {
  type: 'TED_TRANSFER',
  amount: 12_000,
  occurredAt: AT_NIGHT.replace('T02:30', 'T15:00'),
} as const;

let t: TestApp;
let client: TestClient;
let analyst: TestApi;
let officer: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
  await withLists(t, client.organisationId);
  analyst = await by('ANALYST');
  officer = await by('COMPLIANCE_OFFICER');
});
afterAll(async () => {
  await t.close();
});

const by = async (...roles: Role[]): Promise<TestApi> =>
  t.api.asOperator(await t.operator({ roles, organisationId: client.organisationId }));
const aCustomer = (): string => `one-person-${randomBytes(4).toString('hex')}`;

async function paid(externalCustomerId: string, fields: object, as = client): Promise<TransactionAnswer> {
  const sent = aTransaction({ externalCustomerId, ...fields });
  await t.api.as(as).ingest(sent).expect(202);
  return t.api.as(as).settled(sent.transactionId);
}
const read = async (answer: TransactionAnswer): Promise<TransactionAnswer> =>
  t.api.as(client).settled(answer.transactionId);

interface Known {
  readonly id: string;
  readonly unconfirmed: readonly string[];
}
async function recordOf(externalCustomerId: string): Promise<Known> {
  const found = await analyst.get(`/operator/customers?externalCustomerId=${externalCustomerId}`).expect(200);
  const [{ id }] = (found.body as { data: [{ id: string }] }).data;
  return ((await analyst.get(`/operator/customers/${id}`).expect(200)).body as { data: Known }).data;
}

/** The facts that were left out of a result because one person alone stands behind them. */
const leftOut = ({ reasons }: TransactionAnswer): string[] =>
  reasons.filter(({ ruleId }) => ruleId === 'ONE_PERSON').map(({ observed }) => observed);

async function confirm(id: string): Promise<void> {
  const asked = await analyst.post(`/operator/customers/${id}/facts/confirm`).send({ reason: WHY });
  expect([asked.status, asked.body]).toEqual([202, asked.body]);
  await approve(officer, asked);
}

describe('What one person alone wrote down', () => {
  it('raises no limit at night: the customer is still asked, until a second person confirms it', async () => {
    const customer = aCustomer();
    const night = { amount: 1_500, occurredAt: AT_NIGHT };
    expect(await paid(customer, night)).toMatchObject({ verdict: 'CHALLENGE' });
    const { id } = await recordOf(customer);
    const chosen = { nightLimit: 1_000_000, nightStartHour: 22 };
    await analyst.call('patch', `/operator/customers/${id}/profile`).send(chosen).expect(200);
    expect((await recordOf(customer)).unconfirmed).toEqual(['nightLimit', 'nightStartHour']);
    const held = await paid(customer, night);
    expect(held).toMatchObject({ verdict: 'CHALLENGE' });
    expect(leftOut(held)).toEqual(expect.arrayContaining(['profile.nightLimit', 'profile.nightStartHour']));
    await confirm(id);
    expect((await recordOf(customer)).unconfirmed).toEqual([]);
    const free = await paid(customer, night);
    expect([free.verdict, leftOut(free)]).toEqual(['RELEASE', []]);
  });

  it('releases nothing that waits for an income, an exposure and a class of risk; confirmed, it is evaluated again by itself', async () => {
    const customer = aCustomer();
    const held = await paid(customer, LARGE);
    expect(held).toMatchObject({ verdict: 'HOLD', defensible: false });
    const { id } = await recordOf(customer);
    const said = { monthlyIncome: 900_000, pep: false };
    await analyst.call('patch', `/operator/customers/${id}/profile`).send(said).expect(200);
    await analyst.call('put', `/operator/customers/${id}/risk-level`).send({ riskLevel: 'LOW' }).expect(200);
    expect((await recordOf(customer)).unconfirmed).toEqual(['monthlyIncome', 'pep', 'riskLevel']);
    const found = await analyst.get(`/operator/transactions?transactionId=${held.transactionId}`).expect(200);
    const [{ id: stored }] = (found.body as { data: [{ id: string }] }).data;
    await analyst.post(`/operator/transactions/${stored}/re-evaluate`).send({}).expect(201);
    const again = await read(held);
    expect(again).toMatchObject({ verdict: 'HOLD', defensible: false });
    expect(leftOut(again)).toEqual(
      expect.arrayContaining(['profile.monthlyIncome', 'profile.pep', 'profile.riskLevel']),
    );
    await confirm(id);
    // As anybody who pays a large amount to somebody for the first time, the customer is asked for a verification.
    await eventually('it is evaluated again', async () => (await read(held)).verdict === 'CHALLENGE');
    expect(await read(held)).toMatchObject({
      defensible: true,
      components: { PROFILE: { state: 'NO_HIT' } },
    });
  });

  it('in a file releases nobody, whether the customer was known or is new', async () => {
    const known = aCustomer();
    await paid(known, { amount: 100 });
    const fresh = aCustomer();
    const said = { monthlyIncome: 90_000, pep: false, riskLevel: 'LOW', birthDate: '1980-05-17' };
    const rows = [known, fresh].map((externalCustomerId) => ({
      ...{ externalCustomerId, document: cpfOf(externalCustomerId) },
      ...said,
    }));
    const file = await officer.call('put', '/operator/customers/profiles').send(rows).expect(200);
    expect(file.body).toMatchObject({ data: { changed: 2, problems: [] } });
    for (const customer of [known, fresh]) {
      expect((await recordOf(customer)).unconfirmed).toEqual([
        'birthDate',
        'monthlyIncome',
        'pep',
        'riskLevel',
      ]);
      const held = await paid(customer, LARGE);
      expect(held).toMatchObject({ verdict: 'HOLD', components: { PROFILE: { state: 'MISSING_INPUT' } } });
      expect(leftOut(held)).toContain('profile.monthlyIncome');
    }
  });

  it('counts at once where it makes a result graver', async () => {
    const customer = aCustomer();
    const night = { amount: 900, occurredAt: AT_NIGHT };
    expect((await paid(customer, night)).verdict).toBe('RELEASE');
    const { id } = await recordOf(customer);
    await analyst.call('patch', `/operator/customers/${id}/profile`).send({ nightLimit: 100 }).expect(200);
    const asked = await paid(customer, night);
    expect([asked.verdict, leftOut(asked)]).toEqual(['CHALLENGE', []]);
  });
});

const INCOME = { id: 'monthlyIncome', type: 'AMOUNT', label: { 'pt-BR': 'Renda' }, required: false };
const [PERSON] = QUICK_FLOW.steps;

describe('A session whose link one person made', () => {
  let house: TestClient;
  let teller: TestApi;

  beforeAll(async () => {
    house = await t.client({ scopes, rules: false });
    const { organisationId } = house;
    teller = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
    await withLists(t, organisationId);
    await withFlow(t, organisationId, { key: 'quick', ...QUICK_FLOW });
    await withFlow(t, organisationId, {
      key: 'weaker',
      ...QUICK_FLOW,
      requiredChecks: ['TAX_ID', 'PROFILE'],
    });
    const steps = [{ ...PERSON, fields: [...PERSON!.fields, INCOME] }];
    await withFlow(t, organisationId, { key: 'income', ...QUICK_FLOW, steps });
    await t.app.get(RulesetsService).publish(organisationId, askingFrom(900, 'quick'), 'test');
  });

  interface Link {
    readonly reference: string;
    readonly url: string;
  }
  const secretOf = ({ url }: Link): string => url.slice(url.lastIndexOf('/') + 1);
  const personOf = (customer: string): object => ({
    ...{ name: 'Maria Exemplo', cpf: cpfOf(customer), birthDate: '1980-05-17' },
  });

  async function linkFor(by: TestApi, path: string, asked: object): Promise<Link> {
    const made = await by.post(path).send(asked);
    expect([made.status, made.body]).toEqual([201, made.body]);
    return (made.body as { data: Link }).data;
  }
  async function ended(link: Link): Promise<void> {
    await eventually('the session has a result', async () => {
      const { body } = await teller.get(`/operator/kyc-sessions/${link.reference}`).expect(200);
      return (body as { data: { status: string } }).data.status === 'COMPLETED';
    });
  }
  async function pass(customer: string, link: Link): Promise<void> {
    const body = { userData: personOf(customer) };
    await t.api
      .post(`/kyc-sessions/${secretOf(link)}/complete`)
      .send(body)
      .expect(202);
    await ended(link);
  }
  const pays = (customer: string): Promise<TransactionAnswer> => paid(customer, { amount: 950 }, house);
  async function idOf(customer: string): Promise<string> {
    const { body } = await teller.get(`/operator/customers?externalCustomerId=${customer}`).expect(200);
    return (body as { data: [{ id: string }] }).data[0].id;
  }

  it('answers no step-up, nor does one through a flow that asks less; one of the flow that was asked for does', async () => {
    const customer = aCustomer();
    expect(await pays(customer)).toMatchObject({ verdict: 'CHALLENGE' });
    const customerId = await idOf(customer);
    await pass(customer, await linkFor(teller, '/operator/kyc-sessions', { flowKey: 'quick', customerId }));
    const own = await pays(customer);
    expect(own).toMatchObject({ verdict: 'CHALLENGE' });
    expect(leftOut(own)).toEqual(expect.arrayContaining(['kyc.approvedFlows', 'kyc.lastApprovedAt']));
    const integrator = t.api.as(house);
    const asked = { externalCustomerId: customer };
    await pass(customer, await linkFor(integrator, '/kyc-sessions', { ...asked, flowKey: 'weaker' }));
    expect(await pays(customer)).toMatchObject({ verdict: 'CHALLENGE' });
    await pass(customer, await linkFor(integrator, '/kyc-sessions', { ...asked, flowKey: 'quick' }));
    const free = await pays(customer);
    expect([free.verdict, leftOut(free)]).toEqual(['RELEASE', []]);
  });

  it('says nothing in the name of the person: a prefilled income is shown, and theirs only when they send it', async () => {
    const declared = async (customer: string): Promise<number | null> => {
      const { body } = await teller.get(`/operator/customers/${await idOf(customer)}`).expect(200);
      return (
        (body as { data: { profile: { monthlyIncome: number } | null } }).data.profile?.monthlyIncome ?? null
      );
    };
    for (const sends of [false, true]) {
      const customer = aCustomer();
      await paid(customer, { amount: 100 }, house);
      const asked = { externalCustomerId: customer, flowKey: 'income', prefill: { monthlyIncome: '900000' } };
      const link = await linkFor(t.api.as(house), '/kyc-sessions', asked);
      const page = await t.api.get(`/kyc-sessions/${secretOf(link)}/public`).expect(200);
      const [step] = (page.body as { steps: { fields: object[] }[] }).steps;
      expect(step!.fields).toContainEqual(
        expect.objectContaining({ id: 'monthlyIncome', prefilled: true, prefilledValue: '900000' }),
      );
      const given = { ...personOf(customer), ...(sends && { monthlyIncome: '900000' }) };
      const path = `/kyc-sessions/${secretOf(link)}`;
      await t.api.call('put', `${path}/steps/person`).send({ userData: given }).expect(200);
      await t.api.post(`${path}/complete`).send({ userData: {} }).expect(202);
      await ended(link);
      expect([sends, await declared(customer)]).toEqual([sends, sends ? 900_000 : null]);
    }
  });

  it('of an operator writes down what waits for a second person', async () => {
    const customer = aCustomer();
    await paid(customer, { amount: 100 }, house);
    const asked = { flowKey: 'income', customerId: await idOf(customer) };
    const link = await linkFor(teller, '/operator/kyc-sessions', asked);
    const given = { ...personOf(customer), monthlyIncome: '900000' };
    await t.api
      .post(`/kyc-sessions/${secretOf(link)}/complete`)
      .send({ userData: given })
      .expect(202);
    await ended(link);
    const { body } = await teller.get(`/operator/customers/${await idOf(customer)}`).expect(200);
    expect(body.data).toMatchObject({ profile: { monthlyIncome: 900_000 }, unconfirmed: ['monthlyIncome'] });
  });
});
