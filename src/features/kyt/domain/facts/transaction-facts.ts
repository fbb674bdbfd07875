import {
  customFieldValueIn,
  isCustomField,
  exactNumberOf,
  type FactSheet,
  type FeatureName,
} from '../../../rules/index.js';
import type { DecryptedTransaction } from '../claimed.js';
import { findIgnoredMetadata } from '../submission/known-metadata.js';
import type { Participant, Submission } from '../submission/submission.js';
import { isCashType, transactionType } from '../../../../platform/kernel/reference/transaction-types.js';
import type { TaxId } from '../../../../platform/kernel/values/tax-id.js';

type Json = Readonly<Record<string, unknown>>;

/** Sets every fact that the submission itself determines. Pure. */
export function setTransactionFacts(
  sheet: FactSheet,
  { submission, receivedAt }: Pick<DecryptedTransaction, 'submission' | 'receivedAt'>,
): void {
  const { type, direction } = submission;
  const knownType = transactionType(type);
  sheet
    .set('type', type)
    .set('typeKnown', knownType !== undefined)
    .set('instrument', knownType?.instrument ?? 'OTHER')
    .set('channel', submission.channel)
    .set('currency', submission.currency)
    .set('amount', exactNumberOf(submission.amount))
    .set('occurredAt', submission.occurredAt)
    .set('receivedAt', receivedAt)
    .set('directionAssumed', direction.source === 'TYPE_DEFAULT');
  setOrMissing(sheet, 'cash', isCashType(type), 'TYPE_UNKNOWN');
  setOrMissing(sheet, 'direction', direction.value, 'DIRECTION_UNKNOWN');
  setOrMissing(sheet, 'sameHolder', sameHolderOf(submission), 'DOCUMENT_MISSING_OR_MASKED');
  setCountries(sheet, submission);
  setCustomer(sheet, submission);
  setCounterpartyType(sheet, submission);
  setParty(sheet, 'origin', submission.origin);
  setParty(sheet, 'destination', submission.destination);
}

/** Sets every fact from the free-form metadata. A malformed code or DICT answer is an ERROR, not MISSING. */
export function setMetadataFacts(sheet: FactSheet, { metadata, deviceId, ipAddress }: Submission): void {
  sheet.set('metadata.ignored', findIgnoredMetadata(metadata));
  setOrMissing(sheet, 'device.id', deviceId, 'NOT_SENT');
  setOrMissing(sheet, 'ip.address', ipAddress, 'NOT_SENT');
  const registered = metadata['deviceRegistered'];
  setOrMissing(sheet, 'device.registered', typeof registered === 'boolean' ? registered : null, 'NOT_SENT');
  const declines = metadata['declines'];
  setOrMissing(sheet, 'card.declines10m', typeof declines === 'number' ? declines : null, 'NOT_SENT');
  const wallet = memberOf(metadata, 'wallet');
  const custody = wallet?.['custody'];
  const verified = wallet?.['ownerVerified'];
  // Only a code is accepted: facts are stored unencrypted, and free text may hold personal data.
  if (typeof custody === 'string' && !CODE.test(custody)) {
    sheet.setUnknown('wallet.custody', 'ERROR', 'NO_CODE');
  } else setOrMissing(sheet, 'wallet.custody', typeof custody === 'string' ? custody : null, 'NOT_SENT');
  setOrMissing(sheet, 'wallet.ownerVerified', typeof verified === 'boolean' ? verified : null, 'NOT_SENT');
  setDict(sheet, 'dict.confirmedFrauds30d', metadata, 'CONFIRMED_FRAUDS');
  setDict(sheet, 'dict.reportedFrauds30d', metadata, 'REPORTED_FRAUDS');
}

/** Sets the custom fields that the rulesets read, each with the type that the rulesets have pinned. */
export function setCustomFieldFacts(sheet: FactSheet, { type, metadata }: Submission): void {
  for (const feature of sheet.schema.features) {
    const { declared } = feature;
    if (!declared || !isCustomField(declared)) continue;
    const reading = customFieldValueIn(declared.field, metadata, type);
    if (reading.state === 'VALUE') sheet.setAt(feature, reading.value);
    else sheet.setUnknownAt(feature, reading.state === 'MISMATCH' ? WRONG_TYPE : NOT_SENT);
  }
}

const WRONG_TYPE = { state: 'ERROR', reason: 'WRONG_TYPE' } as const;
const NOT_SENT = { state: 'MISSING', reason: 'NOT_SENT' } as const;

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;
const DICT_OBJECTS = ['KEY', 'OWNER', 'ACCOUNT'] as const;

/**
 * Sets the largest 30-day count among the objects of `metadata.dict.statistics`, in the form of a DICT answer (API DICT
 * of the Banco Central): `{ KEY | OWNER | ACCOUNT: { CONFIRMED_FRAUDS: { d3, d30, m6 }, … } }`.
 */
function setDict(sheet: FactSheet, name: FeatureName, metadata: Json, statistic: string): void {
  const dict = memberOf(metadata, 'dict');
  const statistics = dict && memberOf(dict, 'statistics');
  if (!statistics) {
    sheet.setUnknown(name, 'MISSING', 'DICT_NOT_SENT');
    return;
  }
  // DICT sends every statistic of an object, so a missing statistic shows that the answer was altered.
  const counts = DICT_OBJECTS.filter((object) => (statistics[object] ?? null) !== null).map((object) => {
    const memberStatistics = memberOf(statistics, object);
    const memberCounts = memberStatistics && memberOf(memberStatistics, statistic);
    return memberCounts?.['d30'];
  });
  if (counts.length === 0 || !counts.every(isCount)) sheet.setUnknown(name, 'ERROR', 'DICT_MALFORMED');
  else sheet.set(name, Math.max(...counts));
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function memberOf(object: Json, name: string): Json | null {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function setOrMissing(
  sheet: FactSheet,
  name: FeatureName,
  value: string | number | boolean | null,
  reason: string,
): void {
  if (value === null) sheet.setUnknown(name, 'MISSING', reason);
  else sheet.set(name, value);
}

/** Null unless both documents are full: hundreds of people share the visible digits of a masked CPF. */
function sameHolderOf({ origin, destination }: Submission): boolean | null {
  const [from, to] = [origin.taxId, destination.taxId];
  if (!from || !to || from.isMasked || to.isMasked) return null;
  return from.equals(to);
}

function setCountries(sheet: FactSheet, { type, origin, destination }: Submission): void {
  const countries = [origin.country, destination.country].filter((code) => code !== null);
  const [first, second] = countries;
  // Foreign transfers and virtual assets have types of their own; a transaction of an unknown type may be one of them.
  const staysHere = transactionType(type) !== undefined && !/^(FX|CRYPTO)_/.test(type);
  const isOpen = staysHere
    ? [origin, destination].some((party) => party.country === null && isIdentified(party))
    : countries.length < 2;
  if (!isOpen) sheet.set('countries', [...new Set(countries)]);
  // A country that was sent is certain, even if the other country is unknown.
  else if (countries.length > 0) sheet.setCapped('countries', [...new Set(countries)]);
  else sheet.setUnknown('countries', 'MISSING', 'NO_COUNTRY_GIVEN');
  if (type === 'FX_INBOUND' || type === 'FX_OUTBOUND') sheet.set('crossBorder', true);
  else if (first !== undefined && second !== undefined) sheet.set('crossBorder', first !== second);
  else if (staysHere) sheet.set('crossBorder', false);
  else sheet.setUnknown('crossBorder', 'MISSING', 'NO_COUNTRY_GIVEN');
}

/** True if the submission names or identifies the participant. */
const isIdentified = ({ name, taxId, accountReference, walletReference }: Participant): boolean =>
  [name, taxId, accountReference, walletReference].some((part) => part !== null);

function setCustomer(sheet: FactSheet, { externalCustomerId, taxId }: Submission): void {
  setOrMissing(sheet, 'customer.id', externalCustomerId, 'NOT_SENT');
  setDocument(sheet, 'customer.document', taxId);
  sheet.set('customer.documentMasked', taxId?.isMasked === true);
  setOrMissing(sheet, 'customer.personType', personTypeOf(taxId), 'NO_DOCUMENT');
}

const personTypeOf = (taxId: TaxId | null): 'NATURAL' | 'LEGAL' | null =>
  taxId === null ? null : taxId.kind === 'CPF' ? 'NATURAL' : 'LEGAL';

function setCounterpartyType(sheet: FactSheet, { direction, origin, destination }: Submission): void {
  const name = 'counterparty.personType';
  if (direction.value === null) sheet.setUnknown(name, 'MISSING', 'DIRECTION_UNKNOWN');
  else {
    const { taxId } = direction.value === 'IN' ? origin : destination;
    setOrMissing(sheet, name, personTypeOf(taxId), 'NO_DOCUMENT');
  }
}

function setParty(sheet: FactSheet, side: 'origin' | 'destination', party: Participant): void {
  setOrMissing(sheet, `${side}.name`, party.name, 'NOT_SENT');
  setDocument(sheet, `${side}.document`, party.taxId);
  setOrMissing(sheet, `${side}.account`, party.accountReference, 'NOT_SENT');
  setOrMissing(sheet, `${side}.bank`, party.bankReference, 'NOT_SENT');
  setOrMissing(sheet, `${side}.wallet`, party.walletReference, 'NOT_SENT');
  setOrMissing(sheet, `${side}.country`, party.country, 'NOT_SENT');
  const address = party.metadata['address'];
  const birthDate = party.metadata['birthDate'];
  sheet
    .set(`${side}.nameGiven`, party.name !== null)
    .set(`${side}.documentGiven`, party.taxId !== null)
    .set(`${side}.accountGiven`, party.accountReference !== null || party.walletReference !== null)
    .set(`${side}.addressGiven`, isGiven(address))
    .set(`${side}.birthDateGiven`, typeof birthDate === 'string' && birthDate !== '');
}

const isGiven = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') ||
  (typeof value === 'object' && value !== null && Object.keys(value).length > 0);

function setDocument(sheet: FactSheet, name: FeatureName, taxId: Submission['taxId']): void {
  if (taxId === null) sheet.setUnknown(name, 'MISSING', 'NOT_SENT');
  else if (taxId.isMasked) sheet.setUnknown(name, 'MISSING', 'DOCUMENT_MASKED');
  else sheet.set(name, taxId.canonical());
}
