import { isDeepStrictEqual } from 'node:util';
import type { FeatureName } from './feature-schema.js';
import type { Feature, FeatureSchema } from './schema.js';
import { LIMITS, type Fact, type FactValue, type UnknownState } from './vocabulary.js';

/** Answers `list('id').has(value)`; undefined when the list is unknown or cannot be read. */
export interface ListLookup {
  has(list: string, value: string): boolean | undefined;
  /** Answers as if no operator had added an entry alone; absent where lists are only those of the product. */
  hasConfirmed?(list: string, value: string): boolean | undefined;
}

const NO_LISTS: ListLookup = { has: () => undefined };

interface Reason {
  readonly state: UnknownState;
  readonly reason: string;
}

const NOT_PROVIDED: Reason = { state: 'SKIPPED', reason: 'NOT_PROVIDED' };
const NOT_OF_ITS_TYPE: Reason = { state: 'ERROR', reason: 'WRONG_TYPE' };

/**
 * The facts of one transaction, as rules read them. Values are in one array per type, indexed by slot; NaN, 2 and
 * undefined mean "unknown".
 */
export class FactSheet implements ListLookup {
  /** Numbers and times. */
  readonly numbers: Float64Array;
  /** 0 false, 1 true, 2 unknown. */
  readonly bools: Uint8Array;
  /** 1 if there is certainly no value. */
  readonly missing: Uint8Array;
  readonly texts: (string | undefined)[];
  readonly lists: (readonly (number | string)[] | undefined)[];
  /** Slots with only a lower bound; null if there are none, as nearly always. */
  saturated: Set<number> | null = null;
  /**
   * The facts as they would be without the acts of one operator alone, by slot; null if no fact rests on such an act,
   * as nearly always.
   */
  unconfirmed: Map<number, Fact> | null = null;
  private readonly reasons: (Reason | undefined)[];

  constructor(
    readonly schema: FeatureSchema,
    private readonly lookup: ListLookup = NO_LISTS,
    private readonly listAnswers = new Map<string, Map<string, boolean | null>>(),
  ) {
    this.numbers = new Float64Array(schema.size).fill(NaN);
    this.bools = new Uint8Array(schema.size).fill(2);
    this.missing = new Uint8Array(schema.size);
    this.texts = new Array<string | undefined>(schema.size).fill(undefined);
    this.lists = new Array<readonly (number | string)[] | undefined>(schema.size).fill(undefined);
    this.reasons = new Array<Reason | undefined>(schema.size).fill(undefined);
  }

  /** Sets a value, a time as Date or milliseconds; a value of another type makes the fact an ERROR. */
  set(name: FeatureName, value: FactValue | Date): this {
    this.put(this.schema.get(name), value instanceof Date ? value.getTime() : value);
    return this;
  }

  /** Sets the value of a feature that is looked up already. */
  setAt(feature: Feature, value: FactValue): this {
    this.put(feature, value);
    return this;
  }

  /** Sets a value that was cut off at a cap: a lower bound, or the newest items. */
  setCapped(name: FeatureName, value: FactValue): this {
    return this.setCappedAt(this.schema.get(name), value);
  }

  /** As `setCapped`, for a feature that is looked up already. */
  setCappedAt(feature: Feature, value: FactValue): this {
    this.put(feature, value);
    if (this.valueAt(feature) !== null) (this.saturated ??= new Set()).add(feature.slot);
    return this;
  }

  /** Sets the reason why there is no value. */
  setUnknown(name: FeatureName, state: UnknownState, reason: string): this {
    this.forget(this.schema.get(name), { state, reason });
    return this;
  }

  /** As `setUnknown`, for a feature that is looked up already. */
  setUnknownAt(feature: Feature, reason: Reason): this {
    this.forget(feature, reason);
    return this;
  }

  /**
   * Returns the sheet for rules of another schema: itself if all features of that schema have the same slots, else a
   * copy. Both share the answers of lists.
   */
  withSchema(schema: FeatureSchema): FactSheet {
    return this.schema.covers(schema) ? this : this.copyFor(schema);
  }

  /** Records what a fact would be if the operator who alone stands behind it had not acted. */
  setUnconfirmedAt({ slot }: Feature, without: Fact): this {
    (this.unconfirmed ??= new Map<number, Fact>()).set(slot, without);
    return this;
  }

  /**
   * Records the value in `confirmed` of each fact that differs there: the value without the acts of one operator alone.
   */
  setUnconfirmedFrom(confirmed: FactSheet): this {
    for (const feature of this.schema.features) {
      const fact = confirmed.factAt(feature);
      const hasFact = fact.state === 'KNOWN' || confirmed.unknowns[feature.slot] !== undefined;
      if (hasFact && !isDeepStrictEqual(this.valueAt(feature), confirmed.valueAt(feature))) {
        this.setUnconfirmedAt(feature, fact);
      }
    }
    return this;
  }

  /** Returns the sheet as if no operator had acted alone; null if no fact or answer rests on such an act. */
  withoutUnconfirmed(): { readonly sheet: FactSheet; readonly names: readonly string[] } | null {
    const { unconfirmed, schema, lookup } = this;
    const lists = this.unconfirmedLists();
    if (unconfirmed === null && lists.length === 0) return null;
    const confirmed: ListLookup = {
      has: (list, value) =>
        lookup.hasConfirmed ? lookup.hasConfirmed(list, value) : lookup.has(list, value),
    };
    const sheet = this.copyFor(schema, confirmed, new Map());
    const names: string[] = lists.map((list) => `list('${list}')`);
    for (const [slot, fact] of unconfirmed ?? []) {
      const feature = schema.features[slot];
      if (!feature) continue;
      names.push(feature.name);
      if (fact.state === 'KNOWN') sheet.setAt(feature, fact.value);
      else sheet.setUnknownAt(feature, fact);
    }
    return { sheet, names: names.sort() };
  }

  /** Returns the lists whose answers rest on an entry that one operator alone added. */
  private unconfirmedLists(): string[] {
    const lists: string[] = [];
    for (const [list, answers] of this.listAnswers) {
      for (const [value, answer] of answers) {
        if (answer !== true || this.lookup.hasConfirmed?.(list, value) !== false) continue;
        lists.push(list);
        break;
      }
    }
    return lists;
  }

  private copyFor(schema: FeatureSchema, lookup = this.lookup, listAnswers = this.listAnswers): FactSheet {
    const copy = new FactSheet(schema, lookup, listAnswers);
    for (const feature of schema.features) {
      const { declared, slot } = feature;
      const own = declared ? this.schema.findByIdentity(declared.identity) : this.schema.features[slot];
      if (!own) continue;
      const value = this.valueAt(own);
      const reason = this.reasons[own.slot];
      if (value !== null) copy.setAt(feature, value);
      else if (reason) copy.forget(feature, reason);
      if (this.saturated?.has(own.slot)) (copy.saturated ??= new Set()).add(slot);
    }
    return copy;
  }

  /** Empties the sheet for another transaction: making a sheet costs more than reading stored facts. */
  clear(): this {
    this.numbers.fill(NaN);
    this.bools.fill(2);
    this.missing.fill(0);
    this.texts.fill(undefined);
    this.lists.fill(undefined);
    this.saturated = null;
    this.unconfirmed = null;
    this.reasons.fill(undefined);
    this.listAnswers.clear();
    return this;
  }

  /** Sets the fact that a source finds; a source that throws makes the fact an ERROR. */
  setFrom(name: FeatureName, find: () => FactValue | Date | Fact): this {
    try {
      const found = find();
      if (typeof found !== 'object' || found instanceof Date || !('state' in found)) {
        return this.set(name, found);
      }
      if (found.state !== 'KNOWN') return this.setUnknown(name, found.state, found.reason);
      return found.saturated ? this.setCapped(name, found.value) : this.set(name, found.value);
    } catch {
      // The thrown value may hold anything, so it is not kept.
      return this.setUnknown(name, 'ERROR', 'FEATURE_FAILED');
    }
  }

  fact(name: FeatureName): Fact {
    return this.factAt(this.schema.get(name));
  }

  /** Returns the fact of a feature that the caller has looked up. */
  factAt(feature: Feature): Fact {
    const value = this.valueAt(feature);
    if (value === null) return { ...this.reasonAt(feature.slot) };
    return { state: 'KNOWN', value, saturated: this.saturated?.has(feature.slot) === true };
  }

  /** Looks a value up in a list, only once per value; undefined when the lookup throws. */
  has(list: string, value: string): boolean | undefined {
    let answers = this.listAnswers.get(list);
    if (!answers) this.listAnswers.set(list, (answers = new Map<string, boolean | null>()));
    let answer = answers.get(value);
    if (answer === undefined) {
      answer = this.ask(list, value);
      answers.set(value, answer);
    }
    return answer ?? undefined;
  }

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
    return this.reasons[slot] ?? NOT_PROVIDED;
  }

  /** Answers of list lookups, by list and value, in the order of the lookups; null if a list could not be read. */
  get answers(): ReadonlyMap<string, ReadonlyMap<string, boolean | null>> {
    return this.listAnswers;
  }

  /** The reason of each missing value, by slot; undefined for present values, and for facts that were never set. */
  get unknowns(): readonly (Reason | undefined)[] {
    return this.reasons;
  }

  private put(feature: Feature, value: FactValue): void {
    const { slot } = feature;
    this.reasons[slot] = undefined;
    this.missing[slot] = 0;
    this.saturated?.delete(slot);
    this.unconfirmed?.delete(slot);
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

  /** Cuts a list off at the cap that the cost of rules assumes. */
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
    this.missing[slot] = reason.state === 'MISSING' ? 1 : 0;
    this.reasons[slot] = reason;
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
