import {
  isInForce,
  valueTypes,
  type ListedValue,
  type ListEntry,
  type ValueType,
} from '../lists/list-entry.js';
import { identifierText } from '../lists/list-values.js';

/** An entry as it is found by one of its values. */
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

/** The values of one list, found in constant time; ranges of addresses, in logarithmic time. */
export class ExactIndex {
  private readonly values = new Map<string, ExactEntry[]>();
  private readonly named = new Map<string, readonly string[]>();
  private ranges: Range[] = [];
  private widest = 0n;
  private sorted = true;

  get size(): number {
    return this.named.size;
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
      const range = value.type === 'IP' ? rangeOf(value.value) : null;
      if (range) {
        this.ranges.push({ ...found, ...range });
        this.sorted = false;
        const width = range.last - range.first;
        if (width > this.widest) this.widest = width;
        continue;
      }
      const name = nameOfValue(value);
      names.push(name);
      const others = this.values.get(name);
      if (others) others.push(found);
      else this.values.set(name, [found]);
    }
    this.named.set(entryId, names);
  }

  remove(entryId: string): void {
    for (const name of this.named.get(entryId) ?? []) {
      const left = (this.values.get(name) ?? []).filter((entry) => entry.entryId !== entryId);
      if (left.length > 0) this.values.set(name, left);
      else this.values.delete(name);
    }
    this.named.delete(entryId);
    this.ranges = this.ranges.filter((range) => range.entryId !== entryId);
  }

  /** Takes over everything that another index holds. */
  absorb(other: ExactIndex): void {
    for (const [name, entries] of other.values) {
      this.values.set(name, [...(this.values.get(name) ?? []), ...entries]);
    }
    for (const [entryId, names] of other.named) this.named.set(entryId, names);
    this.ranges.push(...other.ranges);
    if (other.widest > this.widest) this.widest = other.widest;
    this.sorted = false;
  }

  /** The entries in force that have the value. An address is also found in the ranges that hold it. */
  find(value: ListedValue, day: string, name = nameOfValue(value)): readonly ExactEntry[] {
    const found = this.values.get(name) ?? NONE;
    const all =
      value.type === 'IP' && this.ranges.length > 0 ? [...found, ...this.inRanges(value.value)] : found;
    return all.length === 0 ? [] : all.filter((entry) => isInForce(entry, day));
  }

  /** As `find`, for a value of which nobody says what it is. */
  has(text: string, day: string): boolean {
    return valueTypes.some((type) => this.find({ type, value: text }, day).length > 0);
  }

  private inRanges(text: string): Range[] {
    const address = addressOf(text);
    if (address === null) return [];
    if (!this.sorted) {
      this.ranges.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
      this.sorted = true;
    }
    let low = 0;
    let high = this.ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ranges[middle]?.first ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    const found: Range[] = [];
    // No range further left than the widest is wide can still hold the address.
    for (let i = low - 1; i >= 0; i -= 1) {
      const range = this.ranges[i];
      if (!range || range.first + this.widest < address) break;
      if (range.last >= address) found.push(range);
    }
    return found;
  }
}

/** Under what a value is found. Wallets and numbers are one however they are written. */
export const nameOfValue = ({ type, value }: ListedValue): string => `${type} ${comparedText(type, value)}`;

function comparedText(type: ValueType, value: string): string {
  if (type === 'IDENTIFIER') return identifierText(value);
  return type === 'WALLET' && ANY_CASE.test(value) ? value.toLowerCase() : value;
}

// Hexadecimal and bech32 addresses; in the others small and capital letters are different digits.
const ANY_CASE = /^(?:0x[0-9a-f]+|(?:bc|tb|ltc)1[0-9a-z]+)$/i;

// IPv4 addresses stand where IPv6 maps them (RFC 4291, 2.5.5.2), so that both are compared alike.
const MAPPED = 0xffff_0000_0000n;

/** The number of an IPv4 or IPv6 address; null when it is none. */
export function addressOf(text: string): bigint | null {
  const quad = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(text);
  if (quad) {
    const parts = quad.slice(1).map(Number);
    return parts.some((part) => part > 255)
      ? null
      : MAPPED + BigInt(parts.reduce((sum, part) => sum * 256 + part, 0));
  }
  if (!/^[0-9a-f:]+$/i.test(text) || !text.includes(':')) return null;
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const given = groups.flat();
  if (given.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return null;
  if (halves.length === 1 ? given.length !== 8 : given.length > 7) return null;
  const [head = [], tail = []] = groups;
  const zeros = new Array<string>(8 - given.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** The first and last address of a range (`10.0.0.0/8`); null for a single address and for what is none. */
export function rangeOf(text: string): { first: bigint; last: bigint } | null {
  const [address = '', bits] = text.split('/');
  const number = addressOf(address);
  if (bits === undefined || number === null) return null;
  const width = number >= MAPPED && number <= MAPPED + 0xffff_ffffn && !address.includes(':') ? 32 : 128;
  const prefix = Number(bits);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > width) return null;
  const size = 1n << BigInt(width - prefix);
  const first = number - (number % size);
  return { first, last: first + size - 1n };
}
