/** Which part of the history a back-test runs over, by when transactions occurred. */
export interface HistoryRange {
  readonly organisationId: string;
  readonly from: Date;
  readonly to: Date;
}

/** A piece of history, in the order of receipt. */
export interface HistoryPiece {
  /** Snapshots one after the other, as `readSnapshots` reads them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The last transaction of the piece. */
  readonly last: string;
}

/**
 * Gives access to the facts of past evaluations. The module that owns evaluations provides it; Rules knows neither them
 * nor transactions.
 */
export abstract class BacktestHistory {
  abstract count(range: HistoryRange): Promise<number>;

  /** The snapshots of first evaluations after a transaction; null when there are none left. */
  abstract next(range: HistoryRange, after: string, limit: number): Promise<HistoryPiece | null>;
}

/** Before every transaction. */
export const FROM_THE_BEGINNING = '00000000-0000-0000-0000-000000000000';
