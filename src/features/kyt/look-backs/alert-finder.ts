import type { PastAlert } from '../../reviews/index.js';
import type { LookBackCounts } from '../domain/look-back.js';

/** The result for a piece of earlier transactions, in the order of receipt. */
export interface AlertPage extends Pick<LookBackCounts, 'looked' | 'unreadable' | 'undecided' | 'judgedBy'> {
  /** The last transaction of the piece. */
  readonly last: string;
  readonly alerts: readonly PastAlert[];
}

/** Searches earlier transactions, piece by piece, for those that would have been alerts. */
export interface AlertFinder {
  /** Returns the piece after a transaction; null if there is nothing left. */
  next(after: string): Promise<AlertPage | null>;
}
