import { add } from '../decimal.js';
import type { FactSheet } from '../fact-sheet.js';
import type { BoolClosure, Item, Items, NumericClosure, TernaryValue } from './closures.js';
import type { ItemPredicate } from './item-predicate.js';
import { toTernary } from './comparisons.js';

/** Parts are 0, 1 or 2 (unknown). If none is 0, their bitwise OR is 1 exactly when all are 1. */
export function compileAnd(items: readonly BoolClosure[]): BoolClosure {
  const [a, b, c] = items;
  if (a && b && items.length === 2) {
    return (sheet) => {
      const x = a(sheet);
      if (x === 0) return 0;
      const y = b(sheet);
      return y === 0 ? 0 : (x | y) === 1 ? 1 : 2;
    };
  }
  if (a && b && c && items.length === 3) {
    return (sheet) => {
      const x = a(sheet);
      if (x === 0) return 0;
      const y = b(sheet);
      if (y === 0) return 0;
      const z = c(sheet);
      return z === 0 ? 0 : (x | y | z) === 1 ? 1 : 2;
    };
  }
  return (sheet) => {
    let result: TernaryValue = 1;
    for (const item of items) {
      const value = item(sheet);
      if (value === 0) return 0;
      if (value === 2) result = 2;
    }
    return result;
  };
}

export function compileOr(items: readonly BoolClosure[]): BoolClosure {
  const [a, b] = items;
  if (a && b && items.length === 2) {
    return (sheet) => {
      const x = a(sheet);
      if (x === 1) return 1;
      const y = b(sheet);
      return y === 1 ? 1 : x === 2 ? 2 : y;
    };
  }
  return (sheet) => {
    let result: TernaryValue = 0;
    for (const item of items) {
      const value = item(sheet);
      if (value === 1) return 1;
      if (value === 2) result = 2;
    }
    return result;
  };
}

type AtItem = (item: Item, sheet: FactSheet) => TernaryValue;

export const compileAny =
  (items: Items, at: AtItem): BoolClosure =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return 2;
    let result: TernaryValue = 0;
    for (const item of list) {
      const value = at(item, sheet);
      if (value === 1) return 1;
      if (value === 2) result = 2;
    }
    return result;
  };

export const compileAll =
  (items: Items, at: AtItem): BoolClosure =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return 2;
    let result: TernaryValue = 1;
    for (const item of list) {
      const value = at(item, sheet);
      if (value === 0) return 0;
      if (value === 2) result = 2;
    }
    return result;
  };

export const compileTotal =
  (items: Items, at: AtItem, worth: (item: Item) => number): NumericClosure =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return NaN;
    let total = 0;
    for (const item of list) {
      const value = at(item, sheet);
      if (value === 2) return NaN;
      if (value === 1) total = add(total, worth(item));
    }
    return total;
  };

export type NumberItems = (sheet: FactSheet) => readonly number[] | undefined;

/** `exists` searches for an item with a true result (`wanted` is true), `all` for an item with a false result. */
export const compileAnyNumber =
  (items: NumberItems, fits: ItemPredicate, wanted: boolean): BoolClosure =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return 2;
    for (const item of list) if (fits(item) === wanted) return toTernary(wanted);
    return toTernary(!wanted);
  };

export const compileNumberCount =
  (items: NumberItems, fits: ItemPredicate): NumericClosure =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return NaN;
    let count = 0;
    for (const item of list) if (fits(item)) count += 1;
    return count;
  };

export const compileNumberSum =
  (items: NumberItems, fits: ItemPredicate): NumericClosure =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return NaN;
    let sum = 0;
    for (const item of list) if (fits(item)) sum = add(sum, item);
    return sum;
  };
