import { featureSchema, type RulesetDefinition } from '../language/index.js';
import { BacktestTally, type BacktestCheckpoint, type BacktestReport } from './backtest-tally.js';
import { compileRuleset } from './compiled-ruleset.js';
import { evaluate } from './compose.js';
import type { PublishedRuleset } from './ruleset.js';
import { fitOf } from './selection.js';
import { readSnapshots } from './snapshot.js';

const TYPE_SLOT = featureSchema.get('type').slot;

/** Puts stored snapshots before a ruleset and counts what would have become of them. */
export class BacktestJudge {
  private readonly tally: BacktestTally;
  private readonly ruleset: PublishedRuleset;
  private readonly fit: ReturnType<typeof fitOf>;

  constructor(
    definition: RulesetDefinition,
    /** Milliseconds since the epoch; `to` is not in it. */
    private readonly range: { readonly from: number; readonly to: number },
    dayOf: (at: number) => string,
  ) {
    const compilation = compileRuleset(definition);
    if (!compilation.ok) throw new Error('the ruleset of a back-test does not compile');
    this.ruleset = { id: '', contentHash: '', content: definition, compiled: compilation.ruleset };
    this.fit = fitOf(definition.selector);
    this.tally = new BacktestTally(
      definition.rules.filter(({ mode }) => mode !== 'DISABLED').map(({ key }) => key),
      dayOf,
    );
  }

  /**
   * Counts those of these snapshots that occurred in the range and that the ruleset is for; returns how many occurred in
   * the range.
   */
  add(bytes: Buffer): number {
    let inRange = 0;
    for (const { transactionRef, occurredAt, clientApp, evidence, trailIntact, ...live } of readSnapshots(
      bytes,
    )) {
      if (occurredAt < this.range.from || occurredAt >= this.range.to) continue;
      inRange += 1;
      const type = evidence.sheet.texts[TYPE_SLOT] ?? '';
      if (this.fit({ type, clientApp, customerKey: null }) < 0) continue;
      const evaluation = evaluate(evidence, this.ruleset, { trailIntact, asOf: '' });
      const hits: string[] = [];
      const shadow: string[] = [];
      const indeterminate: string[] = [];
      for (const { rule, result, effect } of evaluation.rules) {
        const { key } = rule.definition;
        if (result === 'INDETERMINATE') indeterminate.push(key);
        else if (result === 'HIT' && effect === 'COUNTED') hits.push(key);
        else if (result === 'HIT' && effect === 'SHADOW') shadow.push(key);
      }
      const { outcome, score } = evaluation;
      this.tally.add({
        transactionRef,
        occurredAt,
        live,
        tested: { outcome, score, hits, shadow, indeterminate },
      });
    }
    return inRange;
  }

  /** Goes on where an interrupted run was. */
  resume({ tally }: BacktestCheckpoint): void {
    this.tally.absorb(tally);
  }

  state(): BacktestCheckpoint['tally'] {
    return this.tally.state();
  }

  report(): BacktestReport {
    return this.tally.report();
  }
}
