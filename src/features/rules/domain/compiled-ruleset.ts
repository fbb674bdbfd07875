import {
  isAggregate,
  type TextApplies,
  type Readers,
  compileDampener,
  compileRule,
  componentNames,
  parseDeclarations,
  featureSchema,
  type FeatureSchema,
  patternMatcher,
  RuleProgram,
  type CompiledDampener,
  type CompiledRule,
  type ComponentName,
  type Diagnostic,
  type FactSheet,
  type RulesetDefinition,
} from '../language/index.js';

/** A ruleset whose texts are compiled. Immutable; one instance serves any number of evaluations. */
export interface CompiledRuleset {
  readonly definition: RulesetDefinition;
  /**
   * All built-in features, and aggregates and custom fields of rules that are not DISABLED: each once, without the name
   * that a rule gives it.
   */
  readonly schema: FeatureSchema;
  readonly readers: Readers;
  /** Rules that are not DISABLED, in the order of the definition. */
  readonly rules: readonly CompiledRule[];
  /** The same rules, as they are evaluated together. */
  readonly program: RuleProgram;
  readonly dampeners: readonly CompiledDampener[];
  /** The components that a complete composition of this transaction needs. */
  requiredFor(sheet: FactSheet): Requirements;
  /** True if the ruleset names the type itself, and not only a pattern that matches it. */
  namesType(type: string): boolean;
}

export interface Requirements {
  readonly required: readonly ComponentName[];
  /** Components that the ruleset requires on other channels only. */
  readonly exempt: readonly ComponentName[];
}

export type RulesetCompilation =
  | { readonly ok: true; readonly ruleset: CompiledRuleset }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Checks and compiles every rule of a ruleset; each fault names its place in the definition. */
export function compileRuleset(definition: RulesetDefinition): RulesetCompilation {
  const diagnostics: Diagnostic[] = [];
  const schema = featureSchema.with(
    [...definition.rules, ...definition.dampeners].flatMap((one) =>
      one.mode === 'DISABLED' ? [] : parseDeclarations(one).features,
    ),
  );
  const context = { schema };
  const rules: CompiledRule[] = [];
  const dampeners: CompiledDampener[] = [];
  definition.rules.forEach((rule, i) => {
    const result = compileRule(rule, context);
    if (!result.ok) diagnostics.push(...atPlace(result.diagnostics, `rules.${i}`));
    else if (rule.mode !== 'DISABLED') rules.push(result.rule);
  });
  definition.dampeners.forEach((dampener, i) => {
    const result = compileDampener(dampener, context);
    if (!result.ok) diagnostics.push(...atPlace(result.diagnostics, `dampeners.${i}`));
    else if (dampener.mode !== 'DISABLED') dampeners.push(result.rule);
  });
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const readers = readersOf(rules, dampeners);
  const program = new RuleProgram(rules, schema);
  const namedTypes = new Set(definition.composition.requiredComponents.flatMap(({ types }) => types));
  return {
    ok: true,
    ruleset: {
      definition,
      schema: schema.declared.length === 0 ? schema : schema.readBy(readers),
      readers,
      rules,
      program,
      dampeners,
      requiredFor: compileRequirements(definition),
      namesType: (type) => namedTypes.has(type),
    },
  };
}

/** Returns one schema for all the rulesets. The first keeps its slots, so that it can read the sheet without a copy. */
export function evaluationSchema(rulesets: readonly { readonly compiled: CompiledRuleset }[]): FeatureSchema {
  const [first, ...others] = rulesets;
  if (!first) return featureSchema;
  if (others.length === 0) return first.compiled.schema;
  const readers = new Map<string, TextApplies[]>();
  for (const { compiled } of rulesets) {
    for (const [identity, own] of compiled.readers) {
      readers.set(identity, [...(readers.get(identity) ?? []), ...own]);
    }
  }
  return first.compiled.schema
    .with(others.flatMap(({ compiled }) => compiled.schema.declared))
    .readBy(readers);
}

/** Returns which texts read each aggregate, so that a transaction to which none applies does not pay for it. */
function readersOf(rules: readonly CompiledRule[], dampeners: readonly CompiledDampener[]): Readers {
  const readers = new Map<string, TextApplies[]>();
  const add = (schema: FeatureSchema, names: readonly string[], applies: TextApplies): void => {
    for (const name of names) {
      const declared = schema.find(name)?.declared;
      if (!declared) continue;
      const parts = isAggregate(declared) && declared.function === 'ratio' ? declared.parts : [];
      for (const identity of [declared.identity, ...parts]) {
        readers.set(identity, [...(readers.get(identity) ?? []), applies]);
      }
    }
  };
  for (const { compiled, parts } of rules) add(parts.schema, compiled.features, parts.applies);
  for (const { compiled, schema } of dampeners) add(schema, compiled.features, () => 1);
  return readers;
}

const atPlace = (diagnostics: readonly Diagnostic[], place: string): Diagnostic[] =>
  diagnostics.map((diagnostic) => ({
    ...diagnostic,
    path: diagnostic.path === '' ? place : `${place}.${diagnostic.path}`,
  }));

const [TYPE, CHANNEL, CURRENCY, DIRECTION, AMOUNT_BRL] = (
  ['type', 'channel', 'currency', 'direction', 'amountBrl'] as const
).map((name) => featureSchema.get(name).slot) as [number, number, number, number, number];
const NO_COMPONENTS: readonly ComponentName[] = Object.freeze([]);

/**
 * Returns the components that a transaction requires: those of the first matching entry, or every component without
 * one.
 */
function compileRequirements({ composition }: RulesetDefinition): CompiledRuleset['requiredFor'] {
  const entries = composition.requiredComponents.map((entry) => ({
    entry,
    fits: patternMatcher(entry.types),
    exemptions: (entry.exemptions ?? []).map(({ channels, components }) => ({
      fits: patternMatcher(channels),
      components,
    })),
  }));
  return ({ texts, numbers }) => {
    const [type = '', direction] = [texts[TYPE], texts[DIRECTION]];
    const requirement = entries.find(
      ({ entry: { directions }, fits }) =>
        fits(type) && (!directions || direction === undefined || directions.some((one) => one === direction)),
    );
    if (!requirement) return { required: componentNames, exempt: NO_COMPONENTS };
    const { components, fromAmountBrl, inForeignCurrency = [] } = requirement.entry;
    const needed = new Set(components);
    // NaN: the amount could not be converted, so it may be large.
    if (fromAmountBrl && !((numbers[AMOUNT_BRL] ?? NaN) < fromAmountBrl.amount)) {
      for (const name of fromAmountBrl.components) needed.add(name);
    }
    if (texts[CURRENCY] !== 'BRL') for (const name of inForeignCurrency) needed.add(name);
    const exempt = requirement.exemptions
      .filter(({ fits }) => fits(texts[CHANNEL] ?? ''))
      .flatMap((exemption) => exemption.components.filter((name) => needed.delete(name)));
    return { required: [...needed], exempt };
  };
}
