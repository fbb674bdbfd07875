import { featureSchema, type ListLookup } from '../language/index.js';
import type { CompiledRuleset } from './compiled-ruleset.js';
import { receiptOutlineOf } from './scoring/outline.js';
import { specificityOf } from './selection.js';
import { readSnapshots } from './snapshot/snapshot.js';

const TYPE_SLOT = featureSchema.get('type').slot;

export interface PrefilterResult {
  /** Number of snapshots that occurred in the range. */
  readonly looked: number;
  /** Transactions that the ruleset sends to review, and undecided transactions, which need a full evaluation. */
  readonly candidates: readonly string[];
  /** Number of transactions on which a live rule lacked a fact, by rule; without rules that need the body. */
  readonly undecided: Map<string, number>;
}

/** Quickly finds stored snapshots that would raise an alert under a ruleset. May find too many, never too few. */
export class AlertPrefilter {
  private readonly fitOf: ReturnType<typeof specificityOf>;
  /** Live rules; true if the rule reads data that snapshots lack (personal data, lists): only the body decides. */
  private readonly needsBodyByRule: ReadonlyMap<string, boolean>;

  constructor(
    private readonly ruleset: CompiledRuleset,
    /** Milliseconds since the epoch; `to` is exclusive. */
    private readonly range: { readonly from: number; readonly to: number },
    private readonly lists: ListLookup,
  ) {
    this.fitOf = specificityOf(ruleset.definition.selector);
    this.needsBodyByRule = new Map(
      ruleset.rules
        .filter(({ definition }) => definition.mode === 'LIVE')
        .map(({ definition, compiled, parts }) => [
          definition.key,
          definition.lists.length > 0 ||
            compiled.features.some((name) => parts.schema.find(name)?.personal === true),
        ]),
    );
  }

  /** True if only the body of a transaction decides the rule; `check` does not count such a rule as undecided. */
  needsBody(rule: string): boolean {
    return this.needsBodyByRule.get(rule) === true;
  }

  /** `declared`: aggregates and custom fields of the rules, one fact sheet per snapshot (`packDeclared`), or null. */
  check(bytes: Buffer, declared: Buffer | null): PrefilterResult {
    let looked = 0;
    const candidates: string[] = [];
    const undecided = new Map<string, number>();
    readSnapshots(
      bytes,
      (snapshot) => {
        const { occurredAt, clientApp, evidence, trailIntact, challengeFlows } = snapshot;
        if (occurredAt < this.range.from || occurredAt >= this.range.to) return;
        looked += 1;
        const type = evidence.sheet.texts[TYPE_SLOT] ?? '';
        if (this.fitOf({ type, clientApp, customerKey: null }) < 0) return;
        const { outcome, indeterminate } = receiptOutlineOf(
          evidence,
          this.ruleset,
          trailIntact,
          challengeFlows,
        );
        let isOpen = outcome === 'REVIEW';
        for (const key of indeterminate) {
          const needs = this.needsBodyByRule.get(key);
          if (needs === true) isOpen = true;
          else if (needs === false) undecided.set(key, (undecided.get(key) ?? 0) + 1);
        }
        if (isOpen) candidates.push(snapshot.transactionRef);
      },
      { schema: this.ruleset.schema, declared, lists: this.lists },
    );
    return { looked, candidates, undecided };
  }
}
