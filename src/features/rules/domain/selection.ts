import { createHash } from 'node:crypto';
import { patternMatcher, type Experiment, type RulesetDefinition } from '../language/index.js';

/** The fields of a live ruleset that selection reads. */
export interface SelectableRuleset {
  readonly key: string;
  readonly experiment: Experiment | null;
  /** Returns how specifically its selector matches a transaction (`specificityOf`); -1 if it does not match. */
  readonly fit: (transaction: SelectionKey) => number;
}

/** The fields of a transaction that selection reads. */
export interface SelectionKey {
  readonly type: string;
  /** Public id, `app_…`. */
  readonly clientApp: string;
  /** Keyed hash of the customer, which selects customers for experiments; null if the customer is unknown. */
  readonly customerKey: Buffer | null;
}

export interface RulesetSelection<R> {
  /** The ruleset whose verdict counts; null when none matches the transaction. */
  readonly deciding: R | null;
  /** The live ruleset that `deciding` replaces for this customer; null if `deciding` is the live ruleset. */
  readonly champion: R | null;
  /** Challengers that are evaluated and recorded beside `deciding`, without effect. */
  readonly shadows: readonly R[];
}

/**
 * Chooses among live rulesets, ordered newest first. A selector that names the application beats one that names the
 * type, which beats `*`. Among equals the newest ruleset wins.
 */
export function selectRulesets<R extends SelectableRuleset>(
  live: readonly R[],
  transaction: SelectionKey,
): RulesetSelection<R> {
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
    if (!isInExperiment(challenger.key, experiment, transaction.customerKey)) continue;
    if (experiment.mode === 'SHADOW') shadows.push(challenger);
    // Two SPLIT experiments of one champion: the newer challenger gets a customer that is in both.
    else if (deciding === champion) deciding = challenger;
  }
  return { deciding, champion: deciding === champion ? null : champion, shadows };
}

/**
 * Returns how specifically a selector matches: -1 no match, 0 any type, 1 a prefix of the type, 2 the exact type; 4
 * more if it names the application.
 */
export function specificityOf({
  types,
  clientApps,
}: RulesetDefinition['selector']): SelectableRuleset['fit'] {
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

function isInExperiment(
  challenger: string,
  { mode, percent }: Experiment,
  customerKey: Buffer | null,
): boolean {
  if (mode === 'SHADOW' && percent >= 100) return true;
  return customerKey !== null && bucketOf(challenger, customerKey) < percent;
}

/**
 * The position of a customer in an experiment, 0 up to 100 (exclusive). Hashed with the challenger's key, so that two
 * experiments take different customers; without its version, so that a new version keeps its customers.
 */
export function bucketOf(challenger: string, customerKey: Buffer): number {
  const digest = createHash('sha256').update(challenger).update('\0').update(customerKey).digest();
  return (digest.readUInt32BE(0) / 2 ** 32) * 100;
}
