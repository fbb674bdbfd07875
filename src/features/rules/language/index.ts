// Owns the rule language: its syntax, the features that rules read, and their evaluation.
// Promises that a checked rule never throws, always ends, runs no code of its own, and explains its result.
export { check } from './check/check.js';
export type { Expression } from './syntax/ast.js';
export {
  compileDampener,
  compileRule,
  ruleApplies,
  explainRule,
  type CompiledDampener,
  type CompiledRule,
  type RuleResult,
} from './rule/rule.js';
export type { RuleContext } from './rule/rule-draft.js';
export { compileConditionOver, type ReadableField } from './condition.js';
export { RuleProgram } from './rule/program.js';
export { fromBuilder, toBuilderNode, type BuilderNode } from './words/builder.js';
export { printExpression } from './syntax/printer.js';
export { printPlainLanguage } from './words/plain-language.js';
export { diagnosticOf } from './syntax/diagnostics.js';
export { warningOnPattern, warningsFor } from './check/remarks.js';
export { isPattern, patternMatcher } from './rule/applicability.js';
export { exactNumberOf } from './decimal.js';
export { FactSheet, type ListLookup } from './fact-sheet.js';
export type { FeatureName } from './feature-schema.js';
export {
  FeatureSchema,
  featureSchema,
  type DeclaredFeature,
  type Feature,
  type Readers,
  type TextApplies,
} from './schema.js';
export { parseDeclarations } from './declared/declare.js';
export {
  isAggregate,
  type Aggregate,
  type RatioAggregate,
  type RowFilter,
  type WindowAggregate,
} from './declared/aggregate.js';
export { readsCustomField, readsOutcome, ROW_COSTS } from './declared/aggregate-cost.js';
export {
  aggregateFunctions,
  aggregateKeys,
  type AggregateDefinition,
  type AggregateKey,
} from './declared/aggregate-definition.js';
export {
  isCustomField,
  customFieldFeature,
  customFieldTypes,
  type CustomField,
  type CustomFieldFeature,
} from './declared/custom-field.js';
export { shapes } from './declared/aggregate-shape.js';
export { eventKeys, type EventKey } from './declared/aggregate-definition.js';
export { rowSchema, type RowColumn } from './declared/row-schema.js';
export { maxReachMsOf } from './declared/window.js';
export { formatValue } from './words/format.js';
export { explainedValue } from './rule/explanation.js';
export type * from './rule/rule-definition.js';
export { inputNames, type InputName } from '../../../platform/kernel/reference/inputs.js';
export {
  componentNames,
  LIMITS,
  type ComponentName,
  type Diagnostic,
  type Explanation,
  type Fact,
  type FactValue,
  type FeatureDefinition,
  type FeatureSource,
  type Language,
  type Localised,
  type ParameterValue,
  type Truth,
  type Unit,
  type UnknownState,
  type RuleOutcome,
} from './vocabulary.js';
