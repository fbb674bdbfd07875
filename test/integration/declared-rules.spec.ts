import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyBundle } from '../../src/features/kyt/domain/replay.js';
import { ReceiptExportService } from '../../src/features/kyt/index.js';
import {
  describeFacts,
  featureSchema,
  RulesetRegistryService,
  RulesetsService,
  unpackFacts,
} from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import type { CustomField, RuleDefinition } from '../../src/features/rules/language/index.js';
import { detailsOf, expectError } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { behindItsBack } from '../support/tamper.js';
import { approve } from '../support/approvals.js';
import { aMinimalTransaction, aTransaction, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { aRule as aDefinition } from '../support/rule-language.js';
import { aRule, mandatoryRules, rulesetBasics } from '../support/rulesets.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { reconcileIntervalMs: 100, databaseStatementTimeoutMs: 1_500 } });
});

afterAll(async () => {
  await t.close();
});

interface House {
  readonly client: TestClient;
  readonly api: TestApi;
  readonly officer: TestApi;
  readonly second: TestApi;
  /** Publishes these rules, and nothing beside them. */
  readonly publish: (...rules: readonly RuleDefinition[]) => Promise<void>;
}

let versions = 0;

async function aHouse(): Promise<House> {
  const scopes = ['kyt:ingest', 'transactions:write', 'kyt:read', 'customers:write'] as const;
  const client = await t.client({ rules: false, scopes });
  const { organisationId } = client;
  const officerOf = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  return {
    client,
    api: t.api.as(client),
    officer: await officerOf(),
    second: await officerOf(),
    publish: async (...rules) => {
      versions += 1;
      const definition = { ...brFirst, key: 'declared', version: versions, rules, dampeners: [] };
      await t.app.get(RulesetsService).publish(organisationId, definition, 'test');
    },
  };
}

const BEGIN = Math.floor(Date.now() / 86_400_000 - 6) * 86_400_000;

/** Somebody whose transactions take place so many minutes after the beginning. */
function aCustomer(): (
  minute: number,
  fields?: Record<string, unknown>,
) => Record<string, unknown> & { transactionId: string } {
  const name = randomBytes(6).toString('hex');
  const cpfCnpj = cpfOf(name);
  return (minute, fields = {}) =>
    aTransaction({
      externalCustomerId: name,
      cpfCnpj,
      origin: { name: 'Maria Exemplo', cpfCnpj, accountReference: name, country: 'BR' },
      occurredAt: new Date(BEGIN + minute * 60_000).toISOString(),
      ...fields,
    });
}

interface Judged {
  readonly outcome: string;
  readonly riskScore: number;
  readonly reasons: { ruleId: string; observed: string; message: Record<string, string> }[];
  readonly notEvaluated: { ruleId: string; missing: string[] }[];
}

async function judged(api: TestApi, body: { transactionId: string }): Promise<Judged> {
  await api.ingest(body).expect(202);
  return (await api.settled(body.transactionId)) as unknown as Judged;
}

/** Decides again from what is exported, without a database; and from facts that were changed. */
async function expectReplay({ client }: House, transactionId: string): Promise<void> {
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE organisation_id = $1 AND transaction_id = $2',
    [client.organisationId, transactionId],
  );
  const bundle = await t.app
    .get(ReceiptExportService, { strict: false })
    .createBundle(client.organisationId, rows[0]!.id, null);
  expect(verifyBundle(JSON.stringify(bundle)).problems).toEqual([]);
  const facts = Buffer.from(bundle.facts, 'base64');
  facts[facts.length - 1]! ^= 1;
  const changed = { ...bundle, facts: facts.toString('base64') };
  expect(verifyBundle(JSON.stringify(changed)).problems).toContain('FACTS_DO_NOT_MATCH_THEIR_HASH');
}

const MANY = aDefinition({
  key: 'MANY-01',
  parameters: {
    least: { value: 3, label: { 'pt-BR': 'mínimo', en: 'least' } },
    floor: { value: 100, unit: 'BRL', label: { 'pt-BR': 'piso', en: 'floor' } },
  },
  aggregates: {
    paid: {
      function: 'count',
      by: 'customer',
      window: '400d',
      where: 'direction == "OUT" && type.startsWith("PIX_") && amountBrl >= param.floor',
    },
    sum: { function: 'sum', by: 'customer', window: '1h' },
    payees: { function: 'distinct', of: 'counterparty', by: 'device', window: '24h' },
    share: { function: 'ratio', of: ['paid', 'payees'] },
  },
  when: 'aggregate.paid >= param.least && aggregate.share > 1',
  evidence: [{ feature: 'aggregate.sum', required: false }],
  message: {
    'pt-BR': '{aggregate.paid} pagamentos de {aggregate.sum}.',
    en: '{aggregate.paid} payments of {aggregate.sum}.',
  },
});

describe('A live rule that declares aggregates', () => {
  it('hits when they say so, explains itself by them, and its receipt decides again offline', async () => {
    const house = await aHouse();
    await house.publish(MANY);
    const own = aCustomer();
    const [first, second] = [own(0, { amount: 150 }), own(10, { amount: 200 })];
    for (const body of [first, own(5, { amount: 90 }), second]) {
      expect((await judged(house.api, body)).reasons).toEqual([]);
    }
    const third = own(30, { amount: 300 });
    const { reasons } = await judged(house.api, third);
    expect(reasons).toEqual([
      expect.objectContaining({
        ruleId: 'MANY-01',
        observed: 'aggregate.sum = BRL 740.00',
        message: { 'pt-BR': '3 pagamentos de R$ 740,00.', en: '3 payments of BRL 740.00.' },
      }),
    ]);
    await expectReplay(house, third.transactionId);
    await expectReplay(house, first.transactionId);
  });

  it('is judged again when a transaction comes late that its window would have held', async () => {
    const house = await aHouse();
    await house.publish(
      aDefinition({
        key: 'PAYEE-01',
        aggregates: { payers: { function: 'distinct', of: 'customer', by: 'counterparty', window: '30d' } },
        when: 'aggregate.payers >= 3',
        effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'MANY_PAYERS' },
        message: { 'pt-BR': '{aggregate.payers}', en: '{aggregate.payers}' },
      }),
    );
    const payee = randomBytes(6).toString('hex');
    const destination = { name: 'João', cpfCnpj: cpfOf(payee), accountReference: payee, country: 'BR' };
    await judged(house.api, aCustomer()(0, { destination }));
    const last = aCustomer()(7_000, { destination });
    expect((await judged(house.api, last)).reasons).toEqual([]);
    await judged(house.api, aCustomer()(100, { destination }));
    await eventually('it is judged again', async () => {
      const { rows } = await t.owner.query<{ outcome: string }>(
        `SELECT e.outcome FROM kyt_evaluations e JOIN kyt_transactions k ON k.id = e.transaction_ref
         WHERE k.organisation_id = $1 AND k.transaction_id = $2 AND e.evaluation_version = 2`,
        [house.client.organisationId, last.transactionId],
      );
      return rows[0]?.outcome === 'REVIEW';
    });
    await expectReplay(house, last.transactionId);
  });

  it('can be tried on one event, with aggregates as they are or as they are assumed to be', async () => {
    const house = await aHouse();
    await house.publish(MANY);
    const tried = async (assume: object): Promise<Record<string, never>> => {
      const answer = await house.officer
        .post('/operator/rules/dry-run')
        .send({ transaction: aCustomer()(0, { amount: 150 }), assume })
        .expect(200);
      return (answer.body as { data: Record<string, never> }).data;
    };
    expect(await tried({})).toMatchObject({
      reasons: [],
      facts: { 'aggregate.paid': { state: 'KNOWN', value: 1 }, 'aggregate.share': { value: 1 } },
    });
    const assumed = await tried({ 'aggregate.paid': 7, 'aggregate.share': 7 });
    expect(assumed).toMatchObject({ reasons: [{ ruleId: 'MANY-01' }] });
    const wrong = await house.officer
      .post('/operator/rules/dry-run')
      .send({ transaction: aCustomer()(0), assume: { 'aggregate.payd': 1 } });
    expectError(wrong, 400, 'VALIDATION_FAILED');
  });
});

/** The facts of a first evaluation, as they are stored. */
async function factsOf({ client }: House, transactionId: string): Promise<Record<string, unknown>> {
  const { rows } = await t.owner.query<{ facts: Buffer }>(
    `SELECT e.facts FROM kyt_evaluations e JOIN kyt_transactions k ON k.id = e.transaction_ref
     WHERE k.organisation_id = $1 AND k.transaction_id = $2 AND e.evaluation_version = 1`,
    [client.organisationId, transactionId],
  );
  return describeFacts(unpackFacts(rows[0]!.facts), featureSchema);
}

describe('The facts of a transaction', () => {
  it.each<
    [string, (own: ReturnType<typeof aCustomer>) => Record<string, unknown> & { transactionId: string }]
  >([
    ['with all that can be sent', (own) => own(0)],
    ['of which as little as possible is known', () => aMinimalTransaction()],
    ['with a masked document', (own) => own(0, { cpfCnpj: '***.982.247-**' })],
    ['by card', (own) => own(0, { type: 'CARD_PURCHASE', destination: {} })],
    ['in foreign currency', (own) => own(0, { type: 'CRYPTO_TRANSFER', currency: 'USD' })],
  ])('%s: each field has a value, or somebody says why it has none', async (_how, bodyOf) => {
    const house = await aHouse();
    await house.publish(aDefinition());
    const body = bodyOf(aCustomer());
    await judged(house.api, body);
    const facts = await factsOf(house, body.transactionId);
    expect(Object.keys(facts).filter((name) => facts[name] === 'SKIPPED:NOT_PROVIDED')).toEqual([]);
  });

  it('say who the customer is, and what is known of the other party where it is a customer too', async () => {
    const house = await aHouse();
    await house.publish(aDefinition());
    const [own, payee] = [aCustomer(), aCustomer()];
    const [first, theirs] = [own(0), payee(0)];
    const destination = { ...(theirs['origin'] as object), accountReference: 'theirs' };
    await judged(house.api, first);
    const stranger = await factsOf(house, first.transactionId);
    expect(stranger).toMatchObject({
      'profile.age': 'MISSING:NOT_DECLARED',
      'profile.relationshipDays': 'MISSING:NOT_DECLARED',
      'kyc.lastResult': 'MISSING:NEVER_VERIFIED',
      'counterparty.isCustomer': false,
      'counterparty.openCases': 0,
      'counterparty.confirmedFraud': false,
    });
    await judged(house.api, theirs);
    await house.api
      .call('put', '/customers/profiles')
      .send([
        {
          externalCustomerId: first['externalCustomerId'],
          ...{ birthDate: '1980-03-01', occupation: 'Médica', segment: 'RETAIL', monthlyIncome: 9_000 },
          ...{
            relationshipSince: new Date(BEGIN - 3 * 86_400_000).toISOString().slice(0, 10),
            asOf: '2024-12-31',
          },
        },
      ])
      .expect(200);
    const later = own(60, { destination });
    await judged(house.api, later);
    expect(await factsOf(house, later.transactionId)).toMatchObject({
      'profile.age': expect.any(Number),
      'profile.occupation': 'medica',
      'profile.segment': 'RETAIL',
      'profile.source': 'CLIENT',
      'profile.relationshipDays': expect.any(Number),
      'profile.declaredDays': expect.any(Number),
      'counterparty.isCustomer': true,
      'counterparty.openCases': 0,
      'counterparty.confirmedFraud': false,
    });
    await expectReplay(house, later.transactionId);
  });

  it('say which cases there are about the other party', async () => {
    const house = await aHouse();
    await house.publish(
      aDefinition({
        key: 'LARGE-01',
        when: 'amountBrl > 9000',
        effect: { minOutcome: 'REVIEW', recommend: 'HOLD', reasonCode: 'LARGE' },
      }),
    );
    const [own, payee] = [aCustomer(), aCustomer()];
    const theirs = payee(0, { amount: 9_500 });
    expect((await judged(house.api, theirs)).outcome).toBe('REVIEW');
    const body = own(60, { destination: { ...(theirs['origin'] as object), accountReference: 'theirs' } });
    await judged(house.api, body);
    expect(await factsOf(house, body.transactionId)).toMatchObject({
      'counterparty.isCustomer': true,
      'counterparty.openCases': 1,
      'counterparty.confirmedFraud': false,
    });
  });
});

interface Report {
  readonly rules: readonly { readonly key: string; readonly hits: number; readonly indeterminate: number }[];
}

/** Drafts a ruleset of these rules beside the mandatory ones and tests it on what was evaluated; returns the report. */
async function backtested(
  { officer }: House,
  key: string,
  rules: readonly Record<string, unknown>[],
): Promise<Report> {
  const all = [...mandatoryRules, ...rules];
  for (const rule of all) {
    await officer.post('/operator/rules').send(rule).expect(200);
    await officer.post(`/operator/rules/${String(rule['key'])}/versions`).expect(200);
  }
  const held = all.map((rule) => ({ key: rule['key'], version: 1 }));
  await officer
    .post('/operator/rulesets')
    .send({ key, ...rulesetBasics, rules: held })
    .expect(201);
  const path = `/operator/rulesets/${key}/versions/1/backtests`;
  const { body } = await officer.post(path).send({}).expect(202);
  const { id } = (body as { data: { id: string } }).data;
  return eventually('the back-test is finished', async () => {
    const answer = await officer.get(`${path}/${id}`).expect(200);
    const { data } = answer.body as { data: { status: string; report: Report } };
    return data.status === 'FINISHED' && data.report;
  });
}

describe('A back-test of a rule that declares aggregates', () => {
  it('works out, as of each transaction, what nobody declared when it was evaluated', async () => {
    const house = await aHouse();
    await house.publish(aDefinition());
    const own = aCustomer();
    // The last one came in before the others that took place before it.
    for (const minute of [40, 0, 10, 20]) await judged(house.api, own(minute, { amount: 150 }));
    const when = 'aggregate.paid >= 3';
    const aggregates = {
      paid: { function: 'count', by: 'customer', window: '400d', where: 'amountBrl > 100' },
    };
    const { rules } = await backtested(house, 'later', [aRule('LATER-01', { when, aggregates })]);
    expect(rules.find(({ key }) => key === 'LATER-01')).toMatchObject({ hits: 2, indeterminate: 0 });
  });
});

describe('The check of a rule', () => {
  it('names what is wrong in an aggregate with its place, and says in words what a right one is', async () => {
    const { officer } = await aHouse();
    const checked = async (aggregates: object, when: string): Promise<Record<string, unknown>> => {
      const rule = aRule('CHECK-01', { aggregates, when });
      const answer = await officer.post('/operator/rules/check').send({ rule }).expect(200);
      return (answer.body as { data: Record<string, unknown> }).data;
    };
    const cash = { function: 'sum', by: 'customer', window: '30d', where: 'direction == "IN" && cash' };
    const right = await checked({ cash }, 'aggregate.cash > 50000');
    expect(right).toMatchObject({
      ok: true,
      features: expect.arrayContaining(['aggregate.cash']),
      aggregates: [
        {
          name: 'aggregate.cash',
          type: 'number',
          unit: 'BRL',
          words: {
            'pt-BR':
              'a soma dos valores em reais das transações do cliente em 30 dias em que a direção é igual a “IN” e é em espécie',
            en: 'the sum of the amounts in reais of transactions of the customer within 30 days for which the direction is equal to “IN” and it is in cash',
          },
        },
      ],
    });
    expect(
      await checked({ cash: { ...cash, where: 'chanel == "ATM"' } }, 'aggregate.cash > 1'),
    ).toMatchObject({
      ok: false,
      details: [
        {
          path: 'aggregates.cash.where',
          code: 'UNKNOWN_FIELD',
          suggestion: 'channel',
          position: { start: 0, end: 6, line: 1, column: 1 },
        },
      ],
    });
    expect(await checked({ cash: { ...cash, by: 'custmer' } }, 'aggregate.cash > 1')).toMatchObject({
      details: [{ path: 'aggregates.cash.by', suggestion: 'customer' }],
    });
    expect(await checked({ cash: { ...cash, window: '401d' } }, 'aggregate.cash > 1')).toMatchObject({
      details: [{ path: 'aggregates.cash.window', expected: expect.stringContaining('400d') }],
    });
    expect(await checked({ cash }, 'aggregate.cahs > 1')).toMatchObject({
      details: [{ path: 'when', code: 'UNKNOWN_FIELD', suggestion: 'aggregate.cash' }],
    });
  });

  it('refuses a ruleset over its budget, and names what is expensive and why', async () => {
    const house = await aHouse();
    const { officer } = house;
    const expensive = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `a${i}`,
        {
          ...{ function: 'percentile', percentile: i + 1, by: 'counterparty', window: '400d' },
          where:
            'outcome == "REVIEW" && amountBrl > 1 && amountBrl < 10 && channel != "X" && currency == "BRL"',
        },
      ]),
    );
    const sum = Object.keys(expensive)
      .map((name) => `aggregate.${name}`)
      .join(' + ');
    const dear = aRule('DEAR-01', { aggregates: expensive, when: `${sum} > 1` });
    for (const rule of [...mandatoryRules, dear]) {
      await officer.post('/operator/rules').send(rule).expect(200);
      await officer.post(`/operator/rules/${String(rule['key'])}/versions`).expect(200);
    }
    const rules = [...mandatoryRules, dear].map((rule) => ({ key: rule['key'], version: 1 }));
    // The draft is refused: nobody tries what can never be published.
    const refused = await officer.post('/operator/rulesets').send({ key: 'dear', ...rulesetBasics, rules });
    const error = expectError(refused, 400, 'VALIDATION_FAILED');
    expect(error.details[0]).toMatchObject({
      path: expect.stringMatching(/^rules\[3\]\.aggregates\.a\d+$/),
      code: 'TOO_EXPENSIVE',
      message: expect.stringMatching(/steps.*outcome of each row.*sorts/),
    });
    const cheap = rules.slice(0, -1);
    await officer
      .post('/operator/rulesets')
      .send({ key: 'dear', ...rulesetBasics, rules: cheap })
      .expect(201);
    const changed = await officer.call('put', '/operator/rulesets/dear/versions/1').send({ rules });
    expect(expectError(changed, 400, 'VALIDATION_FAILED').details[0]).toEqual(error.details[0]);
  });
});

describe('Custom fields', () => {
  const FIELD = { name: 'store', path: 'shop.store', type: 'string', types: ['PIX_*'], history: 'KEY' };
  const field = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
    ...FIELD,
    ...changes,
  });
  const asked = { reason: 'Stores, for the rules about shops.' };

  /** Has these fields in force, by two people. */
  async function typed(house: House, fields: readonly object[]): Promise<readonly CustomField[]> {
    const answer = await house.officer
      .post('/operator/custom-fields')
      .send({ fields, ...asked })
      .expect(202);
    await approve(house.second, answer);
    const { body } = await house.officer.get('/operator/custom-fields').expect(200);
    return (body as { data: { fields: CustomField[] } }).data.fields;
  }
  const withStore = (store: unknown): Record<string, unknown> => ({
    metadata: { ...(aTransaction()['metadata'] as object), shop: { store } },
  });

  it('are refused, warned about or ignored at the door, as the house chose; a second person has approved it', async () => {
    const house = await aHouse();
    await house.publish(aDefinition());
    const own = aCustomer();
    const before = own(0, withStore(7));
    await house.api.ingest(before).expect(202);
    await typed(house, [
      field({ onMismatch: 'REFUSE', required: true }),
      field({ name: 'lane', path: 'lane', type: 'code', codes: ['A', 'B'], history: 'NONE' }),
      field({ name: 'note', path: 'note', type: 'number', onMismatch: 'IGNORE', history: 'NONE' }),
    ]);
    const refused = await house.api.ingest(own(1, withStore(7)));
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual([
      'metadata.shop.store TYPE_INVALID',
    ]);
    const missing = await house.api.ingest(own(1));
    expect(detailsOf(expectError(missing, 400, 'VALIDATION_FAILED'))).toEqual([
      'metadata.shop.store REQUIRED',
    ]);
    // Only of PIX.
    await house.api.ingest(own(2, { type: 'TED_TRANSFER' })).expect(202);
    // Today is no matter of what was accepted before.
    expect((await house.api.ingest(before).expect(200)).body).toMatchObject({ data: { duplicate: true } });
    const metadata = {
      ...(aTransaction()['metadata'] as object),
      shop: { store: 's' },
      lane: 'C',
      note: 'x',
    };
    const warned = await house.api.ingest(own(3, { metadata })).expect(202);
    expect(warned.body).toMatchObject({ data: { warnings: ['CUSTOM_FIELD_MISMATCH'] } });
  });

  it('are refused by name when somebody changed them behind the service, with nothing accepted', async () => {
    const house = await aHouse();
    const { organisationId } = house.client;
    await house.publish(aDefinition());
    await typed(house, [field({ onMismatch: 'REFUSE' })]);
    const own = aCustomer();
    const before = own(0, withStore('s'));
    await house.api.ingest(before).expect(202);
    const { rows } = await t.owner.query<{ fields: unknown }>(
      'SELECT fields FROM custom_field_schemas WHERE organisation_id = $1',
      [organisationId],
    );
    const change = async (fields: unknown): Promise<void> => {
      await behindItsBack(
        t,
        'custom_field_schemas',
        'UPDATE custom_field_schemas SET fields = $2 WHERE organisation_id = $1',
        [organisationId, JSON.stringify(fields)],
      );
      t.app.get(RulesetRegistryService).forget(organisationId);
    };
    for (const fields of [[], [field({ onMismatch: 'IGNORE', number: 1 })], 'nothing of the kind', null]) {
      await change(fields);
      const body = own(1, withStore(7));
      expectError(await house.api.ingest(body), 503, 'CUSTOM_FIELDS_ALTERED');
      await house.api.transaction(body.transactionId).expect(404);
    }
    await change(rows[0]!.fields);
    await house.api.ingest(own(2, withStore('s'))).expect(202);
  });

  it('are read by rules; personal ones are masked, and receipts decide again', async () => {
    const house = await aHouse();
    const [store, clerk] = await typed(house, [
      field(),
      field({ name: 'clerk', path: 'clerk', personal: true, history: 'NONE' }),
    ]);
    await house.publish(
      aDefinition({
        key: 'STORE-01',
        customFields: { store: store!, clerk: clerk! },
        when: 'custom.store == "s-1" && custom.clerk.startsWith("Ana")',
        message: { 'pt-BR': '{custom.store} {custom.clerk}', en: '{custom.store} {custom.clerk}' },
      }),
    );
    const body = aCustomer()(0, {
      metadata: { ...(aTransaction()['metadata'] as object), shop: { store: 's-1' }, clerk: 'Ana Maria' },
    });
    const { reasons } = await judged(house.api, body);
    expect(reasons).toEqual([expect.objectContaining({ message: { 'pt-BR': 's-1 ***', en: 's-1 ***' } })]);
    await expectReplay(house, body.transactionId);
    const { rows } = await t.owner.query<{ facts: Buffer; n: number }>(
      `SELECT facts FROM kyt_evaluations WHERE organisation_id = $1`,
      [house.client.organisationId],
    );
    const facts = unpackFacts(rows[0]!.facts);
    expect([facts.includes('Ana Maria'), facts.includes('s-1')]).toEqual([false, true]);
  });

  it('are a key of windows: indeterminate until earlier transactions are filled in, then exact', async () => {
    const house = await aHouse();
    await house.publish(aDefinition());
    const shopOf = (minute: number): Record<string, unknown> & { transactionId: string } =>
      aCustomer()(minute, withStore('s-9'));
    for (const minute of [0, 1, 2]) await judged(house.api, shopOf(minute));
    await judged(house.api, aCustomer()(3, withStore('s-8')));
    const [store] = await typed(house, [field()]);
    await house.publish(
      aDefinition({
        key: 'STORE-02',
        onIndeterminate: 'PARTIAL',
        customFields: { store: store! },
        aggregates: { buyers: { function: 'distinct', of: 'customer', by: 'custom.store', window: '1d' } },
        when: 'aggregate.buyers >= 2',
        message: { 'pt-BR': '{aggregate.buyers}', en: '{aggregate.buyers}' },
      }),
    );
    const early = await judged(house.api, shopOf(10));
    expect(early.reasons).toEqual([]);
    expect(early.notEvaluated).toEqual([{ ruleId: 'STORE-02', missing: ['aggregate.buyers'] }]);
    const backfill = async (): Promise<Record<string, unknown>> => {
      const { body } = await house.officer.get('/operator/custom-fields/backfills').expect(200);
      return (body as { data: Record<string, unknown>[] }).data[0]!;
    };
    await eventually('it is filled', async () => (await backfill())['status'] === 'FINISHED', 30_000);
    expect(await backfill()).toMatchObject({ done: 5, total: 5, filled: 5, unreadable: 0 });
    await eventually('every process knows it', async () => {
      const { body } = await house.officer
        .post('/operator/rules/dry-run')
        .send({ transaction: shopOf(11) })
        .expect(200);
      return (
        (body as { data: { facts: Record<string, { state: string }> } }).data.facts['aggregate.buyers']!
          .state === 'KNOWN'
      );
    });
    const after = await judged(house.api, shopOf(11));
    expect(after.reasons).toEqual([
      expect.objectContaining({ ruleId: 'STORE-02', message: { 'pt-BR': '5', en: '5' } }),
    ]);
  });

  it('a back-fill whose process is gone is gone on with where it was, and ends once', async () => {
    const house = await aHouse();
    await house.publish(aDefinition());
    for (const minute of [0, 1]) await judged(house.api, aCustomer()(minute, withStore('x')));
    await typed(house, [field()]);
    const { organisationId } = house.client;
    const rows = async (): Promise<Record<string, unknown>[]> =>
      (
        await t.owner.query<Record<string, unknown>>(
          `SELECT * FROM custom_field_backfills WHERE organisation_id = $1`,
          [organisationId],
        )
      ).rows;
    expect(await rows()).toHaveLength(1);
    // As if it had been killed: claimed by nobody who lives, its lease over.
    await t.owner.query(
      `UPDATE custom_field_backfills SET status = 'RUNNING', fence = fence + 7, lease_until = now() - interval '1 second'
       WHERE organisation_id = $1`,
      [organisationId],
    );
    await eventually('it is filled', async () => (await rows())[0]?.['status'] === 'FINISHED', 40_000);
    const { rows: values } = await t.owner.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM kyt_custom_field_values WHERE organisation_id = $1',
      [organisationId],
    );
    expect(values[0]!.n).toBe(2);
  });
});
