import { check } from './check/check.js';
import { compileCondition } from './compile/compiler.js';
import { FactSheet } from './fact-sheet.js';
import { FeatureSchema, type Feature } from './schema.js';
import type { Diagnostic, FactValue, FeatureDefinition, FeatureType, Truth } from './vocabulary.js';

/** A field that conditions outside of transaction rules may read. */
export interface ReadableField {
  readonly name: string;
  readonly type: FeatureType;
}

export type CompiledCondition =
  | {
      readonly ok: true;
      /** Names of the fields that it reads, sorted. */
      readonly fields: readonly string[];
      /** TRUE, FALSE, or UNKNOWN when a deciding value is missing. */
      readonly test: (values: ReadonlyMap<string, FactValue>) => Truth;
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

const TRUTHS = ['FALSE', 'TRUE', 'UNKNOWN'] as const;

/**
 * Compiles a condition of the rule language over the caller's fields: the same grammar, types, bounds and three truth
 * values, without lists and parameters. Never throws: returns faults with their positions below `path`.
 */
export function compileConditionOver(
  fields: readonly ReadableField[],
  text: string,
  path: string,
): CompiledCondition {
  const schema = new FeatureSchema(1, fields.map(definitionOf));
  const checkedText = check(text, { schema, path, lists: new Set() });
  if (!checkedText.ok) return checkedText;
  const condition = compileCondition(checkedText.ast, { schema, parameters: {}, minding: 'EXACT' });
  return {
    ok: true,
    fields: checkedText.features,
    test: (values) => {
      const sheet = new FactSheet(schema);
      for (const name of checkedText.features) {
        const feature: Feature = schema.getKnown(name);
        const value = values.get(name);
        if (value === undefined) sheet.setUnknownAt(feature, { state: 'MISSING', reason: 'NOT_GIVEN' });
        else sheet.setAt(feature, value);
      }
      return TRUTHS[condition(sheet)];
    },
  };
}

const definitionOf = ({ name, type }: ReadableField, number: number): FeatureDefinition => ({
  ...{ number, name, type, source: 'KYC', component: 'RULES' },
  ...{ window: null, unit: null, nullable: true, personal: true, capped: false, includesCurrent: true },
  description: '',
  label: { 'pt-BR': name, en: name },
});
