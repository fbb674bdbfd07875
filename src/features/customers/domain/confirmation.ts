import type { CustomerProfile, CustomerRiskProfile } from './customer.js';
import { unconfirmedMembers, withoutUnconfirmed } from './declarations.js';

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

/** Returns the names of the values about a customer behind which one operator alone stands, sorted. */
export const unconfirmedValues = (profile: CustomerProfile | null, risk: RiskStanding): string[] =>
  [
    ...unconfirmedMembers(profile?.declared),
    ...(profile?.birthDateUnconfirmed ? ['birthDate'] : []),
    ...(profile?.nameUnconfirmed ? ['name'] : []),
    ...(risk.riskLevel === confirmedRiskOf(risk) ? [] : ['riskLevel']),
  ].sort();

/** Returns what would be known of a customer if no operator had written something down alone; null if none has. */
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
