import { checkFinding, missingInputFinding, type CheckFinding } from './built-in-checks.js';

/** Above this share of a company, in percent, a person is a beneficial owner (BCB Circular 3.978/2020, art. 24). */
export const BENEFICIAL_SHARE = 25;

/** An owner or representative, with the facts that the check needs. */
export interface CheckedOwner {
  readonly as: 'OWNER' | 'REPRESENTATIVE';
  readonly share: number | null;
  readonly hasTaxId: boolean;
  /** True if the person could be compared with the lists. */
  readonly screened: boolean;
  readonly hits: number;
  /** The state of the person's own session; NOT_NEEDED if the flow does not require one. */
  readonly session: 'NOT_NEEDED' | 'OPEN' | 'APPROVED' | 'OTHER';
}

/**
 * OWNERS: everybody who may hold more than 25 % is named and identified, nobody has a hit, and everybody who gets a
 * session by the flow is approved. An unexplained share above 25 % may hide an owner.
 */
export function checkOwners(people: readonly CheckedOwner[], asksForShares: boolean): CheckFinding {
  const owners = people.filter(({ as }) => as === 'OWNER');
  if (people.length === 0) return missingInputFinding('NOBODY_NAMED');
  if (people.some(({ hits }) => hits > 0)) return checkFinding('HIT', 'PERSON_ON_LIST', 20, 'REVIEW');
  const shares = owners.flatMap(({ share }) => share ?? []);
  const sum = shares.reduce((total, share) => total + share, 0);
  if (sum > 100.01) return checkFinding('HIT', 'SHARES_EXCEED_100', 40, 'REVIEW');
  if (people.some(({ screened }) => !screened)) return checkFinding('PARTIAL', 'PERSON_NOT_SCREENED');
  if (people.some(({ hasTaxId }) => !hasTaxId)) return checkFinding('PARTIAL', 'PERSON_WITHOUT_TAX_ID');
  const unknown = owners.some(({ share }) => share === null);
  if (asksForShares && (unknown || 100 - sum > BENEFICIAL_SHARE)) {
    return checkFinding('PARTIAL', 'SHARE_UNACCOUNTED');
  }
  if (people.some(({ session }) => session === 'OTHER')) {
    return checkFinding('HIT', 'PERSON_NOT_APPROVED', 40, 'REVIEW');
  }
  if (people.some(({ session }) => session === 'OPEN')) return checkFinding('PARTIAL', 'PERSON_SESSION_OPEN');
  return checkFinding('NO_HIT');
}
