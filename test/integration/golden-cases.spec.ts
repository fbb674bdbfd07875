import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { VelocityReader } from '../../src/features/kyt/facts/windows/velocity-reader.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { Answer } from '../support/answers.js';
import { detailsOf, expectError } from '../support/answers.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { aTransaction, cpfOf, DICT } from '../support/builders.js';
import { expectOrderNotToMatter } from '../support/delivery-order.js';
import { later } from '../support/needs.js';
import { aRule } from '../support/rulesets.js';

/** The reader of the history, which breaks down when it is told to. */
class Reader extends VelocityReader {
  static broken = false;

  override read(...batch: Parameters<VelocityReader['read']>): ReturnType<VelocityReader['read']> {
    if (Reader.broken) throw new Error('made to fail');
    return super.read(...batch);
  }
}

/** Fields that only the golden cases look at. */
interface Judged extends TransactionAnswer {
  readonly dampening: number;
  readonly groups: { group: string; counted: number }[];
  readonly flags: string[];
  readonly reasons: {
    ruleId: string;
    observed: string;
    points: number;
    message: { 'pt-BR': string; en: string };
  }[];
}

const LISTED = 'Anacleto Sancionado Ficticio';

let t: TestApp;
let client: TestClient;
let api: TestApi;
let officer: TestApi;

beforeAll(async () => {
  t = await startTestApp({
    override: (builder) => builder.overrideProvider(VelocityReader).useClass(Reader),
  });
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  const ctx = systemActor(organisationId, 'test');
  for (const kind of ['SANCTIONS', 'PEP', 'DEBARMENT'] as const) {
    const list = { key: kind.toLowerCase(), name: kind, kind, format: 'HOUSE_CSV' } as const;
    const row = await t.app.get(ScreeningListsService).findOrCreate(ctx, list);
    const importer = t.app.get(ListImporterService);
    const { id } = await importer.startImport(ctx, row, null);
    const file = `key;name;kind;birthDate;type;value\nx;${LISTED} ${kind};PERSON;;;\n`;
    const main = Readable.from([Buffer.from(file)]);
    await importer.runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  }
  await t.app.get(SearchIndexService).refresh();
  api = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

/** The customer of the case that was begun last. */
const theCustomer = (): { cpfCnpj: string; accountReference: string } & Record<string, unknown> => ({
  name: 'Maria Exemplo',
  cpfCnpj: cpfOf(`golden-${cases}`),
  accountReference: '0001/1',
  country: 'BR',
});
const payee = (i: number): object => ({
  ...{ name: 'João Exemplo', cpfCnpj: cpfOf(`golden-payee-${i}`) },
  ...{ accountReference: `0001-${i}`, country: 'BR' },
});

let cases = 0;
/** A customer of its own with a known device, so that nothing but what the case is about stands out. */
function aCustomer(): (
  fields: Record<string, unknown>,
) => Record<string, unknown> & { transactionId: string } {
  cases += 1;
  const own = {
    externalCustomerId: `golden-${cases}`,
    origin: theCustomer(),
    destination: payee(cases),
    metadata: {
      ...{ deviceId: `device-${cases}`, ipAddress: `203.0.113.${cases}` },
      ...{ deviceRegistered: true, dict: DICT },
    },
  };
  return (fields) => aTransaction({ ...own, ...fields });
}

/** Thursday, 19 November 2026, by the clock of São Paulo. */
const at = (time: string, day = '2026-11-19'): string => `${day}T${time}-03:00`;

/** Sends a history in one batch and returns what became of each. */
async function judged(bodies: readonly { transactionId: string }[]): Promise<Judged[]> {
  await api.ingestBatch(bodies).expect(207);
  return Promise.all(bodies.map(({ transactionId }) => api.settled(transactionId) as Promise<Judged>));
}
const rulesOf = ({ reasons }: Judged): string[] => reasons.map(({ ruleId }) => ruleId);
// The caller says what it expects the data to be.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
const dataOf = <T>(answer: Answer): T => (answer.body as { data: T }).data;

describe('Golden cases of br-starter, from the request to the answer', () => {
  it('an ordinary PIX is APPROVED', async () => {
    const [one] = await judged([aCustomer()({ amount: 150, occurredAt: at('12:00:00') })]);
    expect(one).toMatchObject({
      outcome: 'APPROVED',
      composition: 'COMPLETE',
      defensible: true,
      riskScore: 0,
    });
  });

  it('six PIX of 9,900 in an hour: STR-08 and STR-09; the fifth is below 50,000; the tenth is VEL-10 too', async () => {
    const own = aCustomer();
    const all = await judged(
      Array.from({ length: 10 }, (_, i) =>
        own({ amount: 9_900, occurredAt: at(`12:0${i}:00`), destination: payee(100 + i) }),
      ),
    );
    const [fourth, fifth, sixth, ninth, tenth] = [3, 4, 5, 8, 9].map((i) => all[i]!);
    expect(rulesOf(fourth!)).not.toContain('BR-STR-08');
    expect(rulesOf(fifth!)).toContain('BR-STR-08');
    expect(rulesOf(fifth!)).not.toContain('BR-STR-09');
    expect(rulesOf(sixth!)).toEqual(expect.arrayContaining(['BR-STR-08', 'BR-STR-09']));
    expect(sixth).toMatchObject({ outcome: 'REVIEW', composition: 'COMPLETE', defensible: true });
    expect(sixth!.groups).toContainEqual(expect.objectContaining({ group: 'STRUCTURING', counted: 60 }));
    const split = sixth!.reasons.find(({ ruleId }) => ruleId === 'BR-STR-09')!;
    expect(split.message['pt-BR']).toMatch(
      /^6 transferências abaixo de R\$ 10\.000,00 em 24 horas, no total de R\$ 59\.400,00/,
    );
    expect(rulesOf(ninth!)).not.toContain('BR-VEL-10');
    expect(rulesOf(tenth!)).toEqual(expect.arrayContaining(['BR-STR-08', 'BR-STR-09', 'BR-VEL-10']));
  });

  it('18,400 in and 17,900 out within a day: FLOW-12; 14,700 out is just below 80 %', async () => {
    const flow = async (out: number): Promise<Judged> => {
      const own = aCustomer();
      const [, sent] = await judged([
        own({ amount: 18_400, occurredAt: at('09:00:00'), origin: payee(200), destination: theCustomer() }),
        own({ amount: out, occurredAt: at('11:00:00') }),
      ]);
      return sent!;
    };
    const through = await flow(17_900);
    expect(rulesOf(through)).toContain('BR-FLOW-12');
    expect(through.outcome).toBe('REVIEW');
    expect(through.reasons.find(({ ruleId }) => ruleId === 'BR-FLOW-12')!.observed).toBe(
      'aggregate.came24h = BRL 18,400.00, outgoing.sum24h = BRL 17,900.00, aggregate.payers24h = 1, aggregate.came6h = BRL 18,400.00',
    );
    expect(rulesOf(await flow(14_700))).not.toContain('BR-FLOW-12');
  });

  it('cash of 49,000 on Friday and 3,000 on Monday: CASH-07; 46,000 and 3,000: not; neither is a report', async () => {
    const cash = async (friday: number, lastDay = '2026-11-09'): Promise<Judged> => {
      const own = aCustomer();
      const [, second] = await judged([
        own({ type: 'CASH_DEPOSIT', amount: friday, occurredAt: at('15:00:00', '2026-11-06') }),
        own({ type: 'CASH_DEPOSIT', amount: 3_000, occurredAt: at('10:00:00', lastDay) }),
      ]);
      return second!;
    };
    const split = await cash(49_000);
    expect(rulesOf(split)).toContain('BR-CASH-07');
    expect(split.outcome).toBe('REVIEW');
    expect(split.flags).not.toContain('REPORT_COE');
    expect(rulesOf(await cash(46_000))).not.toContain('BR-CASH-07');
    // The sixth business day after: the weekend counts for nothing, and Friday has fallen out.
    expect(rulesOf(await cash(49_000, '2026-11-16'))).not.toContain('BR-CASH-07');
  });

  it('PIX of 1,000.01 at 19:59 and at 20:00 local: PIX-15 begins at 20:00, whatever the offset says', async () => {
    const own = [aCustomer(), aCustomer(), aCustomer(), aCustomer()];
    const [before, after, inUtc, small] = await judged([
      own[0]!({ amount: 1_000.01, occurredAt: at('19:59:59') }),
      own[1]!({ amount: 1_000.01, occurredAt: at('20:00:00') }),
      own[2]!({ amount: 1_000.01, occurredAt: '2026-11-19T23:00:00Z' }),
      own[3]!({ amount: 1_000, occurredAt: at('20:00:00') }),
    ]);
    expect([before, after, inUtc, small].map((one) => rulesOf(one!).includes('BR-PIX-15'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('between accounts of the same holder, splitting is dampened', async () => {
    const own = aCustomer();
    const all = await judged(
      Array.from({ length: 6 }, (_, i) =>
        own({
          amount: 9_900,
          occurredAt: at(`12:0${i}:00`),
          destination: { ...theCustomer(), accountReference: `0002-${i}` },
        }),
      ),
    );
    const sixth = all[5]!;
    expect(rulesOf(sixth)).toEqual(expect.arrayContaining(['BR-STR-08', 'BR-DAMP-01']));
    expect(rulesOf(sixth)).not.toContain('BR-STR-09');
    expect(sixth).toMatchObject({ dampening: -20, riskScore: 5, outcome: 'APPROVED' });
  });

  it('euros without a rate are PARTIAL and never a zero; with a rate they are judged', async () => {
    const euros = (): { transactionId: string } =>
      aCustomer()({ amount: 300, currency: 'EUR', occurredAt: at('12:00:00') });
    const [without] = await judged([euros()]);
    expect(without).toMatchObject({
      outcome: 'REVIEW',
      composition: 'PARTIAL',
      defensible: false,
      components: { FX: { state: 'MISSING_INPUT', reason: 'FX_RATE_MISSING' } },
    });
    const admin = t.api.asOperator(await t.operator({ organisationId: client.organisationId }));
    const asked = await admin
      .post('/operator/fx/rates')
      .send({
        source: 'test',
        rates: [{ date: '2026-11-18', currency: 'EUR', rate: '6.2' }],
        reason: 'The closing quotation of the day.',
      })
      .expect(202);
    const [unchanged] = await judged([euros()]);
    expect(unchanged).toMatchObject({ components: { FX: { reason: 'FX_RATE_MISSING' } } });
    await approve(t.api.asOperator(await t.operator({ organisationId: client.organisationId })), asked);
    const [converted] = await judged([euros()]);
    expect(converted).toMatchObject({ composition: 'COMPLETE', defensible: true });
  });

  it('a feature that throws: the component is ERROR, the composition PARTIAL, not defensible, a person decides', async () => {
    Reader.broken = true;
    try {
      const [broken] = await judged([aCustomer()({ amount: 150, occurredAt: at('12:00:00') })]);
      expect(broken).toMatchObject({
        outcome: 'REVIEW',
        composition: 'PARTIAL',
        defensible: false,
        components: { VELOCITY: { state: 'ERROR', reason: 'PROVIDER_FAILED' } },
      });
      expect(broken!.nonDefensibleReasons).toContain('VELOCITY_ERROR');
    } finally {
      Reader.broken = false;
    }
  });
});

interface DryRun {
  readonly ruleset: string;
  readonly rulesetHash: string;
  readonly outcome: string;
  readonly riskScore: number;
  readonly composition: string;
  readonly components: Record<string, { state: string }>;
  readonly rules: {
    ruleId: string;
    applies: string;
    result: string;
    points: number;
    explanation: object[];
  }[];
  readonly facts: Record<string, { state: string; value?: unknown; reason?: string }>;
}

describe('A dry-run', () => {
  const TABLES = [
    'kyt_transactions',
    'kyt_evaluations',
    'customers',
    'screening_hits',
    'events',
    'audit_entries',
  ];
  const rowCounts = async (): Promise<unknown> => {
    const counts = TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
    return (await t.owner.query(`SELECT ${counts.join(', ')}`)).rows[0];
  };
  const tried = async (body: object): Promise<DryRun> =>
    dataOf<DryRun>(await officer.post('/operator/rules/dry-run').send(body).expect(200));

  it('judges an event against the real history and explains every rule', async () => {
    const own = aCustomer();
    const past = Array.from({ length: 5 }, (_, i) => own({ amount: 9_900, occurredAt: at(`12:0${i}:00`) }));
    await judged(past);
    const before = await rowCounts();
    const transaction = own({ amount: 9_900, occurredAt: at('12:10:00') });
    const result = await tried({ transaction });
    expect(result).toMatchObject({ ruleset: 'br-starter@2', outcome: 'REVIEW', composition: 'COMPLETE' });
    expect(result.rules).toHaveLength(brStarter.rules.filter(({ mode }) => mode !== 'DISABLED').length);
    const verdicts = new Map(result.rules.map((rule) => [rule.ruleId, rule]));
    expect(verdicts.get('BR-STR-09')).toMatchObject({ applies: 'TRUE', result: 'HIT', points: 45 });
    // A near miss is explained as well.
    expect(verdicts.get('BR-VEL-10')).toMatchObject({
      result: 'NO_HIT',
      explanation: expect.arrayContaining([
        expect.objectContaining({
          ...{ expr: 'outgoing.count1h >= param.c1h', result: 'FALSE' },
          values: expect.objectContaining({ 'outgoing.count1h': 6 }),
        }),
      ]),
    });
    expect(verdicts.get('BR-CASH-06')).toMatchObject({ applies: 'TRUE', result: 'NO_HIT' });
    expect(result.facts['outgoing.sum24h']).toEqual({ state: 'KNOWN', value: 59_400 });
    expect(result.facts['evidence.score']).toEqual({ state: 'SKIPPED', reason: 'DRY_RUN' });
    expect(JSON.stringify(result)).not.toMatch(/11144477735|Maria|João|0001\/1/);
    expect(JSON.stringify(result)).not.toContain(theCustomer().cpfCnpj);
    expect(await rowCounts()).toEqual(before);
    await api.transaction(transaction.transactionId).expect(404);
  });

  it('screens people whom nobody knows, and keeps neither them nor the hit', async () => {
    const before = await rowCounts();
    const result = await tried({
      transaction: aTransaction({
        cpfCnpj: undefined,
        origin: { name: `${LISTED} SANCTIONS`, country: 'BR' },
        destination: payee(1),
      }),
    });
    expect(result.facts['sanctions.nameScore']).toMatchObject({ state: 'KNOWN', value: 1 });
    expect(result.components['LISTS']).toMatchObject({ state: 'HIT' });
    expect(await rowCounts()).toEqual(before);
  });

  it('puts the drafts of rules in, takes facts as given, and tries a version that is not live', async () => {
    await officer
      .post('/operator/rules')
      .send(aRule('TRY-1', { when: 'outgoing.count24h > 12' }))
      .expect(200);
    const transaction = aCustomer()({ amount: 10, occurredAt: at('12:00:00') });
    const assumed = await tried({ transaction, draftRules: ['TRY-1'], assume: { 'outgoing.count24h': 13 } });
    expect(assumed.rules.find(({ ruleId }) => ruleId === 'TRY-1')).toMatchObject({
      result: 'HIT',
      points: 20,
      explanation: [{ expr: 'outgoing.count24h > 12', result: 'TRUE', values: { 'outgoing.count24h': 13 } }],
    });
    const plain = await tried({ transaction, draftRules: ['TRY-1'] });
    expect(plain.rules.find(({ ruleId }) => ruleId === 'TRY-1')).toMatchObject({ result: 'NO_HIT' });
    const drafted = await officer
      .post('/operator/rulesets')
      .send({ key: 'br-starter', removeRules: ['BR-CARD-24'] })
      .expect(201);
    const draft = dataOf<{ version: number; contentHash: string }>(drafted);
    const tries = await tried({ transaction, ruleset: { key: 'br-starter', version: draft.version } });
    expect(tries).toMatchObject({ ruleset: 'br-starter@3', rulesetHash: draft.contentHash });
    expect(tries.rules.map(({ ruleId }) => ruleId)).not.toContain('BR-CARD-24');
  });

  it('says what is wrong with the question', async () => {
    const transaction = aTransaction();
    const refused = async (body: object): Promise<string[]> =>
      detailsOf(
        expectError(await officer.post('/operator/rules/dry-run').send(body), 400, 'VALIDATION_FAILED'),
      );
    expect(await refused({ transaction: { ...transaction, amount: -1 } })).toEqual([
      expect.stringMatching(/^transaction\.amount /),
    ]);
    expect(await refused({ transaction, assume: { '52998224725': 1 } })).toEqual(['assume.* UNKNOWN_FIELD']);
    expect((await refused({ transaction, assume: { 'outgoing.sum': 1, channel: 5 } })).sort()).toEqual([
      'assume.channel WRONG_TYPE',
      'assume.outgoing.sum UNKNOWN_FIELD',
    ]);
    expect(await refused({ transaction, draftRules: ['NO-SUCH'] })).toEqual(['draftRules[0] UNKNOWN_RULE']);
    const absent = await officer
      .post('/operator/rules/dry-run')
      .send({ transaction, ruleset: { key: 'br-starter', version: 99 } });
    expectError(absent, 404, 'RULESET_NOT_FOUND');
  });
});

describe('A re-evaluation', () => {
  it('asked for twelve times at once adds twelve versions', async () => {
    const body = aCustomer()({ amount: 150, occurredAt: at('12:00:00') });
    await judged([body]);
    const list = await officer.get(`/operator/transactions?transactionId=${body.transactionId}`).expect(200);
    const { id } = dataOf<{ id: string }[]>(list)[0]!;
    const once = async (): Promise<number> => {
      const answer = await officer.post(`/operator/transactions/${id}/re-evaluate`).send({}).expect(201);
      return dataOf<{ evaluationVersion: number }>(answer).evaluationVersion;
    };
    const versions = await Promise.all(Array.from({ length: 12 }, once));
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 2));
  });

  it('adds a version with the rules of now, under the name of the operator; the first one stays', async () => {
    const body = aCustomer()({ amount: 150, occurredAt: at('12:00:00') });
    const [first] = await judged([body]);
    const list = await officer.get(`/operator/transactions?transactionId=${body.transactionId}`).expect(200);
    const { id } = dataOf<{ id: string }[]>(list)[0]!;
    const answer = await officer.post(`/operator/transactions/${id}/re-evaluate`).send({}).expect(201);
    const again = dataOf<{ evaluationVersion: number; receiptHash: string }>(answer);
    expect(again).toMatchObject({ id, evaluationVersion: 2, outcome: 'APPROVED', riskScore: 0 });
    expect(again.receiptHash).not.toBe(first!.receiptHash);
    const one = await officer.get(`/operator/transactions/${id}/receipt?version=1`).expect(200);
    expect(dataOf<object>(one)).toMatchObject({ receiptHash: first!.receiptHash });
    const timeline = dataOf<{ trail: string; entries: { action: string; actor: string }[] }>(
      await officer.get(`/operator/transactions/${id}/timeline`).expect(200),
    );
    expect(timeline.trail).toBe('COMPLETE');
    expect(timeline.entries.map(({ action, actor }) => `${action} ${actor.slice(0, 4)}`)).toEqual([
      expect.stringMatching(/^transaction\.received/),
      'transaction.evaluated syst',
      'transaction.evaluated opr_',
    ]);
    expect(await api.settled(body.transactionId)).toMatchObject({
      evaluationVersion: 2,
      receiptHash: again.receiptHash,
    });
  });
});

describe('The order of delivery', () => {
  // 10,000 are in test/heavy/delivery-order.spec.ts.
  later(
    '300 events, shuffled and partly sent twice, give the same facts and scores as in order',
    async () => {
      await expectOrderNotToMatter(t, 300);
      expect.hasAssertions();
    },
  );
});
