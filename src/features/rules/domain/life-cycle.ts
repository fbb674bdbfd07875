import { machine } from '../../../platform/kernel/machine.js';

export type RulesetStatus = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';

/** A draft that nobody wants is archived without ever having been live. */
export const rulesetFlow = machine<RulesetStatus>({
  DRAFT: ['PUBLISHED', 'ARCHIVED'],
  PUBLISHED: ['ARCHIVED'],
  ARCHIVED: [],
});

/** Where a version came from: seeded with the organisation, written by operators, or old content brought back. */
export type RulesetOrigin = 'SEED' | 'DRAFT' | 'ROLLBACK';

/** A version with what its publication rests on. */
export interface VersionState {
  readonly status: RulesetStatus;
  readonly origin: RulesetOrigin;
  readonly contentHash: string;
  readonly requestedBy: string | null;
}

export type BacktestStatus = 'QUEUED' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'CANCELLED';

/** A worker that dies gives its back-test back; what ended never changes. */
export const backtestFlow = machine<BacktestStatus>({
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['QUEUED', 'FINISHED', 'FAILED', 'CANCELLED'],
  FINISHED: [],
  FAILED: [],
  CANCELLED: [],
});

/** The obstacles to a step, in the words that an operator reads in `details`. */
export type Obstacle =
  'NOT_A_DRAFT' | 'NOT_REQUESTED' | 'ALREADY_REQUESTED' | 'BACKTEST_MISSING' | 'NEVER_PUBLISHED';

/** Whether a draft may be put up for publication; `backtestOf` is the content hash of a finished back-test of it. */
export function obstacleToRequest(version: VersionState, backtestOf: string | null): Obstacle | null {
  if (version.status !== 'DRAFT') return 'NOT_A_DRAFT';
  if (version.requestedBy !== null) return 'ALREADY_REQUESTED';
  return untested(version, backtestOf) ? 'BACKTEST_MISSING' : null;
}

/** Whether what somebody put up may be published still. */
export function obstacleToApproval(version: VersionState, backtestOf: string | null): Obstacle | null {
  if (version.status !== 'DRAFT') return 'NOT_A_DRAFT';
  if (version.requestedBy === null) return 'NOT_REQUESTED';
  return untested(version, backtestOf) ? 'BACKTEST_MISSING' : null;
}

/** A version that was live before has been tested by that; a seeded one is tested with the product. */
const untested = ({ origin, contentHash }: VersionState, backtestOf: string | null): boolean =>
  origin === 'DRAFT' && backtestOf !== contentHash;
