import { DomainError, type ErrorDetail } from '../../kernel/index.js';
import type { CheckedRuleView } from '../api/rule.view.dto.js';
import { againstMandatory, softened } from '../domain/mandatory-rules.js';
import {
  check,
  compileDampener,
  compileRule,
  featureSchema,
  fromBuilder,
  inPlainWords,
  isPattern,
  toBuilder,
  type Diagnostic,
  type Expression,
  type RuleDefinition,
  type RulesetDefinition,
} from '../language/index.js';

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

/** Returns the obstacles to publishing a ruleset: its own faults, and mandatory rules that it lacks or has softened. */
export const inspectForPublication = (ruleset: RulesetDefinition): ErrorDetail[] => [
  ...inspectRuleset(ruleset),
  ...againstMandatory(ruleset),
];

/** Returns the obstacles to releasing a rule. */
export const inspectForRelease = (rule: RuleDefinition): ErrorDetail[] => [
  ...inspectRule(rule),
  ...softened(rule),
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

/** Checks a condition alone; without a rule around it, it has no parameters. */
export function checkText(when: string): CheckedRuleView {
  const found = check(when, { ...CONTEXT, path: 'when' });
  return found.ok
    ? { ok: true, details: [], features: found.features, cost: found.cost, ...formsOf(when, found, {}) }
    : { ok: false, details: found.diagnostics.map((diagnostic) => detailOf(diagnostic, '')) };
}

/** Checks a condition in the builder's form, of which nothing is known. */
export function checkCondition(condition: unknown): CheckedRuleView {
  const read = fromBuilder(condition);
  if (read.ok) return checkText(read.text);
  return { ok: false, details: read.diagnostics.map((diagnostic) => detailOf(diagnostic, 'condition')) };
}

/** Checks a whole rule. */
export function checkRule(rule: RuleDefinition): CheckedRuleView {
  const details = inspectForRelease(rule);
  const compiled = compileRule(rule, CONTEXT);
  if (!compiled.ok || details.length > 0) return { ok: false, details };
  const { features, cost } = compiled.rule.compiled;
  const { when, parameters } = rule;
  const values = Object.entries(parameters).map(([name, { value }]) => [name, value] as const);
  const found = check(when, { ...CONTEXT, parameters: Object.fromEntries(values) });
  return {
    ok: true,
    details: [],
    features,
    cost,
    ...(found.ok ? formsOf(when, found, parameters) : {}),
  };
}

const formsOf = (
  when: string,
  { ast, lists }: { readonly ast: Expression; readonly lists: readonly string[] },
  parameters: RuleDefinition['parameters'],
): Pick<CheckedRuleView, 'lists' | 'when' | 'condition' | 'words'> => ({
  lists,
  when,
  condition: toBuilder(ast),
  words: {
    'pt-BR': inPlainWords(ast, 'pt-BR', { ...CONTEXT, parameters }),
    en: inPlainWords(ast, 'en', { ...CONTEXT, parameters }),
  },
});
