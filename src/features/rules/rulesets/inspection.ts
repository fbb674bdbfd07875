import { DomainError, type ErrorDetail } from '../../../platform/kernel/index.js';
import { currencyCodes } from '../../../platform/kernel/reference/currencies.js';
import { transactionTypes } from '../../../platform/kernel/reference/transaction-types.js';
import type { CheckedAggregate, CheckedRule } from '../domain/checked-rule.js';
import { compileRuleset } from '../domain/compiled-ruleset.js';
import {
  findOutdatedPins,
  pinCustomFields,
  withEveryField,
} from '../domain/custom-fields/custom-field-pins.js';
import { customFieldOf } from '../domain/custom-fields/custom-field-schema.js';
import { mandatoryRuleViolations, weakenedMandatoryRules } from '../domain/mandatory-rules.js';
import { rulesetCostOf } from '../domain/ruleset-cost.js';
import {
  check,
  compileDampener,
  compileRule,
  diagnosticOf,
  featureSchema,
  fromBuilder,
  customFieldFeature,
  printPlainLanguage,
  isAggregate,
  isPattern,
  warningOnPattern,
  warningsFor,
  toBuilderNode,
  type Diagnostic,
  type Expression,
  type Feature,
  type FeatureSchema,
  type RuleContext,
  type RuleDefinition,
  type RulesetDefinition,
} from '../language/index.js';
import type { RuleVocabulary } from './rule-vocabulary.service.js';

type Lists = RuleVocabulary['lists'];

/**
 * Returns the context for checking a rule. Without `lists` any list id is accepted, because a draft may exist before
 * its lists.
 */
const contextOf = (lists?: Lists): RuleContext => ({ schema: featureSchema, ...(lists ? { lists } : {}) });

/** Returns every fault of the texts of a rule, with its place. */
function inspectRule(rule: RuleDefinition, path: string, lists?: Lists): ErrorDetail[] {
  const compiled = compileRule(rule, contextOf(lists));
  return compiled.ok ? [] : compiled.diagnostics.map((diagnostic) => detailOf(diagnostic, path));
}

/** Returns the faults of a ruleset and its rules; unknown lists are faults only when `lists` is given. */
export function inspectRuleset(ruleset: RulesetDefinition, lists?: Lists): ErrorDetail[] {
  const { rules, dampeners, selector, scoring, experiment } = ruleset;
  const wrong = (path: string, message: string): ErrorDetail => ({
    path,
    code: 'DEFINITION_INVALID',
    message,
  });
  const details = rules.flatMap((rule, i) => inspectRule(rule, `rules[${i}].`, lists));
  for (const [i, dampener] of dampeners.entries()) {
    const compiled = compileDampener(dampener, contextOf(lists));
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
  return [...details, ...budgetFaults(ruleset)];
}

/**
 * Returns the obstacles to publishing a ruleset: its faults, mandatory rules that it lacks or softens, and pins of custom fields that have changed.
 */
export const inspectForPublication = (
  ruleset: RulesetDefinition,
  { customFields, lists }: RuleVocabulary,
): ErrorDetail[] => [
  ...inspectRuleset(ruleset, lists),
  ...mandatoryRuleViolations(ruleset),
  ...ruleset.rules.flatMap((rule, i) => findOutdatedPins(rule, customFields, `rules[${i}].`)),
  ...ruleset.dampeners.flatMap((dampener, i) => findOutdatedPins(dampener, customFields, `dampeners[${i}].`)),
];

/** Maximum number of costs that are named for a ruleset over its budget. */
const NAMED_COSTS = 10;

/** Returns the most expensive parts of a ruleset whose steps for a transaction are over its budget. */
function budgetFaults(ruleset: RulesetDefinition): ErrorDetail[] {
  const compilation = compileRuleset(ruleset);
  if (!compilation.ok) return [];
  const { steps, budget, items } = rulesetCostOf(compilation.ruleset);
  if (steps <= budget) return [];
  return items.slice(0, NAMED_COSTS).map((item) => ({
    path: item.path,
    code: 'TOO_EXPENSIVE',
    message: `This takes ${item.steps} of the ${steps} steps of the ruleset for a transaction: ${item.why}.`,
    expected: `at most ${budget} steps for the whole ruleset`,
  }));
}

/** Returns the obstacles to releasing a rule. */
export const inspectForRelease = (
  rule: RuleDefinition,
  { customFields, lists }: RuleVocabulary,
): ErrorDetail[] => [
  ...inspectRule(rule, '', lists),
  ...weakenedMandatoryRules(rule),
  ...findOutdatedPins(rule, customFields, ''),
];

/** Throws VALIDATION_FAILED if there are faults. */
export function refuseFaults(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw new DomainError('VALIDATION_FAILED', { details });
}

/** Returns the error detail of a fault: its position in the text, what was expected, and a suggestion. */
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
export function checkText(when: string, { customFields, lists }: RuleVocabulary): CheckedRule {
  const schema = featureSchema.withNames(
    customFields.map((field) => customFieldFeature(customFieldOf(field))),
  );
  const checkedText = check(when, { schema, lists, path: 'when' });
  return checkedText.ok
    ? {
        ok: true,
        details: [],
        remarks: remarksOnText(when, checkedText.ast, 'when', { schema }),
        features: checkedText.features,
        cost: checkedText.cost,
        ...formsOf(when, checkedText, schema, {}),
      }
    : {
        ok: false,
        details: checkedText.diagnostics.map((diagnostic) => detailOf(diagnostic, '')),
        remarks: [],
      };
}

/** Checks a condition in the builder's form, from unchecked JSON. */
export function checkCondition(condition: unknown, names: RuleVocabulary): CheckedRule {
  const builtCondition = fromBuilder(condition);
  if (builtCondition.ok) return checkText(builtCondition.text, names);
  const details = builtCondition.diagnostics.map((diagnostic) => detailOf(diagnostic, 'condition'));
  return { ok: false, details, remarks: [] };
}

export function checkRule(rule: RuleDefinition, names: RuleVocabulary): CheckedRule {
  const { customFields, lists } = names;
  // Every custom field is in the rule, so that the check can suggest a field for a misspelt name.
  const details = inspectForRelease(withEveryField(rule, customFields), names);
  const compiled = compileRule(pinCustomFields(rule, customFields), contextOf(lists));
  if (!compiled.ok || details.length > 0) return { ok: false, details, remarks: [] };
  const { compiled: text, parts } = compiled.rule;
  const { when, parameters, aggregates = {} } = rule;
  const values = Object.fromEntries(Object.entries(parameters).map(([name, { value }]) => [name, value]));
  const checkedText = check(when, { schema: parts.schema, parameters: values });
  return {
    ok: true,
    details: [],
    remarks: remarksOnRule(rule, { schema: parts.schema, parameters: values }),
    features: text.features,
    cost: text.cost,
    ...(checkedText.ok ? formsOf(when, checkedText, parts.schema, parameters) : {}),
    ...(Object.keys(aggregates).length > 0
      ? {
          aggregates: Object.keys(aggregates).map((name) =>
            aggregateOf(parts.schema.getKnown(`aggregate.${name}`)),
          ),
        }
      : {}),
  };
}

/** Remarks on the condition of a rule, its tiers and its patterns. */
function remarksOnRule({ when, score, appliesTo }: RuleDefinition, context: RemarkContext): ErrorDetail[] {
  const texts = [
    { path: 'when', text: when },
    ...(score.tiers ?? []).map((tier, i) => ({ path: `score.tiers.${i}.when`, text: tier.when })),
  ];
  const ofTexts = texts.flatMap(({ path, text }) => {
    const checkedText = check(text, context);
    return checkedText.ok ? remarksOnText(text, checkedText.ast, path, context) : [];
  });
  const codes = { types: Object.keys(transactionTypes), currencies: currencyCodes };
  const ofPatterns = (['types', 'currencies'] as const).flatMap((name) =>
    appliesTo[name].flatMap((pattern, i) => {
      const remark = warningOnPattern(pattern, codes[name]);
      return remark ? [detailOf(diagnosticOf(remark, '', `appliesTo.${name}[${i}]`), '')] : [];
    }),
  );
  return [...ofTexts, ...ofPatterns];
}

type RemarkContext = Parameters<typeof warningsFor>[1];

const remarksOnText = (text: string, ast: Expression, path: string, context: RemarkContext): ErrorDetail[] =>
  warningsFor(ast, context).map((remark) => detailOf(diagnosticOf(remark, text, path), ''));

function aggregateOf(feature: Feature): CheckedAggregate {
  const { name, type, unit, label, declared } = feature;
  if (!declared || !isAggregate(declared)) throw new Error('a checked aggregate is none');
  return { name, type, unit, words: label, cost: declared.cost };
}

const formsOf = (
  when: string,
  { ast, lists }: { readonly ast: Expression; readonly lists: readonly string[] },
  schema: FeatureSchema,
  parameters: RuleDefinition['parameters'],
): Pick<CheckedRule, 'lists' | 'when' | 'condition' | 'words'> => ({
  lists,
  when,
  condition: toBuilderNode(ast),
  words: {
    'pt-BR': printPlainLanguage(ast, 'pt-BR', { schema, parameters }),
    en: printPlainLanguage(ast, 'en', { schema, parameters }),
  },
});
