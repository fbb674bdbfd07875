import { randomBytes } from 'node:crypto';
import { madeUpCpf } from '../../src/platform/kernel/index.js';

/** Returns a random prefix for the transaction ids of one demo run. */
export const newRunId = (): string => randomBytes(4).toString('hex');

/** True for the id of a transaction that the demo has made up. */
export const isOfDemo = (transactionId: string): boolean => /^demo-[0-9a-f]{8}-\d+$/.test(transactionId);

const TYPES = ['PIX_TRANSFER', 'PIX_PAYMENT', 'CARD_PURCHASE', 'TED_TRANSFER', 'BOLETO_PAYMENT'] as const;
const CHANNELS = ['MOBILE_APP', 'WEB', 'API'] as const;
const COUNTRIES = ['BR', 'BR', 'BR', 'BR', 'PT', 'US', 'KP'] as const;

/**
 * Creates a deterministic random generator, seeded with the number of a transaction: runs differ only in ids and times.
 */
function createGenerator(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const fictionalCpf = (n: number): string => madeUpCpf(String(100_000_000 + (n % 800_000_000)));

const dict = (confirmed: number): object => ({
  statistics: { KEY: { CONFIRMED_FRAUDS: { d30: confirmed }, REPORTED_FRAUDS: { d30: confirmed } } },
});

/** The showcase: the first transactions of every run, one per recommended action. */
const SHOWCASE = [
  { what: 'ordinary', amount: 150.75, metadata: { deviceRegistered: true, dict: dict(0) } },
  {
    what: 'from an unregistered device, above the limit',
    amount: 900,
    metadata: { deviceRegistered: false, dict: dict(0) },
  },
  {
    what: 'to a key with confirmed fraud in DICT',
    amount: 900,
    metadata: { deviceRegistered: true, dict: dict(1) },
  },
] as const;

/** Returns the ids of a run's showcase transactions, each with its purpose. */
export const demoPurposes = (runId: string): ReadonlyMap<string, string> =>
  new Map(SHOWCASE.map(({ what }, n) => [`demo-${runId}-${n}`, what]));

function showcaseTransaction(
  runId: string,
  n: number,
  { amount, metadata }: (typeof SHOWCASE)[number],
  now: Date,
): Record<string, unknown> {
  // The customer appears in this run only, so it has no history.
  const customer = `cliente-${runId}-${n}`;
  const run = Number.parseInt(runId, 16) % 100_000_000;
  const cpfCnpj = fictionalCpf(1_000_000 + run + n);
  return {
    transactionId: `demo-${runId}-${n}`,
    externalCustomerId: customer,
    cpfCnpj,
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount,
    currency: 'BRL',
    occurredAt: now.toISOString(),
    origin: { name: 'Bia Exemplo', cpfCnpj, accountReference: customer, country: 'BR' },
    destination: { name: 'Padaria Exemplo', cpfCnpj: '12345678000195', country: 'BR' },
    // Each customer has its own IP address: several customers on one address are suspicious.
    metadata: {
      deviceId: `device-${customer}`,
      ipAddress: `198.18.${run % 256}.${(run + n) % 256}`,
      ...metadata,
    },
  };
}

/** Returns the nth transaction of a run: mostly small transfers of regulars, some large, some with missing data. */
export function demoTransaction(runId: string, n: number, now: Date): Record<string, unknown> {
  const shown = SHOWCASE[n];
  if (shown) return showcaseTransaction(runId, n, shown, now);
  const random = createGenerator(n);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const customer = Math.floor(random() ** 2 * 400);
  const known = random() > 0.08;
  const amount = random() > 0.985 ? 50_000 + random() * 40_000 : 5 + random() ** 3 * 3_000;
  const cpf = fictionalCpf(customer);
  const type = pick(TYPES);
  return {
    transactionId: `demo-${runId}-${n}`,
    ...(known ? { externalCustomerId: `cliente-${customer}`, cpfCnpj: cpf } : {}),
    type,
    channel: pick(CHANNELS),
    amount: Math.round(amount * 100) / 100,
    currency: 'BRL',
    occurredAt: now.toISOString(),
    origin: known
      ? { name: `Cliente ${customer}`, cpfCnpj: cpf, accountReference: `0001-${customer}`, country: 'BR' }
      : {},
    destination: {
      name: `Favorecido ${Math.floor(random() * 900)}`,
      cpfCnpj: fictionalCpf(10_000 + Math.floor(random() * 900)),
      country: pick(COUNTRIES),
    },
    // The address is outside the sample blocklist; otherwise every transaction would be a hit.
    metadata: {
      deviceId: `device-${customer}`,
      deviceRegistered: true,
      ipAddress: `198.51.100.${customer % 250}`,
      ...(type.startsWith('PIX_') ? { dict: dict(0) } : {}),
      ...(type === 'CARD_PURCHASE' ? { declines: 0 } : {}),
    },
  };
}
