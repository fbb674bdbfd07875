import { enrichProfile, type CustomerProfile } from './customer.js';
import { confirmedRiskOf } from './confirmation.js';
import { mergeDeclarations } from './declarations.js';

/** A merge of customers: record `from` goes into record `into`, both of one person. */
export interface CustomerRecordMerge {
  readonly organisationId: string;
  readonly from: string;
  readonly into: string;
  /**
   * True if two customers become one: dismissals are decided again, because each was about a part of the whole person.
   */
  readonly asksAnew: boolean;
}

/** A move of rows to the record of a merge or, if `from` equals `into`, to a new subject key of that record. */
export interface CustomerRecordMove {
  readonly organisationId: string;
  readonly from: string;
  readonly into: string;
  /** As in `CustomerRecordMerge`; false if `from` equals `into`. */
  readonly asksAnew: boolean;
  /** The subject key of the rows after the move: its data key encrypts them, and its index finds them. */
  readonly subjectIndex: Buffer;
}

export type CustomerRiskLevel = 'LOW' | 'MEDIUM' | 'HIGH';

/** The facts that decide how long a record is kept, and how closely it is watched. */
export interface RiskAndRetention {
  /** Null if the record was only created for a session link, which is not a business relationship. */
  readonly externalIndex: object | null;
  readonly riskLevel: CustomerRiskLevel | null;
  readonly riskLevelBy: 'SYSTEM' | 'OPERATOR' | null;
  readonly riskSingleControl: boolean;
  readonly riskConfirmed: CustomerRiskLevel | null;
  /** `YYYY-MM-DD`; null while the relationship lasts. */
  readonly relationshipEndedOn: string | null;
  readonly restrictedAt: Date | null;
}

const RISKS: readonly (CustomerRiskLevel | null)[] = [null, 'LOW', 'MEDIUM', 'HIGH'];

const stricterRisk = (a: CustomerRiskLevel | null, b: CustomerRiskLevel | null): CustomerRiskLevel | null =>
  RISKS.indexOf(a) > RISKS.indexOf(b) ? a : b;

/**
 * Takes the stricter value of each field of two records: the higher risk, the longer relationship, restricted when
 * one is.
 */
export function takeStricter(
  from: RiskAndRetention,
  into: RiskAndRetention,
): Omit<RiskAndRetention, 'externalIndex'> {
  const days = [into, ...(from.externalIndex === null ? [] : [from])].map((one) => one.relationshipEndedOn);
  const riskLevel = stricterRisk(from.riskLevel, into.riskLevel);
  const setting = [from, into].filter((one) => one.riskLevel === riskLevel);
  return {
    riskLevel,
    riskLevelBy: (setting.find((one) => one.riskLevelBy !== 'OPERATOR') ?? setting[0] ?? into).riskLevelBy,
    riskSingleControl: setting.some((one) => one.riskSingleControl),
    riskConfirmed: stricterRisk(confirmedRiskOf(from), confirmedRiskOf(into)),
    relationshipEndedOn: days.includes(null) ? null : (days.toSorted().at(-1) ?? null),
    restrictedAt: into.restrictedAt ?? from.restrictedAt,
  };
}

/** Adds to the surviving record's profile the fields that only the other record has. */
export function mergeProfiles(from: CustomerProfile, into: CustomerProfile): CustomerProfile {
  const profile = enrichProfile(into, from) ?? into;
  const declared = mergeDeclarations(into.declared, from.declared);
  return { ...profile, ...(declared ? { declared } : {}) };
}
