import { machine } from '../../../platform/kernel/machine.js';

export type RulesetStatus = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';

/** An unused draft may be archived without having been published. */
export const rulesetFlow = machine<RulesetStatus>({
  DRAFT: ['PUBLISHED', 'ARCHIVED'],
  PUBLISHED: ['ARCHIVED'],
  ARCHIVED: [],
});

/** The source of a version: seeded with the organisation, drafted by operators, or rolled back to earlier content. */
export type RulesetOrigin = 'SEED' | 'DRAFT' | 'ROLLBACK';

/** The facts that decide if a version may be published. */
export interface VersionState {
  readonly status: RulesetStatus;
  readonly origin: RulesetOrigin;
  readonly contentHash: string;
  readonly requestedBy: string | null;
}

export type BacktestStatus = 'QUEUED' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'CANCELLED';

/** A back-test whose worker died returns to QUEUED; an ended one never changes. */
export const backtestFlow = machine<BacktestStatus>({
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['QUEUED', 'FINISHED', 'FAILED', 'CANCELLED'],
  FINISHED: [],
  FAILED: [],
  CANCELLED: [],
});

/** The obstacles to a publication, as codes in `details` of the error. */
export type PublicationObstacle =
  'NOT_A_DRAFT' | 'NOT_REQUESTED' | 'ALREADY_REQUESTED' | 'BACKTEST_MISSING' | 'NEVER_PUBLISHED';

/** Returns why publication cannot be requested, or null; `backtestOf` is the content hash of a finished back-test. */
export function publicationRequestObstacle(
  version: VersionState,
  backtestOf: string | null,
): PublicationObstacle | null {
  if (version.status !== 'DRAFT') return 'NOT_A_DRAFT';
  if (version.requestedBy !== null) return 'ALREADY_REQUESTED';
  return lacksBacktest(version, backtestOf) ? 'BACKTEST_MISSING' : null;
}

/** Returns why a requested publication cannot take place, or null. */
export function publicationApprovalObstacle(
  version: VersionState,
  backtestOf: string | null,
): PublicationObstacle | null {
  if (version.status !== 'DRAFT') return 'NOT_A_DRAFT';
  if (version.requestedBy === null) return 'NOT_REQUESTED';
  return lacksBacktest(version, backtestOf) ? 'BACKTEST_MISSING' : null;
}

/**
 * True if a back-test of this content is missing. Only a draft needs one: a roll-back was live before, and a seeded
 * version is tested with the product.
 */
const lacksBacktest = ({ origin, contentHash }: VersionState, backtestOf: string | null): boolean =>
  origin === 'DRAFT' && backtestOf !== contentHash;
