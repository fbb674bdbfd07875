import fc from 'fast-check';
import type { Evaluation } from '../../src/features/rules/index.js';
import { HOUR, InMemoryPipeline, isRefused, NOON, type Json } from './in-memory-pipeline.js';

/** The result of a stream of submissions that lack nothing. */
export interface OrdinaryRun {
  readonly transactions: number;
  readonly approved: number;
  /** Why some could not be defended, with their count; empty when all could. */
  readonly gaps: Readonly<Record<string, number>>;
}

const DAY = 24 * HOUR;

/** The institution knows its customers, as the law asks. */
const KNOWN = {
  declared: {
    ...{ monthlyIncome: 6_000, monthlyRevenue: null, nightLimit: null, nightStartHour: null, pep: false },
    asOf: new Date(NOON).toISOString(),
  },
  birthDate: null,
  nationalities: [],
  riskLevel: 'LOW',
  riskSingleControl: false,
  confirmed: null,
} as const;
const PER_CUSTOMER = 40;

/** A number with its two check digits, so that it is a CPF. */
export function cpfOf(number: number): string {
  const digits = [...String(100_000_000 + (number % 800_000_000))].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, i) => total + digit * (length + 1 - i), 0);
    digits.push(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  }
  return digits.join('');
}

const statistics = {
  statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } },
};

interface Draw {
  readonly kind: 'PIX' | 'TED' | 'CARD' | 'CASH' | 'SALARY' | 'BOLETO';
  readonly cents: number;
  readonly hour: number;
  readonly payee: number;
}

const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom('PIX', 'PIX', 'PIX', 'CARD', 'CARD', 'TED', 'CASH', 'SALARY', 'BOLETO'),
  cents: fc.integer({ min: 500, max: 60_000 }),
  hour: fc.integer({ min: 7, max: 19 }),
  payee: fc.nat(6),
});

/** One day of one customer: everything that a careful integrator knows is sent. */
function submission(customer: number, day: number, one: Draw): Json {
  const own = {
    name: `Cliente ${customer}`,
    cpfCnpj: cpfOf(customer),
    accountReference: `acc-${customer}`,
    country: 'BR',
  };
  const other = {
    name: `Conhecido ${customer}-${one.payee}`,
    cpfCnpj: cpfOf(400_000_000 + customer * 10 + one.payee),
    accountReference: `acc-${customer}-${one.payee}`,
    country: 'BR',
  };
  const isIn = one.kind === 'SALARY';
  const type = {
    PIX: 'PIX_TRANSFER',
    TED: 'TED_TRANSFER',
    CARD: 'CARD_PURCHASE',
    CASH: 'CASH_WITHDRAWAL',
    SALARY: 'ACCOUNT_CREDIT',
    BOLETO: 'BOLETO_PAYMENT',
  }[one.kind];
  return {
    transactionId: `o-${customer}-${day}`,
    externalCustomerId: `customer-${customer}`,
    cpfCnpj: own.cpfCnpj,
    type,
    channel: one.kind === 'CASH' ? 'ATM' : 'MOBILE_APP',
    amount: (isIn ? 300_000 : one.cents) / 100,
    currency: 'BRL',
    occurredAt: new Date(NOON + (day - PER_CUSTOMER) * DAY + (one.hour - 12) * HOUR).toISOString(),
    origin: isIn ? other : own,
    destination: isIn ? own : other,
    metadata: {
      direction: isIn ? 'IN' : 'OUT',
      deviceId: `device-${customer}`,
      ipAddress: `198.51.${(customer >> 8) % 256}.${customer % 256}`,
      deviceRegistered: true,
      ...(one.kind === 'CARD' ? { declines: 0 } : {}),
      ...(one.kind === 'PIX' ? { dict: statistics } : {}),
    },
  };
}

/** Evaluates so many transactions of ordinary customers, each with a history that grows day by day. */
export async function runOrdinaryCustomers(transactions: number): Promise<OrdinaryRun> {
  const customers = Math.ceil(transactions / PER_CUSTOMER);
  const draws = fc.sample(draw, { numRuns: customers * PER_CUSTOMER });
  const pipeline = new InMemoryPipeline(KNOWN);
  const gaps: Record<string, number> = {};
  let approved = 0;
  const note = ({ outcome, defensible, nonDefensibleReasons, components }: Evaluation): void => {
    if (outcome === 'APPROVED') approved += 1;
    if (defensible) return;
    const why = `${nonDefensibleReasons.join('+')} ${components.RULES?.reason ?? ''}`;
    gaps[why] = (gaps[why] ?? 0) + 1;
  };
  for (let customer = 0; customer < customers; customer += 1) {
    const bodies = Array.from({ length: PER_CUSTOMER }, (_, day) => {
      const one = draws[customer * PER_CUSTOMER + day];
      if (!one) throw new Error('too few draws');
      return submission(customer, day, one);
    });
    if (bodies.some(isRefused)) throw new Error('an ordinary submission is refused');
    for (const evaluation of await pipeline.evaluate(bodies)) note(evaluation);
  }
  process.stdout.write(
    `seed ${fc.readConfigureGlobal().seed}: ${customers * PER_CUSTOMER} ordinary transactions, ${approved} approved, ` +
      `${Object.values(gaps).reduce((sum, count) => sum + count, 0)} not defensible\n`,
  );
  return { transactions: customers * PER_CUSTOMER, approved, gaps };
}
