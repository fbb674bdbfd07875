import type { PastAlert } from '../../reviews/index.js';
import type { LookBackCounts } from '../domain/look-back.js';

/** A piece of the past, in the order of receipt. */
export interface FoundPiece extends Pick<LookBackCounts, 'looked' | 'unreadable' | 'undecided' | 'judgedBy'> {
  /** The last transaction of the piece. */
  readonly last: string;
  readonly alerts: readonly PastAlert[];
}

/** Looks at the past piece by piece for what would have been an alert. */
export interface AlertFinder {
  /** Returns what comes after a transaction; null when there is nothing left. */
  next(after: string): Promise<FoundPiece | null>;
}
