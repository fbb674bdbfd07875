import { canonicalValue } from '../../../../platform/kernel/values/canonical/canonical-value.js';
import { addressRange } from '../../../../platform/kernel/values/canonical/ip-address.js';
import {
  isEntryInForce,
  kindOfListed,
  type ListedValue,
  type ListEntry,
  type ValueType,
} from '../lists/list-entry.js';

export interface ExactEntry {
  readonly entryId: string;
  readonly entryHash: string;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

const NONE: readonly ExactEntry[] = [];

interface Range extends ExactEntry {
  readonly first: bigint;
  readonly last: bigint;
}

/** The values of one list. Lookups take constant time; in IP ranges, logarithmic time. */
export class ExactIndex {
  private readonly values = new Map<string, ExactEntry[]>();
  private readonly keysByEntry = new Map<string, readonly string[]>();
  private readonly types = new Set<ValueType>();
  private ranges: Range[] = [];
  private widestRange = 0n;
  private isSorted = true;

  get size(): number {
    return this.keysByEntry.size;
  }

  add(
    entryId: string,
    entryHash: string,
    entry: Pick<ListEntry, 'values' | 'validFrom' | 'validUntil'>,
  ): void {
    const { validFrom, validUntil } = entry;
    const found: ExactEntry = { entryId, entryHash, validFrom, validUntil };
    const names: string[] = [];
    for (const value of entry.values) {
      this.types.add(value.type);
      const range = value.type === 'IP' ? blockOf(value.value) : null;
      if (range) {
        this.ranges.push({ ...found, ...range });
        this.isSorted = false;
        const width = range.last - range.first;
        if (width > this.widestRange) this.widestRange = width;
        continue;
      }
      const name = valueKey(value);
      names.push(name);
      const sameValueEntries = this.values.get(name);
      if (sameValueEntries) sameValueEntries.push(found);
      else this.values.set(name, [found]);
    }
    this.keysByEntry.set(entryId, names);
  }

  remove(entryId: string): void {
    for (const name of this.keysByEntry.get(entryId) ?? []) {
      const remainingEntries = (this.values.get(name) ?? []).filter((entry) => entry.entryId !== entryId);
      if (remainingEntries.length > 0) this.values.set(name, remainingEntries);
      else this.values.delete(name);
    }
    this.keysByEntry.delete(entryId);
    this.ranges = this.ranges.filter((range) => range.entryId !== entryId);
  }

  /** Adds all values of another index. */
  addAll(other: ExactIndex): void {
    for (const [name, entries] of other.values) {
      this.values.set(name, [...(this.values.get(name) ?? []), ...entries]);
    }
    for (const [entryId, names] of other.keysByEntry) this.keysByEntry.set(entryId, names);
    for (const type of other.types) this.types.add(type);
    this.ranges.push(...other.ranges);
    if (other.widestRange > this.widestRange) this.widestRange = other.widestRange;
    this.isSorted = false;
  }

  /** Returns the entries in force that have the value. An IP address is also found in the ranges that contain it. */
  find(value: ListedValue, day: string, name = valueKey(value)): readonly ExactEntry[] {
    const entries = this.values.get(name) ?? NONE;
    const allEntries =
      value.type === 'IP' && this.ranges.length > 0
        ? [...entries, ...this.findInRanges(value.value)]
        : entries;
    return allEntries.length === 0 ? [] : allEntries.filter((entry) => isEntryInForce(entry, day));
  }

  /** True if the list has the value under any type. */
  has(text: string, day: string): boolean {
    for (const type of this.types) if (this.find({ type, value: text }, day).length > 0) return true;
    return false;
  }

  private findInRanges(text: string): Range[] {
    const range = addressRange(text);
    if (range === null) return [];
    const address = range.first;
    if (!this.isSorted) {
      this.ranges.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
      this.isSorted = true;
    }
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ranges[middle]?.first ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    const ranges: Range[] = [];
    // `widestRange` is the size of the widest range: a range that begins further left cannot contain the address.
    for (let i = low - 1; i >= 0; i -= 1) {
      const range = this.ranges[i];
      if (!range || range.first + this.widestRange < address) break;
      if (range.last >= address) ranges.push(range);
    }
    return ranges;
  }
}

/** Returns the lookup key of a value: its type and canonical form. */
export const valueKey = ({ type, value }: ListedValue): string =>
  `${type} ${canonicalValue(kindOfListed[type], value) ?? value}`;

/** Returns the range of an IP network; null if it is a single address, which is found by its key. */
function blockOf(text: string): { readonly first: bigint; readonly last: bigint } | null {
  const range = addressRange(text);
  return range === null || range.first === range.last ? null : range;
}
