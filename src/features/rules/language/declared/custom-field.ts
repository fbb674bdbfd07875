import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { digestOf } from '../../../../platform/kernel/values/digest.js';
import { NO_NUMBER, type DeclaredFeature } from '../schema.js';
import type { FeatureType, Localised } from '../vocabulary.js';

export const customFieldTypes = ['string', 'number', 'decimal', 'boolean', 'instant', 'code'] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** The part of a custom field that rules depend on. Plain data, copied into each rule that reads the field (pin). */
export interface CustomField {
  /** Unique for ever within the organisation; a field of another meaning has another number. */
  readonly number: number;
  /** `custom.NAME` in rules. */
  readonly name: string;
  /** The path in the metadata: keys separated by points. */
  readonly path: string;
  readonly type: CustomFieldType;
  /** Types of transactions that have the field, in the form of `appliesTo` of a rule. */
  readonly types: readonly string[];
  /** Personal: masked, never stored in clear, and no filter reads it. */
  readonly personal: boolean;
  /** VALUE: values are stored for windows. KEY: the field can also be the key of windows. */
  readonly history: 'NONE' | 'VALUE' | 'KEY';
  /** The field's name in sentences; by default `name`. */
  readonly label?: Localised;
}

export interface CustomFieldFeature extends DeclaredFeature {
  readonly kind: 'CUSTOM';
  readonly field: CustomField;
}

const TYPES: Readonly<Record<CustomFieldType, FeatureType>> = {
  string: 'string',
  number: 'number',
  decimal: 'number',
  boolean: 'bool',
  instant: 'time',
  code: 'string',
};

export const CUSTOM_PREFIX = 'custom.';

/** Declares a custom field. Fields that differ only in `history` or the label count as one. */
export function customFieldFeature(field: CustomField): CustomFieldFeature {
  const { number, name, path, type, types, personal } = field;
  const identityParts = { number, path, type, types, personal, declares: 'CUSTOM' };
  return {
    kind: 'CUSTOM',
    identity: digestOf(canonicalJson(identityParts)).slice(0, 32),
    field,
    definition: {
      number: NO_NUMBER,
      name: CUSTOM_PREFIX + name,
      type: TYPES[type],
      source: 'CUSTOM',
      component: 'RULES',
      window: null,
      unit: null,
      nullable: true,
      personal,
      capped: false,
      includesCurrent: true,
      description: `metadata.${path}, as the institution has typed it.`,
      label: field.label ?? { 'pt-BR': `o campo personalizado ${name}`, en: `the custom field ${name}` },
    },
  };
}

export const isCustomField = (declared: DeclaredFeature): declared is CustomFieldFeature =>
  declared.kind === 'CUSTOM';
