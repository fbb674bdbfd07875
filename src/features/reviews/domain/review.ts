import { table } from '../../../platform/kernel/table.js';
import { machine } from '../../../platform/kernel/machine.js';

/** The kind of a case by its most severe reason: HIT, then SCORE, then DATA_GAP. SESSION and MANUAL are opened for themselves. */
export const reviewKinds = ['SCORE', 'HIT', 'DATA_GAP', 'SESSION', 'MANUAL'] as const;
export type ReviewKind = (typeof reviewKinds)[number];

/** The category of the most severe reason. New alerts of a customer and theme are added to one open case. */
export const themes = [
  ...(['SCREENING', 'STRUCTURING', 'ACCOUNT_TAKEOVER', 'FRAUD', 'GEOGRAPHY', 'CUSTOMER'] as const),
  ...(['IDENTITY', 'DATA_GAP', 'OTHER'] as const),
] as const;
export type Theme = (typeof themes)[number];

const THEME_OF: Readonly<Record<string, Theme>> = table({
  LISTS: 'SCREENING',
  ...withTheme(['STRUCTURING', 'CASH', 'FLOW', 'AMOUNT', 'BEHAVIOUR'], 'STRUCTURING'),
  ...withTheme(['VELOCITY', 'LIMITS'], 'ACCOUNT_TAKEOVER'),
  ...withTheme(['CARD', 'DEVICE_FRAUD', 'NETWORK'], 'FRAUD'),
  ...withTheme(['GEO', 'GEOGRAPHY'], 'GEOGRAPHY'),
  ...withTheme(['CUSTOMER', 'PROFILE'], 'CUSTOMER'),
  DATA_QUALITY: 'DATA_GAP',
});

/** The theme of a rule by its category; OTHER for categories that the institution has added. */
export const themeOf = (category: string): Theme => THEME_OF[category] ?? 'OTHER';

function withTheme(categories: readonly string[], theme: Theme): Record<string, Theme> {
  return Object.fromEntries(categories.map((category) => [category, theme]));
}

/** MERGED: the alerts of the case were moved into another case. */
export const reviewStatuses = [
  ...(['OPEN', 'IN_ANALYSIS', 'AWAITING_INFO', 'PENDING_APPROVAL', 'CLOSED', 'MERGED'] as const),
] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** The statuses in which operators work on a case. */
export const workingStatuses = ['OPEN', 'IN_ANALYSIS', 'AWAITING_INFO'] as const satisfies ReviewStatus[];
export const endedStatuses = ['CLOSED', 'MERGED'] as const satisfies ReviewStatus[];
export const isEnded = (status: ReviewStatus): boolean => status === 'CLOSED' || status === 'MERGED';
export const isWorking = (status: ReviewStatus): boolean => !isEnded(status) && status !== 'PENDING_APPROVAL';
/** The SQL condition for an open case `r`, written exactly as in the partial indexes. */
export const IS_UNENDED = `r.status <> 'CLOSED' AND r.status <> 'MERGED'`;

/** The resolution of a case. FALSE_POSITIVE: the alert was unfounded, and the transaction is approved. */
export const resolutions = ['APPROVED', 'REJECTED', 'FALSE_POSITIVE'] as const;
export type Resolution = (typeof resolutions)[number];

/** Whether the operation is communicated to COAF or the analysis archived (Circular BCB 3.978/2020, art. 48). */
export const reportDecisions = ['COMMUNICATE', 'ARCHIVE'] as const;
export type ReportDecision = (typeof reportDecisions)[number];

export const priorities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

/** The stored priority, for sorting: 1 is the most urgent. */
export const rankOf = (priority: Priority): number => priorities.indexOf(priority) + 1;
export const priorityOf = (rank: number): Priority => priorities[rank - 1] ?? 'LOW';

/**
 * The status transitions of a case. Withdrawing or refusing a proposal puts it back into analysis. A closed case stays
 * closed; reopening creates a new case. Undoing a merge returns the case to OPEN or IN_ANALYSIS.
 */
export const reviewFlow = machine<ReviewStatus>({
  OPEN: ['IN_ANALYSIS', 'MERGED'],
  IN_ANALYSIS: ['AWAITING_INFO', 'PENDING_APPROVAL', 'MERGED'],
  AWAITING_INFO: ['IN_ANALYSIS', 'MERGED'],
  PENDING_APPROVAL: ['IN_ANALYSIS', 'CLOSED'],
  CLOSED: [],
  MERGED: ['OPEN', 'IN_ANALYSIS'],
});

/** The outcome that a resolution sets on the transactions of the case. */
export const outcomeOfResolution = (resolution: Resolution): 'APPROVED' | 'REJECTED' =>
  resolution === 'REJECTED' ? 'REJECTED' : 'APPROVED';

/** True if the resolution approves; then every mandatory hit must have been decided. */
export const approvesTransactions = (resolution: Resolution): boolean =>
  outcomeOfResolution(resolution) === 'APPROVED';

export const MIN_JUSTIFICATION_LENGTH = 20;

/** Maximum number of alerts in a case: nobody could keep an overview of more. */
export const MAX_COLLECTED = 500;

/** The default queue of each kind of case. */
export const queueOf: Readonly<Record<ReviewKind, string>> = {
  HIT: 'screening',
  SCORE: 'transactions',
  DATA_GAP: 'data-quality',
  SESSION: 'onboarding',
  MANUAL: 'transactions',
};
