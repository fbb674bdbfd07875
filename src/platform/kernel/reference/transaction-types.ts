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

const defineType = (instrument: Instrument, direction: Direction | null, cash = false): TransactionType => ({
  direction,
  cash,
  instrument,
});

/** The known types. The set is open: any other well-formed type is accepted, with a warning. */
export const transactionTypes = {
  PIX_TRANSFER: defineType('PIX', 'OUT'),
  PIX_PAYMENT: defineType('PIX', 'OUT'),
  // The customer may pay the refund or receive it.
  PIX_REFUND: defineType('PIX', null),
  PIX_WITHDRAWAL: defineType('PIX', 'OUT', true),
  TED_TRANSFER: defineType('TED', 'OUT'),
  INTERNAL_TRANSFER: defineType('BOOK', 'OUT'),
  BOLETO_PAYMENT: defineType('BOLETO', 'OUT'),
  CARD_PURCHASE: defineType('CARD', 'OUT'),
  CARD_REFUND: defineType('CARD', 'IN'),
  CARD_WITHDRAWAL: defineType('CARD', 'OUT', true),
  CASH_DEPOSIT: defineType('CASH', 'IN', true),
  CASH_WITHDRAWAL: defineType('CASH', 'OUT', true),
  CASH_CONTRIBUTION: defineType('CASH', 'IN', true),
  // The payer pays somebody else with banknotes.
  CASH_PAYMENT: defineType('CASH', 'OUT', true),
  // The customer orders banknotes for a later withdrawal.
  CASH_PROVISION: defineType('CASH', 'OUT', true),
  ACCOUNT_CREDIT: defineType('ACCOUNT', 'IN'),
  ACCOUNT_DEBIT: defineType('ACCOUNT', 'OUT'),
  LOAN_DISBURSEMENT: defineType('LOAN', 'IN'),
  LOAN_PAYMENT: defineType('LOAN', 'OUT'),
  FX_INBOUND: defineType('FX', 'IN'),
  FX_OUTBOUND: defineType('FX', 'OUT'),
  // The direction of the money, not of the asset.
  CRYPTO_BUY: defineType('CRYPTO', 'OUT'),
  CRYPTO_SELL: defineType('CRYPTO', 'IN'),
  CRYPTO_TRANSFER: defineType('CRYPTO', 'OUT'),
  // Seen from the customer's account at the betting company.
  BET_DEPOSIT: defineType('BET', 'IN'),
  BET_WITHDRAWAL: defineType('BET', 'OUT'),
  OTHER: defineType('OTHER', null),
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
  const knownNames = [...byName.keys()];
  return (
    didYouMean(name, knownNames, 2) ?? knownNames.find((type) => words.has(type.slice(0, type.indexOf('_'))))
  );
}

/**
 * True if a transaction of this type moves banknotes. A type that is not in the catalogue is cash if its name begins
 * with `CASH_`, and unknown (null) otherwise.
 */
export const isCashType = (name: string): boolean | null =>
  transactionType(name)?.cash ?? (name.startsWith('CASH_') || null);

export const movesCash = (name: string): boolean => isCashType(name) === true;
