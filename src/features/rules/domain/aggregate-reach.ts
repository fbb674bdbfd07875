import { isAggregate, maxReachMsOf, type FeatureSchema, type WindowAggregate } from '../language/index.js';

export const logNames = ['customer', 'device', 'ip', 'counterparty', 'account', 'card', 'custom'] as const;
/** The logs of earlier transactions, by the key of their rows. An aggregate reads its window from one of them. */
export type LogName = (typeof logNames)[number];

const LOGS: Readonly<Record<WindowAggregate['by']['key'], LogName>> = {
  customer: 'customer',
  // Transactions by document or pair are parts of the customer's log.
  document: 'customer',
  pair: 'customer',
  counterparty: 'counterparty',
  account: 'account',
  device: 'device',
  ip: 'ip',
  card: 'card',
  custom: 'custom',
};

/** The log from which an aggregate reads its rows. */
export const logNameOf = ({ by }: WindowAggregate): LogName => LOGS[by.key];

/** Returns the longest window of all aggregates, offset included, in milliseconds by log; unused logs are left out. */
export function longestWindowByLog({ declared }: FeatureSchema): ReadonlyMap<LogName, number> {
  const reaches = new Map<LogName, number>();
  for (const one of declared) {
    // An event never changes the evaluation of an earlier transaction.
    if (!isAggregate(one) || one.function === 'ratio' || one.events) continue;
    const log = logNameOf(one);
    reaches.set(log, Math.max(maxReachMsOf(one.window, one.offsetMs), reaches.get(log) ?? 0));
  }
  return reaches;
}
