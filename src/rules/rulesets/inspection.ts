import { DomainError, type ErrorDetail } from '../../kernel/index.js';
import type { CheckedAggregateView, CheckedRuleView } from '../api/rule.view.dto.js';
import { compileRuleset } from '../domain/compiled-ruleset.js';
import { outdatedPins, pinned, withEveryField } from '../domain/house/house-pins.js';
import { pinOf, type HouseFieldDefinition } from '../domain/house/house-schema.js';
import { againstMandatory, softened } from '../domain/mandatory-rules.js';
import { costOf } from '../domain/ruleset-cost.js';
import {
  check,
  compileDampener,
  compileRule,
  featureSchema,
  fromBuilder,
  houseFeature,
  inPlainWords,
  isAggregate,
  isPattern,
  toBuilder,
  type Diagnostic,
  type Expression,
  type Feature,
  type FeatureSchema,
  type RuleDefinition,
  type RulesetDefinition,
} from '../language/index.js';

type HouseFieldDefinitions = readonly HouseFieldDefinition[];

const CONTEXT = { schema: featureSchema };

/** The faults of a rule: every fault of its texts, with its place. */
export function inspectRule(rule: RuleDefinition, path = ''): ErrorDetail[] {
  const compiled = compileRule(rule, CONTEXT);
  return compiled.ok ? [] : compiled.diagnostics.map((diagnostic) => detailOf(diagnostic, path));
}

/** The faults of a ruleset, its rules included. */
export function inspectRuleset(ruleset: RulesetDefinition): ErrorDetail[] {
  const { rules, dampeners, selector, scoring, experiment } = ruleset;
  const wrong = (path: string, message: string): ErrorDetail => ({
    path,
    code: 'DEFINITION_INVALID',
    message,
  });
  const details = rules.flatMap((rule, i) => inspectRule(rule, `rules[${i}].`));
  for (const [i, dampener] of dampeners.entries()) {
    const compiled = compileDampener(dampener, CONTEXT);
    if (!compiled.ok) {
      details.push(...compiled.diagnostics.map((diagnostic) => detailOf(diagnostic, `dampeners[${i}].`)));
    }
    for (const key of dampener.suppresses) {
      if (!rules.some((rule) => rule.key === key)) {
        details.push(wrong(`dampeners[${i}].suppresses`, 'Names a rule that the ruleset does not hold.'));
      }
    }
  }
  const keys = [...rules, ...dampeners].map(({ key }) => key);
  if (new Set(keys).size < keys.length) {
    details.push(wrong('rules', 'Each rule may stand in a ruleset once.'));
  }
  if (rules.length === 0) details.push(wrong('rules', 'A ruleset has at least one rule.'));
  const { MEDIUM, HIGH, CRITICAL } = scoring.bands;
  if (!(MEDIUM > 0 && MEDIUM < HIGH && HIGH < CRITICAL && CRITICAL <= 100)) {
    details.push(wrong('scoring.bands', 'Bands begin one after the other, above 0 and at 100 at most.'));
  }
  if (scoring.caps['default'] === undefined) {
    details.push(wrong('scoring.caps', 'Name a cap under default, for groups without one of their own.'));
  }
  for (const name of ['types', 'clientApps'] as const) {
    const fits = name === 'types' ? isPattern : isClientApp;
    if (selector[name].length === 0 || !selector[name].every(fits)) {
      details.push(wrong(`selector.${name}`, 'Name what it is for, or * for everything.'));
    }
  }
  if (experiment?.challengerOf === ruleset.key) {
    details.push(wrong('experiment.challengerOf', 'A ruleset does not challenge itself.'));
  }
  return details;
}

/**
 * Returns the obstacles to publishing a ruleset: its own faults, mandatory rules that it lacks or has softened, and what
 * takes it over its budget.
 */
export const inspectForPublication = (
  ruleset: RulesetDefinition,
  house: HouseFieldDefinitions,
): ErrorDetail[] => [
  ...inspectRuleset(ruleset),
  ...againstMandatory(ruleset),
  ...overBudget(ruleset),
  ...ruleset.rules.flatMap((rule, i) => outdatedPins(rule, house, `rules[${i}].`)),
  ...ruleset.dampeners.flatMap((dampener, i) => outdatedPins(dampener, house, `dampeners[${i}].`)),
];

/** Names what is expensive in a ruleset that is over its budget. */
const NAMED_COSTS = 10;

/** The most expensive parts of a ruleset that takes more steps for a transaction than it may. */
function overBudget(ruleset: RulesetDefinition): ErrorDetail[] {
  const compilation = compileRuleset(ruleset);
  if (!compilation.ok) return [];
  const { steps, budget, items } = costOf(compilation.ruleset);
  if (steps <= budget) return [];
  return items.slice(0, NAMED_COSTS).map((item) => ({
    path: item.path,
    code: 'TOO_EXPENSIVE',
    message: `This takes ${item.steps} of the ${steps} steps of the ruleset for a transaction: ${item.why}.`,
    expected: `at most ${budget} steps for the whole ruleset`,
  }));
}

/** Returns the obstacles to releasing a rule. */
export const inspectForRelease = (rule: RuleDefinition, house: HouseFieldDefinitions): ErrorDetail[] => [
  ...inspectRule(rule),
  ...softened(rule),
  ...outdatedPins(rule, house, ''),
];

/** Throws what was found; returns when there is nothing. */
export function refuse(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
}

/** A fault in the words of an error: the place in the path's text, what was expected, and a suggestion. */
function detailOf({ path, code, message, ...place }: Diagnostic, prefix: string): ErrorDetail {
  const { start, end, line, column, expected, found, suggestion } = place;
  return {
    path: `${prefix}${path}`,
    code,
    message,
    position: { start, end, line, column },
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

const isClientApp = (name: string): boolean => name === '*' || /^app_[0-9a-f]{32}$/.test(name);

/** Checks a condition alone; without a rule around it, it has no parameters and no aggregates. */
export function checkText(when: string, house: HouseFieldDefinitions): CheckedRuleView {
  const schema = featureSchema.naming(house.map((field) => houseFeature(pinOf(field))));
  const found = check(when, { schema, path: 'when' });
  return found.ok
    ? {
        ok: true,
        details: [],
        features: found.features,
        cost: found.cost,
        ...formsOf(when, found, schema, {}),
      }
    : { ok: false, details: found.diagnostics.map((diagnostic) => detailOf(diagnostic, '')) };
}

/** Checks a condition in the builder's form, of which nothing is known. */
export function checkCondition(condition: unknown, house: HouseFieldDefinitions): CheckedRuleView {
  const read = fromBuilder(condition);
  if (read.ok) return checkText(read.text, house);
  return { ok: false, details: read.diagnostics.map((diagnostic) => detailOf(diagnostic, 'condition')) };
}

/** Checks a whole rule. */
export function checkRule(rule: RuleDefinition, house: HouseFieldDefinitions): CheckedRuleView {
  // With every field of the house, so that a misspelt one is told from all that there are.
  const details = inspectForRelease(withEveryField(rule, house), house);
  const compiled = compileRule(pinned(rule, house), CONTEXT);
  if (!compiled.ok || details.length > 0) return { ok: false, details };
  const { compiled: text, parts } = compiled.rule;
  const { when, parameters, aggregates = {} } = rule;
  const values = Object.entries(parameters).map(([name, { value }]) => [name, value] as const);
  const found = check(when, { schema: parts.schema, parameters: Object.fromEntries(values) });
  return {
    ok: true,
    details: [],
    features: text.features,
    cost: text.cost,
    ...(found.ok ? formsOf(when, found, parts.schema, parameters) : {}),
    ...(Object.keys(aggregates).length > 0
      ? {
          aggregates: Object.keys(aggregates).map((name) =>
            aggregateOf(parts.schema.known(`aggregate.${name}`)),
          ),
        }
      : {}),
  };
}

function aggregateOf(feature: Feature): CheckedAggregateView {
  const { name, type, unit, label, declared } = feature;
  if (!declared || !isAggregate(declared)) throw new Error('a checked aggregate is none');
  return { name, type, unit, words: label, cost: declared.cost };
}

const formsOf = (
  when: string,
  { ast, lists }: { readonly ast: Expression; readonly lists: readonly string[] },
  schema: FeatureSchema,
  parameters: RuleDefinition['parameters'],
): Pick<CheckedRuleView, 'lists' | 'when' | 'condition' | 'words'> => ({
  lists,
  when,
  condition: toBuilder(ast),
  words: {
    'pt-BR': inPlainWords(ast, 'pt-BR', { schema, parameters }),
    en: inPlainWords(ast, 'en', { schema, parameters }),
  },
});
