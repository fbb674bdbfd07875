import type { Feature, FeatureSchema } from './schema.js';
import { LIMITS, type Fact, type FactValue, type UnknownState } from './vocabulary.js';

/** Answers `list('id').has(value)`; undefined when the list cannot be asked. */
export interface ListLookup {
  has(list: string, value: string): boolean | undefined;
}

const NO_LISTS: ListLookup = { has: () => undefined };

interface Reason {
  readonly state: UnknownState;
  readonly reason: string;
}

/** States by number, as they stand in a sheet; a fact that was never set is 0. */
const KNOWN = 1;
const MISSING = 2;
const OTHERWISE_UNKNOWN = 3;

const NOT_PROVIDED: Reason = { state: 'SKIPPED', reason: 'NOT_PROVIDED' };
const NOT_OF_ITS_TYPE: Reason = { state: 'ERROR', reason: 'WRONG_TYPE' };

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

const STATES: readonly UnknownState[] = ['MISSING', 'ERROR', 'STALE', 'SKIPPED'];
/** Reasons are codes of ours, so there are few; the bound is for what a foreign file may hold. */
const MAX_REASONS = 1_000;
const reasons = new Map<string, Reason>();

/** Reads `STATE:REASON`; what has no state of ours is an error. */
function reasonOf(text: string): Reason {
  let known = reasons.get(text);
  if (!known) {
    const colon = text.indexOf(':');
    const state = STATES.find((one) => one === text.slice(0, colon)) ?? 'ERROR';
    known = { state, reason: text.slice(colon + 1) };
    if (reasons.size >= MAX_REASONS) reasons.clear();
    reasons.set(text, known);
  }
  return known;
}

/** Facts by slot, in the order of the schema; what is not KNOWN and what is a lower bound stand beside it. */
export interface FactSnapshot {
  readonly schemaVersion: number;
  /** Values by slot, null where unknown; times in milliseconds. Trailing nulls are left out. */
  readonly values: readonly (FactValue | null)[];
  /** Slots by `STATE:REASON`; what is neither here nor a value was not provided. */
  readonly unknown: Readonly<Record<string, readonly number[]>>;
  readonly saturated: readonly number[];
  /** What lists answered, by list and value; null where a list could not be asked. */
  readonly lists: Readonly<Record<string, Readonly<Record<string, boolean | null>>>>;
}

/**
 * The facts of one transaction, as rules read them. Values stand in one array per type, where the compiled rules find
 * them by slot: NaN, 2 and undefined are "unknown".
 */
export class FactSheet implements ListLookup {
  /** Numbers and times. */
  readonly numbers: Float64Array;
  /** 0 false, 1 true, 2 unknown. */
  readonly bools: Uint8Array;
  /** 0 nothing was said, 1 known, 2 missing, 3 unknown for another reason. */
  readonly states: Uint8Array;
  readonly texts: (string | undefined)[];
  readonly lists: (readonly (number | string)[] | undefined)[];
  /** Slots of which only a lower bound is known; null when there are none, which is nearly always. */
  saturated: Set<number> | null = null;
  private readonly reasons = new Map<number, Reason>();
  private readonly asked = new Map<string, Map<string, boolean | null>>();

  constructor(
    readonly schema: FeatureSchema,
    private lookup: ListLookup = NO_LISTS,
  ) {
    this.numbers = new Float64Array(schema.size).fill(NaN);
    this.bools = new Uint8Array(schema.size).fill(2);
    this.states = new Uint8Array(schema.size);
    this.texts = new Array<string | undefined>(schema.size).fill(undefined);
    this.lists = new Array<readonly (number | string)[] | undefined>(schema.size).fill(undefined);
  }

  /** Sets a value, a time as Date or milliseconds; one that is not of the feature's type makes the fact an ERROR. */
  set(name: string, value: FactValue | Date): this {
    this.put(this.schema.get(name), value instanceof Date ? value.getTime() : value);
    return this;
  }

  /** Sets a value that was cut off at a cap: a lower bound, or the newest items. */
  setCapped(name: string, value: FactValue): this {
    const feature = this.schema.get(name);
    this.put(feature, value);
    if (this.valueAt(feature) !== null) (this.saturated ??= new Set()).add(feature.slot);
    return this;
  }

  /** Says why there is no value. */
  setUnknown(name: string, state: UnknownState, reason: string): this {
    this.forget(this.schema.get(name), { state, reason });
    return this;
  }

  /** Sets what a source finds out; one that throws makes the fact an ERROR. */
  setFrom(name: string, find: () => FactValue | Date | Fact): this {
    try {
      const found = find();
      if (typeof found !== 'object' || found instanceof Date || !('state' in found)) {
        return this.set(name, found);
      }
      if (found.state !== 'KNOWN') return this.setUnknown(name, found.state, found.reason);
      return found.saturated ? this.setCapped(name, found.value) : this.set(name, found.value);
    } catch {
      // What was thrown may hold anything, so only that it was is kept.
      return this.setUnknown(name, 'ERROR', 'FEATURE_FAILED');
    }
  }

  fact(name: string): Fact {
    const feature = this.schema.get(name);
    const value = this.valueAt(feature);
    if (value === null) return { ...this.reasonAt(feature.slot) };
    return { state: 'KNOWN', value, saturated: this.saturated?.has(feature.slot) === true };
  }

  /** Asks a list, once for each value; a list that throws cannot be asked. */
  has(list: string, value: string): boolean | undefined {
    let answers = this.asked.get(list);
    if (!answers) this.asked.set(list, (answers = new Map<string, boolean | null>()));
    let answer = answers.get(value);
    if (answer === undefined) {
      answer = this.ask(list, value);
      answers.set(value, answer);
    }
    return answer ?? undefined;
  }

  /** The value in a slot, or null. */
  valueAt({ slot, type }: Feature): FactValue | null {
    switch (type) {
      case 'number':
      case 'time': {
        const value = this.numbers[slot] ?? NaN;
        return Number.isNaN(value) ? null : value;
      }
      case 'bool': {
        const value = this.bools[slot] ?? 2;
        return value === 2 ? null : value === 1;
      }
      case 'string':
        return this.texts[slot] ?? null;
      case 'numbers':
      case 'strings':
        return (this.lists[slot] as readonly number[] | readonly string[] | undefined) ?? null;
    }
  }

  reasonAt(slot: number): Reason {
    return this.reasons.get(slot) ?? NOT_PROVIDED;
  }

  /** What lists answered, by list and value, in the order in which they were asked; null where one could not be. */
  get answers(): ReadonlyMap<string, ReadonlyMap<string, boolean | null>> {
    return this.asked;
  }

  /** Every slot that was said to have no value, and why. */
  unknowns(): IterableIterator<[number, Reason]> {
    return this.reasons.entries();
  }

  snapshot(): FactSnapshot {
    const values = this.schema.features.map((feature) => this.valueAt(feature));
    while (values.length > 0 && values.at(-1) === null) values.pop();
    const unknown = new Map<string, number[]>();
    for (const [slot, { state, reason }] of this.reasons) {
      const key = `${state}:${reason}`;
      const slots = unknown.get(key);
      if (slots) slots.push(slot);
      else unknown.set(key, [slot]);
    }
    return {
      schemaVersion: this.schema.version,
      values,
      unknown: Object.fromEntries(unknown),
      saturated: [...(this.saturated ?? [])].sort((a, b) => a - b),
      lists: Object.fromEntries(
        [...this.asked].map(([list, answers]) => [list, Object.fromEntries(answers)]),
      ),
    };
  }

  /** Makes the sheet of a snapshot again, of this schema's version or an earlier one. Lists answer what they answered. */
  static of(snapshot: FactSnapshot, schema: FeatureSchema): FactSheet {
    return new FactSheet(schema).load(snapshot);
  }

  /** Makes this the sheet of a snapshot, whatever it was before: a million of them need only one. */
  load(snapshot: FactSnapshot): this {
    const { schema } = this;
    const { schemaVersion, values, unknown, saturated, lists } = snapshot;
    if (schemaVersion > schema.version) {
      throw new Error(`a snapshot of schema version ${schemaVersion} needs that version or a later one`);
    }
    this.clear();
    this.lookup = { has: (list, value) => own(own(lists, list) ?? {}, value) ?? undefined };
    for (let slot = 0; slot < values.length; slot += 1) {
      const [value, feature] = [values[slot], schema.features[slot]];
      if (value !== null && value !== undefined && feature) this.put(feature, value);
    }
    for (const text in unknown) {
      const reason = reasonOf(text);
      for (const slot of unknown[text] ?? []) {
        const feature = schema.features[slot];
        if (feature) this.forget(feature, reason);
      }
    }
    if (saturated.length > 0) this.saturated = new Set(saturated);
    return this;
  }

  private clear(): void {
    this.numbers.fill(NaN);
    this.bools.fill(2);
    this.states.fill(0);
    this.texts.fill(undefined);
    this.lists.fill(undefined);
    this.saturated = null;
    this.reasons.clear();
    this.asked.clear();
  }

  private put(feature: Feature, value: FactValue): void {
    const { slot } = feature;
    if (this.states[slot] !== 0) this.reasons.delete(slot);
    this.states[slot] = KNOWN;
    this.saturated?.delete(slot);
    switch (feature.type) {
      case 'number':
      case 'time':
        if (typeof value === 'number' && Number.isFinite(value)) this.numbers[slot] = value;
        else this.forget(feature, NOT_OF_ITS_TYPE);
        return;
      case 'bool':
        if (typeof value === 'boolean') this.bools[slot] = value ? 1 : 0;
        else this.forget(feature, NOT_OF_ITS_TYPE);
        return;
      case 'string':
        if (typeof value === 'string') this.texts[slot] = value;
        else this.forget(feature, NOT_OF_ITS_TYPE);
        return;
      case 'numbers':
      case 'strings':
        this.putList(feature, value, feature.type === 'numbers' ? 'number' : 'string');
    }
  }

  /** Cuts a list off at the cap that the cost of every rule is reckoned with. */
  private putList(feature: Feature, value: FactValue, type: 'number' | 'string'): void {
    if (!Array.isArray(value) || !isListOf(value as readonly unknown[], type)) {
      this.forget(feature, NOT_OF_ITS_TYPE);
      return;
    }
    const items = value as readonly (number | string)[];
    this.lists[feature.slot] = items.length > LIMITS.list ? items.slice(0, LIMITS.list) : items;
    if (items.length > LIMITS.list) (this.saturated ??= new Set()).add(feature.slot);
  }

  private forget({ slot }: Feature, reason: Reason): void {
    this.numbers[slot] = NaN;
    this.bools[slot] = 2;
    this.texts[slot] = undefined;
    this.lists[slot] = undefined;
    this.saturated?.delete(slot);
    this.states[slot] = reason.state === 'MISSING' ? MISSING : OTHERWISE_UNKNOWN;
    this.reasons.set(slot, reason);
  }

  private ask(list: string, value: string): boolean | null {
    try {
      return this.lookup.has(list, value) ?? null;
    } catch {
      return null;
    }
  }
}

function isListOf(items: readonly unknown[], type: 'number' | 'string'): boolean {
  for (const item of items) {
    if (typeof item !== type || (type === 'number' && !Number.isFinite(item))) return false;
  }
  return true;
}
