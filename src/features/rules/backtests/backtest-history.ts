import type { RulesetDefinition } from '../language/index.js';

/** A part of the history, by when transactions occurred; `to` is exclusive. */
export interface HistorySpan {
  readonly organisationId: string;
  readonly from: Date;
  readonly to: Date;
}

/** A part of the history, and the rules for which it is read. */
export interface HistoryRange extends HistorySpan {
  readonly content: RulesetDefinition;
}

/** A piece of history, in the order of receipt. */
export interface HistoryPage {
  /** Snapshots one after the other, as `readSnapshots` reads them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Values that the tested rules declare, in the same order, packed by `packDeclared`; null if they declare none. */
  readonly declared: Uint8Array<ArrayBuffer> | null;
  /** The last transaction of the piece. */
  readonly last: string;
}

/**
 * Gives access to the facts of past evaluations. The module that owns evaluations provides it; Rules knows neither
 * evaluations nor transactions.
 */
export abstract class BacktestHistory {
  abstract count(span: HistorySpan): Promise<number>;

  /** The snapshots of first evaluations after a transaction; null when there are none left. */
  abstract next(range: HistoryRange, after: string, limit: number): Promise<HistoryPage | null>;
}

/** Before every transaction. */
export const FROM_THE_BEGINNING = '00000000-0000-0000-0000-000000000000';
