import { createHash } from 'node:crypto';

/** Which transactions a ruleset is for; an absent or empty list means every one. */
export interface Selector {
  readonly types?: readonly string[];
  /** Public client ids. */
  readonly clientApps?: readonly string[];
}

/**
 * A ruleset that is tried against the live one. SHADOW: evaluated beside it, recorded, without effect. SPLIT: decides
 * for a share of the customers, always the same ones.
 */
export interface Experiment {
  readonly challengerOf: string;
  readonly mode: 'SHADOW' | 'SPLIT';
  /** Share of the customers, 0 to 100; all of them in SHADOW mode unless given. */
  readonly percent?: number;
  readonly stickyBy?: 'CUSTOMER';
}

/** What selection looks at of a live ruleset. */
export interface Selectable {
  readonly key: string;
  readonly selector: Selector;
  readonly experiment: Experiment | null;
}

/** What selection looks at of a transaction. */
export interface SelectedFor {
  readonly type: string;
  readonly clientApp: string;
  /** Keyed hash of the customer; without one there is nothing to be sticky by. */
  readonly customerKey: Buffer | null;
}

export interface Selection<R> {
  /** The ruleset whose verdict counts; null when none is for this transaction. */
  readonly deciding: R | null;
  /** The live ruleset that `deciding` challenges for this customer; null when it is the live one itself. */
  readonly champion: R | null;
  /** Evaluated and recorded beside it, without effect. */
  readonly shadows: readonly R[];
}

/**
 * Chooses among live rulesets, newest first: one that names the application goes before one that names the type, and
 * that before one for everything; then the newest.
 */
export function select<R extends Selectable>(live: readonly R[], transaction: SelectedFor): Selection<R> {
  let champion: R | null = null;
  let best = -1;
  for (const ruleset of live) {
    if (ruleset.experiment !== null) continue;
    const fit = fitOf(ruleset.selector, transaction);
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
    if (fitOf(challenger.selector, transaction) < 0) continue;
    if (!chosen(challenger.key, experiment, transaction.customerKey)) continue;
    if (experiment.mode === 'SHADOW') shadows.push(challenger);
    // Two splits of one champion: a customer that both want goes to the newer.
    else if (deciding === champion) deciding = challenger;
  }
  return { deciding, champion: deciding === champion ? null : champion, shadows };
}

/** How well a selector fits: -1 not at all, 0 for everything, 1 by type, 2 by application, 3 by both. */
function fitOf(selector: Selector, { type, clientApp }: SelectedFor): number {
  const { types = [], clientApps = [] } = selector;
  if (types.length > 0 && !types.includes(type)) return -1;
  if (clientApps.length > 0 && !clientApps.includes(clientApp)) return -1;
  return (clientApps.length > 0 ? 2 : 0) + (types.length > 0 ? 1 : 0);
}

function chosen(challenger: string, experiment: Experiment, customerKey: Buffer | null): boolean {
  const percent = experiment.percent ?? 100;
  if (experiment.mode === 'SHADOW' && percent >= 100) return true;
  return customerKey !== null && bucketOf(challenger, customerKey) < percent;
}

/**
 * The place of a customer in the experiment of a challenger, 0 up to 100 (exclusive). Hashed with the challenger's name, so that
 * two experiments do not try the same customers; without its version, so that a new version keeps its customers.
 */
export function bucketOf(challenger: string, customerKey: Buffer): number {
  const digest = createHash('sha256').update(challenger).update('\0').update(customerKey).digest();
  return (digest.readUInt32BE(0) / 2 ** 32) * 100;
}
