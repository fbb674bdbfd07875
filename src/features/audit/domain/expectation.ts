import { sheetOf, type SubjectType } from '../../../sheets.js';
import type { TrailAnchor, TrailActionOrder, TrailExpectation } from './trail-parts.js';

/** The requirements of a sheet on the trail of a subject. */
export interface SheetExpectation extends TrailExpectation {
  readonly grammar: TrailActionOrder;
}

/**
 * Returns what the trail of a subject must contain by its sheet: the order of the actions, which of them may be the last
 * in the state of its row, and the first entry, whose hash the row stores.
 */
export function expectationOf(type: SubjectType, row: object): SheetExpectation {
  const { order, last, says, actions } = sheetOf(type);
  if (!order) throw new Error(`the sheet of ${type} has no order of actions`);
  // The parameters of a sheet's functions are properties of the entity of its row.
  const ends = last?.(row as never);
  if (last && !ends) throw new Error(`the sheet of ${type} does not know the state of a row`);
  return { grammar: { ...order, last: ends ?? actions }, anchors: firstEntry(row, order.first, says) };
}

function firstEntry(
  row: object & { readonly trailHash?: Buffer },
  [action]: TrailActionOrder['first'],
  says: ReturnType<typeof sheetOf>['says'],
): TrailAnchor[] {
  if (!row.trailHash || action === undefined) return [];
  return [{ action, hash: row.trailHash, ...(says && { says: says(row as never) }) }];
}
