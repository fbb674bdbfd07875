import type { ListEntry } from '../lists/list-entry.js';

/**
 * The data of a list's entries, without names, in typed arrays that move to the search thread without copying. Days are
 * numbers (20261120); 0 is none.
 */
export interface EntryTable {
  /** 16 bytes each. */
  readonly ids: Uint8Array;
  readonly hashes: Uint8Array;
  /** The six visible digits of a masked document, or -1. */
  readonly masked: Int32Array;
  readonly validFrom: Int32Array;
  readonly validUntil: Int32Array;
  /** Birth dates; if only the year is known, the year times 10,000. */
  readonly bornAt: Uint32Array;
  readonly born: Int32Array;
  /** Countries, each with its two letters in one number. */
  readonly countriesAt: Uint32Array;
  readonly countries: Uint16Array;
  /** 1 if the entry has a full CPF. A person has only one. */
  readonly hasCpf: Uint8Array;
  /** 1 once a later snapshot no longer has the entry. */
  readonly gone: Uint8Array;
}

export const bytesOfUuid = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

export function uuidOfBytes(bytes: Uint8Array, at: number): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + at, 16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const numberOfDay = (day: string | null): number => (day === null ? 0 : Number(day.replaceAll('-', '')));
const numberOfBirth = (date: string): number =>
  date.length === 4 ? Number(date) * 10_000 : numberOfDay(date);
const dayOfNumber = (day: number): string | null => {
  if (day === 0) return null;
  const text = String(day);
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
};
const birthOfNumber = (date: number): string =>
  date % 10_000 === 0 ? String(date / 10_000) : (dayOfNumber(date) ?? '');

interface Row {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly entry: ListEntry;
}

export class EntryTableBuilder {
  private readonly rows: Row[] = [];

  add(id: string, hash: Uint8Array, entry: ListEntry): number {
    // Names are in the index; storing them here as well would double the memory.
    this.rows.push({ id, hash, entry: { ...entry, names: [], remarks: null } });
    return this.rows.length - 1;
  }

  build(): EntryTable {
    const { rows } = this;
    const n = rows.length;
    const table = {
      ids: new Uint8Array(16 * n),
      hashes: new Uint8Array(16 * n),
      masked: new Int32Array(n),
      validFrom: new Int32Array(n),
      validUntil: new Int32Array(n),
      bornAt: new Uint32Array(n + 1),
      countriesAt: new Uint32Array(n + 1),
      hasCpf: new Uint8Array(n),
      gone: new Uint8Array(n),
    };
    const born: number[] = [];
    const countries: number[] = [];
    rows.forEach(({ id, hash, entry }, i) => {
      table.ids.set(bytesOfUuid(id), 16 * i);
      table.hashes.set(hash, 16 * i);
      table.masked[i] = entry.maskedDocument === null ? -1 : Number(entry.maskedDocument);
      table.validFrom[i] = numberOfDay(entry.validFrom);
      table.validUntil[i] = numberOfDay(entry.validUntil);
      for (const date of entry.birthDates) born.push(numberOfBirth(date));
      for (const code of entry.countries) countries.push(code.charCodeAt(0) * 256 + code.charCodeAt(1));
      table.bornAt[i + 1] = born.length;
      table.countriesAt[i + 1] = countries.length;
      table.hasCpf[i] = entry.values.some(({ type, value }) => type === 'DOCUMENT' && value.length === 11)
        ? 1
        : 0;
    });
    return { ...table, born: Int32Array.from(born), countries: Uint16Array.from(countries) };
  }
}

// Equal documents are found earlier. Here it only matters that the entry has another document.
const ANY_CPF: ListEntry['values'] = [{ type: 'DOCUMENT', value: '-'.repeat(11) }];
const NONE: readonly never[] = [];

/** Returns the facts of an entry that qualifying a hit needs. Full documents are looked up elsewhere. */
export function entryFactsOf(
  table: EntryTable,
  i: number,
): Pick<ListEntry, 'values' | 'maskedDocument' | 'birthDates' | 'countries' | 'validFrom' | 'validUntil'> {
  const masked = table.masked[i] ?? -1;
  return {
    values: table.hasCpf[i] === 1 ? ANY_CPF : NONE,
    maskedDocument: masked < 0 ? null : String(masked).padStart(6, '0'),
    birthDates: sliceOf(table.born, table.bornAt, i, birthOfNumber),
    countries: sliceOf(table.countries, table.countriesAt, i, (code) =>
      String.fromCharCode(code >> 8, code & 255),
    ),
    validFrom: dayOfNumber(table.validFrom[i] ?? 0),
    validUntil: dayOfNumber(table.validUntil[i] ?? 0),
  };
}

function sliceOf(
  items: Int32Array | Uint16Array,
  at: Uint32Array,
  i: number,
  read: (item: number) => string,
): readonly string[] {
  const [from = 0, to = 0] = [at[i], at[i + 1]];
  return from === to ? NONE : Array.from(items.subarray(from, to), read);
}

/** Marks the entries with these ids as removed; returns how many of them the table had. */
export function markRemoved(table: EntryTable, ids: ReadonlySet<string>): number {
  let count = 0;
  for (let i = 0; i < table.gone.length; i += 1) {
    if (table.gone[i] === 1 || !ids.has(uuidOfBytes(table.ids, 16 * i))) continue;
    table.gone[i] = 1;
    count += 1;
  }
  return count;
}
