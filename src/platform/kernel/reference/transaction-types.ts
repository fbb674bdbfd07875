import { didYouMean } from '../values/did-you-mean.js';

/** Seen from the customer's account: IN is money that comes to it. */
export type Direction = 'IN' | 'OUT';

export type Instrument =
  | 'PIX'
  | 'TED'
  | 'BOOK'
  | 'BOLETO'
  | 'CARD'
  | 'CASH'
  | 'ACCOUNT'
  | 'LOAN'
  | 'FX'
  | 'CRYPTO'
  | 'BET'
  | 'OTHER';

/** Everything known about a transaction by its type alone. */
export interface TransactionType {
  /** The direction when nothing else tells it; null where either is as likely. */
  readonly direction: Direction | null;
  /** Banknotes change hands. */
  readonly cash: boolean;
  readonly instrument: Instrument;
}

const type = (instrument: Instrument, direction: Direction | null, cash = false): TransactionType => ({
  direction,
  cash,
  instrument,
});

/** The types that ship. The set is open: any other well-formed type is accepted, with a warning. */
export const transactionTypes = {
  PIX_TRANSFER: type('PIX', 'OUT'),
  PIX_PAYMENT: type('PIX', 'OUT'),
  // The customer may be the one who refunds or the one who is refunded.
  PIX_REFUND: type('PIX', null),
  PIX_WITHDRAWAL: type('PIX', 'OUT', true),
  TED_TRANSFER: type('TED', 'OUT'),
  INTERNAL_TRANSFER: type('BOOK', 'OUT'),
  BOLETO_PAYMENT: type('BOLETO', 'OUT'),
  CARD_PURCHASE: type('CARD', 'OUT'),
  CARD_REFUND: type('CARD', 'IN'),
  CARD_WITHDRAWAL: type('CARD', 'OUT', true),
  CASH_DEPOSIT: type('CASH', 'IN', true),
  CASH_WITHDRAWAL: type('CASH', 'OUT', true),
  CASH_CONTRIBUTION: type('CASH', 'IN', true),
  // The payer brings banknotes to have another one paid.
  CASH_PAYMENT: type('CASH', 'OUT', true),
  // Banknotes are ordered for a withdrawal.
  CASH_PROVISION: type('CASH', 'OUT', true),
  ACCOUNT_CREDIT: type('ACCOUNT', 'IN'),
  ACCOUNT_DEBIT: type('ACCOUNT', 'OUT'),
  LOAN_DISBURSEMENT: type('LOAN', 'IN'),
  LOAN_PAYMENT: type('LOAN', 'OUT'),
  FX_INBOUND: type('FX', 'IN'),
  FX_OUTBOUND: type('FX', 'OUT'),
  // The direction of the money, not of the asset.
  CRYPTO_BUY: type('CRYPTO', 'OUT'),
  CRYPTO_SELL: type('CRYPTO', 'IN'),
  CRYPTO_TRANSFER: type('CRYPTO', 'OUT'),
  // Seen from the customer's account at the betting company.
  BET_DEPOSIT: type('BET', 'IN'),
  BET_WITHDRAWAL: type('BET', 'OUT'),
  OTHER: type('OTHER', null),
} as const satisfies Readonly<Record<string, TransactionType>>;

export type KnownTransactionType = keyof typeof transactionTypes;

const byName = new Map<string, TransactionType>(Object.entries(transactionTypes));

/** Returns what is known about a type, or undefined when it is not in the catalogue. */
export const transactionType = (name: string): TransactionType | undefined => byName.get(name);

/**
 * Returns the catalogue type that an unknown name probably means: the nearest spelling, or else one with the same first
 * word (PIX, PIX_OUT: PIX_TRANSFER); undefined if none is near.
 */
export function probableType(name: string): string | undefined {
  const words = new Set(name.split('_'));
  const known = [...byName.keys()];
  return didYouMean(name, known, 2) ?? known.find((type) => words.has(type.slice(0, type.indexOf('_'))));
}

/**
 * True if banknotes change hands, by the catalogue. Any other type is cash if its name begins with `CASH_`, and unknown
 * (null) otherwise.
 */
export const cashOf = (name: string): boolean | null =>
  transactionType(name)?.cash ?? (name.startsWith('CASH_') || null);

export const movesCash = (name: string): boolean => cashOf(name) === true;
