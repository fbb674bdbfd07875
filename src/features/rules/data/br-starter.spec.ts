import { describe, expect, it } from '@jest/globals';
import {
  compileDampener,
  compileRule,
  parseDeclarations,
  FactSheet,
  featureSchema,
  type FeatureName,
  type CompiledRule,
  type Fact,
  type FactValue,
  type ListLookup,
  type RuleResult,
} from '../language/index.js';
import { countryLists, ownLists, shippedLists } from './country-lists.js';
import { brStarter } from './br-starter/index.js';

type Facts = Readonly<Record<string, FactValue | Date | Fact>>;

const missing = (reason = 'NONE'): Fact => ({ state: 'MISSING', reason });
const failed: Fact = { state: 'ERROR', reason: 'FEATURE_FAILED' };
const atLeast = (value: FactValue): Fact => ({ state: 'KNOWN', value, saturated: true });

/** A PIX of R$ 150 at noon, by a known natural person from a known device to a known beneficiary. */
const ORDINARY: Facts = {
  type: 'PIX_TRANSFER',
  instrument: 'PIX',
  cash: false,
  channel: 'MOBILE_APP',
  currency: 'BRL',
  amount: 150,
  amountBrl: 150,
  amountUsd: 27.5,
  occurredAt: new Date('2026-11-20T12:00:00-03:00'),
  receivedAt: new Date('2026-11-20T12:00:01-03:00'),
  direction: 'OUT',
  directionAssumed: false,
  sameHolder: false,
  countries: [],
  crossBorder: false,
  'customer.personType': 'NATURAL',
  'origin.nameGiven': true,
  'origin.documentGiven': true,
  'origin.accountGiven': true,
  'origin.addressGiven': false,
  'origin.birthDateGiven': false,
  'destination.nameGiven': true,
  'destination.documentGiven': true,
  'destination.accountGiven': true,
  'destination.addressGiven': false,
  'destination.birthDateGiven': false,
  'outgoing.count1h': 1,
  'outgoing.count24h': 1,
  'outgoing.sum24h': 150,
  'outgoing.amounts24h': [150],
  'outgoing.beneficiaries24h': 1,
  'outgoing.dailyMean30d': 120,
  'outgoing.p95Amount30d': 400,
  'incoming.count24h': 0,
  'incoming.sum24h': 0,
  'incoming.sum7d': 1200,
  'incoming.sum30d': 4800,
  'incoming.payers24h': 0,
  'incoming.payers7d': 1,
  'activity.sum7d': 1350,
  'activity.amounts7d': [150, 1200],
  'activity.longestGapDays7d': 2,
  'activity.count90d': 40,
  'activity.mean90d': 180,
  'activity.sd90d': 220,
  'activity.max90d': 1200,
  'activity.lastAt': new Date('2026-11-18T12:00:00-03:00'),
  'activity.historyDays': 400,
  'pair.amounts24h': [150],
  'cash.amounts5bd': [],
  'card.amounts10m': [],
  'card.declines10m': missing(),
  'counterparty.seenBefore': true,
  'counterparty.personType': 'NATURAL',
  'aggregate.back': 0,
  'aggregate.sent': 150,
  'aggregate.sentTimes': 1,
  'aggregate.returned': 0,
  'aggregate.returnedTimes': 0,
  'aggregate.payees': 6,
  'aggregate.payeesBefore': 6,
  'aggregate.sentHour': 150,
  'aggregate.given': 450,
  'aggregate.givenTimes': 3,
  'aggregate.firstGiven': 150,
  'aggregate.largestGiven': 160,
  'aggregate.givenBefore': 3,
  'aggregate.came24h': 0,
  'aggregate.payers24h': 0,
  'aggregate.came6h': 0,
  'aggregate.largest24h': 0,
  'aggregate.largest7d': 1200,
  'aggregate.payersEarlier': 4,
  'aggregate.beneficiaries': 12,
  'aggregate.beneficiariesBefore': 12,
  'aggregate.gathered': 300,
  'aggregate.gatheredFrom': 2,
  'aggregate.takenOut': 150,
  'aggregate.takenTimes': 1,
  'aggregate.takenBefore': 3,
  'aggregate.staked': 0,
  'aggregate.withdrawn': 0,
  'aggregate.received': 4800,
  'aggregate.came30d': 300,
  'aggregate.cameBefore': 600,
  'aggregate.wages': 4800,
  'aggregate.takings': 4800,
  'aggregate.takingsBefore': 14_400,
  'aggregate.payingCustomers': 1,
  'aggregate.payingBefore': 1,
  'aggregate.paidByAll': 150,
  'aggregate.sameAmount': 1,
  'aggregate.allPayments': 3,
  'aggregate.nearLimit': 0,
  'aggregate.remittances': 0,
  'aggregate.remitted': 0,
  'aggregate.payeeRemittances': 0,
  'aggregate.payeeRemitted': 0,
  'aggregate.paid': 150,
  'aggregate.before': 3,
  'aggregate.deposits': 0,
  'aggregate.deposited': 0,
  'device.registered': true,
  'device.pixOutSumDay': 150,
  'device.customers24h': 1,
  'ip.customers24h': 1,
  'ip.address': '203.0.113.7',
  'dict.confirmedFrauds30d': 0,
  'dict.reportedFrauds30d': 0,
  'profile.monthlyIncome': 4800,
  'profile.monthlyRevenue': missing(),
  'profile.nightLimit': missing(),
  'profile.nightStartHour': missing(),
  'profile.age': missing(),
  'profile.pep': missing(),
  'profile.riskLevel': missing(),
  'sanctions.documentMatch': false,
  'sanctions.nameScore': 0,
  'sanctions.lists': [],
  'pep.documentMatch': false,
  'pep.nameScore': 0,
  'pep.active': false,
  'blocklist.matches': [],
  'debarment.documentMatch': false,
  'wallet.custody': missing(),
  'wallet.ownerVerified': missing(),
};

const declared = brStarter.rules.flatMap((rule) => parseDeclarations(rule).features);
const schema = featureSchema.withNames(declared);
const compiled = new Map<string, CompiledRule>(
  brStarter.rules.map((definition) => {
    const result = compileRule(definition, { schema });
    if (!result.ok) throw new Error(`${definition.key}: ${JSON.stringify(result.diagnostics)}`);
    return [definition.key, result.rule];
  }),
);

function sheetOf(changes: Facts, lists: ListLookup = shippedLists()): FactSheet {
  const sheet = new FactSheet(schema, lists);
  for (const [name, value] of Object.entries({ ...ORDINARY, ...changes })) {
    sheet.setFrom(name as FeatureName, () => value);
  }
  return sheet;
}

const evaluated = (key: string, changes: Facts, lists?: ListLookup): RuleResult =>
  compiled.get(key)!.evaluate(sheetOf(changes, lists));

/** Rules in shadow do not count. */
const hitsOf = (changes: Facts): string[] =>
  [...compiled.values()]
    .filter(({ definition }) => definition.mode === 'LIVE')
    .filter((rule) => rule.evaluate(sheetOf(changes)).verdict === 'HIT')
    .map(keyOf);
const keyOf = ({ definition }: CompiledRule): string => definition.key;

const local = (time: string): Date => new Date(`2026-11-20T${time}-03:00`);

interface Golden {
  readonly hit: Facts;
  readonly nearMiss: Facts;
  /** The facts without which the rule cannot decide, as missing. */
  readonly missing: Facts;
}

const cash = (amounts: readonly number[]): Facts => ({
  type: 'CASH_DEPOSIT',
  cash: true,
  direction: 'IN',
  amountBrl: amounts[0] ?? 0,
  'cash.amounts5bd': amounts,
});
const credit: Facts = {
  type: 'ACCOUNT_CREDIT',
  direction: 'IN',
  'origin.nameGiven': false,
  'origin.documentGiven': false,
  'origin.accountGiven': false,
};
const abroad: Facts = {
  type: 'FX_OUTBOUND',
  crossBorder: true,
  countries: ['BR', 'US'],
  amountUsd: 1000,
  'destination.accountGiven': false,
};
const wallet: Facts = { type: 'CRYPTO_TRANSFER', amountUsd: 1000, 'wallet.custody': 'SELF_HOSTED' };
const tiny = (count: number, amount = 9.9): Facts => ({
  type: 'CARD_PURCHASE',
  'card.amounts10m': Array.from({ length: count }, () => amount),
});
const just = (count: number, amount: number): number[] => Array.from({ length: count }, () => amount);
const incomingOf = (sum: number): Facts => ({ direction: 'IN', 'aggregate.received': sum });

const rising = (amountBrl: number): Facts => ({
  amountBrl,
  'aggregate.given': 13_000,
  'aggregate.givenTimes': 5,
  'aggregate.firstGiven': 2600,
  'aggregate.largestGiven': 3200,
  'aggregate.paid': 9000,
  'aggregate.givenBefore': 0,
});
const takings = (paid: number): Facts => ({
  'customer.personType': 'LEGAL',
  'incoming.sum7d': 30_000,
  'aggregate.takenOut': paid,
  'aggregate.takenTimes': 2,
  'aggregate.takenBefore': 0,
});

const golden: Readonly<Record<string, Golden>> = {
  'BR-LIST-01': {
    hit: { 'sanctions.nameScore': 0.85, 'sanctions.lists': ['un-consolidated'] },
    nearMiss: { 'sanctions.nameScore': 0.8499 },
    missing: { 'sanctions.nameScore': failed },
  },
  'BR-LIST-02': {
    hit: { 'pep.documentMatch': true, 'pep.active': true, 'pep.nameScore': 0.88 },
    nearMiss: { 'pep.documentMatch': true, 'pep.active': true, 'pep.nameScore': 0.879 },
    missing: { 'pep.documentMatch': true, 'pep.active': true, 'pep.nameScore': failed },
  },
  'BR-LIST-03': {
    hit: { 'blocklist.matches': ['PIX_KEY'] },
    nearMiss: { 'blocklist.matches': [] },
    missing: { 'blocklist.matches': { state: 'STALE', reason: 'LIST_STALE' } },
  },
  'BR-LIST-04': {
    hit: { 'debarment.documentMatch': true, amountBrl: 5000 },
    nearMiss: { 'debarment.documentMatch': true, amountBrl: 4999.99 },
    missing: { 'debarment.documentMatch': failed, amountBrl: 5000 },
  },
  'BR-PIX-05': {
    hit: { 'dict.confirmedFrauds30d': 1 },
    nearMiss: { 'dict.reportedFrauds30d': 2 },
    missing: { 'dict.confirmedFrauds30d': missing('NO_DICT_STATISTICS') },
  },
  'BR-CASH-06': {
    hit: cash([50_000]),
    nearMiss: cash([49_999.99]),
    missing: { ...cash([]), amountBrl: missing('FX_RATE_MISSING') },
  },
  'BR-CASH-07': {
    hit: cash([3000, 49_000]),
    nearMiss: cash([999.99, 49_000]),
    missing: { ...cash([3000]), 'cash.amounts5bd': failed },
  },
  'BR-STR-08': {
    hit: { 'activity.amounts7d': [5000, 6000, 9900, 49_000, 9500.5] },
    // 4,000 is round but small, 8,999.99 and 5,000.01 are neither round nor near.
    nearMiss: { 'activity.amounts7d': [5000, 6000, 9900, 49_000, 4000, 8999.99, 5000.01, 1000] },
    missing: { 'activity.amounts7d': missing('NO_CUSTOMER_KEY') },
  },
  'BR-STR-09': {
    hit: { 'outgoing.amounts24h': [9999.99, 9999.99, 9999.99, 9999.99, 9999.99, 0.05] },
    nearMiss: { 'outgoing.amounts24h': [9999.99, 9999.99, 9999.99, 9999.99, 9999.99, 10_000] },
    missing: { 'outgoing.amounts24h': missing('NO_CUSTOMER_KEY') },
  },
  'BR-VEL-10': {
    hit: { 'outgoing.count1h': 10, 'outgoing.count24h': 10 },
    nearMiss: { 'outgoing.count1h': 9, 'outgoing.count24h': 29 },
    missing: { 'outgoing.count1h': missing('NO_CUSTOMER_KEY') },
  },
  'BR-VEL-11': {
    hit: { 'outgoing.sum24h': 20_000, 'outgoing.dailyMean30d': 4000 },
    nearMiss: { 'outgoing.sum24h': 20_000, 'outgoing.dailyMean30d': 4000.01 },
    missing: { 'outgoing.sum24h': 20_000, 'outgoing.dailyMean30d': failed },
  },
  'BR-FLOW-12': {
    hit: { 'aggregate.came24h': 18_400, 'outgoing.sum24h': 17_900 },
    nearMiss: { 'aggregate.came24h': 18_400, 'outgoing.sum24h': 14_719.99 },
    missing: { 'aggregate.came24h': failed, 'outgoing.sum24h': 17_900 },
  },
  'BR-FLOW-13': {
    hit: { direction: 'IN', 'incoming.payers24h': 10, 'incoming.sum24h': 10_000 },
    nearMiss: {
      ...{ direction: 'IN', 'incoming.payers24h': 9, 'incoming.payers7d': 24, 'incoming.sum7d': 90_000 },
      'aggregate.payersEarlier': 13,
    },
    missing: {
      direction: 'IN',
      'incoming.payers24h': 10,
      'incoming.sum24h': 10_000,
      'customer.personType': missing('NO_PROFILE'),
    },
  },
  'BR-FLOW-14': {
    hit: { 'outgoing.beneficiaries24h': 10, 'outgoing.sum24h': 10_000 },
    nearMiss: { 'outgoing.beneficiaries24h': 10, 'outgoing.sum24h': 9999.99 },
    missing: { 'outgoing.beneficiaries24h': failed, 'outgoing.sum24h': 10_000 },
  },
  'BR-PIX-15': {
    hit: { amountBrl: 1000.01, occurredAt: local('20:00:00') },
    nearMiss: { amountBrl: 1000.01, occurredAt: local('19:59:59.999') },
    missing: {
      amountBrl: 1000.01,
      occurredAt: local('20:00:00'),
      'customer.personType': missing('NO_PROFILE'),
    },
  },
  'BR-PIX-16': {
    hit: { 'device.registered': false, amountBrl: 200.01 },
    nearMiss: { 'device.registered': false, amountBrl: 200, 'device.pixOutSumDay': 1000 },
    missing: { 'device.registered': missing('NO_DEVICE_ID'), amountBrl: 200.01 },
  },
  'BR-PIX-17': {
    hit: { 'counterparty.seenBefore': false, amountBrl: 5000 },
    nearMiss: { 'counterparty.seenBefore': false, amountBrl: 4999.99 },
    missing: { 'counterparty.seenBefore': missing('NO_COUNTERPARTY_KEY'), amountBrl: 5000 },
  },
  'BR-BEH-18': {
    hit: { 'activity.longestGapDays7d': 180, 'activity.sum7d': 10_000, direction: 'IN' },
    nearMiss: { 'activity.longestGapDays7d': 179.99, 'activity.sum7d': 10_000, amountBrl: 10_000 },
    missing: { 'activity.longestGapDays7d': failed, 'activity.sum7d': 10_000 },
  },
  'BR-PRO-19': {
    hit: incomingOf(14_400),
    nearMiss: incomingOf(14_399.99),
    missing: { ...incomingOf(14_400), 'profile.monthlyIncome': missing('NO_PROFILE') },
  },
  'BR-BEH-20': {
    hit: { amountBrl: 2400.01 },
    nearMiss: { amountBrl: 2400 },
    missing: { amountBrl: 2400.01, 'activity.sd90d': failed },
  },
  'BR-GEO-21': {
    hit: { countries: ['BR', 'PA'] },
    nearMiss: { countries: ['BR', 'PT'] },
    missing: { countries: atLeast(['BR']) },
  },
  'BR-GEO-22': {
    hit: abroad,
    nearMiss: { ...abroad, amountUsd: 999.99 },
    missing: { ...abroad, amountUsd: missing('FX_RATE_MISSING') },
  },
  'BR-NET-23': {
    hit: { 'ip.customers24h': 3, 'device.registered': false },
    nearMiss: { 'ip.customers24h': 2, 'device.customers24h': 2, 'device.registered': false },
    missing: { 'device.customers24h': failed },
  },
  'BR-CARD-24': {
    hit: tiny(5, 10),
    nearMiss: { ...tiny(5, 10.01), 'card.declines10m': 2 },
    missing: { type: 'CARD_PURCHASE' },
  },
  'BR-DATA-25': {
    hit: { ...credit, amountBrl: 10_000 },
    nearMiss: { ...credit, amountBrl: 10_000, 'origin.accountGiven': true },
    missing: { ...credit, amountBrl: missing('FX_RATE_MISSING') },
  },
  'BR-CUS-26': {
    hit: { 'profile.pep': true, amountBrl: 10_000 },
    nearMiss: { 'profile.pep': true, amountBrl: 9_999.99 },
    missing: { amountBrl: 10_000 },
  },
  'BR-CUS-27': {
    hit: { 'profile.riskLevel': 'HIGH', amountBrl: 10_000 },
    nearMiss: { 'profile.riskLevel': 'MEDIUM', amountBrl: 50_000 },
    missing: { amountBrl: 10_000 },
  },
  'BR-STR-28': {
    hit: { 'activity.amounts7d': just(6, 9_900) },
    nearMiss: { 'activity.amounts7d': [...just(5, 9_900), 8_999.99, 10_000] },
    missing: { 'activity.amounts7d': failed },
  },
  'BR-PIX-29': {
    hit: { 'profile.age': 60, 'aggregate.before': 0, 'aggregate.paid': 1200 },
    nearMiss: { 'profile.age': 60, 'aggregate.before': 0, 'aggregate.paid': 1199.99 },
    missing: {
      'profile.age': 60,
      'aggregate.before': missing('NO_COUNTERPARTY_KEY'),
      'aggregate.paid': missing('NO_COUNTERPARTY_KEY'),
    },
  },
  'BR-FLOW-30': {
    hit: { amountBrl: 10_000, 'aggregate.back': 2 },
    nearMiss: { amountBrl: 10_000, 'aggregate.back': 1 },
    missing: { amountBrl: 10_000, 'aggregate.back': missing('NO_COUNTERPARTY_KEY') },
  },
  'BR-CASH-31': {
    hit: { ...cash([4000]), 'aggregate.deposits': 6, 'aggregate.deposited': 20_000 },
    nearMiss: { ...cash([4000]), 'aggregate.deposits': 5, 'aggregate.deposited': 20_000 },
    missing: {
      ...cash([4000]),
      'aggregate.deposits': missing('NO_CUSTOMER_KEY'),
      'aggregate.deposited': 20_000,
    },
  },
  'BR-PIX-32': {
    hit: { 'aggregate.payees': 9, 'aggregate.sentHour': 2500 },
    nearMiss: { 'aggregate.payees': 8, 'aggregate.sentHour': 24_000 },
    missing: { 'aggregate.payees': missing('NO_CUSTOMER_KEY'), 'aggregate.sentHour': 2500 },
  },
  'BR-PIX-33': {
    hit: rising(6500),
    nearMiss: rising(6499.99),
    missing: { ...rising(6500), 'aggregate.givenBefore': missing('NO_COUNTERPARTY_KEY') },
  },
  'BR-FLOW-34': {
    hit: { 'aggregate.gathered': 3000, amountBrl: 2100 },
    nearMiss: { 'aggregate.gathered': 3000, amountBrl: 2099.99 },
    missing: { 'aggregate.gathered': missing('NO_CUSTOMER_KEY'), amountBrl: 2100 },
  },
  'BR-BEH-35': {
    hit: { direction: 'IN', amountBrl: 2500, 'aggregate.came30d': 14_400, 'aggregate.cameBefore': 9600 },
    nearMiss: { direction: 'IN', amountBrl: 2500, 'aggregate.came30d': 14_399.99 },
    missing: { direction: 'IN', amountBrl: 2500, 'aggregate.came30d': missing('NO_CUSTOMER_KEY') },
  },
  'BR-NET-36': {
    hit: { 'aggregate.payingCustomers': 3, 'aggregate.paidByAll': 3000 },
    nearMiss: { 'aggregate.payingCustomers': 3, 'aggregate.paidByAll': 2999.99 },
    missing: { 'aggregate.payingCustomers': missing('NO_COUNTERPARTY_KEY'), 'aggregate.paidByAll': 3000 },
  },
  'BR-FLOW-37': {
    hit: takings(15_000),
    nearMiss: takings(14_999.99),
    missing: { ...takings(15_000), 'aggregate.takenBefore': missing('NO_COUNTERPARTY_KEY') },
  },
  'BR-FLOW-38': {
    hit: { type: 'BET_WITHDRAWAL', 'aggregate.staked': 3000, 'aggregate.withdrawn': 2250 },
    nearMiss: { type: 'BET_WITHDRAWAL', 'aggregate.staked': 3000, 'aggregate.withdrawn': 2249.99 },
    missing: { type: 'BET_WITHDRAWAL', 'aggregate.staked': missing('NO_CUSTOMER_KEY') },
  },
  'BR-STR-39': {
    hit: { type: 'FX_OUTBOUND', 'aggregate.remittances': 3, 'aggregate.remitted': 12_000 },
    nearMiss: { type: 'FX_OUTBOUND', 'aggregate.remittances': 3, 'aggregate.remitted': 11_999.99 },
    missing: {
      type: 'FX_OUTBOUND',
      'aggregate.payeeRemittances': missing('NO_COUNTERPARTY_KEY'),
      'aggregate.payeeRemitted': 12_000,
    },
  },
};

describe('br-starter', () => {
  it('has 39 rules and a dampener, and golden cases for each', () => {
    expect(brStarter.rules).toHaveLength(39);
    expect(brStarter.dampeners).toHaveLength(1);
    expect(Object.keys(golden)).toEqual(brStarter.rules.map((rule) => rule.key));
  });

  it('says nothing about an ordinary transaction', () => {
    const verdicts = [...compiled.values()].map((rule) => rule.evaluate(sheetOf({})).verdict);
    expect(new Set(verdicts)).toEqual(new Set(['NO_HIT']));
  });

  describe.each(Object.entries(golden))('%s', (key, { hit, nearMiss, missing: input }) => {
    it('hits', () => {
      const result = evaluated(key, hit);
      expect(result).toMatchObject({ verdict: 'HIT', pointsCertain: true, failed: false });
      expect(result.points).toBe(compiled.get(key)!.definition.score.points);
      expect(result.explanation!.leaves.some((leaf) => leaf.result === 'TRUE')).toBe(true);
    });

    it('does not hit just below', () => {
      expect(evaluated(key, nearMiss)).toMatchObject({ verdict: 'NO_HIT', points: 0, explanation: null });
    });

    it('cannot tell without its input, and says what is missing', () => {
      const result = evaluated(key, input);
      expect(result).toMatchObject({ verdict: 'INDETERMINATE', points: 0 });
      const unknown = result.explanation!.leaves.flatMap((leaf) => Object.keys(leaf.unknown));
      const absent = Object.entries(input).filter(([, fact]) => typeof fact === 'object' && 'reason' in fact);
      expect(unknown).toEqual(expect.arrayContaining(absent.map(([name]) => name)));
    });

    it('gives its reason in two languages, with the values', () => {
      const { message } = compiled.get(key)!;
      const sheet = sheetOf(hit);
      for (const language of ['pt-BR', 'en'] as const) {
        expect(message(sheet, language)).not.toMatch(/[{}]|undefined|NaN|null/);
      }
    });
  });

  it('names what its rules rest on', () => {
    for (const rule of brStarter.rules) {
      expect(rule.legalBasis.length).toBeGreaterThan(0);
      for (const { feature, required } of rule.evidence) {
        // A reader must see only features that the rule reads.
        if (required) expect(compiled.get(rule.key)!.compiled.features).toContain(feature);
      }
    }
  });

  it('has one cap for each family, and asks only lists that ship', () => {
    const known = new Set<string>([...countryLists, ...ownLists].map(({ id }) => id));
    for (const rule of brStarter.rules) {
      expect(rule.score.group).toBe(rule.category);
      for (const list of rule.lists) expect(known).toContain(list);
    }
  });
});

describe('what the rules were made for', () => {
  const pix = (count: number): Facts => ({
    amountBrl: 9900,
    'outgoing.count1h': count,
    'outgoing.count24h': count,
    'outgoing.sum24h': 9900 * count,
    'outgoing.amounts24h': Array.from({ length: count }, () => 9900),
    'outgoing.beneficiaries24h': count,
    'activity.amounts7d': Array.from({ length: count }, () => 9900),
    'activity.sum7d': 9900 * count,
    'outgoing.dailyMean30d': 20_000,
    'activity.max90d': 9900,
  });

  it('six PIX of 9,900 within an hour are just below a limit and split', () => {
    expect(hitsOf(pix(6))).toEqual(['BR-STR-08', 'BR-STR-09', 'BR-STR-28']);
  });

  it('five are not split yet', () => {
    expect(hitsOf(pix(5))).toEqual(['BR-STR-08']);
  });

  it('ten are a burst as well', () => {
    expect(hitsOf({ ...pix(10), 'outgoing.beneficiaries24h': 1 })).toEqual([
      'BR-STR-08',
      'BR-STR-09',
      'BR-VEL-10',
      'BR-STR-28',
    ]);
  });

  it('of a company five times as many are a burst', () => {
    const company = (count: number): Facts => ({
      ...{ 'customer.personType': 'LEGAL', 'outgoing.count1h': count, 'outgoing.count24h': count },
      'aggregate.beneficiaries': 22,
    });
    expect(hitsOf(company(49))).toEqual([]);
    expect(hitsOf(company(50))).toEqual(['BR-VEL-10']);
    // Wages go to whom they went before.
    expect(hitsOf({ ...company(50), 'aggregate.beneficiaries': 21 })).toEqual([]);
  });

  it('three to one beneficiary are split when they come to 15,000', () => {
    expect(hitsOf({ 'pair.amounts24h': [5000, 5000, 5000] })).toEqual(['BR-STR-09']);
    expect(hitsOf({ 'pair.amounts24h': [5000, 5000, 4999.99] })).toEqual([]);
  });

  it('18,400 in and 17,900 out is a pass-through, and says so', () => {
    const facts: Facts = { 'aggregate.came24h': 18_400, 'outgoing.sum24h': 17_900 };
    expect(hitsOf(facts)).toEqual(['BR-FLOW-12']);
    const { message } = compiled.get('BR-FLOW-12')!;
    expect(message(sheetOf(facts), 'pt-BR')).toBe(
      'Recebeu R$ 18.400,00 de outros em 24 h, R$ 0,00 por transferência nas últimas 6 h, e transferiu R$ 17.900,00 em 24 h, agora R$ 150,00; limite 80%.',
    );
    expect(message(sheetOf(facts), 'en')).toBe(
      'Received BRL 18,400.00 from others in 24 h, BRL 0.00 by transfer in the last 6 h, and transferred BRL 17,900.00 in 24 h, BRL 150.00 now; threshold 80%.',
    );
  });

  it('cash of 49,000 and 3,000 is structured; a third near the limit alone is enough', () => {
    expect(hitsOf(cash([3000, 49_000]))).toEqual(['BR-CASH-07']);
    expect(hitsOf(cash([49_000, 50_000]))).toEqual([]);
    expect(hitsOf(cash([40_000, 40_000]))).toEqual(['BR-CASH-07']);
  });

  it.each([
    ['19:59:59', []],
    ['20:00:00', ['BR-PIX-15']],
    ['23:59:59', ['BR-PIX-15']],
    ['00:00:00', ['BR-PIX-15']],
    ['05:59:59', ['BR-PIX-15']],
    ['06:00:00', []],
  ])('a PIX of 1,000.01 at %s local time: %j', (time, hits) => {
    expect(hitsOf({ amountBrl: 1000.01, occurredAt: local(time) })).toEqual(hits);
    expect(hitsOf({ amountBrl: 1000, occurredAt: local(time) })).toEqual([]);
  });

  it('the customer’s own night counts before the default one', () => {
    const late: Facts = { amountBrl: 1500, occurredAt: local('21:00:00') };
    expect(hitsOf({ ...late, 'profile.nightStartHour': 22 })).toEqual([]);
    expect(hitsOf({ ...late, 'profile.nightLimit': 1500 })).toEqual([]);
    expect(hitsOf({ ...late, 'profile.nightLimit': 1499.99 })).toEqual(['BR-PIX-15']);
    expect(hitsOf({ ...late, 'customer.personType': 'LEGAL' })).toEqual([]);
  });

  it('a new beneficiary by night weighs more', () => {
    const night: Facts = { amountBrl: 1000.01, occurredAt: local('22:00:00') };
    expect(evaluated('BR-PIX-15', night)).toMatchObject({ points: 20, pointsCertain: true });
    expect(evaluated('BR-PIX-15', { ...night, 'counterparty.seenBefore': false })).toMatchObject({
      points: 35,
    });
    expect(evaluated('BR-PIX-15', { ...night, 'counterparty.seenBefore': missing() })).toMatchObject({
      points: 20,
      pointsCertain: false,
    });
  });

  it('the gravest list of a country gives the points', () => {
    expect(evaluated('BR-GEO-21', { countries: ['BR', 'KP'] })).toMatchObject({ points: 60 });
    expect(evaluated('BR-GEO-21', { countries: ['VG'] })).toMatchObject({ points: 25 });
    expect(evaluated('BR-GEO-21', { countries: ['KY'] })).toMatchObject({ points: 20 });
  });

  it('country lists that cannot be asked leave the rule open', () => {
    const unavailable: ListLookup = { has: () => undefined };
    expect(evaluated('BR-GEO-21', { countries: ['BR', 'PT'] }, unavailable).verdict).toBe('INDETERMINATE');
    expect(evaluated('BR-GEO-21', { countries: [] }, unavailable).verdict).toBe('NO_HIT');
  });

  it('a PEP whose grace has ended, or whose name is another, is no hit', () => {
    const match: Facts = { 'pep.documentMatch': true, 'pep.nameScore': 0.97, 'pep.active': true };
    expect(hitsOf(match)).toEqual(['BR-LIST-02']);
    expect(hitsOf({ ...match, 'pep.active': false })).toEqual([]);
    expect(hitsOf({ ...match, 'pep.nameScore': 0.4 })).toEqual([]);
  });

  it('EUR without a rate leaves open what depends on the amount', () => {
    const euros: Facts = {
      ...cash([]),
      currency: 'EUR',
      amount: 60_000,
      amountBrl: missing('FX_RATE_MISSING'),
      amountUsd: missing('FX_RATE_MISSING'),
    };
    expect(evaluated('BR-CASH-06', euros)).toMatchObject({
      verdict: 'INDETERMINATE',
      explanation: {
        leaves: [{}, { unknown: { amountBrl: { state: 'MISSING', reason: 'FX_RATE_MISSING' } } }],
      },
    });
    expect(compiled.get('BR-CASH-06')!.definition.onIndeterminate).toBe('PARTIAL');
    const needed = brStarter.composition.requiredComponents;
    expect(needed.every((one) => (one.inForeignCurrency ?? one.components).includes('FX'))).toBe(true);
  });

  it('declared exposure and high risk send a large transaction to a person', () => {
    for (const known of [{ 'profile.pep': true }, { 'profile.riskLevel': 'HIGH' }] as const) {
      const key = 'profile.pep' in known ? 'BR-CUS-26' : 'BR-CUS-27';
      expect(evaluated(key, { ...known, amountBrl: 10_000 }).points).toBe(brStarter.scoring.reviewAt);
      expect(evaluated(key, { ...known, amountBrl: 9_999.99 }).verdict).toBe('NO_HIT');
    }
  });

  it.each(['CARD_WITHDRAWAL', 'PIX_WITHDRAWAL', 'CASH_WITHDRAWAL'])('%s is cash', (type) => {
    const withdrawal: Facts = { type, cash: true, amountBrl: 60_000, 'cash.amounts5bd': [60_000] };
    expect(hitsOf(withdrawal)).toContain('BR-CASH-06');
    expect(hitsOf({ ...withdrawal, amountBrl: 49_000, 'cash.amounts5bd': [49_000, 3_000] })).toContain(
      'BR-CASH-07',
    );
  });

  it('of a large transaction of an unknown type nobody can tell whether it is cash', () => {
    const unknown: Facts = { type: 'DEPOSITO_ESPECIE', cash: missing('TYPE_UNKNOWN') };
    expect(evaluated('BR-CASH-06', { ...unknown, amountBrl: 80_000 }).verdict).toBe('INDETERMINATE');
    expect(evaluated('BR-CASH-06', { ...unknown, amountBrl: 49_999 }).verdict).toBe('NO_HIT');
  });

  it('a first transaction is not an account that wakes up', () => {
    const first: Facts = { 'activity.longestGapDays7d': missing('FIRST_TRANSACTION'), amountBrl: 30_000 };
    expect(evaluated('BR-BEH-18', first).verdict).toBe('NO_HIT');
  });

  it('a legal person is measured by its revenue', () => {
    const company: Facts = { 'customer.personType': 'LEGAL', 'profile.monthlyRevenue': 10_000 };
    expect(evaluated('BR-PRO-19', { ...incomingOf(20_000), ...company }).verdict).toBe('HIT');
    expect(evaluated('BR-PRO-19', { ...incomingOf(19_999.99), ...company }).verdict).toBe('NO_HIT');
  });

  it('a self-hosted wallet without a verified owner is a gap', () => {
    expect(hitsOf(wallet)).toEqual(['BR-GEO-22']);
    expect(hitsOf({ ...wallet, 'wallet.ownerVerified': true })).toEqual([]);
    expect(hitsOf({ ...wallet, 'wallet.custody': 'HOSTED' })).toEqual([]);
    expect(evaluated('BR-GEO-22', { ...wallet, 'wallet.ownerVerified': failed }).verdict).toBe(
      'INDETERMINATE',
    );
  });

  it('declines count as card testing too', () => {
    const purchase: Facts = { type: 'CARD_PURCHASE' };
    expect(hitsOf({ ...purchase, 'card.declines10m': 3 })).toEqual(['BR-CARD-24']);
    expect(hitsOf({ ...purchase, 'card.declines10m': 2 })).toEqual([]);
  });

  it('a network that is known to be shared may be shared', () => {
    const shared: ListLookup = {
      has: (list, value) => list === 'shared-networks' && value === '203.0.113.7',
    };
    const crowd: Facts = { 'ip.customers24h': 90, 'device.registered': false };
    expect(evaluated('BR-NET-23', crowd, shared).verdict).toBe('NO_HIT');
    expect(evaluated('BR-NET-23', crowd).verdict).toBe('HIT');
    expect(evaluated('BR-NET-23', { ...crowd, 'device.registered': missing() }).verdict).toBe('HIT');
  });

  it('the neighbours at an address say nothing of a device that is the customer’s own', () => {
    expect(evaluated('BR-NET-23', { 'ip.customers24h': 90 }).verdict).toBe('NO_HIT');
    expect(evaluated('BR-NET-23', { 'device.customers24h': 3 }).verdict).toBe('HIT');
  });

  it('a day of wages and suppliers is no pattern of a company; money of few that goes straight on is', () => {
    const wages: Facts = {
      'customer.personType': 'LEGAL',
      'outgoing.amounts24h': just(20, 3_500),
      'outgoing.beneficiaries24h': 20,
      'outgoing.sum24h': 70_000,
      'outgoing.dailyMean30d': 20_000,
      'incoming.sum24h': 9_000,
      'aggregate.came24h': 9_000,
      'aggregate.payers24h': 7,
    };
    expect(hitsOf(wages)).toEqual([]);
    expect(hitsOf({ ...wages, 'customer.personType': 'NATURAL' })).toEqual([
      'BR-STR-09',
      'BR-FLOW-12',
      'BR-FLOW-14',
    ]);
    const shell: Facts = {
      ...{ ...wages, 'incoming.sum24h': 72_000, 'aggregate.came24h': 72_000, 'aggregate.payers24h': 2 },
      'aggregate.beneficiaries': 22,
    };
    expect(hitsOf(shell)).toEqual(['BR-FLOW-12', 'BR-FLOW-14']);
    // Wages of a week go to whom they went before.
    expect(hitsOf({ ...shell, 'aggregate.beneficiaries': 21 })).toEqual(['BR-FLOW-12']);
    // A company at work is paid by many, or pays much more than came.
    expect(hitsOf({ ...shell, 'aggregate.payers24h': 3, 'outgoing.beneficiaries24h': 9 })).toEqual([]);
    expect(hitsOf({ ...shell, 'aggregate.came24h': 58_000, 'outgoing.beneficiaries24h': 9 })).toEqual([]);
  });

  it('a salary may go to an account of one’s own; what came from several may not', () => {
    const moved: Facts = {
      sameHolder: true,
      'aggregate.came24h': 8_000,
      'outgoing.sum24h': 7_900,
      'aggregate.payers24h': 1,
    };
    expect(hitsOf(moved)).toEqual([]);
    expect(hitsOf({ ...moved, 'aggregate.payers24h': 2 })).toEqual(['BR-FLOW-12']);
    expect(hitsOf({ ...moved, sameHolder: missing('DOCUMENT_MASKED') })).toEqual(['BR-FLOW-12']);
  });

  it('what came by transfer goes on within hours in a similar amount', () => {
    const quick = (amountBrl: number): Facts => ({ amountBrl, 'aggregate.came6h': 1000 });
    expect(hitsOf(quick(800))).toEqual(['BR-FLOW-12']);
    expect(hitsOf(quick(799.99))).toEqual([]);
    expect(hitsOf({ ...quick(950), sameHolder: true })).toEqual([]);
    expect(hitsOf({ ...quick(950), 'customer.personType': 'LEGAL' })).toEqual([]);
  });

  it('the cut-off past of a busy account makes nothing unknown', () => {
    const busy: Facts = { 'activity.count90d': atLeast(2000), 'customer.personType': 'LEGAL' };
    const takings = { ...busy, direction: 'IN', 'aggregate.takings': 90_000 };
    expect(evaluated('BR-BEH-35', { ...takings, 'aggregate.takingsBefore': atLeast(10) }).verdict).toBe(
      'NO_HIT',
    );
    const wages = {
      ...{ ...busy, 'outgoing.count1h': 60, 'outgoing.beneficiaries24h': 60, 'outgoing.sum24h': 90_000 },
      ...{ 'incoming.sum24h': 90_000, 'aggregate.beneficiaries': atLeast(60) },
      'aggregate.beneficiariesBefore': atLeast(60),
    };
    expect(evaluated('BR-VEL-10', wages).verdict).toBe('HIT');
    expect(evaluated('BR-FLOW-14', wages).verdict).toBe('HIT');
    const crowd = { 'aggregate.payingCustomers': atLeast(101), 'aggregate.paidByAll': 9000 };
    expect(evaluated('BR-NET-36', { ...crowd, 'aggregate.payingBefore': atLeast(90) }).verdict).toBe(
      'NO_HIT',
    );
  });

  it('a car sold among sixteen small sales is one credit of one payer', () => {
    const sales: Facts = { direction: 'IN', 'incoming.payers7d': 25, 'incoming.sum7d': 13_000 };
    expect(hitsOf({ ...sales, 'aggregate.largest7d': 9000, 'aggregate.payersEarlier': 20 })).toEqual([]);
    expect(hitsOf({ ...sales, 'aggregate.largest7d': 900, 'aggregate.payersEarlier': 20 })).toEqual([
      'BR-FLOW-13',
    ]);
    // Ten payers are many for somebody whom few paid before.
    expect(hitsOf({ ...sales, 'incoming.payers7d': 10, 'aggregate.payersEarlier': 5 })).toEqual([
      'BR-FLOW-13',
    ]);
    expect(hitsOf({ ...sales, 'incoming.payers7d': 10, 'aggregate.payersEarlier': 6 })).toEqual([]);
  });

  it('the same amount week after week of three customers is found below the sum', () => {
    const weekly: Facts = {
      'aggregate.payingCustomers': 3,
      'aggregate.payingBefore': 3,
      'aggregate.sameAmount': 3,
    };
    expect(hitsOf(weekly)).toEqual(['BR-NET-36']);
    expect(hitsOf({ ...weekly, 'aggregate.allPayments': 4 })).toEqual([]);
    expect(hitsOf({ ...weekly, 'counterparty.personType': 'LEGAL' })).toEqual([]);
  });

  it('a company is measured by its own past where nobody knows its revenue', () => {
    const shop: Facts = {
      ...{ direction: 'IN', 'customer.personType': 'LEGAL', 'aggregate.takingsBefore': 30_000 },
      ...{ 'profile.monthlyRevenue': 500_000, 'activity.historyDays': 60 },
    };
    expect(hitsOf({ ...shop, 'aggregate.takings': 30_000 })).toEqual(['BR-BEH-35']);
    expect(hitsOf({ ...shop, 'aggregate.takings': 29_999.99 })).toEqual([]);
    // Half of the days before, half of the past.
    expect(hitsOf({ ...shop, 'activity.historyDays': 30, 'aggregate.takings': 30_000 })).toEqual([]);
    expect(hitsOf({ ...shop, 'activity.historyDays': 19, 'aggregate.takings': 90_000 })).toEqual([]);
  });

  it('money that a bookmaker sends back is found by the pair', () => {
    const bets: Facts = {
      ...{ 'counterparty.personType': 'LEGAL', 'aggregate.sent': 4000, 'aggregate.sentTimes': 2 },
      ...{ 'aggregate.returned': 2800, 'aggregate.returnedTimes': 2 },
    };
    expect(hitsOf(bets)).toEqual(['BR-FLOW-30']);
    expect(hitsOf({ ...bets, 'aggregate.returned': 2799.99 })).toEqual([]);
    expect(hitsOf({ ...bets, 'counterparty.personType': 'NATURAL' })).toEqual([]);
  });

  it('what an account that woke up sends to somebody else is for a person', () => {
    const woken: Facts = { 'activity.longestGapDays7d': 200, 'activity.sum7d': 10_000 };
    expect(evaluated('BR-BEH-18', woken).points).toBe(60);
    expect(evaluated('BR-BEH-18', { ...woken, sameHolder: true }).points).toBe(30);
  });

  it('after the limit of the income was crossed only a large credit is a hit again', () => {
    const beyond = (amountBrl: number): Facts => ({ ...incomingOf(20_000), amountBrl });
    expect(evaluated('BR-PRO-19', beyond(2_399.99)).verdict).toBe('NO_HIT');
    expect(evaluated('BR-PRO-19', beyond(2_400)).verdict).toBe('HIT');
    expect(evaluated('BR-PRO-19', { ...beyond(9_000), sameHolder: true }).verdict).toBe('NO_HIT');
  });

  it('from an amount on a person looks at every country of the lists', () => {
    const points = (country: string, amountBrl: number): number =>
      evaluated('BR-GEO-21', { countries: ['BR', country], amountBrl }).points;
    expect([points('VG', 9_999.99), points('VG', 10_000)]).toEqual([25, 60]);
    expect([points('KY', 29_999.99), points('KY', 30_000)]).toEqual([20, 60]);
  });

  it('an elderly person whose age nobody knows is asked nothing; a month of income is for a person', () => {
    const elderly: Facts = { 'profile.age': 71, 'aggregate.before': 0, 'aggregate.paid': 4000 };
    const unknownIncome: Facts = { ...elderly, 'profile.monthlyIncome': missing('NO_PROFILE') };
    expect(evaluated('BR-PIX-29', elderly).points).toBe(20);
    expect(evaluated('BR-PIX-29', { ...elderly, 'aggregate.paid': 4800 }).points).toBe(60);
    expect(hitsOf({ ...unknownIncome, 'aggregate.paid': 5000 })).toEqual(['BR-PIX-29']);
    expect(hitsOf(elderly)).toEqual(['BR-PIX-29']);
    expect(hitsOf({ ...elderly, 'profile.age': 59 })).toEqual([]);
    expect(hitsOf({ ...elderly, 'profile.age': missing('NO_PROFILE') })).toEqual([]);
    expect(hitsOf(unknownIncome)).toEqual([]);
    expect(hitsOf({ ...elderly, 'aggregate.before': 1 })).toEqual([]);
    expect(hitsOf({ ...elderly, sameHolder: true })).toEqual([]);
  });

  it('deposits of cash below the limit are measured by what the customer declares for a month', () => {
    const cashier = (facts: Facts): string =>
      evaluated('BR-CASH-31', {
        ...{ ...cash([4000]), 'aggregate.deposits': 9, 'aggregate.deposited': 30_000, ...facts },
      }).verdict;
    expect(cashier({ 'profile.monthlyIncome': 30_000 })).toBe('HIT');
    expect(cashier({ 'profile.monthlyIncome': 30_000.01 })).toBe('NO_HIT');
    expect(cashier({ 'profile.monthlyIncome': missing('NO_PROFILE') })).toBe('HIT');
    const company: Facts = { 'customer.personType': 'LEGAL' };
    expect(cashier({ ...company, 'profile.monthlyRevenue': 30_000.01 })).toBe('NO_HIT');
    expect(cashier(company)).toBe('INDETERMINATE');
  });

  it('some tiny purchases with a decline are card testing as well', () => {
    expect(hitsOf({ ...tiny(3), 'card.declines10m': 1 })).toEqual(['BR-CARD-24']);
    expect(hitsOf({ ...tiny(2), 'card.declines10m': 2 })).toEqual([]);
  });

  it('a lower bound that is over a threshold is certain, one below is not', () => {
    expect(evaluated('BR-VEL-10', { 'outgoing.count24h': atLeast(2000) }).verdict).toBe('HIT');
    expect(
      evaluated('BR-FLOW-14', { 'outgoing.beneficiaries24h': 9, 'outgoing.sum24h': atLeast(1) }).verdict,
    ).toBe('NO_HIT');
    expect(
      evaluated('BR-FLOW-14', { 'outgoing.beneficiaries24h': 10, 'outgoing.sum24h': atLeast(1) }),
    ).toMatchObject({ verdict: 'INDETERMINATE' });
  });

  it('a rule for one direction cannot tell when the direction is unknown', () => {
    const facts: Facts = { direction: missing('DIRECTION_UNKNOWN'), 'dict.confirmedFrauds30d': 1 };
    expect(evaluated('BR-PIX-05', facts).verdict).toBe('INDETERMINATE');
    expect(evaluated('BR-PIX-05', { direction: missing('DIRECTION_UNKNOWN') }).verdict).toBe('NO_HIT');
  });

  it('a transfer between own accounts is dampened, and only if both documents say so', () => {
    const [definition] = brStarter.dampeners;
    const result = compileDampener(definition!, { schema: featureSchema });
    if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
    const { rule } = result;
    expect(rule.evaluate(sheetOf({ sameHolder: true }))).toMatchObject({ verdict: 'HIT', points: -20 });
    expect(rule.evaluate(sheetOf({})).verdict).toBe('NO_HIT');
    expect(rule.evaluate(sheetOf({ sameHolder: missing('DOCUMENT_MASKED') }))).toMatchObject({
      verdict: 'INDETERMINATE',
      points: 0,
    });
    const keys = brStarter.rules.map((one) => one.key);
    for (const key of definition!.suppresses) expect(keys).toContain(key);
  });
});
