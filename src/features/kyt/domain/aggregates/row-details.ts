import type { FactValue, Outcome } from '../../../rules/index.js';

/** The outcome of an earlier transaction as windows read it; PENDING while there was none. */
export type RowOutcome = Outcome | 'PENDING';

/** An outcome, and since when it stands; milliseconds since the epoch. */
export interface OutcomeSince {
  readonly at: number;
  readonly outcome: Outcome;
}

/** Values of rows that logs do not hold, by sequence number of the row; loaded only if an aggregate reads them. */
export interface RowDetails {
  /** In order of time. */
  readonly outcomes: ReadonlyMap<number, readonly OutcomeSince[]>;
  /** Values of house fields, by the number of the field. */
  readonly house: ReadonlyMap<number, ReadonlyMap<number, FactValue>>;
  /** House fields whose back-fill has not ended. */
  readonly unfilled: ReadonlySet<number>;
}

export const NO_DETAILS: RowDetails = { outcomes: new Map(), house: new Map(), unfilled: new Set() };

/** Returns the outcome at that moment (milliseconds since the epoch). */
export function outcomeAt({ outcomes }: RowDetails, seq: number, at: number): RowOutcome {
  let stood: RowOutcome = 'PENDING';
  for (const one of outcomes.get(seq) ?? []) if (one.at <= at) stood = one.outcome;
  return stood;
}
