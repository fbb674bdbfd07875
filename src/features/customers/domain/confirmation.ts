import type { CustomerProfile, CustomerRiskProfile, DeclaredField, DeclaredValue } from './customer.js';
import { unconfirmedMembers, withoutUnconfirmed } from './declarations.js';
import { maskedEmail, maskedPhone } from './masking.js';

type RiskLevel = CustomerRiskProfile['riskLevel'];

/** The risk level of a customer, who set it, and the level that more than one operator stands behind. */
export interface RiskStanding {
  readonly riskLevel: RiskLevel;
  readonly riskLevelBy: 'SYSTEM' | 'OPERATOR' | null;
  readonly riskConfirmed: RiskLevel;
}

/** Returns the risk level that would be in force if no operator had set one alone. */
export const confirmedRiskOf = ({ riskLevel, riskLevelBy, riskConfirmed }: RiskStanding): RiskLevel =>
  riskLevelBy === 'OPERATOR' ? riskConfirmed : riskLevel;

/** A value behind which one operator alone stands. E-mail and phone are masked. */
export interface UnconfirmedValue {
  readonly field: string;
  /** The value that counts without that operator; null if none is known. */
  readonly before: DeclaredValue;
  /** The value that counts when a second person confirms it; null if the operator took it out. */
  readonly after: DeclaredValue;
  /** The session that stated it; null if an operator wrote it. */
  readonly session: string | null;
}

/** Returns the values about a customer behind which one operator alone stands, sorted by field. */
export function compareUnconfirmed(profile: CustomerProfile | null, risk: RiskStanding): UnconfirmedValue[] {
  const declared = profile?.declared;
  const members = unconfirmedMembers(declared).map((field): UnconfirmedValue => {
    const source = declared?.from?.[field];
    return {
      field,
      before: maskValue(field, source?.unconfirmed?.before ?? null),
      after: maskValue(field, declared?.[field] ?? null),
      session: source?.by === 'SESSION' ? source.ref : null,
    };
  });
  // One operator alone writes a name or a birth date only where none is known.
  const withoutSource = { before: null, session: null };
  const confirmed = confirmedRiskOf(risk);
  return [
    ...members,
    ...(profile?.birthDateUnconfirmed
      ? [{ field: 'birthDate', after: profile.birthDate, ...withoutSource }]
      : []),
    ...(profile?.nameUnconfirmed ? [{ field: 'name', after: profile.name, ...withoutSource }] : []),
    ...(risk.riskLevel === confirmed
      ? []
      : [{ field: 'riskLevel', before: confirmed, after: risk.riskLevel, session: null }]),
  ].sort((one, other) => (one.field < other.field ? -1 : 1));
}

/** Returns the names of the values behind which one operator alone stands, sorted. */
export const unconfirmedValues = (profile: CustomerProfile | null, risk: RiskStanding): string[] =>
  compareUnconfirmed(profile, risk).map(({ field }) => field);

function maskValue(field: DeclaredField, value: DeclaredValue): DeclaredValue {
  if (typeof value !== 'string') return value;
  if (field === 'email') return maskedEmail(value);
  return field === 'phone' ? maskedPhone(value) : value;
}

/**
 * Returns what would be known of a customer if no operator had written something down alone; null if no operator has
 * done so.
 */
export function confirmedPartOf(
  profile: CustomerProfile | null,
  risk: RiskStanding,
): CustomerRiskProfile['confirmed'] {
  if (unconfirmedValues(profile, risk).length === 0) return null;
  const { declared, birthDate = null, birthDateUnconfirmed } = profile ?? {};
  return {
    declared: declared ? withoutUnconfirmed(declared) : null,
    birthDate: birthDateUnconfirmed ? null : birthDate,
    riskLevel: confirmedRiskOf(risk),
  };
}
