import type { CheckName } from '../flow/flow.js';

/** States of a check, as those of the components of a score. An error or a missing input is never a pass. */
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

/** The result of one check: codes and numbers, never a person. */
export interface EvidenceComponent {
  readonly name: CheckName;
  readonly state: EvidenceState;
  /** True if the result cannot be defended without it. */
  readonly required: boolean;
  /** Why it is so, as a code. */
  readonly reason: string | null;
  /** The source: `built-in`, the lists with their snapshots, or the name of the provider. */
  readonly source: string;
  readonly asOf: string;
  /** Its points in the score, 0 to 100. */
  readonly points: number;
  /** REVIEW: a person has to look. REJECT: the session cannot be approved at all. */
  readonly effect: 'NONE' | 'REVIEW' | 'REJECT';
  /** Codes of what weakens it; left out where there is nothing. */
  readonly remarks?: readonly string[];
}
