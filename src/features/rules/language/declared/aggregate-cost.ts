import { LIMITS } from '../vocabulary.js';
import type { RowFilter, RowValue, WindowAggregate } from './aggregate.js';
import { shapes } from './aggregate-shape.js';

/** Steps per row to look up values that the index of the windows does not contain. */
export const ROW_COSTS = { outcome: 8, custom: 4, ownLog: 2 } as const;

/** True if a filter reads the outcome, which has to be looked up for each row. */
export const readsOutcome = (filter: RowFilter | null): boolean =>
  filter?.columns.some(({ name }) => name === 'outcome') === true;

export const readsCustomField = (filter: RowFilter | null, of: RowValue | null): boolean =>
  (of?.field ?? null) !== null || filter?.columns.some(({ declared }) => declared !== null) === true;

/**
 * Returns the maximum steps of an aggregate: for each of the newest rows of its window, reading, filter and function.
 * Loading the rows is counted once for all aggregates of a key.
 */
export function aggregateCost({
  fn,
  of,
  filter,
  filterCost,
}: {
  readonly fn: WindowAggregate['function'];
  readonly of: RowValue | null;
  readonly filter: RowFilter | null;
  readonly filterCost: number;
}): number {
  const lookups =
    (readsOutcome(filter) ? ROW_COSTS.outcome : 0) + (readsCustomField(filter, of) ? ROW_COSTS.custom : 0);
  return LIMITS.rows * (1 + filterCost + shapes[fn].steps + lookups);
}
