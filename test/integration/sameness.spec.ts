import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';

interface Judged extends Omit<TransactionAnswer, 'reasons'> {
  readonly reasons: { ruleId: string }[];
}

let t: TestApp;
let client: TestClient;
let api: TestApi;
let officer: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await withLists(t, organisationId);
  api = t.api.as(client);
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

let people = 0;
interface Person {
  readonly name: string;
  readonly cpfCnpj: string;
  of(fields: Record<string, unknown>): Record<string, unknown> & { transactionId: string };
}
/** Somebody with a known device, so that nothing but what the test is about stands out. */
function aPerson(): Person {
  people += 1;
  const name = `same-${people}`;
  const cpfCnpj = cpfOf(name);
  const own = {
    externalCustomerId: name,
    cpfCnpj,
    origin: { name: 'Maria Exemplo', cpfCnpj, accountReference: `0001/${people}`, country: 'BR' },
    metadata: {
      ...{ deviceId: `device-${name}`, ipAddress: `203.0.113.${people}` },
      ...{ deviceRegistered: true, dict: DICT },
    },
  };
  return { name, cpfCnpj, of: (fields) => aTransaction({ ...own, ...fields }) };
}

const payee = (i: number): object => ({
  ...{ name: 'João Exemplo', cpfCnpj: cpfOf(`payee-${i}`), accountReference: `0009-${i}`, country: 'BR' },
});
const at = (time: string, day = '2026-11-19'): string => `${day}T${time}-03:00`;

async function judged(bodies: readonly { transactionId: string }[]): Promise<Judged[]> {
  await api.ingestBatch(bodies).expect(207);
  return Promise.all(bodies.map(({ transactionId }) => api.settled(transactionId) as Promise<Judged>));
}
const rulesOf = ({ reasons }: Judged): string[] => reasons.map(({ ruleId }) => ruleId);
const isReviewed = ({ outcome }: Judged): boolean => outcome === 'REVIEW';
const listed = async (path: string): Promise<Record<string, unknown>[]> =>
  ((await officer.get(path).expect(200)).body as { data: Record<string, unknown>[] }).data;
const customerOf = async ({ cpfCnpj }: Person): Promise<string> => {
  const [one, ...more] = await listed(`/operator/customers?document=${cpfCnpj}`);
  expect(more).toEqual([]);
  return String(one?.['id']);
};

describe('Six ids of one CPF', () => {
  it('are one customer: six PIX of 9,900 in an hour are split, and the case is that of the person', async () => {
    const person = aPerson();
    const all = await judged(
      Array.from({ length: 6 }, (_, i) =>
        person.of({
          externalCustomerId: `${person.name}-${i}`,
          amount: 9_900,
          occurredAt: at(`12:0${i}:00`),
          destination: payee(i),
        }),
      ),
    );
    expect(all.slice(0, 5).filter(isReviewed)).toEqual([]);
    expect(rulesOf(all[5]!)).toContain('BR-STR-09');
    expect(all[5]).toMatchObject({ outcome: 'REVIEW', composition: 'COMPLETE', defensible: true });
    const cases = await listed(`/operator/reviews?customerId=${await customerOf(person)}`);
    expect(cases).toHaveLength(1);
    const transactions = await listed(`/operator/transactions?customerId=${await customerOf(person)}`);
    expect(transactions).toHaveLength(6);
    expect(await listed(`/operator/transactions?externalCustomerId=${person.name}-3`)).toHaveLength(1);
  });

  it('and none of another CPF', async () => {
    const all = await judged(
      Array.from({ length: 6 }, (_, i) =>
        aPerson().of({ amount: 9_900, occurredAt: at(`12:0${i}:00`), destination: payee(i) }),
      ),
    );
    expect(all.filter(isReviewed)).toEqual([]);
  });

  it('property: whichever of the six name the document and whichever the id alone, the last one is split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), async (named) => {
        const person = aPerson();
        // Somebody of whom the institution has said once who they are.
        await judged([person.of({ amount: 1, occurredAt: at('10:00:00', '2026-11-01') })]);
        const all = await judged(
          named.map((full, i) =>
            person.of({
              ...(full ? {} : { cpfCnpj: null }),
              amount: 9_900,
              occurredAt: at(`12:0${i}:00`),
              destination: payee(i),
            }),
          ),
        );
        expect(rulesOf(all[4]!)).not.toContain('BR-STR-09');
        expect(rulesOf(all[5]!)).toContain('BR-STR-09');
      }),
      { numRuns: 12 },
    );
  });
});

describe('One device and one address', () => {
  const counts = async (metadata: readonly object[]): Promise<unknown> => {
    const sent = await judged(
      metadata.map((own) => aPerson().of({ metadata: { deviceRegistered: true, dict: DICT, ...own } })),
    );
    const last = sent.at(-1)!;
    const { rows } = await t.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM kyt_transactions a JOIN kyt_transactions b USING (organisation_id)
       WHERE a.organisation_id = $1 AND a.transaction_id = $2
         AND (a.device_key IS NOT DISTINCT FROM b.device_key AND a.device_key IS NOT NULL
           OR a.ip_key IS NOT DISTINCT FROM b.ip_key AND a.ip_key IS NOT NULL)`,
      [client.organisationId, last.transactionId],
    );
    return rows[0]?.n;
  };
  it('are one under all their spellings, and a placeholder is nobody’s', async () => {
    const uuid = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
    expect(
      await counts([{ deviceId: uuid }, { deviceId: uuid.toUpperCase() }, { deviceId: `{${uuid}}` }]),
    ).toBe(3);
    expect(
      await counts([
        { ipAddress: '2001:db8::77' },
        { ipAddress: '2001:0DB8:0:0:0:0:0:77' },
        { ipAddress: '[2001:db8::77]:443' },
      ]),
    ).toBe(3);
    const nobody = { deviceId: '00000000-0000-0000-0000-000000000000', ipAddress: 'unknown' };
    expect(await counts([nobody, nobody])).toBe(0);
  });
});

describe('Amounts just below a limit', () => {
  it('twenty of 9,900 in five days, four a day, to as many payees: not twenty times APPROVED, and with a case', async () => {
    const person = aPerson();
    const all = await judged(
      Array.from({ length: 20 }, (_, i) =>
        person.of({
          amount: 9_900,
          occurredAt: at(
            `${10 + (i % 4)}:00:00`,
            `2026-11-${String(9 + Math.floor(i / 4)).padStart(2, '0')}`,
          ),
          destination: payee(i),
        }),
      ),
    );
    expect(all.map(isReviewed)).toEqual(Array.from({ length: 20 }, (_, i) => i >= 5));
    expect(rulesOf(all[5]!)).toEqual(expect.arrayContaining(['BR-STR-08', 'BR-STR-28']));
    expect(await listed(`/operator/reviews?customerId=${await customerOf(person)}`)).toEqual([
      expect.objectContaining({ theme: 'STRUCTURING', transactionCount: 15 }),
    ]);
  });
});

describe('Cash', () => {
  it('a withdrawal by card of 60,000 is flagged, and its communication is drafted', async () => {
    const person = aPerson();
    const [one] = await judged([
      person.of({ type: 'CARD_WITHDRAWAL', amount: 60_000, destination: {}, occurredAt: at('12:00:00') }),
    ]);
    expect(rulesOf(one!)).toContain('BR-CASH-06');
    const customer = await customerOf(person);
    await eventually(
      'the cash is reported',
      async () => (await listed(`/operator/coaf/communications?customerId=${customer}`)).length === 1,
    );
  });

  it('by card, by PIX and at the counter is split cash together', async () => {
    const person = aPerson();
    const all = await judged(
      ['CARD_WITHDRAWAL', 'PIX_WITHDRAWAL', 'CASH_WITHDRAWAL'].map((type, i) =>
        person.of({ type, amount: 20_000, destination: payee(1), occurredAt: at(`12:0${i}:00`) }),
      ),
    );
    expect(rulesOf(all[1]!)).not.toContain('BR-CASH-07');
    expect(rulesOf(all[2]!)).toContain('BR-CASH-07');
  });

  it('of an unknown type of 80,000 nobody can tell: it is not approved', async () => {
    const [one] = await judged([
      aPerson().of({ type: 'DEPOSITO_ESPECIE', amount: 80_000, occurredAt: at('12:00:00') }),
    ]);
    expect(one).toMatchObject({ outcome: 'REVIEW', defensible: false });
  });
});

describe('What is known of the customer', () => {
  it.each([
    ['declared exposure', 'patch', 'profile', { pep: true, monthlyIncome: 50_000 }, 'BR-CUS-26'],
    ['a high risk', 'put', 'risk-level', { riskLevel: 'HIGH' }, 'BR-CUS-27'],
  ] as const)('with %s a large transaction goes to a person', async (_, method, path, body, rule) => {
    const person = aPerson();
    const first = person.of({ amount: 900, occurredAt: at('12:00:00') });
    expect(await judged([first])).toMatchObject([{ outcome: 'APPROVED' }]);
    const customer = await customerOf(person);
    await officer.call(method, `/operator/customers/${customer}/${path}`).send(body).expect(200);
    const [small] = await judged([person.of({ amount: 900, occurredAt: at('12:10:00') })]);
    expect(small).toMatchObject({ outcome: 'APPROVED', defensible: true });
    const [large] = await judged([person.of({ amount: 10_000, occurredAt: at('12:20:00') })]);
    expect(large).toMatchObject({ outcome: 'REVIEW' });
    expect(rulesOf(large!)).toContain(rule);
  });
});
