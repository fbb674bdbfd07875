import { table } from '../../../platform/kernel/table.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import {
  check,
  compileRule,
  featureSchema,
  printPlainLanguage,
  type Language,
  type Localised,
  type RuleDefinition,
  type RuleMode,
  type RulesetDefinition,
} from '../language/index.js';
import type { BacktestReport } from './backtest/backtest-report.js';

/** One thing that a new version changes. `before` is null for what is new, `after` for what goes. */
export interface ChangeInWords {
  readonly what: Localised;
  readonly before: Localised | null;
  readonly after: Localised | null;
}

const MODES: Readonly<Record<RuleMode, Localised>> = {
  LIVE: { 'pt-BR': 'em vigor', en: 'live' },
  SHADOW: { 'pt-BR': 'em sombra', en: 'in shadow' },
  DISABLED: { 'pt-BR': 'desligada', en: 'disabled' },
};
const OUTCOMES: Readonly<Record<string, Localised>> = table({
  APPROVED: { 'pt-BR': 'aprovada', en: 'approved' },
  CHALLENGED: { 'pt-BR': 'aguarda o cliente', en: 'awaits the customer' },
  REVIEW: { 'pt-BR': 'em revisão', en: 'in review' },
  REJECTED: { 'pt-BR': 'recusada', en: 'rejected' },
});
// The parts of a rule beside mode and condition, as its approver knows them. None is left out: a part that changed unsaid
// would be approved blind.
const MEMBERS: Readonly<
  Record<Exclude<keyof RuleDefinition, 'key' | 'version' | 'mode' | 'when'>, Localised>
> = {
  name: { 'pt-BR': 'nome', en: 'name' },
  description: { 'pt-BR': 'descrição', en: 'description' },
  severity: { 'pt-BR': 'gravidade', en: 'severity' },
  component: { 'pt-BR': 'componente', en: 'component' },
  category: { 'pt-BR': 'categoria', en: 'category' },
  tags: { 'pt-BR': 'etiquetas', en: 'tags' },
  appliesTo: { 'pt-BR': 'a quais transações se aplica', en: 'which transactions it applies to' },
  parameters: { 'pt-BR': 'parâmetros', en: 'parameters' },
  aggregates: { 'pt-BR': 'agregados', en: 'aggregates' },
  customFields: { 'pt-BR': 'campos personalizados', en: 'custom fields' },
  score: { 'pt-BR': 'como conta os pontos', en: 'how its points count' },
  effect: { 'pt-BR': 'o que recomenda', en: 'what it recommends' },
  onIndeterminate: { 'pt-BR': 'o que faz sem dados', en: 'what it does without data' },
  evidence: { 'pt-BR': 'dados que mostra', en: 'facts that it shows' },
  actions: { 'pt-BR': 'ações', en: 'actions' },
  lists: { 'pt-BR': 'listas', en: 'lists' },
  flags: { 'pt-BR': 'marcas', en: 'flags' },
  cooldown: { 'pt-BR': 'pausa por cliente', en: 'pause per customer' },
  message: { 'pt-BR': 'frase que a explica', en: 'sentence that explains it' },
  legalBasis: { 'pt-BR': 'base legal', en: 'legal basis' },
};
const PARTS: Readonly<Record<Exclude<keyof RulesetDefinition, 'key' | 'version' | 'rules'>, Localised>> = {
  name: { 'pt-BR': 'Nome do conjunto', en: 'Name of the ruleset' },
  selector: { 'pt-BR': 'Transações que julga', en: 'Transactions that it judges' },
  experiment: { 'pt-BR': 'Experimento', en: 'Experiment' },
  dampeners: { 'pt-BR': 'Atenuantes', en: 'Dampeners' },
  scoring: { 'pt-BR': 'Pontuação', en: 'Scoring' },
  composition: { 'pt-BR': 'O que precisa ser conferido', en: 'What has to be checked' },
};
const MAX_LINES = 100;

const both = (say: (language: Language) => string): Localised => ({ 'pt-BR': say('pt-BR'), en: say('en') });

/** Returns the condition of a rule as a sentence, or its text if this release no longer understands it. */
export function conditionInWords(rule: RuleDefinition): Localised {
  const compiled = compileRule(rule, { schema: featureSchema });
  const values = Object.entries(rule.parameters).map(([name, { value }]) => [name, value] as const);
  const schema = compiled.ok ? compiled.rule.parts.schema : featureSchema;
  const checkedText = check(rule.when, { schema, parameters: Object.fromEntries(values) });
  if (!checkedText.ok) return both(() => rule.when);
  return both((language) =>
    printPlainLanguage(checkedText.ast, language, { schema, parameters: rule.parameters }),
  );
}

/** Says how a rule counts, and its condition. */
export function ruleInWords(rule: RuleDefinition): Localised {
  const condition = conditionInWords(rule);
  const points = { 'pt-BR': `${rule.score.points} pontos`, en: `${rule.score.points} points` };
  return both((language) => `${MODES[rule.mode][language]}, ${points[language]}: ${condition[language]}`);
}

/** Says what a version of a ruleset changes in the version that it replaces, at most 100 things of it. */
export function changesInWords(
  before: RulesetDefinition | null,
  after: RulesetDefinition,
): readonly ChangeInWords[] {
  const lines = [...rulesInWords(before?.rules ?? [], after.rules), ...partsInWords(before, after)];
  if (lines.length <= MAX_LINES) return lines;
  const more = lines.length - MAX_LINES;
  const rest = { 'pt-BR': `e mais ${more} mudanças`, en: `and ${more} more changes` };
  return [...lines.slice(0, MAX_LINES), { what: rest, before: null, after: null }];
}

function rulesInWords(
  before: readonly RuleDefinition[],
  after: readonly RuleDefinition[],
): readonly ChangeInWords[] {
  const [had, has] = [byKey(before), byKey(after)];
  return [...new Set([...has.keys(), ...had.keys()])].flatMap((key) => {
    const [old, now] = [had.get(key), has.get(key)];
    const rule = now ?? old;
    if (!rule || (old && now && canonicalJson(old) === canonicalJson(now))) return [];
    const also = old && now ? otherMembers(old, now) : [];
    const saidNow = now ? ruleInWords(now) : null;
    return [
      {
        what: both((language) => `${key} · ${rule.name[language]}`),
        before: old ? ruleInWords(old) : null,
        after:
          saidNow && also.length > 0
            ? both((language) => `${saidNow[language]} (${also.map((word) => word[language]).join(', ')})`)
            : saidNow,
      },
    ];
  });
}

const byKey = (rules: readonly RuleDefinition[]): ReadonlyMap<string, RuleDefinition> =>
  new Map(rules.map((rule) => [rule.key, rule]));

const otherMembers = (old: RuleDefinition, now: RuleDefinition): readonly Localised[] =>
  Object.entries(MEMBERS).flatMap(([name, word]) =>
    canonicalJson(valueOf(withoutPoints(old), name)) === canonicalJson(valueOf(withoutPoints(now), name))
      ? []
      : [word],
  );

/** Returns the rule without its points, which its line says. */
const withoutPoints = (rule: RuleDefinition): RuleDefinition => ({
  ...rule,
  score: { ...rule.score, points: 0 },
});

const valueOf = (content: object, name: string): unknown =>
  (content as Readonly<Record<string, unknown>>)[name] ?? null;

/** Says which values of the other parts change, each by its path. */
const partsInWords = (
  before: RulesetDefinition | null,
  after: RulesetDefinition,
): readonly ChangeInWords[] =>
  before === null
    ? []
    : Object.entries(PARTS).flatMap(([name, part]) => {
        const [had, has] = [leavesOf(valueOf(before, name)), leavesOf(valueOf(after, name))];
        return [...new Set([...had.keys(), ...has.keys()])]
          .filter((path) => had.get(path) !== has.get(path))
          .map((path) => ({
            what: both((language) => (path === '' ? part[language] : `${part[language]}: ${path}`)),
            before: textOf(had.get(path)),
            after: textOf(has.get(path)),
          }));
      });

const textOf = (value: string | undefined): Localised | null =>
  value === undefined ? null : both(() => value);

/** Returns the values of a part as text, by their path in it. */
function leavesOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') {
    return new Map([[path, typeof value === 'string' ? value : JSON.stringify(value)]]);
  }
  const memberLeaves = Object.entries(value).map(([name, member]) =>
    leavesOf(member, path ? `${path}.${name}` : name),
  );
  return new Map(memberLeaves.flatMap((leaves) => [...leaves]));
}

/** Says what a back-test found: outcomes that change, and alerts before and after. */
export function backtestInWords({ snapshots, outcomes, alertsPerDay }: BacktestReport): ChangeInWords {
  const flips = (language: Language): string =>
    outcomes.flips
      .map(({ from, to, count }) => `${wordOf(from, language)} → ${wordOf(to, language)}: ${count}`)
      .join(', ');
  const changedCount = outcomes.flips.reduce((sum, { count }) => sum + count, 0);
  const alerts = (which: 'live' | 'tested'): number => alertsPerDay.reduce((sum, day) => sum + day[which], 0);
  const transactions = {
    'pt-BR': `${snapshots} transações, ${changedCount} com outro resultado`,
    en: `${snapshots} transactions, ${changedCount} with another outcome`,
  };
  const alertsIn = {
    'pt-BR': (count: number) => `${count} alertas`,
    en: (count: number) => `${count} alerts`,
  };
  return {
    what: { 'pt-BR': 'Simulação no passado', en: 'Back-test' },
    before: both((language) => alertsIn[language](alerts('live'))),
    after: both((language) => {
      const detail = changedCount > 0 ? ` (${flips(language)})` : '';
      return `${alertsIn[language](alerts('tested'))}; ${transactions[language]}${detail}`;
    }),
  };
}

const wordOf = (outcome: string, language: Language): string => OUTCOMES[outcome]?.[language] ?? outcome;
