import {
  isAggregate,
  logNameOf,
  maxReachMsOf,
  readsOutcome,
  type FeatureSchema,
  type EventKey,
  type LogName as AnyLog,
  type WindowAggregate,
} from '../../../rules/index.js';
import { customFieldValuesOf, eventKeyOf } from './aggregate-facts.js';

/** The name of a log by a fixed key. A log by a custom field is named by the number of the field instead. */
export type LogName = Exclude<AnyLog, 'custom'>;

/** The logs, outcomes and custom fields that have to be read for the aggregates of a schema. */
export interface WindowNeeds {
  /** How far back each log is read, in milliseconds. */
  readonly reach: ReadonlyMap<LogName, number>;
  /** The reach of logs by custom field, by the number of the field; see `reach`. */
  readonly customFieldReach: ReadonlyMap<number, number>;
  /** How far back the events of each key are read, in milliseconds; empty if no aggregate is over events. */
  readonly eventReach: ReadonlyMap<EventKey, number>;
  /** Logs whose rows need their outcomes. */
  readonly outcomesOf: ReadonlySet<LogName | number>;
  /** The custom fields that are read for the rows of each log. */
  readonly valuesOf: ReadonlyMap<LogName | number, ReadonlySet<number>>;
}

/** Returns the log that an aggregate reads: its name, or the number of its custom field. */
function logOf(aggregate: WindowAggregate): LogName | number {
  if (aggregate.by.key === 'custom') return aggregate.by.field.number;
  const log = logNameOf(aggregate);
  if (log === 'custom') throw new Error('a log of a custom field has no field');
  return log;
}

// Each ruleset has one schema, whose needs never change.
const needsBySchema = new WeakMap<FeatureSchema, WindowNeeds>();

export function windowNeedsOf(schema: FeatureSchema): WindowNeeds {
  let needs = needsBySchema.get(schema);
  if (!needs) needsBySchema.set(schema, (needs = findNeeds(schema)));
  return needs;
}

function findNeeds({ declared }: FeatureSchema): WindowNeeds {
  const reach = new Map<LogName, number>();
  const customFieldReach = new Map<number, number>();
  const eventReach = new Map<EventKey, number>();
  const outcomesOf = new Set<LogName | number>();
  const valuesOf = new Map<LogName | number, Set<number>>();
  for (const one of declared) {
    if (!isAggregate(one) || one.function === 'ratio') continue;
    const ms = maxReachMsOf(one.window, one.offsetMs);
    if (one.events) {
      const key = eventKeyOf(one);
      eventReach.set(key, Math.max(ms, eventReach.get(key) ?? 0));
      continue;
    }
    const log = logOf(one);
    if (typeof log === 'number') customFieldReach.set(log, Math.max(ms, customFieldReach.get(log) ?? 0));
    else reach.set(log, Math.max(ms, reach.get(log) ?? 0));
    if (readsOutcome(one.filter)) outcomesOf.add(log);
    for (const field of customFieldValuesOf(one)) {
      const fields = valuesOf.get(log) ?? new Set();
      valuesOf.set(log, fields.add(field));
    }
  }
  return { reach, customFieldReach, eventReach, outcomesOf, valuesOf };
}
