import {
  FactSheet,
  type Feature,
  type FactValue,
  type FeatureSchema,
  type ListLookup,
  type UnknownState,
} from '../../language/index.js';

/**
 * Stored facts, small and quick to read: a back-test reads a million of them. Values of personal features are left out;
 * a replay takes them from the submission. A feature is named by its number (feature-schema.ts), never by its place.
 * Layout (version 1, little-endian), a count of each section before it:
 * format (1) | schema version (2) | numbers: feature (2), float64 (8) | truths: feature (2), 0 or 1 (1) |
 * texts: feature (2), text | lists: feature (2), items (2), each a kind (1) with a float64 or a text |
 * unknown: text `STATE:REASON`, count (2), features (2 each) | saturated: features (2 each) |
 * withheld: features (2 each) | list answers in the order asked: id, count (2), 0 no, 1 yes, 2 could not be asked (1 each).
 * A text is its length (2) and UTF-8.
 */
const FORMAT = 1;
const MAX_TEXT = 0xffff;
const [NUMBER, TEXT] = [0, 1];

/** Features in the order of their numbers, by what is stored of them: personal ones are withheld, whatever their type. */
interface Stored {
  readonly all: readonly Feature[];
  readonly numbers: readonly Feature[];
  readonly truths: readonly Feature[];
  readonly texts: readonly Feature[];
  readonly lists: readonly Feature[];
  readonly personal: readonly Feature[];
}

const storedOfSchema = new WeakMap<FeatureSchema, Stored>();

function storedOf(schema: FeatureSchema): Stored {
  let stored = storedOfSchema.get(schema);
  if (!stored) {
    const all = [...schema.features].sort((a, b) => a.number - b.number);
    const open = (...types: readonly Feature['type'][]): Feature[] =>
      all.filter(({ personal, type }) => !personal && types.includes(type));
    stored = {
      all,
      numbers: open('number', 'time'),
      truths: open('bool'),
      texts: open('string'),
      lists: open('numbers', 'strings'),
      personal: all.filter(({ personal }) => personal),
    };
    storedOfSchema.set(schema, stored);
  }
  return stored;
}

/** Writes the facts of a sheet, as they are now. The same facts give the same bytes. */
export function encodeFacts(sheet: FactSheet): Buffer {
  const out = new Writer();
  const { schema, numbers, bools, texts, lists } = sheet;
  const stored = storedOf(schema);
  out.u8(FORMAT);
  out.u16(schema.version);
  out.some(stored.numbers, ({ slot, number }) => {
    const value = numbers[slot] ?? NaN;
    if (Number.isNaN(value)) return false;
    out.u16(number);
    out.f64(value);
    return true;
  });
  out.some(stored.truths, ({ slot, number }) => {
    const truth = bools[slot] ?? 2;
    if (truth === 2) return false;
    out.u16(number);
    out.u8(truth);
    return true;
  });
  out.some(stored.texts, ({ slot, number }) => {
    const text = texts[slot];
    if (text === undefined) return false;
    out.u16(number);
    out.text(text);
    return true;
  });
  out.some(stored.lists, ({ slot, number }) => {
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
  out.each([...unknownOf(sheet, stored.all)], ([reason, unknown]) => {
    out.text(reason);
    out.numbers(unknown);
  });
  const { saturated } = sheet;
  out.numbers(saturated === null ? [] : numbersOf(stored.all.filter(({ slot }) => saturated.has(slot))));
  out.numbers(numbersOf(stored.personal.filter(({ slot }) => isKnown(sheet, slot))));
  out.each([...sheet.answers], ([list, answers]) => {
    out.text(list);
    out.each([...answers.values()], (answer) => {
      out.u8(answer === null ? 2 : answer ? 1 : 0);
    });
  });
  return out.bytes();
}

const numbersOf = (features: readonly Feature[]): number[] => features.map(({ number }) => number);

const isKnown = ({ numbers, bools, texts, lists }: FactSheet, slot: number): boolean =>
  !Number.isNaN(numbers[slot] ?? NaN) ||
  (bools[slot] ?? 2) !== 2 ||
  texts[slot] !== undefined ||
  lists[slot] !== undefined;

/** Numbers of features by why they have no value, both in a fixed order. */
function unknownOf({ unknowns }: FactSheet, all: readonly Feature[]): ReadonlyMap<string, number[]> {
  const numbers = new Map<string, number[]>();
  // Neighbours lack their values for the same reason mostly.
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
 * Reads what `encodeFacts` wrote; throws on bytes that are none. Lists answer again what they answered, in order: for the
 * same rules only. Other rules ask in another order and need `lists` of their own.
 */
export function decodeFacts(bytes: Buffer, schema: FeatureSchema, lists?: ListLookup): DecodedFacts {
  const replayed = new RecordedAnswers();
  const sheet = new FactSheet(schema, lists ?? replayed);
  const withheld = readFacts(new Reader(bytes, 0, bytes.length), schema, sheet, replayed);
  return { sheet, withheld };
}

/** Reads facts that stand among others in larger bytes, into a sheet in the place of what was in it. */
export function decodeFactsAt(
  bytes: Buffer,
  [start, end]: readonly [number, number],
  schema: FeatureSchema,
  into: FactSheet,
): void {
  readFacts(new Reader(bytes, start, end), schema, into.clear(), null);
}

/** Reads facts into an empty sheet and says which were withheld; what lists answered goes to `replayed`. */
function readFacts(
  from: Reader,
  schema: FeatureSchema,
  sheet: FactSheet,
  replayed: RecordedAnswers | null,
): readonly Feature[] {
  if (from.u8() !== FORMAT) throw new Error('facts of an unknown format');
  if (from.u16() > schema.version) throw new Error('facts of a later schema version');
  // A feature that is gone is read over.
  const put = (feature: Feature | null, value: FactValue): void => {
    if (feature) sheet.setAt(feature, value);
  };
  for (let left = from.u16(); left > 0; left -= 1) put(from.feature(schema), from.f64());
  for (let left = from.u16(); left > 0; left -= 1) put(from.feature(schema), from.u8() === 1);
  for (let left = from.u16(); left > 0; left -= 1) put(from.feature(schema), from.text());
  for (let left = from.u16(); left > 0; left -= 1) {
    const feature = from.feature(schema);
    const items: (number | string)[] = [];
    for (let more = from.u16(); more > 0; more -= 1) {
      items.push(from.u8() === NUMBER ? from.f64() : from.text());
    }
    put(feature, items as readonly number[] | readonly string[]);
  }
  for (let left = from.u16(); left > 0; left -= 1) {
    const why = reasonNamed(from.text());
    for (let more = from.u16(); more > 0; more -= 1) {
      const feature = from.feature(schema);
      if (feature) sheet.setUnknownAt(feature, why);
    }
  }
  const saturated = from.features(schema);
  if (saturated.length > 0) sheet.saturated = new Set(saturated.map(({ slot }) => slot));
  const withheld = from.features(schema);
  for (const feature of withheld) sheet.setUnknownAt(feature, WITHHELD);
  for (let left = from.u16(); left > 0; left -= 1) {
    const list = from.text();
    const answers: (boolean | undefined)[] = [];
    for (let more = from.u16(); more > 0; more -= 1) answers.push(ANSWERS[from.u8()]);
    replayed?.add(list, answers);
  }
  from.end();
  return withheld;
}

type Reason = Parameters<FactSheet['setUnknownAt']>[1];
const WITHHELD: Reason = { state: 'SKIPPED', reason: 'WITHHELD' };

// There are a few dozen; bounded, because the texts come from storage.
const MAX_REASONS = 1_000;
const reasons = new Map<string, Reason>();

/** Reads `STATE:REASON`; the same text gives the same object. */
function reasonNamed(text: string): Reason {
  let named = reasons.get(text);
  if (!named) {
    const [state = '', reason = ''] = text.split(':');
    named = { state: state as UnknownState, reason };
    if (reasons.size >= MAX_REASONS) reasons.clear();
    reasons.set(text, named);
  }
  return named;
}

const ANSWERS: readonly (boolean | undefined)[] = [false, true, undefined];

/** Facts as plain data, for people and for exports; personal values are not in them. */
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

/** A sheet asks each value once, so the answers come in the order in which they were first asked. */
class RecordedAnswers implements ListLookup {
  private readonly left = new Map<string, (boolean | undefined)[]>();

  add(list: string, answers: (boolean | undefined)[]): void {
    this.left.set(list, answers);
  }

  has(list: string): boolean | undefined {
    return this.left.get(list)?.shift();
  }
}

// Facts are written in one go, one sheet after another: all of them into the same bytes.
let scratch = Buffer.allocUnsafe(4_096);

class Writer {
  private at = 0;

  u8(value: number): void {
    this.room(1);
    this.at = scratch.writeUInt8(value, this.at);
  }

  u16(value: number): void {
    this.room(2);
    this.at = scratch.writeUInt16LE(value, this.at);
  }

  f64(value: number): void {
    this.room(8);
    this.at = scratch.writeDoubleLE(value, this.at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    if (length > MAX_TEXT) throw new Error('a fact is too long to store');
    this.u16(length);
    this.room(length);
    this.at += scratch.write(value, this.at);
  }

  numbers(numbers: readonly number[]): void {
    this.each(numbers, (number) => {
      this.u16(number);
    });
  }

  each<T>(items: readonly T[], write: (item: T) => void): void {
    this.u16(items.length);
    for (const item of items) write(item);
  }

  /** As `each`, of those that `write` says it has written. */
  some<T>(items: readonly T[], write: (item: T) => boolean): void {
    const before = this.at;
    this.u16(0);
    let count = 0;
    for (const item of items) if (write(item)) count += 1;
    scratch.writeUInt16LE(count, before);
  }

  bytes(): Buffer {
    return Buffer.from(scratch.subarray(0, this.at));
  }

  private room(more: number): void {
    if (this.at + more <= scratch.length) return;
    const larger = Buffer.allocUnsafe(2 * scratch.length + more);
    scratch.copy(larger, 0, 0, this.at);
    scratch = larger;
  }
}

/** Views of what was read last: a back-test reads thousands of facts out of the same bytes. */
let viewed: { readonly buffer: Buffer; readonly view: DataView } | null = null;

function viewOf(buffer: Buffer): DataView {
  if (viewed?.buffer !== buffer) {
    viewed = { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length) };
  }
  return viewed.view;
}

class Reader {
  private readonly view: DataView;

  constructor(
    private readonly buffer: Buffer,
    private at: number,
    private readonly last: number,
  ) {
    this.view = viewOf(buffer);
  }

  u8(): number {
    const value = this.view.getUint8(this.at);
    this.at += 1;
    return value;
  }

  u16(): number {
    const value = this.view.getUint16(this.at, true);
    this.at += 2;
    return value;
  }

  f64(): number {
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  text(): string {
    const length = this.u16();
    const end = this.at + length;
    if (end > this.last) throw new RangeError('stored facts end too early');
    const value = this.buffer.toString('utf8', this.at, end);
    this.at = end;
    return value;
  }

  /** The feature of the number that stands here; null when it is gone. */
  feature(schema: FeatureSchema): Feature | null {
    return schema.numbered(this.u16());
  }

  features(schema: FeatureSchema): Feature[] {
    const features: Feature[] = [];
    for (let left = this.u16(); left > 0; left -= 1) {
      const feature = this.feature(schema);
      if (feature) features.push(feature);
    }
    return features;
  }

  end(): void {
    if (this.at !== this.last) throw new RangeError('stored facts have something behind them');
  }
}
