import { hash } from 'node:crypto';
import { isRealName } from '../../../../platform/kernel/values/canonical/missing-name.js';
import type { ListEntry } from './list-entry.js';
import type { ParsedRecord } from './list-values.js';
import type { DroppedField } from '../../../../platform/kernel/csv/csv-table.js';

type EntryRead = Extract<ParsedRecord, { readonly value: ListEntry }>;

const MAX_KEY = 1_000;
// Unreadable characters in the JSON of an entry: U+FFFD, which replaced undecodable bytes, and control characters.
const UNREADABLE = /[\u0080-\u009f\ufffd]|\\u0000/;
const UNREADABLE_CHARACTERS = /[\u0000\u0080-\u009f]/g;

/**
 * Gives each entry a unique key: a list may use one key for two people, and both must be searched. A line that repeats
 * an earlier line with the same key is merged with it. Placeholders for names are dropped and reported.
 */
export async function* resolveDuplicateKeys(
  reads: AsyncIterable<ParsedRecord>,
): AsyncGenerator<ParsedRecord> {
  // For each key: the digest of its first entry, then the digests of its other entries and their number.
  const first = new Map<string, string>();
  const repeatedKeys = new Set<string>();
  const counts = new Map<string, number>();
  for await (const record of reads) {
    const checked = 'value' in record ? dropPlaceholders(record) : record;
    if (!('value' in checked)) {
      yield checked;
      continue;
    }
    const text = JSON.stringify(checked.value);
    const entry = UNREADABLE.test(text) ? replaceUnreadable(checked) : checked;
    const { line, value } = entry;
    const { key } = value;
    if (key.length > MAX_KEY) {
      yield { line, problem: 'KEY_TOO_LONG' };
      continue;
    }
    const digest = hash('sha256', text, 'base64');
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, digest);
      yield entry;
    } else if (before === digest || repeatedKeys.has(`${key}\n${digest}`)) {
      yield { merged: 1 };
    } else {
      repeatedKeys.add(`${key}\n${digest}`);
      let number = (counts.get(key) ?? 1) + 1;
      while (first.has(`${key}#${number}`)) number += 1;
      counts.set(key, number);
      first.set(`${key}#${number}`, digest);
      yield { ...entry, value: { ...value, key: `${key}#${number}` } };
    }
  }
}

// True if an entry may be listed by this name alone: some vessels and some gang members are listed by a number.
const isListedName = (name: string): boolean => isRealName(name) || /\p{N}/u.test(name);

/** Drops and reports placeholders. An entry is broken if it has no other name and no value. */
function dropPlaceholders(read: EntryRead): ParsedRecord {
  const { line, value, dropped } = read;
  if (value.names.every(isListedName)) return read;
  const names = value.names.filter(isListedName);
  if (names.length === 0 && value.values.length === 0) {
    const problem = value.names.some((name) => name.includes('\ufffd'))
      ? 'CHARACTER_UNREADABLE'
      : 'NAME_MISSING';
    return { line, problem, column: 'names' };
  }
  const lost = value.names
    .slice(names.length)
    .map(() => ({ line, column: 'names', problem: 'NAME_MISSING' }));
  return { line, value: { ...value, names }, dropped: [...dropped, ...lost] };
}

/** Replaces unreadable characters by U+FFFD and reports their fields. */
function replaceUnreadable({ line, value, dropped }: EntryRead): EntryRead {
  const lost: DroppedField[] = [];
  const fields = Object.entries(value).map(([column, field]) => {
    const text = JSON.stringify(field);
    if (!UNREADABLE.test(text)) return [column, field] as const;
    lost.push({ line, column, problem: 'CHARACTER_UNREADABLE' });
    const readable: unknown = JSON.parse(text.replaceAll('\\u0000', '\ufffd'), (_, one: unknown) =>
      typeof one === 'string' ? one.replace(UNREADABLE_CHARACTERS, '\ufffd') : one,
    );
    return [column, readable] as const;
  });
  return { line, value: Object.fromEntries(fields) as unknown as ListEntry, dropped: [...dropped, ...lost] };
}
