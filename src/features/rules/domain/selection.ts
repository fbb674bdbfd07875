import { createHash } from 'node:crypto';
import { patternMatcher, type Experiment, type RulesetDefinition } from '../language/index.js';

/** A live ruleset as selection sees it. */
export interface Selectable {
  readonly key: string;
  readonly experiment: Experiment | null;
  /** Returns how well its selector fits a transaction (`fitOf`); -1 for not at all. */
  readonly fit: (transaction: SelectedFor) => number;
}

/** The fields of a transaction that selection reads. */
export interface SelectedFor {
  readonly type: string;
  /** Public id, `app_…`. */
  readonly clientApp: string;
  /** Keyed hash of the customer, by which a share of customers is chosen; null when there is none. */
  readonly customerKey: Buffer | null;
}

export interface Selection<R> {
  /** The ruleset whose verdict counts; null when none is for this transaction. */
  readonly deciding: R | null;
  /** The live ruleset that `deciding` challenges for this customer; null when it is the live one itself. */
  readonly champion: R | null;
  /** Challengers that are evaluated and recorded beside it, without effect. */
  readonly shadows: readonly R[];
}

/**
 * Chooses among live rulesets, newest first: one that names the application goes before one that names the type, which
 * goes before one for everything; then the newest.
 */
export function select<R extends Selectable>(live: readonly R[], transaction: SelectedFor): Selection<R> {
  let champion: R | null = null;
  let best = -1;
  for (const ruleset of live) {
    if (ruleset.experiment !== null) continue;
    const fit = ruleset.fit(transaction);
    if (fit > best) {
      best = fit;
      champion = ruleset;
    }
  }
  if (!champion) return { deciding: null, champion: null, shadows: [] };
  let deciding = champion;
  const shadows: R[] = [];
  for (const challenger of live) {
    const { experiment } = challenger;
    if (experiment?.challengerOf !== champion.key) continue;
    if (challenger.fit(transaction) < 0) continue;
    if (!chosen(challenger.key, experiment, transaction.customerKey)) continue;
    if (experiment.mode === 'SHADOW') shadows.push(challenger);
    // Two splits of one champion: a customer that both want goes to the newer.
    else if (deciding === champion) deciding = challenger;
  }
  return { deciding, champion: deciding === champion ? null : champion, shadows };
}

/**
 * Returns how well a selector fits a transaction: -1 not at all, 0 for everything, 1 by the beginning of a type, 2 by a
 * type, and 4 more by application.
 */
export function specificityOf({ types, clientApps }: RulesetDefinition['selector']): Selectable['fit'] {
  const typeFits = patternMatcher(types);
  const exactTypes = new Set(types);
  const anyType = types.includes('*');
  const anyApp = clientApps.includes('*');
  return ({ type, clientApp }) => {
    if (!anyApp && !clientApps.includes(clientApp)) return -1;
    if (!typeFits(type)) return -1;
    return (anyApp ? 0 : 4) + (exactTypes.has(type) ? 2 : anyType ? 0 : 1);
  };
}

function chosen(challenger: string, { mode, percent }: Experiment, customerKey: Buffer | null): boolean {
  if (mode === 'SHADOW' && percent >= 100) return true;
  return customerKey !== null && bucketOf(challenger, customerKey) < percent;
}

/**
 * The place of a customer in the experiment of a challenger, 0 up to 100 (exclusive). Hashed with the challenger's name,
 * so that two experiments do not try the same customers; without its version, so that a new version keeps its customers.
 */
export function bucketOf(challenger: string, customerKey: Buffer): number {
  const digest = createHash('sha256').update(challenger).update('\0').update(customerKey).digest();
  return (digest.readUInt32BE(0) / 2 ** 32) * 100;
}
