import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { digestOf } from '../../../../platform/kernel/values/digest.js';
import { NO_NUMBER, type DeclaredFeature } from '../schema.js';
import type { FeatureType, Localised } from '../vocabulary.js';

export const houseTypes = ['string', 'number', 'decimal', 'boolean', 'instant', 'code'] as const;
export type HouseType = (typeof houseTypes)[number];

/** The part of a house field that rules depend on. Plain data, copied into each rule that reads the field (pin). */
export interface HouseField {
  /** Unique for ever within the organisation; a field of another meaning has another number. */
  readonly number: number;
  /** `house.NAME` in rules. */
  readonly name: string;
  /** The path in the metadata: keys separated by points. */
  readonly path: string;
  readonly type: HouseType;
  /** Types of transactions that have the field, in the form of `appliesTo` of a rule. */
  readonly types: readonly string[];
  /** Personal: masked, never stored in clear, and no filter reads it. */
  readonly personal: boolean;
  /** VALUE: values are stored for windows. KEY: the field can also be the key of windows. */
  readonly history: 'NONE' | 'VALUE' | 'KEY';
  /** The field's name in sentences; by default `name`. */
  readonly label?: Localised;
}

export interface HouseFeature extends DeclaredFeature {
  readonly kind: 'HOUSE';
  readonly field: HouseField;
}

const TYPES: Readonly<Record<HouseType, FeatureType>> = {
  string: 'string',
  number: 'number',
  decimal: 'number',
  boolean: 'bool',
  instant: 'time',
  code: 'string',
};

export const HOUSE_PREFIX = 'house.';

/** Declares a field of the house. Fields that differ only in `history` or the label count as one. */
export function houseFeature(field: HouseField): HouseFeature {
  const { number, name, path, type, types, personal } = field;
  const identityParts = { number, path, type, types, personal, declares: 'HOUSE' };
  return {
    kind: 'HOUSE',
    identity: digestOf(canonicalJson(identityParts)).slice(0, 32),
    field,
    definition: {
      number: NO_NUMBER,
      name: HOUSE_PREFIX + name,
      type: TYPES[type],
      source: 'HOUSE',
      component: 'RULES',
      window: null,
      unit: null,
      nullable: true,
      personal,
      capped: false,
      includesCurrent: true,
      description: `metadata.${path}, as the house has typed it.`,
      label: field.label ?? { 'pt-BR': `o campo ${name} da casa`, en: `the house field ${name}` },
    },
  };
}

export const isHouseField = (declared: DeclaredFeature): declared is HouseFeature =>
  declared.kind === 'HOUSE';
