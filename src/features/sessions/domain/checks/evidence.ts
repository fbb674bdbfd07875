import type { CheckName } from '../flow/flow.js';

/** The states of a check, equal to those of a component of a score. An error or a missing input is never a pass. */
export const evidenceStates = [
  'HIT',
  'NO_HIT',
  'PARTIAL',
  'ERROR',
  'MISSING_INPUT',
  'SKIPPED',
  'STALE_SOURCE',
] as const;
export type EvidenceState = (typeof evidenceStates)[number];

/** The result of one check, in codes and numbers only, without personal data. */
export interface EvidenceComponent {
  readonly name: CheckName;
  readonly state: EvidenceState;
  /** True if the result is not defensible without this check. */
  readonly required: boolean;
  /** The reason for the state, as a code. */
  readonly reason: string | null;
  /** The source: `built-in`, the lists with their snapshots, or the name of the provider. */
  readonly source: string;
  readonly asOf: string;
  /** Points in the score, 0 to 100. */
  readonly points: number;
  /** REVIEW: a person has to decide. REJECT: the session cannot be approved at all. */
  readonly effect: 'NONE' | 'REVIEW' | 'REJECT';
  /** Codes for weaknesses; omitted if there are none. */
  readonly remarks?: readonly string[];
}
