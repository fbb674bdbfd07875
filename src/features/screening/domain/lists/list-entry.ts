import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import type { ValueKind } from '../../../../platform/kernel/values/canonical/canonical-value.js';
import type { NameKind } from '../names/normalise.js';

export const listKinds = ['SANCTIONS', 'PEP', 'DEBARMENT', 'BLOCKLIST', 'ALLOWLIST', 'WATCH'] as const;
export type ListKind = (typeof listKinds)[number];

/** The types of values that an entry may hold. Values are compared in their canonical form. */
export const valueTypes = [
  'DOCUMENT',
  'ACCOUNT',
  'PIX_KEY',
  'WALLET',
  'DEVICE',
  'IP',
  'COUNTRY',
  'IDENTIFIER',
] as const;
export type ValueType = (typeof valueTypes)[number];

/** The canonical form in which each type is compared. A listed IP may be a network, a party has one address. */
export const kindOfListed = {
  DOCUMENT: 'DOCUMENT',
  ACCOUNT: 'ACCOUNT',
  PIX_KEY: 'PIX_KEY',
  WALLET: 'WALLET',
  DEVICE: 'DEVICE',
  IP: 'NETWORK',
  COUNTRY: 'COUNTRY',
  IDENTIFIER: 'IDENTIFIER',
} as const satisfies Record<ValueType, ValueKind>;

export interface ListedValue {
  readonly type: ValueType;
  readonly value: string;
}

/** An entry of a list, in one shape for every format. */
export interface ListEntry {
  /** The list's own id of the entry, the same in every snapshot. */
  readonly key: string;
  readonly kind: NameKind;
  /** The name that the list gives, then the aliases. */
  readonly names: readonly string[];
  /** Full documents, accounts and addresses, which are compared exactly. */
  readonly values: readonly ListedValue[];
  /** The six digits that a masked CPF shows (`***.456.789-**` is 456789). */
  readonly maskedDocument: string | null;
  /** `1970-01-31`, or `1970` where only the year is known. */
  readonly birthDates: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  /** First and last day (`YYYY-MM-DD`) on which the entry counts; null if unlimited. */
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  /** Office, programme or process, shown to the analyst with the name. */
  readonly remarks: string | null;
}

/** Hashes the content of an entry. Equal entries have equal hashes in every snapshot. */
export const contentHashOf = (entry: ListEntry, salt: Uint8Array): Buffer =>
  createHash('sha256')
    .update(salt)
    .update(canonicalJson({ ...entry }))
    .digest()
    .subarray(0, 16);

/** True if the entry is in force on a day (`YYYY-MM-DD`), the last day included. */
export const isEntryInForce = (
  { validFrom, validUntil }: Pick<ListEntry, 'validFrom' | 'validUntil'>,
  day: string,
): boolean => (validFrom === null || validFrom <= day) && (validUntil === null || day <= validUntil);

export const LIST_KEY = /^[a-z0-9][a-z0-9-]{1,62}$/;
