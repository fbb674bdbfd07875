import { childrenOf, type Expression } from '../syntax/ast.js';
import type { Parameters } from '../check/types.js';
import type { BoolClosure } from '../compile/closures.js';
import { compileCondition } from '../compile/compiler.js';
import type { FactSheet } from '../fact-sheet.js';
import type { Feature, FeatureSchema } from '../schema.js';
import type { ExplainedComparison, Explanation, FactValue, Truth, UnknownState } from '../vocabulary.js';

export const MASK = '***';
/** Maximum number of items of a list in an explanation. */
const MAX_SHOWN_ITEMS = 20;

const TRUTHS: readonly Truth[] = ['FALSE', 'TRUE', 'UNKNOWN'];

/** A comparison of a rule, with everything that its explanation needs. */
export interface RuleComparison {
  readonly expr: string;
  readonly run: BoolClosure;
  readonly features: readonly Feature[];
  readonly parameters: Readonly<Record<string, FactValue>>;
}

/** Returns the comparisons of a condition; `text` is its source. */
export function comparisonsOf(
  node: Expression,
  text: string,
  schema: FeatureSchema,
  parameters: Parameters,
): readonly RuleComparison[] {
  return leafNodes(node).map((leaf) => {
    const names = { features: new Set<string>(), parameters: new Set<string>() };
    collectNames(leaf, names);
    return {
      expr: text.slice(leaf.start, leaf.end),
      run: compileCondition(leaf, { schema, parameters, minding: 'SATURATED' }),
      features: [...names.features].flatMap((name) => schema.find(name) ?? []),
      parameters: Object.fromEntries(
        [...names.parameters].map((name) => [`param.${name}`, parameters[name] ?? '']),
      ),
    };
  });
}

/** Explains each comparison: its result and the values behind it. */
export const explain = (leaves: readonly RuleComparison[], sheet: FactSheet): Explanation => ({
  leaves: leaves.map((leaf) => explainLeaf(leaf, sheet)),
});

/** A value as explanations show it: personal texts masked, long lists cut. */
export function explainedValue({ personal }: Feature, value: FactValue): FactValue {
  if (personal) return MASK;
  return typeof value === 'object' && value.length > MAX_SHOWN_ITEMS
    ? value.slice(0, MAX_SHOWN_ITEMS)
    : value;
}

function explainLeaf(
  { expr, run, features, parameters }: RuleComparison,
  sheet: FactSheet,
): ExplainedComparison {
  const values: Record<string, FactValue> = {};
  const unknown: Record<string, { state: UnknownState; reason: string }> = {};
  const saturated: string[] = [];
  for (const feature of features) {
    const value = sheet.valueAt(feature);
    if (value === null) unknown[feature.name] = sheet.reasonAt(feature.slot);
    else values[feature.name] = explainedValue(feature, value);
    if (sheet.saturated?.has(feature.slot)) saturated.push(feature.name);
  }
  return {
    expr,
    result: TRUTHS[run(sheet)] ?? 'UNKNOWN',
    values: Object.assign(values, parameters),
    unknown,
    saturated,
  };
}

function leafNodes(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.items.flatMap(leafNodes);
    case 'not':
      return leafNodes(node.operand);
    case 'conditional':
      return [...leafNodes(node.test), ...leafNodes(node.then), ...leafNodes(node.otherwise)];
    case 'number':
    case 'string':
    case 'bool':
    case 'list':
    case 'path':
    case 'param':
    case 'negate':
    case 'compare':
    case 'in':
    case 'arithmetic':
    case 'call':
    case 'quantifier':
    case 'lookup':
      return [node];
  }
}

function collectNames(
  node: Expression,
  into: { readonly features: Set<string>; readonly parameters: Set<string> },
): void {
  // The variable of a quantifier is not a feature: it is not in the schema, so it is left out later.
  if (node.kind === 'path') into.features.add(node.name);
  if (node.kind === 'param') into.parameters.add(node.name);
  for (const part of childrenOf(node)) collectNames(part, into);
}
