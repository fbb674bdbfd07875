import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { cpfOf, DICT } from '../../../test/support/builders.js';
import { mandatoryRules } from '../../../test/support/rulesets.js';
import { validationPipe } from '../../../src/platform/http/index.js';
import { Simulation } from '../../../src/features/kyt/replay/simulation.js';
import { RuleBody } from '../../../src/features/rules/api/rule.dto.js';
import { ruleOf } from '../../../src/features/rules/api/rule.mapping.js';
import { compileRuleset } from '../../../src/features/rules/domain/compiled-ruleset.js';
import { rulesetCostOf } from '../../../src/features/rules/domain/ruleset-cost.js';
import {
  compileRule,
  FactSheet,
  featureSchema,
  type CompiledRule,
  type FactValue,
  type FeatureName,
  type RuleDefinition,
  type RulesetDefinition,
  type RuleOutcome,
} from '../../../src/features/rules/language/index.js';
import { shippedListIds } from '../../../src/features/rules/data/country-lists.js';
import { inspectForPublication } from '../../../src/features/rules/rulesets/inspection.js';
import { brStarter } from '../../../src/features/rules/data/br-starter/index.js';
import { shippedLists } from '../../../src/features/rules/data/country-lists.js';
import { typologies } from './index.js';

const SECOND = 1;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Noon of a Wednesday in São Paulo, in a week without holidays. */
const NOON = Date.parse('2025-03-12T12:00:00-03:00');

interface Event {
  readonly amount: number;
  /** Seconds before noon; negative after it. */
  readonly ago: number;
  readonly flow: 'IN' | 'OUT';
  readonly type?: string;
  readonly who?: string;
  readonly peer?: string;
  /** The country of the other side. */
  readonly country?: string;
  readonly wallet?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
type More = Omit<Event, 'amount' | 'ago' | 'flow'>;
type Facts = Readonly<Record<string, FactValue>>;
/** Events, the last of which is asked about, or facts that no file of events knows. */
type Stream = readonly Event[] | Facts;

const sent = (amount: number, ago = 0, more: More = {}): Event => ({ amount, ago, flow: 'OUT', ...more });
const got = (amount: number, ago = 0, more: More = {}): Event => ({ amount, ago, flow: 'IN', ...more });
const times = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

const isStream = (stream: Stream): stream is readonly Event[] => Array.isArray(stream);

function lineOf(event: Event, i: number): string {
  const { amount, ago, flow, who = 'ana', peer = 'bia', type = 'PIX_TRANSFER', country = 'BR' } = event;
  const own = { cpfCnpj: cpfOf(who), accountReference: `account-${who}`, country: 'BR' };
  const other = event.wallet
    ? { walletReference: event.wallet, country }
    : { cpfCnpj: cpfOf(peer), accountReference: `account-${peer}`, country };
  return JSON.stringify({
    transactionId: `t-${i}`,
    externalCustomerId: who,
    cpfCnpj: cpfOf(who),
    type,
    channel: 'MOBILE_APP',
    amount,
    currency: 'BRL',
    occurredAt: new Date(NOON - ago * 1000).toISOString(),
    origin: flow === 'OUT' ? own : other,
    destination: flow === 'OUT' ? other : own,
    metadata: {
      ...{ direction: flow, deviceId: `phone-${who}`, ipAddress: '203.0.113.1', dict: DICT },
      ...event.metadata,
    },
  });
}

const definitionOf = (key: string): RuleDefinition => {
  const found = typologies.find((rule) => rule.key === key);
  if (!found) throw new Error(`there is no ${key}`);
  return found;
};

const rulesetOf = (rules: readonly RuleDefinition[]): RulesetDefinition => ({
  ...brStarter,
  key: 'typologies',
  rules,
  dampeners: [],
});

/** How often the rule hits, and how often it cannot tell. */
async function simulated(key: string, events: readonly Event[]): Promise<readonly [number, number]> {
  const simulation = new Simulation(rulesetOf([definitionOf(key)]));
  for (const [i, event] of events.entries()) await simulation.add(lineOf(event, i));
  const { refusedLines, rules } = await simulation.report();
  expect(refusedLines).toEqual([]);
  const found = rules.find((rule) => rule.key === key);
  return [found?.hits ?? -1, found?.indeterminate ?? -1];
}

function compiledOf(key: string): CompiledRule {
  const result = compileRule(definitionOf(key), { schema: featureSchema });
  if (!result.ok) throw new Error(`${key}: ${JSON.stringify(result.diagnostics)}`);
  return result.rule;
}

/** Facts that tell whether a rule looks at the transaction, of the rule itself. */
const regarded = ({ definition: { appliesTo } }: CompiledRule): Facts => ({
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  currency: 'BRL',
  direction: appliesTo.directions[0] ?? 'OUT',
});

function sheetOf(rule: CompiledRule, facts: Facts): FactSheet {
  const sheet = new FactSheet(rule.parts.schema, shippedLists());
  for (const [name, value] of Object.entries({ ...regarded(rule), ...facts })) {
    sheet.set(name as FeatureName, value);
  }
  return sheet;
}

/** The verdict about the last event; those before it must have passed, so that nothing but the last one tips it. */
async function verdictOf(key: string, stream: Stream): Promise<RuleOutcome> {
  if (!isStream(stream)) {
    const rule = compiledOf(key);
    return rule.evaluate(sheetOf(rule, stream)).verdict;
  }
  expect(await simulated(key, stream.slice(0, -1))).toEqual([0, 0]);
  const [hits, undecided] = await simulated(key, stream);
  return undecided > 0 ? 'INDETERMINATE' : hits > 0 ? 'HIT' : 'NO_HIT';
}

interface Cases {
  readonly positive: Stream;
  readonly negative: Stream;
  /** Just at the limit, and one cent, second or item off it. */
  readonly boundary: { readonly hits: Stream; readonly misses: Stream };
}

const cash = (amount: number, ago = 0, branch = 'centre'): Event =>
  got(amount, ago, { type: 'CASH_DEPOSIT', metadata: { branch } });
const card = (amount: number, ago = 0, cardId = 'card-1'): Event =>
  sent(amount, ago, { type: 'CARD_PURCHASE', metadata: { cardId } });
const refund = (amount: number, ago = 0): Event => got(amount, ago, { type: 'CARD_REFUND' });
const from = (device: string): More => ({ metadata: { deviceId: device } });
const at = (ipAddress: string): More => ({ metadata: { ipAddress } });
const abroad = (amount: number, country: string, ago = 0): Event =>
  sent(amount, ago, { type: 'FX_OUTBOUND', country, peer: country });
const coins = (wallet: string, ago = 0, ownerVerified = false): Event =>
  sent(900, ago, {
    type: 'CRYPTO_TRANSFER',
    wallet,
    metadata: { wallet: { custody: 'SELF_HOSTED', ownerVerified } },
  });

const splitOver = (firstAgo: number, peers = ['bia', 'bia', 'bia']): Event[] =>
  [firstAgo, HOUR, 0].map((ago, i) => sent(8000, ago, { peer: peers[i] ?? 'bia' }));
/** Five payers of one payee. */
const smurfs = (firstAgo: number, who = (i: number): string => `payer-${i}`): Event[] =>
  times(5, (i) => sent(5000, i === 0 ? firstAgo : 4 - i, { who: who(i) }));
const scattered = (last: number, peer = (i: number): string => `payee-${i}`): Event[] => [
  got(10_000, 2 * HOUR),
  ...times(4, (i) => sent(1600, HOUR - i, { peer: peer(i) })),
  sent(last, 0, { peer: peer(4) }),
];
const thereAndBack = (last: number, peer = 'bia'): Event[] => [
  sent(10_000, 4 * HOUR),
  got(9000, 3 * HOUR, { peer }),
  sent(10_000, 2 * HOUR),
  got(last, 0, { peer }),
];
const refunded = (bought: number, last: number): Event[] => [
  card(bought, 5 * DAY),
  refund(700, 4 * DAY),
  refund(700, 3 * DAY),
  refund(last),
];
const funnel = (out: number, branches = ['north', 'south', 'east']): Event[] => [
  ...branches.map((branch, i) => cash(8000, (3 - i) * DAY, branch)),
  sent(out),
];
const takenOver = (amount: number, device: string): Event[] => [
  sent(100, 10 * DAY, { peer: 'old' }),
  sent(amount, 0, { peer: 'new', ...from(device) }),
];
const dormant = (...before: number[]): Event[] => [
  ...before.map((ago) => sent(50, ago)),
  ...times(3, (i) => sent(4000, 2 * HOUR - i * HOUR)),
];
/** Ten transactions at noon of the days before, and one as long after noon. */
const nightOf = (after: number, ...others: Event[]): Event[] => [
  ...times(10, (i) => sent(200, (12 - i) * DAY)),
  ...others,
  sent(2000, -after),
];
/** A mean of 1,000 and a standard deviation of 100. */
const unlike = (last: number): Event[] => [
  ...times(10, (i) => sent(i % 2 === 0 ? 900 : 1100, (12 - i) * DAY)),
  sent(last),
];
const salary = (last: number): Event[] => [...times(10, (i) => got(2000, (100 - i) * DAY)), got(last)];
const throughCoins = (boughtAgo: number, received = 10_000): Event[] => [
  got(received, 5 * HOUR),
  sent(9000, boughtAgo, { type: 'CRYPTO_BUY' }),
  sent(8900, 0, { type: 'CRYPTO_TRANSFER', wallet: 'w-1' }),
];

const person = (sum: number, income = 5000): Facts => ({
  'customer.personType': 'NATURAL',
  'incoming.sum30d': sum,
  'profile.monthlyIncome': income,
});
const young = (age: number, payers: number): Facts => ({
  'profile.age': age,
  'incoming.payers7d': payers,
  'incoming.sum7d': 12_000,
});
const elderly = (age: number, sum: number): Facts => ({
  'profile.age': age,
  'counterparty.seenBefore': false,
  'outgoing.sum24h': sum,
  'outgoing.dailyMean30d': 2000,
});
const convicted = (amountBrl: number, customer: boolean, counterparty: boolean): Facts => ({
  amountBrl,
  'customer.confirmedFraud': customer,
  'counterparty.confirmedFraud': counterparty,
});

const cases: Readonly<Record<string, Cases>> = {
  'TYP-01': {
    positive: [cash(45_000, 2 * DAY), cash(48_000, DAY), cash(44_000)],
    // An amount that reaches the limit is reported for itself.
    negative: [cash(45_000, 2 * DAY), cash(50_000, DAY), cash(44_000)],
    boundary: {
      hits: [cash(45_000, 2 * DAY), cash(49_999.99, DAY), cash(40_000)],
      misses: [cash(45_000, 2 * DAY), cash(49_999.99, DAY), cash(39_999.99)],
    },
  },
  'TYP-02': {
    positive: times(8, (i) => cash(6500, (7 - i) * 3 * DAY)),
    // The same sum on two days.
    negative: times(8, (i) => cash(6500, (i < 4 ? 9 * DAY : 0) + (8 - i) * MINUTE)),
    boundary: {
      hits: [...times(5, (i) => cash(9000, (10 - i) * DAY)), cash(5000)],
      misses: [...times(5, (i) => cash(9000, (10 - i) * DAY)), cash(4999.99)],
    },
  },
  'TYP-03': {
    positive: splitOver(2 * HOUR),
    negative: splitOver(2 * HOUR, ['bia', 'caio', 'davi']),
    // The local day began twelve hours before.
    boundary: { hits: splitOver(12 * HOUR), misses: splitOver(12 * HOUR + SECOND) },
  },
  'TYP-04': {
    positive: times(5, (i) => sent(7000, (10 - i) * DAY)),
    negative: times(5, (i) => sent(7123.45, (10 - i) * DAY)),
    // Eight of ten are round, or seven.
    boundary: {
      hits: [
        ...times(2, (i) => sent(5500, (20 - i) * DAY)),
        ...times(7, (i) => sent(6000, (10 - i) * DAY)),
        sent(6000),
      ],
      misses: [
        ...times(2, (i) => sent(5500, (20 - i) * DAY)),
        ...times(7, (i) => sent(6000, (10 - i) * DAY)),
        sent(6000.01),
      ],
    },
  },
  'TYP-05': {
    positive: smurfs(2 * HOUR),
    negative: smurfs(2 * HOUR, () => 'ana'),
    boundary: { hits: smurfs(DAY - SECOND), misses: smurfs(DAY) },
  },
  'TYP-06': {
    positive: [got(10_000, 10 * MINUTE), sent(9500)],
    // Half an hour later it is no longer at once.
    negative: [got(10_000, 30 * MINUTE), sent(9500)],
    boundary: {
      hits: [got(10_000, 30 * MINUTE - SECOND), sent(9000)],
      misses: [got(10_000, 30 * MINUTE - SECOND), sent(8999.99)],
    },
  },
  'TYP-07': {
    positive: funnel(22_000),
    negative: funnel(22_000, ['north', 'north', 'north']),
    boundary: { hits: funnel(19_200), misses: funnel(19_199.99) },
  },
  'TYP-08': {
    positive: scattered(3000),
    negative: scattered(3000, () => 'bia'),
    boundary: { hits: scattered(1600), misses: scattered(1599.99) },
  },
  'TYP-09': {
    positive: thereAndBack(11_000),
    negative: thereAndBack(11_000, 'caio'),
    boundary: { hits: thereAndBack(9000), misses: thereAndBack(8999.99) },
  },
  'TYP-10': {
    positive: refunded(4000, 1500),
    negative: refunded(20_000, 1500),
    boundary: { hits: refunded(4000, 600), misses: refunded(4000, 599.99) },
  },
  'TYP-11': {
    positive: [sent(10_000, 5 * DAY, { type: 'BOLETO_PAYMENT' }), got(3000)],
    negative: [sent(10_000, 5 * DAY, { type: 'BOLETO_PAYMENT' }), got(3000, 0, { peer: 'caio' })],
    boundary: {
      hits: [sent(10_000, 5 * DAY, { type: 'BOLETO_PAYMENT' }), got(2000)],
      misses: [sent(10_000, 5 * DAY, { type: 'BOLETO_PAYMENT' }), got(1999.99)],
    },
  },
  'TYP-12': {
    positive: ['ana', 'caio', 'davi'].map((who, i) => sent(300, (2 - i) * HOUR, { who, ...from('tablet') })),
    negative: ['ana', 'caio', 'davi'].map((who, i) =>
      sent(300, (2 - i) * HOUR, { who, peer: `payee-${i}`, ...from('tablet') }),
    ),
    boundary: {
      hits: ['ana', 'caio', 'davi'].map((who, i) =>
        sent(300, [DAY - SECOND, HOUR, 0][i], { who, ...from('tablet') }),
      ),
      misses: ['ana', 'caio', 'davi'].map((who, i) =>
        sent(300, [DAY, HOUR, 0][i], { who, ...from('tablet') }),
      ),
    },
  },
  'TYP-13': {
    positive: takenOver(9000, 'new-phone'),
    negative: takenOver(9000, 'phone-ana'),
    boundary: { hits: takenOver(3000, 'new-phone'), misses: takenOver(2999.99, 'new-phone') },
  },
  'TYP-14': {
    positive: times(5, (i) => sent(100, (5 - i) * HOUR, at(`198.51.100.${i}`))),
    negative: times(5, (i) => sent(100, (5 - i) * HOUR)),
    boundary: {
      hits: times(5, (i) => sent(100, [DAY - SECOND, 3, 2, 1, 0][i], at(`198.51.100.${i}`))),
      misses: times(5, (i) => sent(100, [DAY, 3, 2, 1, 0][i], at(`198.51.100.${i}`))),
    },
  },
  'TYP-15': {
    positive: [card(1, 30), card(2, 20), card(3, 10), card(800)],
    negative: [card(1, 30), card(2, 20), card(3, 10), card(800, 0, 'card-2')],
    boundary: {
      hits: [card(1, 30), card(2, 20), card(10, 10), card(500)],
      misses: [card(1, 30), card(2, 20), card(10.01, 10), card(500)],
    },
  },
  'TYP-16': {
    positive: times(4, (i) => card(90, (4 - i) * HOUR, `card-${i}`)),
    negative: times(4, (i) => card(90, (4 - i) * HOUR)),
    boundary: {
      hits: times(4, (i) => card(90, [DAY - SECOND, 2, 1, 0][i], `card-${i}`)),
      misses: times(4, (i) => card(90, [DAY, 2, 1, 0][i], `card-${i}`)),
    },
  },
  'TYP-17': {
    positive: dormant(250 * DAY),
    negative: dormant(250 * DAY, 30 * DAY),
    boundary: { hits: dormant(250 * DAY, 180 * DAY), misses: dormant(250 * DAY, 180 * DAY - SECOND) },
  },
  'TYP-18': {
    positive: nightOf(15 * HOUR),
    negative: nightOf(15 * HOUR, sent(200, DAY + 10 * HOUR)),
    boundary: { hits: nightOf(18 * HOUR - SECOND), misses: nightOf(18 * HOUR) },
  },
  'TYP-19': {
    positive: unlike(5000),
    negative: unlike(1200),
    boundary: { hits: unlike(1400.01), misses: unlike(1400) },
  },
  'TYP-20': {
    positive: salary(30_000),
    negative: salary(6000),
    boundary: { hits: salary(10_000), misses: salary(9999.99) },
  },
  'TYP-21': {
    positive: [cash(10_000, 5 * HOUR), abroad(9500, 'US')],
    negative: [cash(10_000, 3 * DAY), abroad(9500, 'US')],
    boundary: {
      hits: [cash(10_000, 48 * HOUR - SECOND), abroad(8000, 'US')],
      misses: [cash(10_000, 48 * HOUR - SECOND), abroad(7999.99, 'US')],
    },
  },
  'TYP-22': {
    positive: [abroad(500, 'US', 2 * DAY), abroad(500, 'PT', DAY), abroad(500, 'KP')],
    negative: [abroad(500, 'US', 2 * DAY), abroad(500, 'PT', DAY), abroad(20_000, 'ES')],
    boundary: { hits: [abroad(10_000, 'IR')], misses: [abroad(9999.99, 'IR')] },
  },
  'TYP-23': {
    positive: throughCoins(HOUR),
    negative: throughCoins(HOUR, 1000),
    boundary: { hits: throughCoins(2 * HOUR - SECOND), misses: throughCoins(2 * HOUR) },
  },
  'TYP-24': {
    positive: [coins('w-1', 2 * DAY), coins('w-2', DAY), coins('w-3')],
    negative: [coins('w-1', 2 * DAY), coins('w-2', DAY), coins('w-3', 0, true)],
    boundary: {
      hits: [coins('w-1', 7 * DAY - SECOND), coins('w-2', DAY), coins('w-3')],
      misses: [coins('w-1', 7 * DAY), coins('w-2', DAY), coins('w-3')],
    },
  },
  'TYP-25': {
    positive: {
      'customer.personType': 'LEGAL',
      'incoming.sum30d': 900_000,
      'profile.monthlyRevenue': 80_000,
    },
    negative: person(15_000),
    boundary: { hits: person(20_000), misses: person(19_999.99) },
  },
  'TYP-26': {
    positive: { 'profile.pep': true, 'incoming.sum30d': 250_000 },
    negative: { 'profile.pep': false, 'incoming.sum30d': 250_000 },
    boundary: {
      hits: { 'profile.pep': true, 'incoming.sum30d': 100_000 },
      misses: { 'profile.pep': true, 'incoming.sum30d': 99_999.99 },
    },
  },
  'TYP-27': {
    positive: young(19, 14),
    negative: young(40, 14),
    boundary: { hits: young(24, 10), misses: young(24, 9) },
  },
  'TYP-28': {
    positive: { 'profile.relationshipDays': 5, 'incoming.sum30d': 80_000 },
    negative: { 'profile.relationshipDays': 400, 'incoming.sum30d': 80_000 },
    boundary: {
      hits: { 'profile.relationshipDays': 30, 'incoming.sum30d': 50_000 },
      misses: { 'profile.relationshipDays': 31, 'incoming.sum30d': 50_000 },
    },
  },
  'TYP-29': {
    positive: elderly(81, 30_000),
    negative: elderly(45, 30_000),
    boundary: { hits: elderly(70, 10_000), misses: elderly(70, 9999.99) },
  },
  'TYP-30': {
    positive: convicted(2000, false, true),
    negative: convicted(2000, false, false),
    boundary: { hits: convicted(500, true, false), misses: convicted(499.99, true, false) },
  },
};

describe('The typologies', () => {
  it('are thirty, each with its cases and its sources, in two languages', () => {
    expect(typologies.map(({ key }) => key)).toEqual(
      times(30, (i) => `TYP-${String(i + 1).padStart(2, '0')}`),
    );
    expect(Object.keys(cases)).toEqual(typologies.map(({ key }) => key));
    for (const { mode, legalBasis, name, description, message, score, category } of typologies) {
      expect(mode).toBe('LIVE');
      expect(legalBasis.length).toBeGreaterThan(0);
      expect(score.group).toBe(category);
      for (const text of [name, description, message]) expect(text['pt-BR']).not.toBe(text.en);
    }
  });

  it('can be published together with the mandatory rules, within the budget', () => {
    const mandatory = brStarter.rules.filter(({ key }) => mandatoryRules.some((rule) => rule['key'] === key));
    const whole = rulesetOf([...mandatory, ...typologies]);
    const fields = typologies.flatMap(({ customFields = {} }) => Object.values(customFields));
    const customFields = fields.map((field) => ({
      ...field,
      codes: null,
      required: false,
      onMismatch: 'WARN' as const,
      label: { 'pt-BR': 'agência', en: 'branch' },
    }));
    expect(inspectForPublication(whole, { customFields, lists: new Set(shippedListIds) })).toEqual([]);
    const compilation = compileRuleset(whole);
    if (!compilation.ok) throw new Error(JSON.stringify(compilation.diagnostics));
    const { steps, budget } = rulesetCostOf(compilation.ruleset);
    expect(steps).toBeLessThanOrEqual(budget);
  });

  it('can be drafted as they stand, but for the version and the pins that drafting gives', async () => {
    const pipe = validationPipe();
    for (const rule of typologies) {
      const sentAs = Object.entries(rule).filter(([name]) => name !== 'version' && name !== 'customFields');
      const body: unknown = JSON.parse(JSON.stringify(Object.fromEntries(sentAs)));
      const read = (await pipe.transform(body, { type: 'body', metatype: RuleBody })) as RuleBody;
      expect(ruleOf(read)).toEqual(body);
    }
  });

  it('give their reasons in two languages, also of what is unknown', () => {
    for (const { key } of typologies) {
      const rule = compiledOf(key);
      const sheet = sheetOf(rule, {});
      for (const language of ['pt-BR', 'en'] as const) {
        expect(rule.message(sheet, language)).not.toMatch(/[{}]|undefined|NaN|null/);
      }
    }
  });

  it('stay out of the ruleset that ships', () => {
    expect(brStarter.rules.filter(({ key }) => key.startsWith('TYP-'))).toEqual([]);
  });

  describe.each(Object.entries(cases))('%s', (key, { positive, negative, boundary }) => {
    it('hits what it was made for', async () => {
      expect(await verdictOf(key, positive)).toBe('HIT');
    });

    it('passes what is like it but not it', async () => {
      expect(await verdictOf(key, negative)).toBe('NO_HIT');
    });

    it('hits at its limit, and not one step off', async () => {
      expect(await verdictOf(key, boundary.hits)).toBe('HIT');
      expect(await verdictOf(key, boundary.misses)).toBe('NO_HIT');
    });
  });
});
