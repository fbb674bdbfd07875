import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { ExchangeRateTable } from '../../src/features/fx/index.js';
import { businessDaysBack } from '../../src/platform/kernel/reference/bank-calendar.js';
import { LocalDays } from '../../src/platform/kernel/values/local-day.js';
import { transactionType } from '../../src/platform/kernel/reference/transaction-types.js';
import { parse } from '../../src/features/rules/language/syntax/parser.js';
import type { AggregateDefinition, FactValue, CustomField } from '../../src/features/rules/index.js';
import { ReferenceInterpreter } from './reference-interpreter.js';

/** A transaction of a generated history. Keys are short names; null is none. */
export interface PastTransaction {
  /** The order of receipt, and what it is called by. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly occurredAt: number;
  readonly receivedAt: number;
  readonly type: string;
  readonly channel: string;
  readonly amount: number;
  readonly currency: string;
  readonly direction: 'IN' | 'OUT' | null;
  readonly document: string | null;
  readonly external: string | null;
  readonly account: string | null;
  readonly counterparty: string | null;
  readonly device: string | null;
  readonly ip: string | null;
  readonly card: string | null;
  /** Undefined where it was not kept. */
  readonly originCountry: string | null | undefined;
  readonly destinationCountry: string | null | undefined;
  readonly outcomes: readonly {
    readonly at: number;
    readonly outcome: 'APPROVED' | 'CHALLENGED' | 'REVIEW';
  }[];
  readonly tag: string | null;
  readonly fee: number | null;
}

export const NOON = Date.parse('2026-11-18T12:00:00-03:00');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CAP = 2_000;

/** The custom fields of the generated histories. */
export const TAG: CustomField = {
  ...{ number: 1, name: 'tag', path: 'tag', type: 'string', types: ['*'], personal: false, history: 'KEY' },
};
export const FEE: CustomField = {
  ...{
    number: 2,
    name: 'fee',
    path: 'costs.fee',
    type: 'decimal',
    types: ['*'],
    personal: false,
    history: 'VALUE',
  },
};
export const CUSTOM_FIELDS = { tag: TAG, fee: FEE };

/** Dollars have a rate from 30 days before noon on, approved by two; pounds have none. */
export const RATES = new ExchangeRateTable(
  [
    {
      currency: 'USD',
      from: NOON - 30 * DAY,
      date: '2026-10-19',
      rate: 5.5,
      source: 'test',
      singleControl: false,
    },
    {
      currency: 'USD',
      from: NOON - 2 * DAY,
      date: '2026-11-16',
      rate: 5.75,
      source: 'test',
      singleControl: false,
    },
  ],
  400,
);

export const keyOfName = (kind: string, name: string): Buffer =>
  createHash('sha256').update(`${kind}\0${name}`).digest().subarray(0, 16);

/** The customer by document, else by the institution's id, else by account: kind and name. */
export const customerOf = ({
  document,
  external,
  account,
}: PastTransaction): readonly [string, string] | null =>
  document !== null
    ? ['document', document]
    : external !== null
      ? ['customer', external]
      : account !== null
        ? ['account', account]
        : null;

// ---------- generation ----------

const name = (prefix: string, count: number, none = 0.15): fc.Arbitrary<string | null> =>
  fc.oneof(
    { weight: Math.round(100 * (1 - none)), arbitrary: fc.nat(count - 1).map((i) => `${prefix}${i}`) },
    { weight: Math.round(100 * none), arbitrary: fc.constant(null) },
  );

/** Moments that meet: many on the same minute, some far back, some at the edges of windows and days. */
const moment = fc.oneof(
  { weight: 4, arbitrary: fc.nat(6).map((i) => NOON - i * 10 * MINUTE) },
  { weight: 3, arbitrary: fc.nat(48).map((i) => NOON - i * HOUR) },
  { weight: 2, arbitrary: fc.nat(20).map((i) => NOON - i * DAY) },
  { weight: 1, arbitrary: fc.nat(420).map((i) => NOON - i * DAY) },
  { weight: 1, arbitrary: fc.nat(3).map((i) => NOON - 12 * HOUR - i * DAY) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * DAY }).map((ms) => NOON - ms) },
);

const country = fc.constantFrom('BR', 'US', 'PY', null, undefined);

/** A history in the order of receipt; what took place later may have come in before. */
export const histories = (size: { min: number; max: number }): fc.Arbitrary<readonly PastTransaction[]> =>
  fc
    .array(
      fc.record({
        occurredAt: moment,
        type: fc.constantFrom(
          'PIX_TRANSFER',
          'PIX_REFUND',
          'TED_TRANSFER',
          'CASH_DEPOSIT',
          'CARD_PURCHASE',
          'HOUSE_THING',
        ),
        channel: fc.constantFrom('MOBILE_APP', 'BRANCH', 'API'),
        amount: fc.oneof(
          fc.integer({ min: 1, max: 5_000_000 }).map((value) => value / 100),
          fc.constantFrom(1_000, 9_900, 10_000),
        ),
        currency: fc.constantFrom('BRL', 'BRL', 'BRL', 'USD', 'GBP'),
        direction: fc.constantFrom('IN', 'OUT', 'OUT', null),
        document: name('d', 3, 0.4),
        external: name('e', 4, 0.3),
        account: name('a', 4, 0.2),
        counterparty: name('p', 5),
        device: name('v', 4),
        ip: name('i', 4),
        card: name('k', 3, 0.5),
        originCountry: country,
        destinationCountry: country,
        evaluatedAfter: fc.constantFrom(null, 0, 30 * MINUTE, 2 * DAY),
        outcome: fc.constantFrom('APPROVED', 'CHALLENGED', 'REVIEW'),
        again: fc.boolean(),
        tag: fc.constantFrom('red', 'green', 'RED', null),
        fee: fc.constantFrom(0.1, 0.2, 12.345678, -3.5, 1e14, null),
      }),
      { minLength: size.min, maxLength: size.max },
    )
    .map((made) =>
      made.map(({ evaluatedAfter, outcome, again, ...one }, i): PastTransaction => {
        const receivedAt = one.occurredAt + (i % 3) * HOUR;
        const first = evaluatedAfter === null ? [] : [{ at: receivedAt + evaluatedAfter, outcome }];
        const second =
          again && first.length > 0
            ? [{ at: receivedAt + (evaluatedAfter ?? 0) + HOUR, outcome: 'REVIEW' as const }]
            : [];
        return { seq: i + 1, receivedAt, outcomes: [...first, ...second], ...one };
      }),
    );

const leaf = fc.oneof(
  fc.constantFrom(
    'direction == "IN"',
    'direction == now.direction',
    'type.startsWith("PIX_")',
    'type == now.type',
    'instrument in ["PIX", "CARD"]',
    'cash',
    'channel != "BRANCH"',
    'currency == "USD"',
    'amount.isRound(100)',
    'amountBrl >= 0.8 * now.amountBrl && amountBrl <= 1.2 * now.amountBrl',
    'hoursBetween(occurredAt, now.occurredAt) < 3',
    'occurredAt.localHour("America/Sao_Paulo") < 10',
    'destination.country == "PY"',
    'has(origin.country)',
    '!has(destination.country)',
    'outcome == "REVIEW"',
    'outcome in ["PENDING", "CHALLENGED"]',
    'same.counterparty',
    'same.device',
    'same.ip || same.account',
    'same.customer',
    'same.card',
    'custom.tag == "red"',
    'has(custom.fee) && custom.fee > 0.15',
    'custom.fee * 2 >= 0.4',
  ),
  fc.integer({ min: 1, max: 60_000 }).map((limit) => `amountBrl > ${limit}`),
);
const filter = fc.oneof(
  leaf,
  fc.tuple(leaf, fc.constantFrom('&&', '||'), leaf).map(([a, op, b]) => `(${a}) ${op} (${b})`),
  leaf.map((one) => `!(${one})`),
);

const window = fc.oneof(
  fc.constantFrom('1m', '30m', '1h', '24h', '7d', '30d', '400d', 'day', '1bd', '5bd', '20bd'),
  fc.integer({ min: 1, max: 600 }).map((minutes) => `${minutes}m`),
);
const by = fc.constantFrom(
  'customer',
  'document',
  'account',
  'counterparty',
  'device',
  'ip',
  'pair',
  'card',
  'custom.tag',
);
const of: Readonly<Record<string, fc.Arbitrary<string | undefined>>> = {
  count: fc.constant(undefined),
  ...Object.fromEntries(
    ['sum', 'min', 'max', 'mean', 'sd', 'percentile'].map((fn) => [
      fn,
      fc.constantFrom(undefined, 'amountBrl', 'amountBrl', 'custom.fee'),
    ]),
  ),
  distinct: fc.constantFrom(
    ...['counterparty', 'customer', 'device', 'ip', 'account', 'card', 'type', 'channel', 'currency'],
    ...['origin.country', 'destination.country', 'day', 'custom.tag', 'custom.fee'],
  ),
  ...Object.fromEntries(
    ['first', 'last'].map((fn) => [
      fn,
      fc.constantFrom(
        'occurredAt',
        'amountBrl',
        'type',
        'channel',
        'currency',
        'origin.country',
        'custom.tag',
      ),
    ]),
  ),
};

/** Any aggregate of a window. */
export const definitions: fc.Arbitrary<AggregateDefinition> = fc
  .constantFrom('count', 'sum', 'min', 'max', 'mean', 'sd', 'percentile', 'distinct', 'first', 'last')
  .chain((fn) =>
    fc
      .record({
        of: of[fn]!,
        percentile: fc.integer({ min: 1, max: 100 }),
        by,
        window,
        offset: fc.constantFrom(undefined, undefined, '1h', '1d'),
        where: fc.option(filter, { freq: 4, nil: undefined }),
        current: fc.constantFrom(undefined, true, false),
      })
      .map(({ percentile, offset, ...rest }): AggregateDefinition => ({
        function: fn,
        ...present(rest),
        ...(fn === 'percentile' ? { percentile } : {}),
        // Only windows of a plain length end before the transaction.
        ...(offset !== undefined && /^\d+[mhd]$/.test(rest.window) && rest.window !== '400d'
          ? { offset }
          : {}),
      })),
  );

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const present = <T extends object>(object: T): Present<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Present<T>;

// ---------- the second, plain way to work an aggregate out ----------

export type Naive = { readonly value: FactValue; readonly isBound: boolean } | { readonly why: string };

/** Whom a transaction is about: its own keys, and the other one under which its customer has rows. */
export interface Target {
  readonly own: PastTransaction;
  readonly other: readonly [string, string] | null;
}

const same = (a: readonly [string, string] | null, b: readonly [string, string] | null): boolean =>
  a !== null && b !== null && a[0] === b[0] && a[1] === b[1];

const brlOf = ({ amount, currency, occurredAt }: PastTransaction): number | null =>
  RATES.toBrl(amount, currency, occurredAt);

/** Every row of the history is looked at, one after another. */
export function naively(
  definition: AggregateDefinition,
  { own, other }: Target,
  history: readonly PastTransaction[],
): Naive {
  const isOfCustomer = (row: PastTransaction): boolean => {
    const customer = customerOf(row);
    return same(customer, customerOf(own)) || same(customer, other);
  };
  const key = definition.by ?? '';
  // A document or a counterparty without a customer has no log to be a part of.
  const needed: Readonly<Record<string, unknown>> = {
    customer: customerOf(own),
    document: own.document,
    pair: customerOf(own) && own.counterparty,
    'custom.tag': own.tag,
  };
  if ((key in needed ? needed[key] : own[key as 'device']) === null) return { why: 'no key' };
  const isOfLog = (row: PastTransaction): boolean => {
    if (['customer', 'document', 'pair'].includes(key)) return isOfCustomer(row);
    return key === 'custom.tag' ? row.tag === own.tag : row[key as 'device'] === own[key as 'device'];
  };
  const isBefore = (row: PastTransaction): boolean =>
    row.occurredAt < own.occurredAt || (row.occurredAt === own.occurredAt && row.seq < own.seq);
  const log = history
    .filter((row) => isOfLog(row) && isBefore(row))
    .sort((a, b) => b.occurredAt - a.occurredAt || b.seq - a.seq);
  const { since, until } = boundsOf(definition, own.occurredAt);
  const inWindow = (row: PastTransaction): boolean => row.occurredAt > since && row.occurredAt <= until;
  const seen = log.slice(0, CAP);
  const isCut = log.slice(CAP).some((row) => row.occurredAt > since);
  const rows = [
    ...(definition.current !== false && own.occurredAt <= until ? [own] : []),
    ...seen
      .filter(inWindow)
      .filter((row) => key !== 'document' || row.document === own.document)
      .filter((row) => key !== 'pair' || row.counterparty === own.counterparty),
  ].map((row) => ({ row, counts: countsOf(definition, row, own, isOfCustomer) }));
  const value = (row: PastTransaction): FactValue | null | undefined =>
    takenOf(definition, row, isOfCustomer);
  return fold(definition, rows, value, isCut);
}

/** Some built-in facts of a transaction, and whether it came late: a row whose windows reach it was received before it. */
export function plainFacts(
  { own, other }: Target,
  history: readonly PastTransaction[],
  together: ReadonlySet<number>,
): { readonly facts: Readonly<Record<string, FactValue | string>>; readonly cameLate: boolean } {
  const customer = customerOf(own);
  const isOfCustomer = (row: PastTransaction): boolean =>
    same(customerOf(row), customer) || (customer !== null && same(customerOf(row), other));
  const isBefore = (row: PastTransaction): boolean =>
    row.occurredAt < own.occurredAt || (row.occurredAt === own.occurredAt && row.seq < own.seq);
  const newestFirst = (rows: readonly PastTransaction[]): PastTransaction[] =>
    rows.filter(isBefore).sort((a, b) => b.occurredAt - a.occurredAt || b.seq - a.seq);
  const isMissed = (hours: number, shares: (row: PastTransaction) => boolean): boolean =>
    history.some(
      (row) =>
        shares(row) &&
        row.occurredAt > own.occurredAt &&
        row.occurredAt < own.occurredAt + hours * HOUR &&
        row.seq < own.seq &&
        !together.has(row.seq),
    );
  const cameLate =
    isMissed(90 * 24, isOfCustomer) ||
    isMissed(25, ({ device }) => device !== null && device === own.device) ||
    isMissed(24, ({ ip }) => ip !== null && ip === own.ip);
  if (customer === null) return { facts: { 'activity.count90d': 'NO_CUSTOMER_KEY' }, cameLate };
  const all = newestFirst(history.filter(isOfCustomer));
  const quarter = all.filter(({ occurredAt }) => occurredAt > own.occurredAt - 90 * DAY);
  const seen = quarter.slice(0, CAP);
  const { counterparty } = own;
  const ofPayee = newestFirst(history.filter((row) => row.counterparty === counterparty));
  const seenBefore = (): FactValue | string => {
    if (counterparty === null) return 'NO_COUNTERPARTY_KEY';
    if (seen.some((row) => row.counterparty === counterparty)) return true;
    if (seen.length === all.length || ofPayee.slice(0, CAP).some(isOfCustomer)) {
      return seen.length !== all.length;
    }
    return ofPayee.length > CAP ? 'HISTORY_BEYOND_CAP' : false;
  };
  const first = all.at(-1);
  return {
    facts: {
      'activity.count90d': quarter.length > CAP ? `at least ${CAP}` : quarter.length,
      'activity.lastAt': all[0]?.occurredAt ?? 'FIRST_TRANSACTION',
      'activity.historyDays': first ? Math.floor((own.occurredAt - first.occurredAt) / DAY) : 0,
      'counterparty.seenBefore': seenBefore(),
    },
    cameLate,
  };
}

function fold(
  definition: AggregateDefinition,
  rows: readonly { readonly row: PastTransaction; readonly counts: boolean | undefined }[],
  valueOf: (row: PastTransaction) => FactValue | null | undefined,
  isCut: boolean,
): Naive {
  const { function: fn } = definition;
  const unsure: Naive = { why: 'unsure' };
  if (fn === 'last' || fn === 'first') {
    if (fn === 'first' && isCut) return unsure;
    const order = fn === 'last' ? rows : [...rows].reverse();
    const found = order.find(({ counts }) => counts !== false);
    if (!found) return isCut ? unsure : { why: 'none' };
    const value = found.counts === undefined ? undefined : valueOf(found.row);
    if (value === undefined) return unsure;
    return value === null ? { why: 'none' } : { value, isBound: false };
  }
  const counted = rows.filter(({ counts }) => counts === true).map(({ row }) => row);
  const values = fn === 'count' ? counted.map(() => 1) : counted.map(valueOf);
  const open =
    isCut || rows.some(({ counts }) => counts === undefined) || values.some((value) => value === undefined);
  const known = values.filter((value) => value !== undefined && value !== null);
  if (fn === 'count') return { value: known.length, isBound: open };
  if (fn === 'distinct') return { value: new Set(known).size, isBound: open };
  const numbers = known as number[];
  const isAmount = (definition.of ?? 'amountBrl') === 'amountBrl';
  if (fn === 'sum') return open && !isAmount ? unsure : { value: exact(numbers), isBound: open };
  if (fn === 'max' && numbers.length > 0) return { value: Math.max(...numbers), isBound: open };
  if (open) return unsure;
  if (numbers.length === 0) return { why: 'none' };
  const sorted = [...numbers].sort((a, b) => a - b);
  const mean = exactMean(numbers);
  switch (fn) {
    case 'min':
      return { value: sorted[0]!, isBound: false };
    case 'mean':
      return { value: mean, isBound: false };
    case 'sd':
      return { value: exactDeviation(numbers), isBound: false };
    case 'percentile': {
      const rank = Math.ceil(((definition.percentile ?? 0) / 100) * sorted.length);
      return { value: sorted[rank - 1]!, isBound: false };
    }
    case 'max':
    case 'ratio':
      throw new Error(`no naive ${fn}`);
  }
}

function boundsOf(
  { window: text = '', offset }: AggregateDefinition,
  now: number,
): { since: number; until: number } {
  const ms = (span: string): number =>
    Number(/^\d+/.exec(span)?.[0]) * { m: MINUTE, h: HOUR, d: DAY }[span.at(-1) as 'm' | 'h' | 'd'];
  const days = new LocalDays();
  const until = now - (offset === undefined ? 0 : ms(offset));
  if (text === 'day') return { since: days.startOfDay(now) - 1, until };
  if (text.endsWith('bd')) return { since: businessDaysBack(now, parseInt(text, 10), days) - 1, until };
  return { since: until - ms(text), until };
}

/** Undefined where nobody can tell. */
function countsOf(
  { where }: AggregateDefinition,
  row: PastTransaction,
  own: PastTransaction,
  isOfCustomer: (row: PastTransaction) => boolean,
): boolean | undefined {
  if (where === undefined) return true;
  const sameAs = (key: 'counterparty' | 'account' | 'device' | 'ip' | 'card'): boolean | null =>
    own[key] === null ? null : row[key] === own[key];
  const asOf = Math.min(own.occurredAt, own.receivedAt);
  const stood = row === own ? [] : row.outcomes.filter(({ at }) => at <= asOf);
  const values: Record<string, FactValue | null> = {
    type: row.type,
    instrument: transactionType(row.type)?.instrument ?? 'OTHER',
    cash: row.type.startsWith('CASH_'),
    channel: row.channel,
    currency: row.currency,
    amount: row.amount,
    amountBrl: brlOf(row),
    occurredAt: row.occurredAt,
    direction: row.direction,
    'origin.country': row.originCountry ?? null,
    'destination.country': row.destinationCountry ?? null,
    outcome: stood.at(-1)?.outcome ?? 'PENDING',
    'same.customer': customerOf(own) === null ? null : row === own || isOfCustomer(row),
    'same.counterparty': sameAs('counterparty'),
    'same.account': sameAs('account'),
    'same.device': sameAs('device'),
    'same.ip': sameAs('ip'),
    'same.card': sameAs('card'),
    'custom.tag': row.tag,
    'custom.fee': row.fee,
    'now.type': own.type,
    'now.direction': own.direction,
    'now.amountBrl': brlOf(own),
    'now.occurredAt': own.occurredAt,
  };
  const isUnkept = (field: string): boolean =>
    (field === 'origin.country' && row.originCountry === undefined) ||
    (field === 'destination.country' && row.destinationCountry === undefined);
  const interpreter = new ReferenceInterpreter(values, (field) => (isUnkept(field) ? 'SKIPPED' : 'MISSING'));
  return interpreter.value(parse(where)) as boolean | undefined;
}

/** Null where the row has none, undefined where nobody can tell. */
function takenOf(
  { of: what = 'amountBrl' }: AggregateDefinition,
  row: PastTransaction,
  isOfCustomer: (row: PastTransaction) => boolean,
): FactValue | null | undefined {
  switch (what) {
    case 'amountBrl':
      return brlOf(row) ?? undefined;
    case 'day':
      return new LocalDays().startOfDay(row.occurredAt);
    case 'customer':
      return isOfCustomer(row) ? 'own' : (customerOf(row)?.join(':') ?? null);
    case 'origin.country':
      return row.originCountry;
    case 'destination.country':
      return row.destinationCountry;
    case 'custom.tag':
      return row.tag;
    case 'custom.fee':
      return row.fee;
    default:
      return row[what as 'type' | 'occurredAt'];
  }
}

const SCALE = 1_000_000;
/** In whole millionths: generated amounts and fees have no more digits. */
const scaled = (values: readonly number[]): bigint[] =>
  values.map((value) => BigInt(Math.round(value * SCALE)));
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);
const tidy = (value: number): number => Number(value.toPrecision(15));

/** A quotient of whole numbers as a decimal of 15 digits, by long division. */
function quotient(numerator: bigint, denominator: bigint): number {
  const digits = 10n ** 30n;
  const text = ((numerator * digits) / denominator).toString();
  return tidy(Number(`${text}e-30`));
}

const exact = (values: readonly number[]): number => quotient(total(scaled(values)), BigInt(SCALE));
const exactMean = (values: readonly number[]): number =>
  quotient(total(scaled(values)), BigInt(SCALE) * BigInt(values.length));

/** The square root of what is exactly the variance. */
function exactDeviation(values: readonly number[]): number {
  const all = scaled(values);
  const n = BigInt(all.length);
  const squares = n * total(all.map((value) => value * value)) - total(all) ** 2n;
  return Math.sqrt(quotient(squares, n * n * BigInt(SCALE) * BigInt(SCALE)));
}
