import { countryCodes } from '../../../../platform/kernel/reference/countries.js';
import { currencyCodes } from '../../../../platform/kernel/reference/currencies.js';
import { transactionTypes } from '../../../../platform/kernel/reference/transaction-types.js';
import {
  canonicalValue,
  type ValueKind,
} from '../../../../platform/kernel/values/canonical/canonical-value.js';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';
import type { FeatureName } from '../feature-schema.js';
import type { Feature } from '../schema.js';

/** The possible values of a text field. */
interface TextValues {
  readonly has: (text: string) => boolean;
  /** True if callers may send other texts. */
  readonly isOpen?: boolean;
  /** Returns the text that was probably meant; undefined if no value is similar. */
  readonly near: (text: string) => string | undefined;
}

const textsAmong = (values: Iterable<string>): TextValues => {
  const textValues = new Set(values);
  return { has: (text) => textValues.has(text), near: (text) => didYouMean(text.toUpperCase(), textValues) };
};

const canonicalTexts = (kind: ValueKind): TextValues => ({
  has: (text) => canonicalValue(kind, text) === text,
  near: (text) => canonicalValue(kind, text) ?? undefined,
});

const countries: TextValues = {
  has: (text) => countryCodes.has(text),
  near: (text) => canonicalValue('COUNTRY', text) ?? undefined,
};
const documents = canonicalTexts('DOCUMENT');
const types = Object.entries(transactionTypes);

const texts: Partial<Readonly<Record<FeatureName, TextValues>>> = {
  type: { ...textsAmong(types.map(([name]) => name)), isOpen: true },
  instrument: textsAmong(types.map(([, { instrument }]) => instrument)),
  currency: textsAmong(currencyCodes),
  direction: textsAmong(['IN', 'OUT']),
  countries,
  'origin.country': countries,
  'destination.country': countries,
  'profile.nationalities': countries,
  'customer.document': documents,
  'origin.document': documents,
  'destination.document': documents,
  'customer.personType': textsAmong(['NATURAL', 'LEGAL']),
  'counterparty.personType': textsAmong(['NATURAL', 'LEGAL']),
  'device.id': canonicalTexts('DEVICE'),
  'ip.address': canonicalTexts('IP'),
  'profile.riskLevel': textsAmong(['LOW', 'MEDIUM', 'HIGH']),
  'profile.source': textsAmong(['SESSION', 'OPERATOR', 'CLIENT', 'UPLOAD']),
  'kyc.lastResult': textsAmong(['APPROVED', 'REVIEW', 'REJECTED']),
  'blocklist.matches': textsAmong(['DOCUMENT', 'ACCOUNT', 'PIX_KEY', 'WALLET', 'DEVICE', 'IP']),
};

/** The texts that a field, or an item of a list of texts, can hold; null if any text is possible. */
export const possibleTextsOf = (feature: Pick<Feature, 'name' | 'declared'>): TextValues | null =>
  feature.declared === null ? (texts[feature.name as FeatureName] ?? null) : null;

/** The numbers from `low` to `high`. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

export const ANY_NUMBER: ValueRange = { low: -Infinity, high: Infinity };

/** Units of amounts and counts, which are never below 0; a number of DAYS may be. */
const NEVER_NEGATIVE = new Set<string | null>(['MONEY', 'BRL', 'USD', 'COUNT', 'PERCENT']);

/** The numbers that a field can hold. */
export function rangeOfFeature({ unit, declared }: Pick<Feature, 'unit' | 'declared'>): ValueRange {
  if (declared !== null) return ANY_NUMBER;
  if (unit === 'SCORE') return { low: 0, high: 100 };
  return NEVER_NEGATIVE.has(unit) ? { low: 0, high: Infinity } : ANY_NUMBER;
}
