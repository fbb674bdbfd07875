import { featuresV1 } from './feature-schema.js';
import type { FeatureDefinition } from './vocabulary.js';

/** A feature with its place in a fact sheet and in stored snapshots. */
export interface Feature extends FeatureDefinition {
  readonly slot: number;
}

/** The features that rules of one version may read. */
export class FeatureSchema {
  private readonly byName = new Map<string, Feature>();
  readonly features: readonly Feature[];

  constructor(
    readonly version: number,
    definitions: readonly FeatureDefinition[],
  ) {
    this.features = definitions.map((definition, slot) => ({ slot, ...definition }));
    for (const feature of this.features) {
      if (this.byName.has(feature.name)) throw new Error(`feature ${feature.name} is defined twice`);
      this.byName.set(feature.name, feature);
    }
  }

  find(name: string): Feature | undefined {
    return this.byName.get(name);
  }

  /** The feature of a name that must exist. */
  get(name: string): Feature {
    const feature = this.byName.get(name);
    if (!feature) throw new Error(`feature ${name} is not in schema version ${this.version}`);
    return feature;
  }

  names(): IterableIterator<string> {
    return this.byName.keys();
  }

  get size(): number {
    return this.features.length;
  }
}

export const featureSchema = new FeatureSchema(1, featuresV1);
