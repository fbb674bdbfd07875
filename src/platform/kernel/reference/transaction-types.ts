import { didYouMean } from '../values/did-you-mean.js';

/** The direction of the money, seen from the customer's account: IN arrives there. */
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

/** The properties that follow from the type of a transaction alone. */
export interface TransactionType {
  /** The assumed direction if the submission gives no other hint; null if both are as likely. */
  readonly direction: Direction | null;
  /** True if the transaction pays in or pays out banknotes. */
  readonly cash: boolean;
  readonly instrument: Instrument;
}

const type = (instrument: Instrument, direction: Direction | null, cash = false): TransactionType => ({
  direction,
  cash,
  instrument,
});

/** The known types. The set is open: any other well-formed type is accepted, with a warning. */
export const transactionTypes = {
  PIX_TRANSFER: type('PIX', 'OUT'),
  PIX_PAYMENT: type('PIX', 'OUT'),
  // The customer may pay the refund or receive it.
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
  // The payer pays somebody else with banknotes.
  CASH_PAYMENT: type('CASH', 'OUT', true),
  // The customer orders banknotes for a later withdrawal.
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

/** Returns the catalogue entry of a type, or undefined if the catalogue lacks it. */
export const transactionType = (name: string): TransactionType | undefined => byName.get(name);

/**
 * Returns the catalogue type that an unknown name probably means: the nearest spelling, else a type that begins with the
 * same word (`PIX_OUT` gives `PIX_TRANSFER`); undefined if there is none.
 */
export function probableType(name: string): string | undefined {
  const words = new Set(name.split('_'));
  const known = [...byName.keys()];
  return didYouMean(name, known, 2) ?? known.find((type) => words.has(type.slice(0, type.indexOf('_'))));
}

/**
 * True if a transaction of this type moves banknotes. A type that is not in the catalogue is cash if its name begins
 * with `CASH_`, and unknown (null) otherwise.
 */
export const isCashType = (name: string): boolean | null =>
  transactionType(name)?.cash ?? (name.startsWith('CASH_') || null);

export const movesCash = (name: string): boolean => isCashType(name) === true;
