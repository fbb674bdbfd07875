import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { receiptText } from '../../src/features/kyt/domain/stored/stored-packing.js';
import { brStarter, RulesetsService, type RuleDefinition } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import type { TestApi, TestClient } from '../support/api.js';
import { approve } from '../support/approvals.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, cpfOf, DICT } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WHY = 'The contracts and the invoices of the month explain it.';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});

afterAll(async () => {
  await t.close();
});

interface House {
  readonly client: TestClient;
  readonly api: TestApi;
  readonly officers: readonly [TestApi, TestApi];
}

async function house(publish: (organisationId: string) => Promise<unknown>): Promise<House> {
  const client = await t.client({ rules: false });
  const { organisationId } = client;
  await publish(organisationId);
  const officer = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  return { client, api: t.api.as(client), officers: [await officer(), await officer()] };
}

const dataOf = ({ body }: { readonly body: unknown }): unknown => (body as { data: unknown }).data;

/** A number between 0 and 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Label = 'SALARIED' | 'SELLER' | 'COMPANY' | 'MULE';

/** Five weeks of one customer; only a mule empties the account as soon as it is filled. */
function stream(label: Label, name: string, random: () => number): Record<string, unknown>[] {
  const own = {
    name: `Cliente ${name}`,
    cpfCnpj: cpfOf(name),
    accountReference: `acc-${name}`,
    country: 'BR',
  };
  const someone = (of: number): object => {
    const who = `${name}-${Math.floor(random() * of)}`;
    return { name: `Conhecido ${who}`, cpfCnpj: cpfOf(who), accountReference: `acc-${who}`, country: 'BR' };
  };
  const end = Date.now();
  const one = (day: number, hour: number, direction: 'IN' | 'OUT', amount: number, of: number): object =>
    aTransaction({
      ...{ externalCustomerId: name, cpfCnpj: own.cpfCnpj, type: 'PIX_TRANSFER' },
      amount: Math.round(amount * 100) / 100,
      occurredAt: new Date(end - (35 - day) * DAY + (hour - 24) * HOUR).toISOString(),
      origin: direction === 'IN' ? someone(of) : own,
      destination: direction === 'IN' ? own : someone(of),
      metadata: {
        ...{ deviceId: `device-${name}`, deviceRegistered: true, dict: DICT, direction },
        ipAddress: `203.0.113.${cpfOf(name).slice(0, 2)}`,
      },
    });
  return Array.from({ length: 35 }, (_, day): object[] => {
    if (label === 'SALARIED') return [one(day, 10, 'OUT', 20 + random() * 300, 5)];
    if (label === 'SELLER') {
      return Array.from({ length: 4 }, (_u, i) => one(day, 9 + i, 'IN', 30 + random() * 900, 60));
    }
    if (label === 'COMPANY') return [one(day, 11, 'OUT', 2_000 + random() * 18_000, 8)];
    if (day !== 30) return [];
    return [
      ...Array.from({ length: 12 }, (_u, i) => one(day, 9 + i / 10, 'IN', 4_500, 1_000)),
      one(day, 11, 'OUT', 53_500, 1_000),
    ];
  }).flat() as Record<string, unknown>[];
}

it('a labelled stream of five weeks: one case for each innocent customer and theme, and each alert in exactly one case', async () => {
  const { api, client, officers } = await house(async (organisationId) => {
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    await withLists(t, organisationId);
  });
  const { organisationId } = client;
  const labels: Label[] = [
    ...Array<Label>(6).fill('SALARIED'),
    ...Array<Label>(4).fill('SELLER'),
    ...Array<Label>(3).fill('COMPANY'),
    ...Array<Label>(3).fill('MULE'),
  ];
  const random = randomFrom(26);
  const people = labels.map((label, i) => ({ label, name: `${label.toLowerCase()}-${i}` }));
  await officers[0]
    .call('put', '/operator/customers/profiles')
    .send(
      people.map(({ label, name }) => ({
        ...{ externalCustomerId: name, document: cpfOf(name), pep: false, riskLevel: 'LOW' },
        monthlyIncome: label === 'MULE' ? 2_000 : 9_000,
      })),
    )
    .expect(200);
  const all = people
    .flatMap(({ label, name }) => stream(label, name, random))
    .sort((a, b) => String(a['occurredAt']).localeCompare(String(b['occurredAt'])));
  for (let at = 0; at < all.length; at += 200) await api.ingestBatch(all.slice(at, at + 200)).expect(207);
  await eventually(
    'everything is evaluated',
    async () => {
      const { rows } = await t.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM kyt_evaluations e JOIN kyt_transactions k ON k.id = e.transaction_ref
         WHERE k.organisation_id = $1 AND e.evaluation_version = 1`,
        [organisationId],
      );
      return rows[0]?.n === all.length;
    },
    120_000,
  );

  const { rows: alerts } = await t.owner.query<{ alert: boolean; cases: number; n: number }>(
    `SELECT e.outcome = 'REVIEW' AS alert, count(DISTINCT l.review_id)::int AS cases, 1 AS n
     FROM kyt_transactions k
     JOIN kyt_evaluations e ON e.transaction_ref = k.id AND e.evaluation_version = 1
     LEFT JOIN review_transactions l ON l.transaction_ref = k.id
     WHERE k.organisation_id = $1 GROUP BY k.id, e.outcome`,
    [organisationId],
  );
  expect(alerts).toHaveLength(all.length);
  const raised = alerts.filter(({ alert }) => alert);
  expect(raised.filter(({ cases }) => cases !== 1)).toEqual([]);
  expect(raised.length).toBeGreaterThan(30);

  const { rows: cases } = await t.owner.query<{ person: Buffer; theme: string; n: number; linked: number }>(
    `SELECT c.external_index AS person, r.theme, count(*)::int AS n, sum(r.linked)::int AS linked
     FROM reviews r JOIN customers c ON c.id = r.customer_id
     WHERE r.organisation_id = $1 GROUP BY 1, 2`,
    [organisationId],
  );
  expect(cases.filter(({ n }) => n > 1)).toEqual([]);
  expect(Math.max(...cases.map(({ linked }) => linked))).toBeGreaterThan(5);
  const listed = dataOf(await officers[0].get('/operator/reviews?limit=100').expect(200)) as {
    customerName: string | null;
  }[];
  for (const { label, name } of people) {
    if (label === 'MULE') expect(listed.map((one) => one.customerName)).toContain(`Cliente ${name}`);
  }
}, 240_000);

const USUAL = brFirst.rules[0]!;
const rule = (key: string, fields: Partial<RuleDefinition>): RuleDefinition => ({
  ...USUAL,
  ...{ key, category: 'STRUCTURING', parameters: {}, evidence: [] },
  message: { 'pt-BR': key, en: key },
  ...fields,
});
const REVIEWED = { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'LOOKED_AT' } as const;

const RULES = {
  ...brFirst,
  rules: [
    rule('SMALL', {
      when: 'amountBrl >= 900.0',
      score: { points: 20, group: 'SMALL', groupMax: null },
      effect: REVIEWED,
    }),
    rule('SLOW', {
      when: 'customer.alertPoints7d >= 60.0',
      score: { points: 40, group: 'SLOW', groupMax: null },
      effect: { minOutcome: null, recommend: 'HOLD', reasonCode: 'SLOW_STRUCTURING' },
      onIndeterminate: 'RECORD',
      evidence: [{ feature: 'customer.alertPoints7d', required: false }],
    }),
    rule('FRAUD', {
      when: 'customer.confirmedFraud && customer.openCases < 1.0',
      category: 'DEVICE_FRAUD',
      score: { points: 60, group: 'FRAUD', groupMax: null },
      effect: REVIEWED,
      onIndeterminate: 'RECORD',
      evidence: [
        { feature: 'customer.confirmedFraud', required: false },
        { feature: 'customer.openCases', required: false },
      ],
    }),
    rule('MONTH', {
      when: 'customer.alertPoints30d >= 60.0 && customer.alertPoints7d < 60.0',
      score: { points: 5, group: 'MONTH', groupMax: null },
      onIndeterminate: 'RECORD',
      evidence: [
        { feature: 'customer.alertPoints30d', required: false },
        { feature: 'customer.alertPoints7d', required: false },
      ],
    }),
    rule('STOLEN', {
      when: "channel == 'ATM'",
      category: 'DEVICE_FRAUD',
      score: { points: 60, group: 'STOLEN', groupMax: null },
      effect: REVIEWED,
    }),
  ],
};

interface Judged {
  readonly transactionId: string;
  readonly outcome: string;
  readonly reasons: readonly { readonly ruleId: string }[];
  readonly reviewId: string | null;
}

it('alert points, open cases and confirmed fraud are facts for rules; what two people found to be nothing does not come again', async () => {
  const { api, client, officers } = await house((organisationId) =>
    t.app.get(RulesetsService).publish(organisationId, RULES, 'test'),
  );
  const [analyst, colleague] = officers;
  const judged = async (fields: Record<string, unknown>): Promise<Judged> => {
    const body = aTransaction(fields);
    await api.ingest(body).expect(202);
    await api.settled(body.transactionId);
    return dataOf(await api.transaction(body.transactionId).expect(200)) as Judged;
  };
  const of = (externalCustomerId: string, amount: number, fields = {}): Promise<Judged> =>
    judged({ externalCustomerId, amount, ...fields });
  const rulesOf = ({ reasons }: Judged): string[] => reasons.map(({ ruleId }) => ruleId).sort();
  const close = async (reviewId: string, resolution: string): Promise<void> => {
    const decision = { resolution, report: 'ARCHIVE', justification: WHY };
    await approve(colleague, await analyst.post(`/operator/reviews/${reviewId}/decision`).send(decision));
  };

  const receiptOf = async (transactionId: string): Promise<unknown> => {
    const { rows } = await t.owner.query<{ receipt: Buffer }>(
      `SELECT e.receipt FROM kyt_evaluations e JOIN kyt_transactions k ON k.id = e.transaction_ref
       WHERE k.organisation_id = $1 AND k.transaction_id = $2 ORDER BY e.evaluation_version DESC`,
      [client.organisationId, transactionId],
    );
    return JSON.parse(receiptText(rows[0]!.receipt));
  };

  // Three alerts of 20 points are one case; the fourth payment is held for what they add up to.
  const slow = [await of('slow', 950), await of('slow', 950), await of('slow', 950)];
  expect(slow.map(rulesOf)).toEqual([['SMALL'], ['SMALL'], ['SMALL']]);
  expect(new Set(slow.map(({ reviewId }) => reviewId)).size).toBe(1);
  const fourth = await of('slow', 10);
  expect(rulesOf(fourth)).toEqual(['SLOW']);
  expect(fourth.reviewId).toBe(slow[0]!.reviewId);

  // A payment of more than a week before sees nothing of that week.
  expect(rulesOf(await of('slow', 11, { occurredAt: new Date(Date.now() - 8 * DAY).toISOString() }))).toEqual(
    [],
  );

  // Without anybody there is nothing to add up: unknown, and never a zero.
  const body = aTransaction({ amount: 5 });
  const nobody = { ...body, externalCustomerId: undefined, cpfCnpj: undefined, origin: { country: 'BR' } };
  await api.ingest(nobody).expect(202);
  await api.settled(body.transactionId);
  expect(JSON.stringify(await receiptOf(body.transactionId))).toContain(
    '"customer.alertPoints7d":{"reason":"NO_CUSTOMER","state":"MISSING"}',
  );

  // A rejected case of fraud is remembered.
  const stolen = await of('victim', 30, { channel: 'ATM' });
  expect(rulesOf(stolen)).toEqual(['STOLEN']);
  await close(stolen.reviewId!, 'REJECTED');
  expect(rulesOf(await of('victim', 31))).toEqual(['FRAUD', 'SLOW']);
  // The case of that payment is open.
  expect(rulesOf(await of('victim', 32))).toEqual(['SLOW']);

  // Alerts of the last month add up for thirty days, and no longer.
  for (const [who, days] of [
    ['lately', 10],
    ['long-ago', 31],
  ] as const) {
    const occurredAt = new Date(Date.now() - days * DAY).toISOString();
    for (let i = 0; i < 3; i += 1) {
      expect(rulesOf(await of(who, 950, { occurredAt }))).toEqual(['SMALL']);
    }
    expect([who, rulesOf(await of(who, 12))]).toEqual([who, days < 30 ? ['MONTH'] : []]);
  }

  // After a false positive the same does not count again, and adds nothing up; a larger amount is news.
  await close(slow[0]!.reviewId!, 'FALSE_POSITIVE');
  const again = await of('slow', 950);
  expect([rulesOf(again), again.outcome, again.reviewId]).toEqual([[], 'APPROVED', null]);
  expect(await receiptOf(again.transactionId)).toMatchObject({ silenced: { SMALL: 'COOLDOWN' } });
  const larger = await of('slow', 951);
  expect(rulesOf(larger)).toEqual(['SMALL']);
  expect(await receiptOf(larger.transactionId)).not.toHaveProperty('silenced');
  expect(larger.reviewId).not.toBe(slow[0]!.reviewId);
  // Nobody has looked at it of somebody else.
  expect(rulesOf(await of('other', 950))).toEqual(['SMALL']);
});
