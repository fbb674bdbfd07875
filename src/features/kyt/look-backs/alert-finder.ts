import type { PastAlert } from '../../reviews/index.js';
import type { LookBackCounts } from '../domain/look-back.js';

/** The result for one page of earlier transactions, in the order of receipt. */
export interface LookBackAlertPage extends Pick<
  LookBackCounts,
  'looked' | 'unreadable' | 'undecided' | 'judgedBy'
> {
  /** The last transaction of the page. */
  readonly last: string;
  readonly alerts: readonly PastAlert[];
}

/** Finds earlier transactions, page by page, that the ruleset or list makes an alert. */
export interface AlertFinder {
  /** Returns the page after a transaction; null at the end. */
  next(after: string): Promise<LookBackAlertPage | null>;
}
