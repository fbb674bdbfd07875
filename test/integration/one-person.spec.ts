import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { RuleDefinition } from '../../src/features/rules/language/index.js';
import { SearchIndexService } from '../../src/features/screening/index.js';
import { scopes, type Role } from '../../src/platform/http/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { brFirst } from '../support/br-first.js';
import { aTransaction, CPF, cpfOf } from '../support/builders.js';
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
    await eventually('it is evaluated again', async () => (await read(held)).verdict === 'RELEASE');
    const free = await paid(customer, night);
    expect([free.verdict, leftOut(free)]).toEqual(['RELEASE', []]);
  });

  it('is confirmed for what waits, and not for what two people have decided about', async () => {
    const customer = aCustomer();
    const night = { amount: 1_500, occurredAt: AT_NIGHT };
    const decided = await paid(customer, night);
    const { id } = await recordOf(customer);
    const found = await analyst
      .get(`/operator/transactions?transactionId=${decided.transactionId}`)
      .expect(200);
    const [{ id: transaction }] = (found.body as { data: [{ id: string }] }).data;
    const opened = await analyst.post('/operator/reviews').send({ customerId: id, transaction, reason: WHY });
    const review = `/operator/reviews/${(opened.body as { data: { id: string } }).data.id}`;
    const end = { resolution: 'REJECTED', report: 'ARCHIVE', justification: WHY };
    await approve(officer, await analyst.post(`${review}/decision`).send(end).expect(202));
    await eventually('the decision arrives', async () => (await read(decided)).verdict === 'DECLINE');
    const waiting = await paid(customer, night);
    await analyst.call('patch', `/operator/customers/${id}/profile`).send({ nightLimit: 9_000 }).expect(200);
    await confirm(id);
    await eventually('it is evaluated again', async () => (await read(waiting)).verdict === 'RELEASE');
    expect(await read(decided)).toMatchObject({ verdict: 'DECLINE', evaluationVersion: 1 });
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

  it('gives nobody a name: who is screened under none stays so until a second person confirms it', async () => {
    const customer = aCustomer();
    const unnamed = { origin: { cpfCnpj: cpfOf(customer), country: 'BR' } };
    expect(await paid(customer, unnamed)).toMatchObject({
      ...{ verdict: 'HOLD', components: { LISTS: { reason: 'CUSTOMER_NOT_NAMED' } } },
    });
    const row = { externalCustomerId: customer, document: cpfOf(customer), name: 'Maria Exemplo' };
    await officer.call('put', '/operator/customers/profiles').send([row]).expect(200);
    const { id, unconfirmed } = await recordOf(customer);
    expect(unconfirmed).toEqual(['name']);
    expect(await paid(customer, unnamed)).toMatchObject({ verdict: 'HOLD' });
    await confirm(id);
    await eventually('every process knows the name', async () => {
      return (await paid(customer, unnamed)).verdict === 'RELEASE';
    });
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

/** Stops a payment of exactly this amount where the condition is true. */
function stopsWhen(amount: number, when: string, lists: readonly string[] = []): RuleDefinition {
  const [like] = brFirst.rules;
  if (!like) throw new Error('the first ruleset has no rules');
  return {
    ...like,
    key: `STOPS-${amount}`,
    ...{ parameters: {}, evidence: [], lists },
    when: `amount == ${amount} && (${when})`,
    score: { ...like.score, points: 10 },
    effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'STOPPED' },
    message: { 'pt-BR': 'Valor', en: 'Amount' },
  };
}

describe('What rules read and one person alone brings about', () => {
  const PAYEE = '4455-8';
  const RULES = [
    stopsWhen(910, '!list("casa").has(destination.account)', ['casa']),
    stopsWhen(920, 'customer.openCases >= 2'),
    stopsWhen(930, '!counterparty.isCustomer'),
    stopsWhen(940, '!has(profile.declaredDays) || profile.declaredDays > 300'),
    stopsWhen(950, 'outgoing.sum24h > 960 && (!has(profile.monthlyIncome) || profile.monthlyIncome < 5000)'),
    stopsWhen(960, '!debarment.documentMatch'),
    stopsWhen(971, 'has(profile.monthlyIncome) && profile.monthlyIncome < 5000'),
    stopsWhen(972, 'has(profile.pep) && profile.pep'),
    stopsWhen(973, 'has(profile.nightStartHour) && profile.nightStartHour < 22'),
    stopsWhen(974, 'has(profile.relationshipDays) && profile.relationshipDays < 300'),
    stopsWhen(975, "has(profile.segment) && profile.segment == 'A'"),
    stopsWhen(976, "has(profile.source) && profile.source == 'CLIENT'"),
  ];
  let yard: TestClient;
  let alone: TestApi;
  let second: TestApi;
  let list: string;

  const pays = (customer: string, fields: object): Promise<TransactionAnswer> => paid(customer, fields, yard);
  const answered = (answer: TransactionAnswer): readonly unknown[] => [answer.verdict, leftOut(answer)];
  const idOf = async (customer: string): Promise<string> => {
    const { body } = await alone.get(`/operator/customers?externalCustomerId=${customer}`).expect(200);
    return (body as { data: [{ id: string }] }).data[0].id;
  };
  const madeAs = async (asked: ReturnType<TestApi['post']>, status = 201): Promise<string> => {
    const { body } = await asked.expect(status);
    return (body as { data: { id: string } }).data.id;
  };
  /** Imports a file into a list, and waits for its end or for the second person. */
  async function imports(id: string, lines: readonly string[], confirmation = 'ON_SHRINK'): Promise<string> {
    const file = Buffer.from(['key;name;kind;type;value', ...lines, ''].join('\n'));
    const path = `/operator/lists/${id}/imports`;
    const form = alone.post(path).field('confirmation', confirmation);
    const begun = await madeAs(form.attach('file', file, 'list.csv'), 202);
    await eventually('the import is read', async () => {
      const { body } = await alone.get(`${path}/${begun}`).expect(200);
      const { status } = (body as { data: { status: string } }).data;
      return ['PUBLISHED', 'AWAITING_CONFIRMATION'].includes(status);
    });
    await t.app.get(SearchIndexService).refresh();
    return `${path}/${begun}`;
  }

  beforeAll(async () => {
    yard = await t.client({ scopes, rules: false });
    const { organisationId } = yard;
    await withLists(t, organisationId);
    const roles: Role[] = ['ANALYST', 'COMPLIANCE_OFFICER'];
    alone = t.api.asOperator(await t.operator({ roles, organisationId }));
    second = t.api.asOperator(await t.operator({ roles, organisationId }));
    const casa = { key: 'casa', name: 'Contas da casa', kind: 'WATCH', format: 'HOUSE_CSV' };
    list = await madeAs(alone.post('/operator/lists').send(casa));
    await imports(list, ['k0;;;ACCOUNT;0009-1']);
    const rules = { ...brFirst, key: 'br-alone', rules: [...brFirst.rules, ...RULES] };
    await t.app.get(RulesetsService).publish(organisationId, rules, 'test');
  });

  it('an entry of a list that clears: it clears nobody until it came with a second person', async () => {
    const to = { name: 'João Exemplo', cpfCnpj: CPF.payee, accountReference: PAYEE, country: 'BR' };
    const payment = { amount: 910, destination: to };
    expect(answered(await pays(aCustomer(), payment))).toEqual(['HOLD', []]);
    await imports(list, ['k0;;;ACCOUNT;0009-1', `k1;;;ACCOUNT;${PAYEE}`]);
    expect(answered(await pays(aCustomer(), payment))).toEqual(['HOLD', ["list('casa')"]]);
    const two = { ...to, accountReference: '4456-6' };
    const lines = ['k0;;;ACCOUNT;0009-1', `k1;;;ACCOUNT;${PAYEE}`, 'k2;;;ACCOUNT;4456-6'];
    const path = await imports(list, lines, 'ALWAYS');
    await approve(second, await alone.post(`${path}/confirm`).send({ reason: WHY }).expect(202));
    await t.app.get(SearchIndexService).refresh();
    expect(answered(await pays(aCustomer(), { ...payment, destination: two }))).toEqual(['RELEASE', []]);
  });

  it('a fact about a list that clears where somebody is on it', async () => {
    const listed = cpfOf(aCustomer());
    const to = { name: 'João Exemplo', cpfCnpj: listed, accountReference: '0001-77', country: 'BR' };
    const payment = { amount: 960, destination: to };
    expect(answered(await pays(aCustomer(), payment))).toEqual(['HOLD', []]);
    const own = { key: 'own', name: 'Impedidos', kind: 'DEBARMENT', format: 'HOUSE_CSV' };
    const id = await madeAs(alone.post('/operator/lists').send(own));
    await imports(id, [`k1;Joao Impedido;PERSON;DOCUMENT;${listed}`]);
    expect(answered(await pays(aCustomer(), payment))).toEqual(['HOLD', ['debarment.documentMatch']]);
  });

  it('fewer cases by a merge', async () => {
    const customer = aCustomer();
    await pays(customer, { amount: 100 });
    const customerId = await idOf(customer);
    const open = (): Promise<string> =>
      madeAs(alone.post('/operator/reviews').send({ customerId, reason: WHY }));
    const [one, other] = [await open(), await open()];
    expect(answered(await pays(customer, { amount: 920 }))).toEqual(['HOLD', []]);
    await alone.post(`/operator/reviews/${one}/merge`).send({ review: other, reason: WHY }).expect(200);
    const found = await alone.get(`/operator/reviews?customerId=${customerId}&limit=20`).expect(200);
    const rest = (found.body as { data: { id: string }[] }).data.map(({ id }) => id);
    for (const id of rest.filter((each) => each !== one && each !== other)) {
      await alone.post(`/operator/reviews/${one}/merge`).send({ review: id, reason: WHY }).expect(200);
    }
    expect(answered(await pays(customer, { amount: 920 }))).toEqual(['HOLD', ['customer.openCases']]);
  });

  it('a customer whom only their file knows', async () => {
    const stranger = aCustomer();
    const to = { name: 'João Exemplo', cpfCnpj: cpfOf(stranger), accountReference: '0001-77', country: 'BR' };
    const payment = { amount: 930, destination: to };
    expect(answered(await pays(aCustomer(), payment))).toEqual(['HOLD', []]);
    const row = { externalCustomerId: stranger, document: cpfOf(stranger), segment: 'A' };
    await alone.call('put', '/operator/customers/profiles').send([row]).expect(200);
    expect(answered(await pays(aCustomer(), payment))).toEqual(['HOLD', ['counterparty.isCustomer']]);
    await pays(stranger, { amount: 100 });
    expect(answered(await pays(aCustomer(), payment))).toEqual(['RELEASE', []]);
  });

  it('a value that weighs less than the known one, or none', async () => {
    const customer = aCustomer();
    const ids = { externalCustomerId: customer, document: cpfOf(customer) };
    const since = new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10);
    const known = { monthlyIncome: 3_000, pep: true, segment: 'A', relationshipSince: since };
    await t.api
      .as(yard)
      .call('put', '/customers/profiles')
      .send([{ ...ids, ...known }])
      .expect(200);
    const path = `/operator/customers/${await idOf(customer)}`;
    const says = (who: TestApi, change: object) =>
      who.call('patch', `${path}/profile`).send(change).expect(200);
    const confirmed = async (): Promise<unknown> =>
      approve(second, await alone.post(`${path}/facts/confirm`).send({ reason: WHY }).expect(202));
    await says(alone, { nightStartHour: 20 });
    await confirmed();
    const facts = {
      ...{ 971: 'profile.monthlyIncome', 972: 'profile.pep', 973: 'profile.nightStartHour' },
      ...{ 974: 'profile.relationshipDays', 975: 'profile.segment', 976: 'profile.source' },
    };
    const all = async (expected: (fact: string) => readonly unknown[]): Promise<void> => {
      for (const [amount, fact] of Object.entries(facts)) {
        const paid = await pays(customer, { amount: Number(amount) });
        expect([fact, ...answered(paid)]).toEqual([fact, ...expected(fact)]);
      }
    };
    await all(() => ['HOLD', []]);
    const held = (fact: string) => ['HOLD', expect.arrayContaining([fact])] as const;
    await says(alone, { monthlyIncome: null, pep: null, nightStartHour: null });
    const row = { ...ids, segment: 'B', relationshipSince: '2001-03-01' };
    await alone.call('put', '/operator/customers/profiles').send([row]).expect(200);
    await all(held);
    // Another one alone, or the same one again, changes what is kept from before as little.
    await says(second, { monthlyIncome: 800_000 });
    await says(alone, { monthlyIncome: 900_000, pep: false, nightStartHour: 22 });
    await all(held);
    await confirmed();
    await all(() => ['RELEASE', []]);
  });

  it('an exposure of an owner that is taken out, for their company', async () => {
    const [owner, company] = [aCustomer(), aCustomer()];
    const row = { externalCustomerId: owner, document: cpfOf(owner), pep: true };
    await t.api.as(yard).call('put', '/customers/profiles').send([row]).expect(200);
    await pays(company, { amount: 100 });
    const [ownerId, companyId] = [await idOf(owner), await idOf(company)];
    await t.owner.query(
      `INSERT INTO customer_relations (organisation_id, company_id, person_id, kind, session_id, recorded_at)
       VALUES ($1, $2, $3, 'OWNER', gen_random_uuid(), now())`,
      [yard.organisationId, uuidOf('cus', companyId), uuidOf('cus', ownerId)],
    );
    expect(answered(await pays(company, { amount: 972 }))).toEqual(['HOLD', []]);
    const path = `/operator/customers/${ownerId}`;
    await alone.call('patch', `${path}/profile`).send({ pep: false }).expect(200);
    expect(answered(await pays(company, { amount: 972 }))).toEqual(['HOLD', ['profile.pep']]);
    await approve(second, await alone.post(`${path}/facts/confirm`).send({ reason: WHY }).expect(202));
    expect(answered(await pays(company, { amount: 972 }))).toEqual(['RELEASE', []]);
  });

  it('a record that is newer', async () => {
    const customer = aCustomer();
    const old = { externalCustomerId: customer, document: cpfOf(customer), segment: 'A', asOf: '2020-03-01' };
    await t.api.as(yard).call('put', '/customers/profiles').send([old]).expect(200);
    expect(answered(await pays(customer, { amount: 940 }))).toEqual(['HOLD', []]);
    const path = `/operator/customers/${await idOf(customer)}/profile`;
    await alone.call('patch', path).send({ nightLimit: 500 }).expect(200);
    const held = await pays(customer, { amount: 940 });
    expect([held.verdict, leftOut(held)]).toEqual([
      'HOLD',
      expect.arrayContaining(['profile.declaredDays']) as unknown,
    ]);
  });

  it('a fact that makes a difference only when a late transaction arrives', async () => {
    const customer = aCustomer();
    await pays(customer, { amount: 1 });
    const said = { monthlyIncome: 900_000 };
    await alone
      .call('patch', `/operator/customers/${await idOf(customer)}/profile`)
      .send(said)
      .expect(200);
    const first = await pays(customer, { amount: 950 });
    expect(answered(first)).toEqual(['RELEASE', []]);
    const before = new Date(Date.now() - 3_600_000).toISOString();
    await pays(customer, { amount: 20, occurredAt: before });
    const integrator = t.api.as(yard);
    await eventually('it is judged again', async () => {
      return (await integrator.settled(first.transactionId)).verdict !== 'RELEASE';
    });
    expect(leftOut(await integrator.settled(first.transactionId))).toContain('profile.monthlyIncome');
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

  it('is not done where it shows what it says in the name of the person, however much it prefilled', async () => {
    const customer = aCustomer();
    await paid(customer, { amount: 100 }, house);
    const all = { ...personOf(customer), monthlyIncome: '900000' };
    const asked = { externalCustomerId: customer, flowKey: 'income', prefill: all };
    const path = `/kyc-sessions/${secretOf(await linkFor(t.api.as(house), '/kyc-sessions', asked))}`;
    const stepOf = async (): Promise<unknown> => {
      const { body } = await t.api.get(`${path}/public`).expect(200);
      const { steps, currentStepId } = body as { steps: { status: string }[]; currentStepId: string | null };
      return [steps[0]!.status, currentStepId];
    };
    expect(await stepOf()).toEqual(['TODO', 'person']);
    await t.api.call('put', `${path}/steps/person`).send({ userData: all }).expect(200);
    expect(await stepOf()).toEqual(['DONE', null]);
    const shown = { ...asked, prefill: personOf(customer) };
    const other = await linkFor(t.api.as(house), '/kyc-sessions', shown);
    const { body } = await t.api.get(`/kyc-sessions/${secretOf(other)}/public`).expect(200);
    expect((body as { steps: { status: string }[] }).steps[0]!.status).toBe('DONE');
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
    // Who made the link wrote no value: the request names the time alone.
    const confirms = `/operator/customers/${await idOf(customer)}/facts/confirm`;
    const request = askedIn(await teller.post(confirms).send({ reason: WHY }).expect(202));
    const shown = await teller.get(`/operator/approvals/${request.id}`).expect(200);
    const { summary } = (shown.body as { data: { summary: { facts: object[] } } }).data;
    expect(summary.facts).toEqual([
      {
        ...{ field: 'monthlyIncome', before: null, after: 900_000, withheld: false },
        ...{ writtenBy: null, writtenAt: expect.any(String) },
      },
    ]);
  });
});
