import { typologies } from '../typologies/index.js';
import {
  check,
  compileRule,
  featureSchema,
  formatValue,
  printPlainLanguage,
  type AggregateDefinition,
  type RuleDefinition,
} from '../../../src/features/rules/index.js';

type Words = Readonly<Record<'pt-BR' | 'en', string>>;

/** docs/generated/typologies.md, from the rules that are there to be copied. */
export function typologiesMarkdown(): string {
  return [
    '# Typologies as rules to copy',
    '',
    'Generated from `tools/documents/typologies` by `npm run docs`.',
    '',
    `${typologies.length} typologies that supervisors, the FATF and makers of other systems have published, each as a whole rule in the [rule language](../rule-language.md). They are examples: nothing publishes them, and [br-starter.md](br-starter.md) has the rules that ship. To use one, take it from [typologies.json](typologies.json), where they stand as \`POST /operator/rules\` takes them, draft it under a key of your own and in \`SHADOW\`, try it and publish it ([writing-rules.md](../writing-rules.md)). Amounts are in BRL.`,
    '',
    'A source says where the typology comes from; thresholds are ours, except the R$ 50,000 in cash and the five business days. Sources are named by title and have not been compared line by line: a compliance officer should read them before relying on a rule.',
    '',
    'The tests in `tools/documents/typologies/typologies.spec.ts` hold three cases for each: a stream of events that hits (positive), one that is like it and does not (negative), and two that differ by one cent, one second or one item, of which one hits (boundary). Rules about the profile or the past of a customer are asked with facts instead of events.',
    '',
    '| key | typology | source | condition in words | tests |',
    '|---|---|---|---|---|',
    ...typologies.map((rule) =>
      cells(
        `[${rule.key}](#${rule.key.toLowerCase()})`,
        `**${rule.name.en}.** ${rule.description.en}`,
        sourcesOf(rule),
        wordsOf(rule).en,
        'positive, negative, boundary',
      ),
    ),
    '',
    ...typologies.flatMap(sectionOf),
  ].join('\n');
}

/** docs/generated/typologies.json: the bodies of drafts, one on each line, without what drafting gives them. */
export const typologiesJson = (): string => {
  const given = ['version', 'customFields'];
  const bodies = typologies.map((rule) =>
    JSON.stringify(Object.fromEntries(Object.entries(rule).filter(([name]) => !given.includes(name)))),
  );
  return `[\n${bodies.join(',\n')}\n]\n`;
};

const cells = (...texts: readonly string[]): string =>
  `| ${texts.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

const sourcesOf = ({ legalBasis }: RuleDefinition): string =>
  legalBasis
    .map(
      ({ norm, item, siscoafCode }) =>
        `${norm}, ${item}${siscoafCode === null ? '' : ` (Siscoaf ${siscoafCode})`}`,
    )
    .join('; ');

/** The condition in plain words, with its aggregates described. */
export function wordsOf(rule: RuleDefinition): Words {
  const compiled = compileRule(rule, { schema: featureSchema });
  if (!compiled.ok) throw new Error(`${rule.key} does not compile`);
  const { schema } = compiled.rule.parts;
  const { when, parameters } = rule;
  const found = check(when, {
    schema,
    parameters: Object.fromEntries(Object.entries(parameters).map(([id, { value }]) => [id, value])),
  });
  if (!found.ok) throw new Error(`${rule.key} does not compile`);
  const said = (language: 'pt-BR' | 'en'): string =>
    printPlainLanguage(found.ast, language, { schema, parameters });
  return { 'pt-BR': said('pt-BR'), en: said('en') };
}

/** Indented, so that no line of it is taken for a row of a table. */
export const code = (lines: readonly string[]): string[] => [
  '```',
  ...lines.map((line) => `  ${line}`),
  '```',
  '',
];

/** A figure on one line, in the order in which people say it. */
export const figureOf = ([name, { where, ...said }]: readonly [string, AggregateDefinition]): string =>
  `aggregate.${name} = ${JSON.stringify({
    ...said,
    ...(where === undefined ? {} : { where: where.replaceAll('\n', ' ') }),
  })}`;

function sectionOf(rule: RuleDefinition): string[] {
  const {
    key,
    name,
    description,
    appliesTo,
    parameters,
    aggregates = {},
    customFields = {},
    when,
    message,
  } = rule;
  const words = wordsOf(rule);
  const looksAt = [...appliesTo.types, ...(appliesTo.directions.length === 1 ? appliesTo.directions : [])];
  return [
    `## ${key}`,
    '',
    `**${name.en}** · ${name['pt-BR']}. ${description['pt-BR']}`,
    '',
    `Looks at ${looksAt.map((one) => `\`${one}\``).join(', ')}. ${rule.score.points} points in ${rule.score.group}${rule.effect.minOutcome === null ? '' : `; ${rule.effect.minOutcome}`}${rule.effect.recommend === 'NONE' ? '' : `; ${rule.effect.recommend}`}; reason code \`${rule.effect.reasonCode}\`; when it cannot tell: ${rule.onIndeterminate}.`,
    '',
    ...Object.values(customFields).flatMap((field) => [
      `Needs the custom field \`${field.name}\` (\`metadata.${field.path}\`, \`${field.type}\`, history \`${field.history}\`). The number that it has is the institution's own.`,
      '',
    ]),
    ...code([...Object.entries(aggregates).map(figureOf), ...when.split('\n')]),
    '| parameter | value | what it is |',
    '|---|---|---|',
    ...Object.entries(parameters).map(([id, { value, unit, label }]) =>
      cells(`\`${id}\``, formatValue(value, 'en', unit ?? null), `${label.en} · ${label['pt-BR']}`),
    ),
    '',
    `- Em palavras: ${words['pt-BR']}.`,
    `- Reason: “${message.en}” · “${message['pt-BR']}”`,
    `- Source: ${sourcesOf(rule)}.`,
    '',
  ];
}
