import { featuresV1, retiredNumbers, type FeatureName } from './feature-schema.js';
import type { FeatureDefinition } from './vocabulary.js';

/** An aggregate or custom field that a ruleset declares, in addition to the features that every rule may read. */
export interface DeclaredFeature {
  readonly kind: 'AGGREGATE' | 'CUSTOM';
  /**
   * The first 128 bits of the SHA-256 over the declaration, in hexadecimal. Equal declarations are one value in all
   * rules and rulesets, and stored facts name the value by this identity.
   */
  readonly identity: string;
  /** The definition without a number, under the name that the declaring rule uses. */
  readonly definition: FeatureDefinition;
}

/** A feature with its slot in a fact sheet. Slots change with the schema and are never stored. */
export interface Feature extends FeatureDefinition {
  readonly slot: number;
  /** Null if every rule may read the field. */
  readonly declared: DeclaredFeature | null;
}

/** The texts of a fact sheet by slot, which tell whether a rule applies. */
export interface SheetTexts {
  readonly texts: readonly (string | undefined)[];
}
/** Whether a text that reads a declared feature applies to a transaction: 0 no, 1 yes, 2 unknown. */
export type TextApplies = (sheet: SheetTexts) => 0 | 1 | 2;
/** The texts that read a declared feature, by its identity. */
export type Readers = ReadonlyMap<string, readonly TextApplies[]>;

/** Declared features have no number: they are stored by identity. */
export const NO_NUMBER = -1;

/** The features that rules of one version may read, with the declared features of a ruleset for its own rules. */
export class FeatureSchema<Name extends string = string> {
  private readonly byName = new Map<string, Feature>();
  private readonly byNumber: (Feature | 'RETIRED' | undefined)[] = [];
  private readonly byIdentity = new Map<string, Feature>();
  private readonly definitions: readonly FeatureDefinition[];
  private readers: Readers | null = null;
  readonly features: readonly Feature[];

  constructor(
    readonly version: number,
    definitions: readonly FeatureDefinition<Name>[],
    private readonly retired: readonly number[] = [],
    /** Declared features have the last slots, and no name unless `names` gives one. */
    readonly declared: readonly DeclaredFeature[] = [],
    listNames: readonly DeclaredFeature[] = [],
  ) {
    this.definitions = definitions;
    const features = declared.map((one, i) => ({
      slot: definitions.length + i,
      declared: one,
      ...one.definition,
    }));
    this.features = [
      ...definitions.map((definition, slot) => ({ slot, declared: null, ...definition })),
      ...features,
    ];
    for (const number of retired) this.byNumber[number] = 'RETIRED';
    for (const feature of this.features) {
      if (feature.declared) this.byIdentity.set(feature.declared.identity, feature);
      else this.enter(feature);
    }
    for (const { identity, definition } of listNames) {
      const existing = this.byIdentity.get(identity);
      if (!existing) throw new Error(`${definition.name} is named and not declared`);
      this.byName.set(definition.name, { ...existing, ...definition });
    }
  }

  /** Returns this schema with slots for declared features, each once, after the existing slots. */
  with(declared: readonly DeclaredFeature[]): FeatureSchema<Name> {
    const declaredByIdentity = new Map(this.declared.map((one) => [one.identity, one]));
    for (const one of declared) {
      if (!declaredByIdentity.has(one.identity)) declaredByIdentity.set(one.identity, one);
    }
    if (declaredByIdentity.size === this.declared.length) return this;
    return this.copyWith([...declaredByIdentity.values()], []);
  }

  /** Returns this schema for the texts of the declaring rule, in which these features have names. */
  withNames(names: readonly DeclaredFeature[]): FeatureSchema<Name> {
    if (names.length === 0) return this;
    return this.copyWith(this.with(names).declared, names);
  }

  /** Returns this schema with the texts that read its declared features. */
  readBy(readers: Readers): FeatureSchema<Name> {
    const copy = this.copyWith(this.declared, []);
    copy.readers = readers;
    return copy;
  }

  /** True unless every text that reads the declared feature is known not to apply to the transaction of the sheet. */
  isRead(identity: string, sheet: SheetTexts): boolean {
    return this.readers?.get(identity)?.every((applies) => applies(sheet) === 0) !== true;
  }

  /** True if all features of the other schema have the same slots here: its rules can read this schema's sheets. */
  covers(other: FeatureSchema<Name>): boolean {
    if (this.definitions !== other.definitions) return false;
    if (this.declared === other.declared) return true;
    return other.declared.every(({ identity }, i) => this.declared[i]?.identity === identity);
  }

  find(name: string): Feature | undefined {
    return this.byName.get(name);
  }

  get(name: Name): Feature {
    return this.getKnown(name);
  }

  /** The feature that a checked rule names. */
  getKnown(name: string): Feature {
    const feature = this.byName.get(name);
    if (!feature) throw new Error(`feature ${name} is not in schema version ${this.version}`);
    return feature;
  }

  /** Returns the feature of a number in stored facts; null if it is retired. */
  findByNumber(number: number): Feature | null {
    const feature = this.byNumber[number];
    if (feature === undefined) {
      throw new RangeError('stored facts name a feature that is not in the schema');
    }
    return feature === 'RETIRED' ? null : feature;
  }

  /** Returns the declared feature of that identity, if the schema has it. */
  findByIdentity(identity: string): Feature | undefined {
    return this.byIdentity.get(identity);
  }

  names(): IterableIterator<string> {
    return this.byName.keys();
  }

  get size(): number {
    return this.features.length;
  }

  private copyWith(
    declared: readonly DeclaredFeature[],
    names: readonly DeclaredFeature[],
  ): FeatureSchema<Name> {
    const definitions = this.definitions as readonly FeatureDefinition<Name>[];
    const copy = new FeatureSchema(this.version, definitions, this.retired, declared, names);
    copy.readers = this.readers;
    return copy;
  }

  private enter(feature: Feature): void {
    const { name, number } = feature;
    if (this.byName.has(name)) throw new Error(`feature ${name} is defined twice`);
    if (!Number.isInteger(number) || number < 0 || number > MAX_NUMBER) {
      throw new Error(`feature ${name}: number is missing or not a whole number from 0 to ${MAX_NUMBER}`);
    }
    if (this.byNumber[number] !== undefined) {
      throw new Error(`the number ${number} of feature ${name} was used before`);
    }
    this.byName.set(name, feature);
    this.byNumber[number] = feature;
  }
}

/** The largest numeric id of a feature: stored facts name their feature in two bytes. */
const MAX_NUMBER = 0xffff;

export const featureSchema = new FeatureSchema<FeatureName>(1, featuresV1, retiredNumbers);
