import {
  FactSheet,
  type Feature,
  type FactValue,
  type FeatureSchema,
  type ListLookup,
  type UnknownState,
} from '../../language/index.js';
import { FactReader, FactWriter, NUMBER, TEXT, TRUTH } from './snapshot-bytes.js';

/**
 * Stored facts, small and quick to read: a back-test reads a million of them. Values of personal features are left out;
 * a replay takes them from the submission. A feature is named by its number (feature-schema.ts), never by its place.
 * Layout (version 1, little-endian), a count of each section before it:
 * format (1) | schema version (2) | numbers: feature (2), float64 (8) | truths: feature (2), 0 or 1 (1) |
 * texts: feature (2), text | lists: feature (2), items (2), each a kind (1) with a float64 or a text |
 * unknown: text `STATE:REASON`, count (2), features (2 each) | saturated: features (2 each) |
 * withheld: features (2 each) | list answers in the order asked: id, count (2), 0 no, 1 yes, 2 could not be asked (1 each).
 * A text is its length (2) and UTF-8.
 * Format 2 continues with the declared features that have a value or a reason, in the order of identities: identity (16) |
 * kind (1), with 128 for a lower bound | a float64, 0 or 1 (1), a text, or `STATE:REASON`; nothing for a withheld value.
 * Facts without declared features are of format 1.
 */
const [FORMAT, WITH_DECLARED] = [1, 2];
/** Further type codes of declared values; 128 is a flag. */
const [UNKNOWN, WITHHELD_VALUE, SATURATED] = [3, 4, 128];

/** Features by section of the stored facts, in order of their numbers. `personal`: withheld features of any type. */
interface StoredFeatures {
  readonly all: readonly Feature[];
  readonly numbers: readonly Feature[];
  readonly truths: readonly Feature[];
  readonly texts: readonly Feature[];
  readonly lists: readonly Feature[];
  readonly personal: readonly Feature[];
  /** By identity. */
  readonly declared: readonly Feature[];
}

const storedOfSchema = new WeakMap<FeatureSchema, StoredFeatures>();

function storedOf(schema: FeatureSchema): StoredFeatures {
  let storedFeatures = storedOfSchema.get(schema);
  if (!storedFeatures) {
    const sortedFeatures = schema.features
      .filter(({ declared }) => declared === null)
      .sort((a, b) => a.number - b.number);
    const open = (...types: readonly Feature['type'][]): Feature[] =>
      sortedFeatures.filter(({ personal, type }) => !personal && types.includes(type));
    storedFeatures = {
      all: sortedFeatures,
      numbers: open('number', 'time'),
      truths: open('bool'),
      texts: open('string'),
      lists: open('numbers', 'strings'),
      personal: sortedFeatures.filter(({ personal }) => personal),
      declared: schema.features
        .filter(({ declared }) => declared !== null)
        .sort((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1)),
    };
    storedOfSchema.set(schema, storedFeatures);
  }
  return storedFeatures;
}

const identityOf = ({ declared }: Feature): string => declared?.identity ?? '';

/** Writes the facts of a sheet, as they are now. The same facts give the same bytes. */
export function encodeFacts(sheet: FactSheet): Buffer {
  const out = new FactWriter();
  const { schema, numbers, bools, texts, lists } = sheet;
  const storedFeatures = storedOf(schema);
  const declared = storedFeatures.declared.filter(({ slot }) => isKnownOrExplained(sheet, slot));
  out.u8(declared.length > 0 ? WITH_DECLARED : FORMAT);
  out.u16(schema.version);
  out.some(storedFeatures.numbers, ({ slot, number }) => {
    const value = numbers[slot] ?? NaN;
    if (Number.isNaN(value)) return false;
    out.u16(number);
    out.f64(value);
    return true;
  });
  out.some(storedFeatures.truths, ({ slot, number }) => {
    const truth = bools[slot] ?? 2;
    if (truth === 2) return false;
    out.u16(number);
    out.u8(truth);
    return true;
  });
  out.some(storedFeatures.texts, ({ slot, number }) => {
    const text = texts[slot];
    if (text === undefined) return false;
    out.u16(number);
    out.text(text);
    return true;
  });
  out.some(storedFeatures.lists, ({ slot, number }) => {
    const items = lists[slot];
    if (items === undefined) return false;
    out.u16(number);
    out.each(items, (item) => {
      out.u8(typeof item === 'number' ? NUMBER : TEXT);
      if (typeof item === 'number') out.f64(item);
      else out.text(item);
    });
    return true;
  });
  out.each([...unknownOf(sheet, storedFeatures.all)], ([reason, unknown]) => {
    out.text(reason);
    out.numbers(unknown);
  });
  const { saturated } = sheet;
  out.numbers(
    saturated === null ? [] : numbersOf(storedFeatures.all.filter(({ slot }) => saturated.has(slot))),
  );
  out.numbers(numbersOf(storedFeatures.personal.filter(({ slot }) => isKnown(sheet, slot))));
  out.each([...sheet.answers], ([list, answers]) => {
    out.text(list);
    out.each([...answers.values()], (answer) => {
      out.u8(answer === null ? 2 : answer ? 1 : 0);
    });
  });
  if (declared.length > 0) {
    out.each(declared, (feature) => {
      writeDeclared(out, sheet, feature);
    });
  }
  return out.bytes();
}

/** True if the feature has a value, or a reason for having none. */
const isKnownOrExplained = (sheet: FactSheet, slot: number): boolean =>
  isKnown(sheet, slot) || sheet.unknowns[slot] !== undefined;

function writeDeclared(out: FactWriter, sheet: FactSheet, feature: Feature): void {
  const value = sheet.valueAt(feature);
  out.identity(identityOf(feature));
  const bound = sheet.saturated?.has(feature.slot) === true ? SATURATED : 0;
  if (value === null) {
    const { state, reason } = sheet.reasonAt(feature.slot);
    out.u8(UNKNOWN);
    out.text(`${state}:${reason}`);
  } else if (feature.personal) out.u8(WITHHELD_VALUE);
  else if (typeof value === 'number') {
    out.u8(NUMBER | bound);
    out.f64(value);
  } else if (typeof value === 'boolean') {
    out.u8(TRUTH | bound);
    out.u8(value ? 1 : 0);
  } else if (typeof value === 'string') {
    out.u8(TEXT | bound);
    out.text(value);
  } else throw new Error('a declared value is single');
}

const numbersOf = (features: readonly Feature[]): number[] => features.map(({ number }) => number);

const isKnown = ({ numbers, bools, texts, lists }: FactSheet, slot: number): boolean =>
  !Number.isNaN(numbers[slot] ?? NaN) ||
  (bools[slot] ?? 2) !== 2 ||
  texts[slot] !== undefined ||
  lists[slot] !== undefined;

/** Returns numbers of features without a value by their reason, both in a fixed order. */
function unknownOf({ unknowns }: FactSheet, all: readonly Feature[]): ReadonlyMap<string, number[]> {
  const numbers = new Map<string, number[]>();
  // Neighbouring features mostly lack their values for the same reason.
  let [state, reason, own]: [string, string, number[]] = ['', '', []];
  for (const { slot, number } of all) {
    const unknown = unknowns[slot];
    if (unknown === undefined) continue;
    if (unknown.state !== state || unknown.reason !== reason) {
      ({ state, reason } = unknown);
      const name = `${state}:${reason}`;
      own = numbers.get(name) ?? [];
      if (own.length === 0) numbers.set(name, own);
    }
    own.push(number);
  }
  return numbers;
}

export interface DecodedFacts {
  readonly sheet: FactSheet;
  /** Personal features that had a value; in the sheet they are SKIPPED. */
  readonly withheld: readonly Feature[];
}

/**
 * Reads facts that `encodeFacts` wrote; throws on other bytes. Without `lists`, lookups return the recorded answers in
 * their order, which is valid for the same rules only. Other rules look up other values and need `lists`.
 */
export function decodeFacts(bytes: Buffer, schema: FeatureSchema, lists?: ListLookup): DecodedFacts {
  const replayed = new RecordedAnswers();
  const sheet = new FactSheet(schema, lists ?? replayed);
  const withheld = readFacts(new FactReader(bytes, 0, bytes.length), schema, sheet, replayed);
  return { sheet, withheld };
}

/** Reads facts from a part of larger bytes into a sheet, which is cleared first. */
export function decodeFactsAt(
  bytes: Buffer,
  [start, end]: readonly [number, number],
  schema: FeatureSchema,
  into: FactSheet,
): void {
  readFacts(new FactReader(bytes, start, end), schema, into.clear(), null);
}

/** Reads facts into an empty sheet and returns the withheld features; recorded answers of lists go to `replayed`. */
function readFacts(
  from: FactReader,
  schema: FeatureSchema,
  sheet: FactSheet,
  replayed: RecordedAnswers | null,
): readonly Feature[] {
  const format = from.u8();
  if (format !== FORMAT && format !== WITH_DECLARED) throw new Error('facts of an unknown format');
  if (from.u16() > schema.version) throw new Error('facts of a later schema version');
  // Sets a value; skips a feature that no longer exists.
  const put = (feature: Feature | null, value: FactValue): void => {
    if (feature) sheet.setAt(feature, value);
  };
  for (let remaining = from.u16(); remaining > 0; remaining -= 1) put(from.feature(schema), from.f64());
  for (let remaining = from.u16(); remaining > 0; remaining -= 1) put(from.feature(schema), from.u8() === 1);
  for (let remaining = from.u16(); remaining > 0; remaining -= 1) put(from.feature(schema), from.text());
  for (let remaining = from.u16(); remaining > 0; remaining -= 1) {
    const feature = from.feature(schema);
    const items: (number | string)[] = [];
    for (let more = from.u16(); more > 0; more -= 1) {
      items.push(from.u8() === NUMBER ? from.f64() : from.text());
    }
    put(feature, items as readonly number[] | readonly string[]);
  }
  for (let remaining = from.u16(); remaining > 0; remaining -= 1) {
    const why = parseReason(from.text());
    for (let more = from.u16(); more > 0; more -= 1) {
      const feature = from.feature(schema);
      if (feature) sheet.setUnknownAt(feature, why);
    }
  }
  const saturated = from.features(schema);
  if (saturated.length > 0) sheet.saturated = new Set(saturated.map(({ slot }) => slot));
  const withheld = from.features(schema);
  for (const feature of withheld) sheet.setUnknownAt(feature, WITHHELD);
  for (let remaining = from.u16(); remaining > 0; remaining -= 1) {
    const list = from.text();
    const answers: (boolean | undefined)[] = [];
    for (let more = from.u16(); more > 0; more -= 1) answers.push(ANSWERS[from.u8()]);
    replayed?.add(list, answers);
  }
  if (format === WITH_DECLARED) {
    for (let remaining = from.u16(); remaining > 0; remaining -= 1) {
      const feature = readDeclared(from, schema, sheet);
      if (feature) withheld.push(feature);
    }
  }
  from.end();
  return withheld;
}

/** Reads a declared feature, which is skipped if the schema lacks it; returns it when its value was withheld. */
function readDeclared(from: FactReader, schema: FeatureSchema, sheet: FactSheet): Feature | null {
  const feature = schema.findByIdentity(from.identity());
  const kind = from.u8();
  if (kind === WITHHELD_VALUE) {
    if (feature) sheet.setUnknownAt(feature, WITHHELD);
    return feature ?? null;
  }
  if (kind === UNKNOWN) {
    const why = parseReason(from.text());
    if (feature) sheet.setUnknownAt(feature, why);
    return null;
  }
  const isBound = (kind & SATURATED) !== 0;
  const value = from.single(kind & ~SATURATED);
  if (feature && isBound) sheet.setCappedAt(feature, value);
  else if (feature) sheet.setAt(feature, value);
  return null;
}

type Reason = Parameters<FactSheet['setUnknownAt']>[1];
const WITHHELD: Reason = { state: 'SKIPPED', reason: 'WITHHELD' };

// A few dozen reasons exist. The limit protects memory, because the texts are read from storage.
const MAX_REASONS = 1_000;
const reasons = new Map<string, Reason>();

/** Reads `STATE:REASON`; the same text gives the same object. */
function parseReason(text: string): Reason {
  let knownReason = reasons.get(text);
  if (!knownReason) {
    const [state = '', reason = ''] = text.split(':');
    knownReason = { state: state as UnknownState, reason };
    if (reasons.size >= MAX_REASONS) reasons.clear();
    reasons.set(text, knownReason);
  }
  return knownReason;
}

const ANSWERS: readonly (boolean | undefined)[] = [false, true, undefined];

/** Facts as plain data, for people and for exports, without personal values. */
export function describeFacts(bytes: Buffer, schema: FeatureSchema): Record<string, FactValue | string> {
  const { sheet } = decodeFacts(bytes, schema);
  return Object.fromEntries(
    schema.features.map((feature): [string, FactValue | string] => {
      const value = sheet.valueAt(feature);
      const { state, reason } = sheet.reasonAt(feature.slot);
      return [feature.name, value ?? `${state}:${reason}`];
    }),
  );
}

/** Replays recorded answers in the order of the first lookups: a sheet looks each value up only once. */
class RecordedAnswers implements ListLookup {
  private readonly answersLeft = new Map<string, (boolean | undefined)[]>();

  add(list: string, answers: (boolean | undefined)[]): void {
    this.answersLeft.set(list, answers);
  }

  has(list: string): boolean | undefined {
    return this.answersLeft.get(list)?.shift();
  }
}
