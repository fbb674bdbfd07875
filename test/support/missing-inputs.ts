import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { CustomerRiskProfile } from '../../src/features/customers/index.js';
import type { Evaluation, InputName } from '../../src/features/rules/index.js';
import { cpfOf } from './builders.js';
import { HOUR, InMemoryPipeline, isRefused, NOON, starterRules, type Json } from './in-memory-pipeline.js';

const MARIA = '52998224725';
const JOAO = '11144477735';

/** The evaluation of the last of the submissions, after the others; null when it is refused at the door. */
export async function judged(
  bodies: readonly Json[],
  standing: CustomerRiskProfile | null,
  without: readonly InputName[] = [],
): Promise<Evaluation | null> {
  const last = bodies.at(-1);
  if (!last || isRefused(last)) return null;
  return (await new InMemoryPipeline(standing, without).evaluate(bodies, MARIA)).at(-1) ?? null;
}

const person = (name: string, cpfCnpj: string, rest: Json = {}): Json => ({
  name,
  cpfCnpj,
  accountReference: `acc-${cpfCnpj}`,
  country: 'BR',
  ...rest,
});

const amounts = fc.constantFrom(50, 150, 250, 900, 1_100, 4_900, 9_900, 12_000, 49_900, 60_000);
const countries = fc.constantFrom('BR', 'BR', 'BR', 'BR', 'IR', 'PA');
const statistics = fc
  .record({ confirmed: fc.constantFrom(0, 0, 0, 1), reported: fc.constantFrom(0, 0, 0, 4) })
  .map(({ confirmed, reported }) => ({
    statistics: { KEY: { CONFIRMED_FRAUDS: { d30: confirmed }, REPORTED_FRAUDS: { d30: reported } } },
  }));
/** The types that customers use and that are not only another one's name. */
const types = [
  ...([
    'PIX_TRANSFER',
    'PIX_TRANSFER',
    'PIX_PAYMENT',
    'PIX_REFUND',
    'TED_TRANSFER',
    'INTERNAL_TRANSFER',
  ] as const),
  ...(['CARD_PURCHASE', 'CARD_WITHDRAWAL', 'CASH_DEPOSIT', 'CASH_WITHDRAWAL', 'ACCOUNT_CREDIT'] as const),
  ...(['CRYPTO_TRANSFER', 'CRYPTO_SELL', 'FX_OUTBOUND', 'BOLETO_PAYMENT', 'BET_DEPOSIT'] as const),
] as const;
const INCOMING: ReadonlySet<string> = new Set([
  'CASH_DEPOSIT',
  'ACCOUNT_CREDIT',
  'CRYPTO_SELL',
  'BET_DEPOSIT',
]);

const drawn = fc.record({
  type: fc.constantFrom(...types),
  channel: fc.constantFrom('MOBILE_APP', 'MOBILE_APP', 'WEB', 'API', 'BRANCH', 'POS'),
  amount: amounts,
  hour: fc.constantFrom(0, 2, 10, 14),
  registered: fc.boolean(),
  declines: fc.constantFrom(0, 6),
  dict: statistics,
  custody: fc.constantFrom('HOSTED', 'SELF_HOSTED'),
  verified: fc.boolean(),
  home: countries,
  abroad: countries,
  payee: fc.constantFrom('João Exemplo', 'João Exemplo', 'João Listado'),
  incoming: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A submission with every input that a rule of the set reads, around the thresholds of the rules. */
function submission({ type, channel, amount, hour, home, abroad, payee, incoming, ...sent }: Drawn): Json {
  const { registered, declines, dict, custody, verified } = sent;
  const maria = person('Maria Exemplo', MARIA, { country: home });
  const joao = person(payee, JOAO, { country: abroad, walletReference: 'w-1' });
  const isIn = INCOMING.has(type) || (/^(PIX|TED)_TRANSFER$/.test(type) && incoming);
  return {
    transactionId: 't-last',
    externalCustomerId: 'maria',
    cpfCnpj: MARIA,
    type,
    channel,
    amount,
    currency: 'BRL',
    occurredAt: new Date(NOON + 24 * HOUR + (hour - 12) * HOUR).toISOString(),
    origin: isIn ? joao : maria,
    destination: isIn ? maria : joao,
    metadata: {
      direction: isIn ? 'IN' : 'OUT',
      deviceId: 'device-new',
      ipAddress: '203.0.113.9',
      deviceRegistered: registered,
      ...(type === 'CARD_PURCHASE' ? { declines } : {}),
      ...(type.startsWith('PIX_') ? { dict } : {}),
      ...(type.startsWith('CRYPTO_') ? { wallet: { custody, ownerVerified: verified } } : {}),
    },
  };
}

export const whole = drawn.map(submission);

/** A submission that is approved: with every seed there is one that could be approved wrongly. */
const ordinary: Drawn = {
  ...{ type: 'PIX_TRANSFER', channel: 'MOBILE_APP', amount: 150, hour: 14, registered: true, declines: 0 },
  dict: { statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } } },
  ...{ custody: 'HOSTED', verified: true, home: 'BR', abroad: 'BR', payee: 'João Exemplo', incoming: false },
};

/** The history of the customer and of others, some of it from the device of the last one. */
export const before = fc
  .array(
    fc.record({
      hoursAgo: fc.integer({ min: 1, max: 70 }),
      amount: amounts,
      incoming: fc.boolean(),
      others: fc.constantFrom(0, 0, 1, 2, 3),
    }),
    { maxLength: 12 },
  )
  .map((earlier) =>
    earlier
      .sort((a, b) => b.hoursAgo - a.hoursAgo)
      .map(({ hoursAgo, amount, incoming, others }, i): Json => {
        if (others > 0) return ofAnother(others, hoursAgo, i);
        const [maria, shop] = [person('Maria Exemplo', MARIA), person(`Loja ${i}`, JOAO)];
        return {
          transactionId: `t-${i}`,
          externalCustomerId: 'maria',
          cpfCnpj: MARIA,
          type: 'PIX_TRANSFER',
          channel: 'MOBILE_APP',
          amount,
          currency: 'BRL',
          occurredAt: new Date(NOON + 24 * HOUR - hoursAgo * HOUR).toISOString(),
          origin: incoming ? shop : maria,
          destination: incoming ? maria : shop,
          metadata: { direction: incoming ? 'IN' : 'OUT', deviceId: 'device-old', ipAddress: '203.0.113.1' },
        };
      }),
  );

/** The institution's own knowledge of the customer. */
export const known = fc.record({
  income: fc.constantFrom(1_000, 100_000),
  pep: fc.constantFrom(false, false, true),
  riskLevel: fc.constantFrom('LOW' as const, 'MEDIUM' as const, 'HIGH' as const),
});
type Known = typeof known extends fc.Arbitrary<infer T> ? T : never;

export const standingOf = ({
  income,
  pep,
  riskLevel,
}: { [K in keyof Known]: Known[K] | null }): CustomerRiskProfile => ({
  declared: {
    monthlyIncome: income,
    monthlyRevenue: null,
    nightLimit: null,
    nightStartHour: null,
    pep,
    asOf: new Date(NOON).toISOString(),
  },
  birthDate: null,
  nationalities: [],
  riskLevel,
  riskSingleControl: false,
  confirmed: null,
});

/** Another customer who uses the same device and address. */
const ofAnother = (customer: number, hoursAgo: number, i: number): Json => {
  const other = person(`Outra ${customer}`, cpfOf(`other-${customer}`));
  return {
    transactionId: `t-${i}`,
    externalCustomerId: `other-${customer}`,
    cpfCnpj: other['cpfCnpj'],
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 50,
    currency: 'BRL',
    occurredAt: new Date(NOON + 24 * HOUR - hoursAgo * HOUR).toISOString(),
    origin: other,
    destination: person('João Exemplo', JOAO),
    metadata: { direction: 'OUT', deviceId: 'device-new', ipAddress: '203.0.113.9', deviceRegistered: true },
  };
};

/** The places of inputs, with the features that are found out from them. */
const INPUTS: readonly (readonly [path: string, feature: RegExp])[] = [
  ['type', /^(type|instrument|cash|countries|crossBorder)$/],
  ['channel', /^channel$/],
  ['currency', /^(currency|amountBrl|amountUsd)$/],
  ['amount', /^amount/],
  ['occurredAt', /^occurredAt$/],
  ['cpfCnpj', /^(customer|sameHolder|direction|outgoing|incoming|activity|profile|aggregate)/],
  [
    'externalCustomerId',
    /^(customer|outgoing|incoming|activity|pair|cash|card|profile|aggregate|device\.pix)/,
  ],
  ['origin', /^(origin|countries|crossBorder|sameHolder|incoming)/],
  ['origin.name', /^(origin|sanctions|pep|blocklist|debarment)/],
  ['origin.country', /^(countries|crossBorder)/],
  ['origin.cpfCnpj', /^(sameHolder|direction|counterparty|incoming)/],
  ['destination', /^(destination|countries|crossBorder|sameHolder|counterparty|outgoing)/],
  ['destination.name', /^(destination|sanctions|pep|blocklist|debarment)/],
  ['destination.country', /^(countries|crossBorder)/],
  ['destination.cpfCnpj', /^(sameHolder|direction|counterparty|outgoing)/],
  ['metadata', /^(device|ip|card|dict|wallet|direction)/],
  ['metadata.direction', /^(direction|outgoing|incoming)/],
  ['metadata.deviceId', /^device/],
  ['metadata.ipAddress', /^ip/],
  ['metadata.deviceRegistered', /^device\.registered$/],
  ['metadata.declines', /^card\.declines10m$/],
  ['metadata.dict', /^dict/],
  ['metadata.dict.statistics', /^dict/],
  ['metadata.dict.statistics.KEY', /^dict/],
  ['metadata.dict.statistics.KEY.CONFIRMED_FRAUDS', /^dict\.confirmed/],
  ['metadata.dict.statistics.KEY.CONFIRMED_FRAUDS.d30', /^dict\.confirmed/],
  ['metadata.dict.statistics.KEY.REPORTED_FRAUDS', /^dict\.reported/],
  ['metadata.wallet', /^wallet/],
  ['metadata.wallet.custody', /^wallet\.custody$/],
  ['metadata.wallet.ownerVerified', /^wallet\.ownerVerified$/],
];

type Harm = (holder: Json, key: string) => void;
const harms: Readonly<Record<string, Harm>> = {
  removed: (holder, key) => {
    Reflect.deleteProperty(holder, key);
  },
  'in snake case': (holder, key) => {
    rename(
      holder,
      key,
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
  },
  'with a letter too many': (holder, key) => {
    rename(holder, key, `${key}s`);
  },
  'in capitals': (holder, key) => {
    rename(holder, key, key.toUpperCase());
  },
  'of a wrong type': (holder, key) => {
    const value = holder[key];
    if (typeof value === 'string') holder[key] = 7;
    else holder[key] = typeof value === 'object' ? 'text' : JSON.stringify(value);
  },
};

function rename(holder: Json, key: string, name: string): void {
  if (name === key) return;
  holder[name] = holder[key];
  Reflect.deleteProperty(holder, key);
}

function harmed(body: Json, path: string, harm: Harm): Json {
  const copy = structuredClone(body);
  const names = path.split('.');
  const key = names.pop() ?? '';
  let holder: Json | undefined = copy;
  for (const name of names) holder = holder?.[name] as Json | undefined;
  if (holder && key in holder) harm(holder, key);
  return copy;
}

const hitsOf = ({ rules }: Evaluation): string[] =>
  rules
    .filter(({ result, effect }) => result === 'HIT' && effect === 'COUNTED')
    .map(({ rule }) => rule.definition.key);

/** The counts of a run. */
export interface HarmedInputs {
  readonly transactions: number;
  readonly refused: number;
  readonly approved: number;
  /** Rules that lost a hit in at least one of them. */
  readonly silenced: ReadonlySet<string>;
}

/**
 * Takes each input of each rule away, misspells it and gives it a wrong type, in so many random submissions with a
 * history each, and takes away what is known of the customer. Fails where the result is approved and defensible although
 * the whole submission is not, or although a rule lost its hit or could not tell.
 */
export async function harmInputs(histories: number): Promise<HarmedInputs> {
  const inputsOf = new Map(
    starterRules.map(({ definition, compiled }) => [
      definition.key,
      INPUTS.filter(([, feature]) => compiled.features.some((name) => feature.test(name))).map(
        ([path]) => path,
      ),
    ]),
  );
  for (const [key, inputs] of inputsOf) {
    expect({ key, inputs: inputs.length > 0 }).toEqual({ key, inputs: true });
  }
  const paths = [...new Set([...inputsOf.values()].flat())];
  const seen = { transactions: 0, refused: 0, approved: 0, silenced: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(before, whole, known, async (history, body, standing) => {
      const right = await judged([...history, body], standingOf(standing));
      if (!right) throw new Error('the whole submission is refused');
      const compare = (path: string, harm: string, wrong: Evaluation | null): void => {
        seen.transactions += 1;
        if (!wrong) {
          seen.refused += 1;
          return;
        }
        const lost = hitsOf(right).filter((key) => !hitsOf(wrong).includes(key));
        for (const key of lost) seen.silenced.add(key);
        if (wrong.outcome !== 'APPROVED' || !wrong.defensible) return;
        seen.approved += 1;
        const open = wrong.notEvaluated.map(({ ruleId }) => ruleId);
        expect({ path, harm, lost, open, right: right.outcome, defensible: right.defensible }).toEqual({
          ...{ path, harm, lost: [], open: [] },
          ...{ right: 'APPROVED', defensible: true },
        });
      };
      for (const path of paths) {
        for (const [harm, does] of Object.entries(harms)) {
          compare(path, harm, await judged([...history, harmed(body, path, does)], standingOf(standing)));
        }
      }
      // The customer's record is written through an interface that refuses what is misspelt or of a wrong type.
      for (const name of Object.keys(standing)) {
        const less = await judged([...history, body], standingOf({ ...standing, [name]: null }));
        compare(`the customer's ${name}`, 'not known', less);
      }
      compare("the customer's record", 'not there', await judged([...history, body], null));
    }),
    {
      numRuns: histories,
      examples: [[[], submission(ordinary), { income: 100_000, pep: false, riskLevel: 'LOW' }]],
    },
  );
  process.stdout.write(
    `seed ${fc.readConfigureGlobal().seed}: ${seen.transactions} transactions, ${seen.refused} refused at the door, ` +
      `${seen.approved} approved, ${seen.silenced.size} rules lost a hit\n`,
  );
  return seen;
}
