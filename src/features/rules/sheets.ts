import { table } from '../../platform/kernel/table.js';
import { guardChange, guardRows, sheet, type ChangeLine, type Words } from '../../platform/sheets/index.js';
import type { CustomFieldDefinition } from './domain/custom-fields/custom-field-schema.js';
import type { BacktestStatus, RulesetStatus } from './domain/life-cycle.js';

const rulesetEnds = {
  DRAFT: ['ruleset.drafted', 'ruleset.publication_requested', 'ruleset.publication_withdrawn'],
  PUBLISHED: ['ruleset.published', 'ruleset.rule_snoozed', 'ruleset.snooze_lifted'],
  ARCHIVED: ['ruleset.archived'],
} as const satisfies Record<RulesetStatus, readonly string[]>;

const backtestEnds = {
  QUEUED: ['backtest.requested'],
  RUNNING: ['backtest.requested'],
  FINISHED: ['backtest.finished'],
  FAILED: ['backtest.failed'],
  CANCELLED: ['backtest.cancelled'],
} as const satisfies Record<BacktestStatus, readonly string[]>;

const snoozed = { ruleset_key: 'ruleset', rule_key: 'rule', ends_at: 'endsAt' } as const;

/** A version of a rule. One that comes with a ruleset is released when it is adopted. */
const rule = sheet({
  type: 'rule',
  id: 'rul',
  actions: ['rule.drafted', 'rule.released'],
  order: {
    first: ['rule.drafted', 'rule.released'],
    follows: { 'rule.drafted': ['rule.drafted', 'rule.released'], 'rule.released': [] },
  },
  last: ({ status }: { readonly status: 'DRAFT' | 'RELEASED' }) => [
    status === 'DRAFT' ? 'rule.drafted' : 'rule.released',
  ],
});

/** A version of a ruleset. A seeded version is published at its creation. */
const ruleset = sheet({
  type: 'ruleset',
  id: 'rst',
  actions: [
    'ruleset.drafted',
    'ruleset.publication_requested',
    'ruleset.publication_withdrawn',
    'ruleset.published',
    'ruleset.archived',
    'ruleset.rule_snoozed',
    'ruleset.snooze_lifted',
  ],
  order: {
    first: ['ruleset.drafted', 'ruleset.published'],
    follows: {
      'ruleset.drafted': ['ruleset.drafted', 'ruleset.publication_requested', 'ruleset.archived'],
      'ruleset.publication_requested': [
        'ruleset.published',
        'ruleset.publication_withdrawn',
        'ruleset.drafted',
        'ruleset.archived',
      ],
      'ruleset.publication_withdrawn': [
        'ruleset.drafted',
        'ruleset.publication_requested',
        'ruleset.archived',
      ],
      'ruleset.published': ['ruleset.rule_snoozed', 'ruleset.snooze_lifted', 'ruleset.archived'],
      'ruleset.rule_snoozed': ['ruleset.rule_snoozed', 'ruleset.snooze_lifted', 'ruleset.archived'],
      'ruleset.snooze_lifted': ['ruleset.rule_snoozed', 'ruleset.snooze_lifted', 'ruleset.archived'],
      'ruleset.archived': [],
    },
  },
  last: ({ status }: { readonly status: RulesetStatus }) => rulesetEnds[status],
  acts: {
    'ruleset.publish': {
      title: { en: 'Publish rules', pt: 'Publicar regras' },
      effect: {
        en: 'A version goes live, and the one before is archived.',
        pt: 'Uma versão das regras entra em vigor, e a anterior é arquivada.',
      },
      undo: { en: 'Roll back to the version before.', pt: 'Voltar à versão anterior.' },
      ask: 'rules:publish',
      approve: 'rules:publish',
      path: '/operator/rulesets/{key}/versions/{version}',
      routes: [
        'POST /operator/rulesets/:key/versions/:version/publish',
        'POST /operator/rulesets/:key/rollback',
      ],
      guards: [
        guardRows('rulesets', {
          when: `NEW.status = 'PUBLISHED' AND OLD.status IS DISTINCT FROM NEW.status`,
          values: { status: 'status', key: 'key', version: 'version', content_hash: 'contentHash' },
          request: { single_control: 'single_control' },
        }),
      ],
    },
    'rule.snooze': {
      title: { en: 'Snooze a rule', pt: 'Silenciar uma regra' },
      effect: {
        en: 'A live rule is silent for a time.',
        pt: 'Uma regra em vigor fica em silêncio por um tempo.',
      },
      undo: { en: 'End the silence: one person.', pt: 'Encerrar o silêncio: uma pessoa.' },
      ask: 'rules:publish',
      approve: 'rules:publish',
      id: 'snz',
      routes: ['POST /operator/rulesets/:key/rules/:rule/snooze'],
      guards: [
        guardChange('rule_snoozes', { on: 'INSERT', when: 'true', values: snoozed }),
        guardChange('rule_snoozes', {
          name: 'not_extended',
          when: `NEW.ends_at > OLD.ends_at OR (OLD.lifted_at IS NOT NULL AND NEW.lifted_at IS NULL)
            OR (OLD.ruleset_key, OLD.rule_key) IS DISTINCT FROM (NEW.ruleset_key, NEW.rule_key)`,
          values: snoozed,
        }),
      ],
    },
  },
});

/** A trial of a version on past transactions. */
const backtest = sheet({
  type: 'backtest',
  id: 'bkt',
  isPrunable: true,
  actions: ['backtest.requested', 'backtest.cancelled', 'backtest.finished', 'backtest.failed'],
  order: {
    first: ['backtest.requested'],
    follows: { 'backtest.requested': ['backtest.finished', 'backtest.failed', 'backtest.cancelled'] },
  },
  last: ({ status }: { readonly status: BacktestStatus }) => backtestEnds[status],
});

const MISMATCHES: Readonly<Record<string, Words>> = table({
  REFUSE: { en: 'what does not fit is refused', pt: 'o que não serve é recusado' },
  WARN: { en: 'what does not fit is accepted with a warning', pt: 'o que não serve é aceito com aviso' },
  IGNORE: { en: 'what does not fit is ignored', pt: 'o que não serve é ignorado' },
});

const fieldsIn = ({ fields }: Readonly<Record<string, unknown>>): readonly CustomFieldDefinition[] =>
  Array.isArray(fields) ? (fields as CustomFieldDefinition[]) : [];

/** Says of each custom field that changes where it is read, its type, and what becomes of another value. */
function linesOfFields(
  before: readonly CustomFieldDefinition[],
  after: readonly CustomFieldDefinition[],
): readonly ChangeLine[] {
  const [had, has] = [byName(before), byName(after)];
  return [...new Set([...has.keys(), ...had.keys()])].flatMap((name) => {
    const [old, now] = [had.get(name) ?? null, has.get(name) ?? null];
    if (old?.en === now?.en) return [];
    return [{ what: { en: `Field ${name}`, pt: `Campo ${name}` }, before: old, after: now }];
  });
}

const byName = (fields: readonly CustomFieldDefinition[]): ReadonlyMap<string, Words> =>
  new Map(
    fields.map(({ name, path, type, onMismatch }) => {
      const mismatch = MISMATCHES[onMismatch];
      const read = `metadata.${path}, ${type}`;
      return [name, { en: `${read}; ${mismatch?.en ?? ''}`, pt: `${read}; ${mismatch?.pt ?? ''}` }];
    }),
  );

/** A version of the fields that an organisation has added to transactions. */
const customFieldSchema = sheet({
  type: 'custom_field_schema',
  id: 'cfs',
  actions: ['custom_field_schema.changed', 'custom_field_schema.filled', 'custom_field_schema.fill_retried'],
  acts: {
    'custom_fields.change': {
      title: { en: 'Change the custom fields', pt: 'Mudar os campos personalizados' },
      effect: {
        en: 'The metadata of transactions is read, and checked at their door, by other custom fields.',
        pt: 'Os metadados das transações são lidos, e conferidos na entrada, por outros campos personalizados.',
      },
      undo: { en: 'Ask for the former fields.', pt: 'Pedir os campos anteriores.' },
      ask: 'rules:publish',
      approve: 'rules:publish',
      lines: (before, after) => linesOfFields(fieldsIn(before), fieldsIn(after)),
      routes: ['POST /operator/custom-fields'],
      guards: [
        guardRows('custom_field_schemas', {
          on: 'INSERT',
          when: 'true',
          values: { version: 'version', fields: 'fields', content_hash: 'contentHash' },
          request: { single_control: 'single_control' },
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [rule, ruleset, backtest, customFieldSchema] as const;
