import type { FactValue, Outcome } from '../../../rules/index.js';

/** The outcome of an earlier transaction; PENDING until it was evaluated. */
export type RowOutcome = Outcome | 'PENDING';

/** An outcome, and the time from which it was current, in milliseconds since the epoch. */
export interface OutcomeSince {
  readonly at: number;
  readonly outcome: Outcome;
}

/** Values that logs do not hold, by the sequence number of the row; loaded only if an aggregate reads them. */
export interface RowDetails {
  /** Outcomes of each row, by its sequence number; the oldest first. */
  readonly outcomes: ReadonlyMap<number, readonly OutcomeSince[]>;
  /** Values of custom fields, by the number of the field. */
  readonly custom: ReadonlyMap<number, ReadonlyMap<number, FactValue>>;
  /** Custom fields whose back-fill has not ended. */
  readonly unfilled: ReadonlySet<number>;
}

export const NO_DETAILS: RowDetails = { outcomes: new Map(), custom: new Map(), unfilled: new Set() };

/** Returns the outcome that was current at a time (milliseconds since the epoch). */
export function outcomeAt({ outcomes }: RowDetails, seq: number, at: number): RowOutcome {
  let stood: RowOutcome = 'PENDING';
  for (const one of outcomes.get(seq) ?? []) if (one.at <= at) stood = one.outcome;
  return stood;
}
