import {
  canonicalValue,
  type ValueKind,
} from '../../../../platform/kernel/values/canonical/canonical-value.js';
import { isRealName } from '../../../../platform/kernel/values/canonical/missing-name.js';
import { isPlaceholder, tidyText } from '../../../../platform/kernel/values/canonical/plain-text.js';
import { invalid, type DomainError } from '../../../../platform/kernel/domain-error.js';
import { parseInstant } from '../../../../platform/kernel/values/instant.js';
import { parseAmount } from '../../../../platform/kernel/values/money.js';
import { TaxId } from '../../../../platform/kernel/values/tax-id.js';
import { isKnownChannel, type KnownChannel } from './channels.js';
import { findIgnoredMetadata } from './known-metadata.js';
import type { RelatedPerson, PersonRole } from './people.js';
import {
  transactionType,
  type Direction,
  type KnownTransactionType,
} from '../../../../platform/kernel/reference/transaction-types.js';

type Metadata = Readonly<Record<string, unknown>>;

/** A person behind a participant, as submitted. */
export interface SubmittedPerson {
  readonly role: PersonRole;
  readonly name: string;
  readonly cpfCnpj?: string | null;
  readonly birthDate?: string | null;
  readonly nationality?: string | null;
}

/** A participant as it was submitted; null means absent. */
export interface SubmittedParticipant {
  readonly name?: string | null;
  readonly cpfCnpj?: string | null;
  readonly accountReference?: string | null;
  readonly bankReference?: string | null;
  readonly walletReference?: string | null;
  readonly country?: string | null;
  readonly people?: readonly SubmittedPerson[] | null;
  readonly metadata?: Metadata | null;
}

/** A validated body of the ingest contract. */
export interface SubmittedTransaction {
  readonly transactionId: string;
  readonly externalCustomerId?: string | null;
  readonly cpfCnpj?: string | null;
  readonly type: string;
  readonly channel: string;
  readonly amount: number;
  readonly currency: string;
  readonly occurredAt: string;
  readonly origin: SubmittedParticipant;
  readonly destination: SubmittedParticipant;
  readonly metadata?: Metadata | null;
}

/** A validated body of the legacy contract. */
export interface SubmittedLegacyTransaction {
  readonly transactionId?: string | null;
  readonly customer: {
    readonly id?: string | null;
    readonly name?: string | null;
    readonly document?: string | null;
  };
  readonly amount: number;
  readonly currency?: string | null;
  readonly type?: string | null;
  readonly metadata?: Metadata | null;
}

export type SubmissionWarning =
  | 'UNKNOWN_TYPE'
  | 'UNKNOWN_CHANNEL'
  | 'LATE_FOR_SELECTION'
  | 'METADATA_IGNORED'
  // A placeholder was sent as a name, an id or an account; it counts as absent.
  | 'PLACEHOLDER_IGNORED'
  // Added by the custom field schema on ingest.
  | 'CUSTOM_FIELD_MISMATCH'
  // Added on ingest for an input that the application has said not to send.
  | 'INPUT_SAID_MISSING';

/** The direction of the money, and its source. TYPE_DEFAULT is an assumption from the type. */
export interface DirectionFinding {
  readonly value: Direction | null;
  readonly source: 'METADATA' | 'DOCUMENTS' | 'TYPE_DEFAULT' | 'UNKNOWN';
}

export interface Participant {
  readonly name: string | null;
  readonly taxId: TaxId | null;
  readonly accountReference: string | null;
  readonly bankReference: string | null;
  readonly walletReference: string | null;
  readonly country: string | null;
  /** Undefined if nobody was named. */
  readonly people: readonly RelatedPerson[] | undefined;
  readonly metadata: Metadata;
}

/** A submitted transaction, mapped from the ingest or the legacy contract. */
export interface Submission {
  readonly transactionId: string;
  readonly type: string;
  readonly channel: string;
  /** Exact decimal. */
  readonly amount: string;
  readonly currency: string;
  readonly occurredAt: Date;
  readonly externalCustomerId: string | null;
  readonly taxId: TaxId | null;
  readonly origin: Participant;
  readonly destination: Participant;
  readonly metadata: Metadata;
  readonly warnings: readonly SubmissionWarning[];
  readonly direction: DirectionFinding;
  /** In canonical form, as is `ipAddress`. */
  readonly deviceId: string | null;
  readonly ipAddress: string | null;
  /** The token of a card, never its number. */
  readonly cardId: string | null;
}

/** Circular BCB 3.978, art. 39: an operation has to be selected for analysis within 45 days. */
const SELECTION_DAYS = 45;
const DAY_MS = 86_400_000;
export const LEGACY_CHANNEL: KnownChannel = 'API';
export const LEGACY_TYPE: KnownTransactionType = 'OTHER';
export const LEGACY_CURRENCY = 'BRL';

/** Maps a valid ingest body; `receivedAt` in milliseconds since the epoch. */
export function toSubmission(body: SubmittedTransaction, receivedAt: number): Submission {
  const { currency, type, channel } = body;
  const occurredAt = instantOf(body.occurredAt);
  const taxId = taxIdOf(body.cpfCnpj);
  const origin = participantOf(body.origin);
  const destination = participantOf(body.destination);
  const metadata = body.metadata ?? {};
  const externalCustomerId = givenId(body.externalCustomerId);
  const cardId = givenId(textMember(metadata, 'cardId'));
  return {
    transactionId: body.transactionId,
    type,
    channel,
    amount: decimalOf(body.amount, currency),
    currency,
    occurredAt,
    externalCustomerId,
    taxId,
    origin,
    destination,
    metadata,
    warnings: warningsOf(type, channel, occurredAt, receivedAt, metadata, [
      [body.externalCustomerId, externalCustomerId],
      [metadata['cardId'], cardId],
      ...sentAndRead(body.origin, origin),
      ...sentAndRead(body.destination, destination),
    ]),
    direction:
      directionFromMetadata(metadata) ??
      directionFromDocuments(taxId, origin.taxId, destination.taxId) ??
      directionFromType(type),
    deviceId: metadataValue('DEVICE', metadata, 'deviceId'),
    ipAddress: metadataValue('IP', metadata, 'ipAddress'),
    cardId,
  };
}

/**
 * Maps a valid legacy body. The Idempotency-Key replaces a missing transactionId. A body without both is refused,
 * because a retry would look like a new transaction.
 */
export function legacyToSubmission(
  body: SubmittedLegacyTransaction,
  { receivedAt, idempotencyKey }: { readonly receivedAt: Date; readonly idempotencyKey: string | null },
): Submission {
  const transactionId = body.transactionId ?? idempotencyKey;
  if (transactionId === null) throw transactionIdMissing();
  const { customer } = body;
  const type = body.type ?? LEGACY_TYPE;
  const currency = body.currency ?? LEGACY_CURRENCY;
  const metadata = body.metadata ?? {};
  const occurredAtText = textMember(metadata, 'occurredAt');
  const occurredAt = occurredAtText === null ? receivedAt : instantOf(occurredAtText);
  const taxId = taxIdOf(customer.document);
  const name = givenName(customer.name);
  const externalCustomerId = givenId(customer.id);
  const cardId = givenId(textMember(metadata, 'cardId'));
  return {
    transactionId,
    type,
    channel: LEGACY_CHANNEL,
    amount: decimalOf(body.amount, currency),
    currency,
    occurredAt,
    externalCustomerId,
    taxId,
    origin: { ...NO_PARTICIPANT, name, taxId },
    destination: NO_PARTICIPANT,
    metadata,
    warnings: warningsOf(type, LEGACY_CHANNEL, occurredAt, receivedAt.getTime(), metadata, [
      [customer.id, externalCustomerId],
      [customer.name, name],
      [metadata['cardId'], cardId],
    ]),
    // Documents show no direction here: the customer is the origin because the legacy contract names nobody else.
    direction: directionFromMetadata(metadata) ?? directionFromType(type),
    deviceId: metadataValue('DEVICE', metadata, 'deviceId'),
    ipAddress: metadataValue('IP', metadata, 'ipAddress'),
    cardId,
  };
}

export const NO_PARTICIPANT: Participant = Object.freeze({
  name: null,
  taxId: null,
  accountReference: null,
  bankReference: null,
  walletReference: null,
  country: null,
  people: undefined,
  metadata: Object.freeze({}),
});

function participantOf(submitted: SubmittedParticipant): Participant {
  return {
    name: givenName(submitted.name),
    taxId: taxIdOf(submitted.cpfCnpj),
    accountReference: givenValue('ACCOUNT', submitted.accountReference),
    bankReference: submitted.bankReference?.trim() ? submitted.bankReference : null,
    walletReference: givenValue('WALLET', submitted.walletReference),
    country: submitted.country ?? null,
    people: submitted.people?.map(personOf),
    metadata: submitted.metadata ?? {},
  };
}

const personOf = (submitted: SubmittedPerson): RelatedPerson => ({
  role: submitted.role,
  name: submitted.name,
  taxId: taxIdOf(submitted.cpfCnpj),
  birthDate: submitted.birthDate ?? null,
  nationality: submitted.nationality ?? null,
});

/** A value as it was sent, and as the mapping read it (null if it is a placeholder). */
type SentAndRead = readonly [sent: unknown, read: string | null];

const sentAndRead = (submitted: SubmittedParticipant, read: Participant): SentAndRead[] => [
  [submitted.name, read.name],
  [submitted.accountReference, read.accountReference],
  [submitted.bankReference, read.bankReference],
  [submitted.walletReference, read.walletReference],
  // Owners and representatives stay even without a usable name, because their existence matters.
  ...(submitted.people ?? []).map(({ name }): SentAndRead => [name, givenName(name)]),
];

function warningsOf(
  type: string,
  channel: string,
  occurredAt: Date,
  receivedAt: number,
  metadata: Metadata,
  values: readonly SentAndRead[],
): SubmissionWarning[] {
  const warnings: SubmissionWarning[] = [];
  if (!transactionType(type)) warnings.push('UNKNOWN_TYPE');
  if (!isKnownChannel(channel)) warnings.push('UNKNOWN_CHANNEL');
  if (receivedAt - occurredAt.getTime() > SELECTION_DAYS * DAY_MS) warnings.push('LATE_FOR_SELECTION');
  if (findIgnoredMetadata(metadata).length > 0) warnings.push('METADATA_IGNORED');
  if (values.some(([sent, read]) => typeof sent === 'string' && read === null)) {
    warnings.push('PLACEHOLDER_IGNORED');
  }
  return warnings;
}

function directionFromMetadata(metadata: Metadata): DirectionFinding | null {
  const value = metadata['direction'];
  return value === 'IN' || value === 'OUT' ? { value, source: 'METADATA' } : null;
}

/** Returns the direction that the documents show, ignoring the metadata; null if they show none. */
export const documentsDirection = ({ taxId, origin, destination }: Submission): Direction | null =>
  directionFromDocuments(taxId, origin.taxId, destination.taxId)?.value ?? null;

/** Returns null if the documents show no direction, as for a transfer between two accounts of one holder. */
function directionFromDocuments(
  customer: TaxId | null,
  origin: TaxId | null,
  destination: TaxId | null,
): DirectionFinding | null {
  const isOrigin = isSamePerson(customer, origin);
  if (isOrigin === isSamePerson(customer, destination)) return null;
  return { value: isOrigin ? 'OUT' : 'IN', source: 'DOCUMENTS' };
}

/** True if both documents are full and equal: hundreds of people share the visible digits of a masked CPF. */
const isSamePerson = (a: TaxId | null, b: TaxId | null): boolean =>
  a !== null && b !== null && !a.isMasked && a.equals(b);

function directionFromType(type: string): DirectionFinding {
  const value = transactionType(type)?.direction ?? null;
  return { value, source: value === null ? 'UNKNOWN' : 'TYPE_DEFAULT' };
}

function textMember(metadata: Metadata, name: string): string | null {
  const value = metadata[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the value of a metadata key in its canonical form; null if it is invalid. */
function metadataValue(kind: ValueKind, metadata: Metadata, name: string): string | null {
  const text = textMember(metadata, name);
  return text === null ? null : canonicalValue(kind, text);
}

/** Returns the text as it was sent, for people to read; null if it is a placeholder such as `N/A`. */
export const givenValue = (kind: ValueKind, text: string | null | undefined): string | null =>
  text === null || text === undefined || canonicalValue(kind, text) === null ? null : text;

/** Returns the name as it was sent; null if it names nobody. */
const givenName = (text: string | null | undefined): string | null =>
  text === null || text === undefined || !isRealName(text) ? null : text;

/** Returns an id as it was sent; null for placeholders, which would merge all customers without an id into one. */
export const givenId = (text: string | null | undefined): string | null =>
  text === null || text === undefined || isPlaceholder(tidyText(text)) ? null : text;

// Bodies are already validated, so an error below means that mapping and validation disagree.

export function taxIdOf(text: string | null | undefined): TaxId | null {
  if (text === null || text === undefined) return null;
  const parsed = TaxId.parse(text);
  if (!parsed.ok) throw new Error('a validated body holds no readable CPF or CNPJ');
  return parsed.id;
}

export function instantOf(text: string): Date {
  const instant = parseInstant(text);
  if (!instant) throw new Error('a validated body holds no readable date-time');
  return instant;
}

function decimalOf(amount: number, currency: string): string {
  const parsed = parseAmount(amount, currency);
  if (!parsed.ok) throw new Error(`a validated body holds no readable amount: ${parsed.code}`);
  return parsed.decimal;
}

const transactionIdMissing = (): DomainError =>
  invalid('transactionId', 'REQUIRED', 'Send a transactionId in the body or an Idempotency-Key header.');
