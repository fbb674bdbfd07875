import {
  brStarter,
  countryLists,
  featureSchema,
  formatValue,
  type Feature,
  type RuleDefinition,
} from '../../../src/features/rules/index.js';
import { code, figureOf, wordsOf } from './typologies-page.js';

const SOURCES: Readonly<Record<Feature['source'], string>> = {
  TRANSACTION: 'The transaction itself',
  METADATA: 'Metadata of the transaction',
  VELOCITY: 'Velocity',
  PROFILE: 'Profile of the customer',
  LISTS: 'Lists',
  FX: 'Exchange rates',
  DICT: 'DICT statistics',
  EVIDENCE: 'External provider of evidence',
  KYC: 'Verification sessions',
  CASES: 'Cases about the customer',
  AGGREGATE: 'Aggregates that the rule declares',
  CUSTOM: 'Custom fields',
  APPLICATION: 'The application that sent it',
};

/** docs/generated/rule-fields.md, from the feature schema. */
export function ruleFieldsMarkdown(): string {
  const { features, version } = featureSchema;
  const sources = [...new Set(features.map((feature) => feature.source))];
  return [
    '# What rules may read',
    '',
    'Generated from `src/features/rules/language/feature-schema.ts` by `npm run docs`.',
    '',
    `Schema version ${version}: ${features.length} fields. Later versions add fields and never change or remove one. [rule-language.md](../rule-language.md) tells what can be said about them.`,
    '',
    '- **Type** `number`, `string`, `bool`, `time`, `numbers`, `strings`; a `?` says that there may be no value although the source works.',
    '- **Window** what it looks back on from `occurredAt`. `5bd`: five business days of the bank calendar; `day`: the local day; `history`: all that is stored.',
    '- **Now** whether the transaction that is being evaluated is counted in.',
    '- **Cap** whether it may be a lower bound.',
    '- Fields marked 🔒 are personal and are shown as `***` in explanations and messages.',
    '',
    ...sources.flatMap((source) =>
      fieldsOf(
        source,
        features.filter((feature) => feature.source === source),
      ),
    ),
  ].join('\n');
}

/** The table that pins the numbers of features: a new one is added, one that stands is never changed. */
export function featureNumbers(pinned: string): string {
  const known = JSON.parse(pinned) as Readonly<Record<string, number>>;
  const now = featureSchema.features.map(({ name, number }): [string, number] => [name, number]);
  return `${JSON.stringify({ ...Object.fromEntries(now), ...known }, null, 2)}\n`;
}

const fieldsOf = (source: Feature['source'], features: readonly Feature[]): string[] => [
  `## ${SOURCES[source]}`,
  '',
  '| field | type | window | now | cap | component | what it is | in words (pt-BR) |',
  '|---|---|---|---|---|---|---|---|',
  ...features.map(
    (one) =>
      `| \`${one.name}\`${one.personal ? ' 🔒' : ''} | ${one.type}${one.nullable ? '?' : ''}${one.unit ? ` (${one.unit})` : ''} | ${one.window ?? ''} | ${one.includesCurrent ? 'yes' : 'no'} | ${one.capped ? 'yes' : ''} | ${one.component} | ${one.description} | ${one.label['pt-BR']} |`,
  ),
  '',
];

/** docs/generated/br-starter.md, from the ruleset that ships. */
export function starterRulesetMarkdown(): string {
  const { key, version, name, rules, dampeners, scoring, composition } = brStarter;
  const { MEDIUM, HIGH, CRITICAL } = scoring.bands;
  return [
    `# The ruleset that ships: \`${key}\``,
    '',
    'Generated from `src/features/rules/data/br-starter` by `npm run docs`.',
    '',
    `${name.en} (${name['pt-BR']}), version ${version}: ${rules.length} rules and ${dampeners.length} dampener, amounts in BRL. Thresholds are starting points of ours, not norms, except the R$ 50,000 in cash and the five business days, the R$ 1,000 by night, and the R$ 200 and R$ 1,000 of unregistered devices. A compliance officer should read the legal basis of each before relying on it.`,
    '',
    '## How it scores',
    '',
    `A score is the sum of the points of all hits, capped per group (${Object.entries(scoring.caps)
      .map(([group, cap]) => `${group} ${cap}`)
      .join(
        ', ',
      )}), less what dampeners take, from 0 to 100. LOW from 0, MEDIUM from ${MEDIUM}, HIGH from ${HIGH}, CRITICAL from ${CRITICAL}. Review from ${scoring.reviewAt}, or when a rule forces it.`,
    '',
    '## What a complete composition needs',
    '',
    '| types (the first that fits) | components | from an amount on | in another currency |',
    '|---|---|---|---|',
    ...composition.requiredComponents.map(
      ({ types, components, fromAmountBrl, inForeignCurrency }) =>
        `| ${types.map((type) => `\`${type}\``).join(', ')} | ${components.join(', ')} | ${fromAmountBrl ? `${fromAmountBrl.components.join(', ')} from ${formatValue(fromAmountBrl.amount, 'en', 'BRL')}` : ''} | ${inForeignCurrency?.join(', ') ?? ''} |`,
    ),
    '',
    '## The rules',
    '',
    '| key | name | points | group | effect | mode |',
    '|---|---|---|---|---|---|',
    ...rules.map(
      (rule) =>
        `| [${rule.key}](#${rule.key.toLowerCase()}) | ${rule.name.en} | ${pointsOf(rule)} | ${rule.score.group} | ${effectOf(rule)} | ${rule.mode} |`,
    ),
    '',
    ...rules.flatMap(ruleSection),
    '## Dampeners',
    '',
    ...dampeners.flatMap(({ key: of, name: named, description, when, points, suppresses }) => [
      `### ${of}`,
      '',
      `**${named.en}** · ${named['pt-BR']}. ${description.en} ${points} points. Suppresses ${suppresses.join(', ')}: they count as not hit and are shown as suppressed.`,
      '',
      ...code(when.split('\n')),
    ]),
    '## Country lists',
    '',
    'Asked by BR-GEO-21. These are starting values, not checked against the official texts: compare them before relying on them, and replace them when a newer publication is out.',
    '',
    '| list | source | as of | countries |',
    '|---|---|---|---|',
    ...countryLists.map(
      ({ id, source, asOf, codes }) => `| \`${id}\` | ${source} | ${asOf} | ${codes.join(' ')} |`,
    ),
    '',
  ].join('\n');
}

const pointsOf = ({ score: { points, tiers = [] } }: RuleDefinition): string =>
  [points, ...tiers.map((tier) => tier.points)].sort((a, b) => a - b).join(' / ');

const effectOf = ({ effect: { minOutcome, recommend } }: RuleDefinition): string =>
  [minOutcome, recommend === 'NONE' ? null : recommend].filter((one) => one !== null).join(', ') || 'score';

function ruleSection(rule: RuleDefinition): string[] {
  const {
    key,
    name,
    description,
    appliesTo,
    parameters,
    aggregates = {},
    when,
    score,
    flags,
    message,
  } = rule;
  const words = wordsOf(rule);
  return [
    `### ${key}`,
    '',
    `**${name.en}** · ${name['pt-BR']}. ${description.en}`,
    '',
    `Looks at ${[...appliesTo.types, ...(appliesTo.directions.length === 1 ? appliesTo.directions : [])].map((one) => `\`${one}\``).join(', ')}. ${pointsOf(rule)} points in ${score.group}; ${effectOf(rule)}; reason code \`${rule.effect.reasonCode}\`; when it cannot tell: ${rule.onIndeterminate}${flags.length > 0 ? `; ${flags.join(', ')}` : ''}.`,
    '',
    ...code([...Object.entries(aggregates).map(figureOf), ...when.split('\n')]),
    ...(score.tiers ?? []).flatMap((tier) => [
      `${tier.points} points instead when:`,
      '',
      ...code(tier.when.split('\n')),
    ]),
    ...(Object.keys(parameters).length === 0
      ? []
      : [
          '| parameter | value | what it is |',
          '|---|---|---|',
          ...Object.entries(parameters).map(
            ([id, { value, unit, label }]) =>
              `| \`${id}\` | ${formatValue(value, 'en', unit ?? null)} | ${label.en} · ${label['pt-BR']} |`,
          ),
          '',
        ]),
    `- In words: ${words.en}.`,
    `- Em palavras: ${words['pt-BR']}.`,
    `- Reason: “${message.en}” · “${message['pt-BR']}”`,
    `- Legal basis: ${rule.legalBasis.map(({ norm, item, siscoafCode }) => `${norm}, ${item}${siscoafCode === null ? '' : ` (Siscoaf ${siscoafCode})`}`).join('; ')}.`,
    '',
  ];
}
