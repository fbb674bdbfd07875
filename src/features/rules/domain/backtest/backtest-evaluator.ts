import { featureSchema, type CompiledRule, type RulesetDefinition } from '../../language/index.js';
import { BacktestTally, type BacktestCheckpoint } from './backtest-tally.js';
import { compileRuleset, type CompiledRuleset } from '../compiled-ruleset.js';
import { receiptOutlineOf } from '../scoring/outline.js';
import { specificityOf } from '../selection.js';
import { readSnapshots, type Snapshot } from '../snapshot/snapshot.js';

const TYPE_SLOT = featureSchema.get('type').slot;

/** Evaluates stored snapshots with a ruleset and counts the results. */
export class BacktestEvaluator {
  private readonly tally: BacktestTally;
  private readonly ruleset: CompiledRuleset;
  /** Rules that were undecided on every transaction so far; the first transaction removes most of them. */
  private readonly undecided: Set<CompiledRule>;
  private readonly fitOf: ReturnType<typeof specificityOf>;

  constructor(
    definition: RulesetDefinition,
    /** Milliseconds since the epoch; `to` is exclusive. */
    private readonly range: { readonly from: number; readonly to: number },
    dayOf: (at: number) => string,
  ) {
    const compilation = compileRuleset(definition);
    if (!compilation.ok) throw new Error('the ruleset of a back-test does not compile');
    this.ruleset = compilation.ruleset;
    this.undecided = new Set(this.ruleset.program.rules);
    this.fitOf = specificityOf(definition.selector);
    this.tally = BacktestTally.ofRules(definition.rules, dayOf);
  }

  /** Adds the snapshots in the range that match the selector. Returns the number in the range, matched or not. */
  add(bytes: Buffer, declared: Buffer | null): number {
    let inRange = 0;
    const count = (snapshot: Snapshot): void => {
      const { occurredAt, clientApp, evidence, trailIntact, challengeFlows } = snapshot;
      if (occurredAt < this.range.from || occurredAt >= this.range.to) return;
      inRange += 1;
      const type = evidence.sheet.texts[TYPE_SLOT] ?? '';
      if (this.fitOf({ type, clientApp, customerKey: null }) < 0) return;
      const outline = receiptOutlineOf(evidence, this.ruleset, trailIntact, challengeFlows);
      this.tally.add(snapshot, outline);
      for (const rule of this.undecided) {
        const { key } = rule.definition;
        if (outline.indeterminate.includes(key) || rule.parts.applies(evidence.sheet) === 0) continue;
        this.tally.addDecided(key);
        this.undecided.delete(rule);
      }
    };
    readSnapshots(bytes, count, { schema: this.ruleset.schema, declared });
    return inRange;
  }

  /** Continues an interrupted run from its checkpoint. */
  resume({ tally }: BacktestCheckpoint): void {
    this.tally.addTally(tally);
  }

  state(): BacktestCheckpoint['tally'] {
    return this.tally.state();
  }
}
