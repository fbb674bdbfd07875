import { enrichProfile, type CustomerProfile } from './customer.js';
import { mergeDeclarations } from './declarations.js';

/** Two records of one person. */
export interface RecordMerge {
  readonly organisationId: string;
  readonly from: string;
  readonly into: string;
}

/** The move of one record's rows to another or (from = into) to a better key of the same record. */
export interface RecordMove extends RecordMerge {
  /** From now on this person's key protects the data, and everything known of the person is found by this index. */
  readonly subjectIndex: Buffer;
}

export type RiskLevel = 'LOW' | 'MEDIUM' | 'HIGH';

/** The facts that decide how long a record is kept, and how closely it is watched. */
export interface Strictness {
  /** Null for a record that was only made for a link, which stands for no relationship. */
  readonly externalIndex: object | null;
  readonly riskLevel: RiskLevel | null;
  readonly riskSingleControl: boolean;
  /** `YYYY-MM-DD`; null while the relationship lasts. */
  readonly relationshipEndedOn: string | null;
  readonly restrictedAt: Date | null;
}

const RISKS: readonly (RiskLevel | null)[] = [null, 'LOW', 'MEDIUM', 'HIGH'];

/**
 * Takes the stricter value of each field of two records: the higher risk, the longer relationship, restricted when
 * one is.
 */
export function stricter(
  from: Strictness,
  into: Strictness,
): Pick<Strictness, 'riskLevel' | 'riskSingleControl' | 'relationshipEndedOn' | 'restrictedAt'> {
  const days = [into, ...(from.externalIndex === null ? [] : [from])].map((one) => one.relationshipEndedOn);
  const riskLevel = RISKS[Math.max(RISKS.indexOf(from.riskLevel), RISKS.indexOf(into.riskLevel))] ?? null;
  return {
    riskLevel,
    riskSingleControl: [from, into].some((one) => one.riskLevel === riskLevel && one.riskSingleControl),
    relationshipEndedOn: days.includes(null) ? null : (days.toSorted().at(-1) ?? null),
    restrictedAt: into.restrictedAt ?? from.restrictedAt,
  };
}

/** Adds to the surviving record's profile the members that only the other record knows. */
export function mergeRecords(from: CustomerProfile, into: CustomerProfile): CustomerProfile {
  const profile = enrichProfile(into, from) ?? into;
  const declared = mergeDeclarations(into.declared, from.declared);
  return { ...profile, ...(declared ? { declared } : {}) };
}
