import {
  isAggregate,
  LIMITS,
  readsCustomField,
  readsOutcome,
  ROW_COSTS,
  type Aggregate,
} from '../language/index.js';
import { logNameOf, type LogName } from './aggregate-reach.js';
import type { CompiledRuleset } from './compiled-ruleset.js';

/** A part of a ruleset, with its cost in steps per transaction. */
export interface CostItem {
  /** The path in the ruleset: a rule, an aggregate, or the log of a key. */
  readonly path: string;
  readonly steps: number;
  readonly why: string;
}

export interface RulesetCost {
  /** Maximum number of steps for one transaction. */
  readonly steps: number;
  readonly budget: number;
  /** The most expensive first. */
  readonly items: readonly CostItem[];
}

const EVENTS = 'events.';

/** The logs of customer, device and address are read for every transaction anyway, so they cost a ruleset nothing. */
const READ_ANYWAY: readonly LogName[] = ['customer', 'device', 'ip'];

/**
 * Returns the maximum steps of a ruleset for one transaction, item by item. An aggregate that several rules declare is
 * computed once, and the log of a key is read once for all its aggregates.
 */
export function rulesetCostOf({ rules, dampeners, definition, schema }: CompiledRuleset): RulesetCost {
  const items: CostItem[] = [
    ...rules.map(({ definition: { key }, compiled }) => ({
      path: `rules[${definition.rules.findIndex((rule) => rule.key === key)}]`,
      steps: compiled.cost,
      why: 'its condition and tiers',
    })),
    ...dampeners.map(({ definition: { key }, compiled }) => ({
      path: `dampeners[${definition.dampeners.findIndex((one) => one.key === key)}]`,
      steps: compiled.cost,
      why: 'its condition',
    })),
    ...schema.declared.filter(isAggregate).map((aggregate) => ({
      path: placeOf(aggregate, rules, definition.rules),
      steps: aggregate.cost,
      why: reasonOf(aggregate),
    })),
    ...[...new Set(schema.declared.filter(isAggregate).flatMap(ownLogOf))].map((log) => ({
      path: `logs.${log}`,
      steps: ROW_COSTS.ownLog * LIMITS.rows,
      why: log.startsWith(EVENTS)
        ? `reading the newest ${LIMITS.rows} events by ${log.slice(EVENTS.length)}`
        : `reading the newest ${LIMITS.rows} transactions by ${log}`,
    })),
  ];
  return {
    steps: items.reduce((sum, { steps }) => sum + steps, 0),
    budget: LIMITS.rulesetCost,
    items: items.sort((a, b) => b.steps - a.steps),
  };
}

function ownLogOf(aggregate: Aggregate): string[] {
  if (aggregate.function === 'ratio') return [];
  if (aggregate.events) return [`events.${aggregate.by.key}`];
  const log = logNameOf(aggregate);
  return READ_ANYWAY.includes(log) ? [] : [log];
}

/** Returns the path of an aggregate in the first rule that declares it. */
function placeOf(
  { identity, definition: { name } }: Aggregate,
  rules: CompiledRuleset['rules'],
  definitions: CompiledRuleset['definition']['rules'],
): string {
  for (const { definition, parts } of rules) {
    for (const aggregateName of Object.keys(definition.aggregates ?? {})) {
      if (parts.schema.find(`aggregate.${aggregateName}`)?.declared?.identity !== identity) continue;
      return `rules[${definitions.findIndex(({ key }) => key === definition.key)}].aggregates.${aggregateName}`;
    }
  }
  return name;
}

function reasonOf(aggregate: Aggregate): string {
  if (aggregate.function === 'ratio') return 'a division';
  const { filter, of } = aggregate;
  return [
    `up to ${LIMITS.rows} rows, ${aggregate.cost / LIMITS.rows} steps each`,
    ...(readsOutcome(filter) ? ['looks up the outcome of each row'] : []),
    ...(readsCustomField(filter, of) ? ['looks up custom fields of each row'] : []),
    ...(aggregate.function === 'percentile' ? ['sorts the values'] : []),
  ].join('; ');
}
