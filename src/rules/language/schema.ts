import { featuresV1, retiredNumbers, type FeatureName } from './feature-schema.js';
import type { FeatureDefinition } from './vocabulary.js';

/** A feature with its place in a fact sheet. The place changes with the schema and is never stored. */
export interface Feature extends FeatureDefinition<FeatureName> {
  readonly slot: number;
}

/** The features that rules of one version may read. */
export class FeatureSchema {
  private readonly byName = new Map<string, Feature>();
  private readonly byNumber: (Feature | 'RETIRED' | undefined)[] = [];
  readonly features: readonly Feature[];

  constructor(
    readonly version: number,
    definitions: readonly FeatureDefinition<FeatureName>[],
    retired: readonly number[] = [],
  ) {
    this.features = definitions.map((definition, slot) => ({ slot, ...definition }));
    for (const number of retired) this.byNumber[number] = 'RETIRED';
    for (const feature of this.features) {
      const { name, number } = feature;
      if (this.byName.has(name)) throw new Error(`feature ${name} is defined twice`);
      if (!Number.isInteger(number) || number < 0 || number > MAX_NUMBER) {
        throw new Error(`feature ${name} has no number`);
      }
      if (this.byNumber[number] !== undefined) {
        throw new Error(`the number ${number} of feature ${name} was used before`);
      }
      this.byName.set(name, feature);
      this.byNumber[number] = feature;
    }
  }

  find(name: string): Feature | undefined {
    return this.byName.get(name);
  }

  get(name: FeatureName): Feature {
    return this.known(name);
  }

  /** The feature that a checked rule names. */
  known(name: string): Feature {
    const feature = this.byName.get(name);
    if (!feature) throw new Error(`feature ${name} is not in schema version ${this.version}`);
    return feature;
  }

  /** The feature that stored facts call by this number; null for one that is gone. */
  numbered(number: number): Feature | null {
    const feature = this.byNumber[number];
    if (feature === undefined) {
      throw new RangeError('stored facts name a feature that is not in the schema');
    }
    return feature === 'RETIRED' ? null : feature;
  }

  names(): IterableIterator<string> {
    return this.byName.keys();
  }

  get size(): number {
    return this.features.length;
  }
}

/** Stored in two bytes. */
const MAX_NUMBER = 0xffff;

export const featureSchema = new FeatureSchema(1, featuresV1, retiredNumbers);
