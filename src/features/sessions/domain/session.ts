import { machine } from '../../../platform/kernel/machine.js';

export const sessionStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'EXPIRED'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/**
 * The states of the interface specification, and the transitions to PENDING for a resubmission. A cancelled session is
 * EXPIRED with that reason. PROCESSING never expires, nor does a session that was submitted once.
 */
export const sessionFlow = machine<SessionStatus>({
  PENDING: ['PROCESSING', 'EXPIRED'],
  PROCESSING: ['COMPLETED', 'PENDING'],
  COMPLETED: ['PENDING'],
  EXPIRED: [],
});

export const sessionTriggers = ['OPERATOR', 'STEP_UP', 'API', 'COMPANY', 'REVERIFICATION'] as const;
export type SessionTrigger = (typeof sessionTriggers)[number];

export const sessionOutcomes = ['APPROVED', 'REVIEW', 'REJECTED'] as const;
export type SessionOutcome = (typeof sessionOutcomes)[number];

export const statusReasons = ['TIMEOUT', 'CANCELLED', 'CHECKED'] as const;
export type StatusReason = (typeof statusReasons)[number];

export type SessionComposition = 'COMPLETE' | 'PARTIAL' | 'MISSING' | 'INCONSISTENT';

/** True for local hours in the night of the step-up rules. */
export const isNightHour = (hour: number): boolean => hour >= 20 || hour < 6;
