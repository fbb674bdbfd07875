import type { FactValue, Outcome } from '../../../rules/index.js';

/** The outcome of an earlier transaction as windows read it; PENDING while there was none. */
export type RowOutcome = Outcome | 'PENDING';

/** An outcome, and from when on it stood; milliseconds since the epoch. */
export interface OutcomeSince {
  readonly at: number;
  readonly outcome: Outcome;
}

/** Values that do not stand in the log of a key, by the sequence number of the row: looked up only where an aggregate reads it. */
export interface RowDetails {
  /** In order of time. */
  readonly outcomes: ReadonlyMap<number, readonly OutcomeSince[]>;
  /** Values of fields of the house, by the number of the field. */
  readonly house: ReadonlyMap<number, ReadonlyMap<number, FactValue>>;
  /** Fields of the house whose values of earlier transactions are not all there yet. */
  readonly unfilled: ReadonlySet<number>;
}

export const NO_DETAILS: RowDetails = { outcomes: new Map(), house: new Map(), unfilled: new Set() };

/** The outcome that stood at that moment. */
export function outcomeAt({ outcomes }: RowDetails, seq: number, at: number): RowOutcome {
  let stood: RowOutcome = 'PENDING';
  for (const one of outcomes.get(seq) ?? []) if (one.at <= at) stood = one.outcome;
  return stood;
}
