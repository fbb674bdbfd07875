import { TaxId } from '../../../../platform/kernel/values/tax-id.js';
import { checkFinding, missingInputFinding, namesAgree, type CheckFinding } from './built-in-checks.js';
import { readZone } from './machine-readable-zone.js';
import type { DocumentReading } from '../../../providers/index.js';
import type { DeclaredSubject } from '../flow/roles.js';

interface Facts {
  readonly name: string | null;
  readonly birthDate: string | null;
  readonly taxId: string | null;
  readonly number: string | null;
  readonly expiresOn: string | null;
}

const CPF_RUN = /(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)/g;

export const taxIdsIn = (text: string): string[] =>
  (text.match(CPF_RUN) ?? []).flatMap((run) => {
    const parsed = TaxId.parse(run);
    return parsed.ok && parsed.id.kind === 'CPF' ? [parsed.id.canonical()] : [];
  });

/** Removes all but letters and digits, so that spaces and points make no difference. */
const withoutPunctuation = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase();

/** Returns the last valid day of a document: from the provider, else its machine-readable zone, else the person. */
export function documentExpiryOf(
  said: DeclaredSubject,
  read: DocumentReading | null,
  today: string,
): string | null {
  const zone = zoneOf(said, read, today);
  return read?.expiresOn ?? zone?.expiresOn ?? said.texts.DOCUMENT_EXPIRY ?? null;
}

const zoneOf = (
  said: DeclaredSubject,
  read: DocumentReading | null,
  today: string,
): ReturnType<typeof readZone> => {
  const text = read?.zone ?? said.texts.MACHINE_READABLE_ZONE ?? null;
  return text === null ? null : readZone(text, today);
};

/**
 * DOCUMENT_DATA: the document agrees with the answers, the check digits of its machine-readable zone are right, and it
 * has not expired. Data that only the person has typed gives PARTIAL. An unverified code is a remark.
 */
export function checkDocumentData(
  said: DeclaredSubject,
  read: DocumentReading | null,
  today: string,
): CheckFinding {
  const typed = said.texts.MACHINE_READABLE_ZONE ?? null;
  const text = read?.zone ?? typed;
  const zone = zoneOf(said, read, today);
  const expiresOn = documentExpiryOf(said, read, today);
  if (!read && text === null) {
    return expiresOn === null ? missingInputFinding('NO_DATA_READ') : expiryFinding(expiresOn, today);
  }
  if (text !== null && zone === null) return checkFinding('HIT', 'ZONE_UNREADABLE', 20, 'REVIEW');
  if (zone && zone.wrong.length > 0) {
    return checkFinding('HIT', `ZONE_DIGITS_WRONG:${zone.wrong.join('+')}`, 40, 'REVIEW');
  }
  const facts: Facts = {
    name: read?.name ?? zone?.name ?? null,
    birthDate: read?.birthDate ?? zone?.birthDate ?? null,
    taxId: read?.document ?? taxIdsIn(zone?.optional ?? '')[0] ?? null,
    number: read?.documentNumber ?? zone?.number ?? null,
    expiresOn,
  };
  const differing = differences(said, facts);
  if (differing.length > 0) return checkFinding('HIT', `${differing.join('+')}_DIFFERS`, 60, 'REVIEW');
  // Compares the provider's own fields with the zone of the same document.
  if (read && zone && contradicts(read, zone)) {
    return checkFinding('HIT', 'ZONE_AND_FACE_DIFFER', 60, 'REVIEW');
  }
  if (expiresOn !== null && expiresOn < today) return checkFinding('HIT', 'DOCUMENT_EXPIRED', 40, 'REVIEW');
  if (Object.values(facts).every((fact) => fact === null)) return missingInputFinding('NO_DATA_READ');
  const remarks = read?.code && !read.code.verified ? ['CODE_UNVERIFIED'] : [];
  const checkResult = read
    ? checkFinding('NO_HIT', 'DATA_AGREES')
    : checkFinding('PARTIAL', 'DATA_UNVERIFIED');
  return remarks.length > 0 ? { ...checkResult, remarks } : checkResult;
}

const expiryFinding = (expiresOn: string, today: string): CheckFinding =>
  expiresOn < today
    ? checkFinding('HIT', 'DOCUMENT_EXPIRED', 40, 'REVIEW')
    : checkFinding('PARTIAL', 'DATA_UNVERIFIED');

function differences(said: DeclaredSubject, facts: Facts): string[] {
  const { name, birthDate, taxId } = said;
  const number = said.texts.DOCUMENT_NUMBER ?? null;
  const differ = (a: string | null, b: string | null, same: (a: string, b: string) => boolean): boolean =>
    a !== null && b !== null && !same(a, b);
  const equal = (a: string, b: string): boolean => withoutPunctuation(a) === withoutPunctuation(b);
  return [
    ...(differ(name, facts.name, namesAgree) ? ['NAME'] : []),
    ...(differ(birthDate, facts.birthDate, equal) ? ['BIRTH_DATE'] : []),
    ...(differ(taxId?.canonical() ?? null, facts.taxId, equal) ? ['TAX_ID'] : []),
    ...(differ(number, facts.number, equal) ? ['NUMBER'] : []),
  ];
}

const contradicts = (read: DocumentReading, zone: NonNullable<ReturnType<typeof readZone>>): boolean =>
  (read.birthDate !== null && zone.birthDate !== null && read.birthDate !== zone.birthDate) ||
  (read.expiresOn !== null && zone.expiresOn !== null && read.expiresOn !== zone.expiresOn) ||
  (read.documentNumber !== null &&
    zone.number !== '' &&
    !withoutPunctuation(read.documentNumber).includes(withoutPunctuation(zone.number)));
