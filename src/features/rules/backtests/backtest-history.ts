import type { RulesetDefinition } from '../language/index.js';

/** A range of past transactions by `occurredAt`; `to` is exclusive. */
export interface HistorySpan {
  readonly organisationId: string;
  readonly from: Date;
  readonly to: Date;
}

/** A range of past transactions, and the rules to evaluate them with. */
export interface HistoryRange extends HistorySpan {
  readonly content: RulesetDefinition;
}

/** A page of past transactions, in the order in which they were received. */
export interface HistoryPage {
  /** Snapshots one after the other, as `readSnapshots` reads them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Aggregates and custom fields of the tested rules, one fact sheet per snapshot (`packDeclared`), or null. */
  readonly declared: Uint8Array<ArrayBuffer> | null;
  /** The last transaction of the page: the cursor of the next page. */
  readonly last: string;
}

/**
 * Gives access to the facts of past evaluations. The module that owns evaluations provides it; Rules knows neither
 * evaluations nor transactions.
 */
export abstract class BacktestHistory {
  abstract count(span: HistorySpan): Promise<number>;

  /** Returns the next page of first evaluations after the transaction `after`; null at the end. */
  abstract nextPage(range: HistoryRange, after: string, limit: number): Promise<HistoryPage | null>;
}

/** The cursor before the first transaction. */
export const FROM_THE_BEGINNING = '00000000-0000-0000-0000-000000000000';
