import {
  compileDampener,
  compileRule,
  componentNames,
  featureSchema,
  patternMatcher,
  RuleProgram,
  type CompiledDampener,
  type CompiledRule,
  type ComponentName,
  type Diagnostic,
  type RulesetDefinition,
} from '../language/index.js';

/** A ruleset whose texts are compiled. Immutable; one instance serves any number of evaluations. */
export interface CompiledRuleset {
  readonly definition: RulesetDefinition;
  /** Those that are not DISABLED, in the order of the definition. */
  readonly rules: readonly CompiledRule[];
  /** The same rules, as they are evaluated together. */
  readonly program: RuleProgram;
  readonly dampeners: readonly CompiledDampener[];
  /** The components that a complete composition needs; `amountBrl` null when it is not known. */
  requiredFor(type: string, currency: string, amountBrl: number | null): readonly ComponentName[];
}

export type RulesetCompilation =
  | { readonly ok: true; readonly ruleset: CompiledRuleset }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Checks and compiles every rule of a ruleset; what is wrong is said with the place in the definition. */
export function compileRuleset(definition: RulesetDefinition): RulesetCompilation {
  const diagnostics: Diagnostic[] = [];
  const context = { schema: featureSchema };
  const rules: CompiledRule[] = [];
  const dampeners: CompiledDampener[] = [];
  definition.rules.forEach((rule, i) => {
    const result = compileRule(rule, context);
    if (!result.ok) diagnostics.push(...located(result.diagnostics, `rules.${i}`));
    else if (rule.mode !== 'DISABLED') rules.push(result.rule);
  });
  definition.dampeners.forEach((dampener, i) => {
    const result = compileDampener(dampener, context);
    if (!result.ok) diagnostics.push(...located(result.diagnostics, `dampeners.${i}`));
    else if (dampener.mode !== 'DISABLED') dampeners.push(result.rule);
  });
  if (diagnostics.length > 0) return { ok: false, diagnostics };
  const program = new RuleProgram(rules, featureSchema);
  return {
    ok: true,
    ruleset: { definition, rules, program, dampeners, requiredFor: requirements(definition) },
  };
}

const located = (diagnostics: readonly Diagnostic[], place: string): Diagnostic[] =>
  diagnostics.map((diagnostic) => ({
    ...diagnostic,
    path: diagnostic.path === '' ? place : `${place}.${diagnostic.path}`,
  }));

/** The first entry that fits the type counts; a ruleset that forgets to say what is needed needs everything. */
function requirements({ composition }: RulesetDefinition): CompiledRuleset['requiredFor'] {
  const entries = composition.requiredComponents.map((entry) => ({
    entry,
    fits: patternMatcher(entry.types),
  }));
  return (type, currency, amountBrl) => {
    const entry = entries.find(({ fits }) => fits(type))?.entry;
    if (!entry) return componentNames;
    const { components, fromAmountBrl, inForeignCurrency = [] } = entry;
    const needed = new Set(components);
    // An amount that nobody can convert may be a large one.
    if (fromAmountBrl && (amountBrl === null || amountBrl >= fromAmountBrl.amount)) {
      for (const name of fromAmountBrl.components) needed.add(name);
    }
    if (currency !== 'BRL') for (const name of inForeignCurrency) needed.add(name);
    return [...needed];
  };
}
