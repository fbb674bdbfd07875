import {
  componentOfInput,
  evaluate,
  inputNames,
  lacksDocument,
  type Evaluation,
  type InputName,
  type PublishedRuleset,
  type Snapshot,
} from '../../rules/index.js';

/** How often an input came, and what its absence costs. */
export interface InputCoverage {
  readonly input: InputName;
  /** Transactions in which it came, whole or in part. */
  readonly came: number;
  /** Transactions for which a rule or the composition needed it, and did not have it. */
  readonly lacked: number;
  /**
   * Transactions that go to REVIEW for want of this input alone, where the application has not said that it does not
   * send it; those are spared while it has.
   */
  readonly costsInReview: number;
}

export interface ApplicationCoverage {
  readonly transactions: number;
  /** In REVIEW by the rules of now, and what the application has said until now. */
  readonly inReview: number;
  /** In REVIEW if the application said of every input that did not come that it does not send it. */
  readonly inReviewIfAllSaid: number;
  readonly inputs: readonly InputCoverage[];
}

type Counts = Record<Exclude<keyof InputCoverage, 'input'>, number>;

const CAME: readonly (string | undefined)[] = [
  'HIT',
  'NO_HIT',
  'HIT_DISMISSED',
  'PARTIAL',
  'ERROR',
  'STALE_SOURCE',
];

/** Counts over stored evaluations which inputs came, and how the rules of now would judge without them. */
export class InputTally {
  private transactions = 0;
  private inReview = 0;
  private inReviewIfAllSaid = 0;
  private readonly counts = new Map<InputName, Counts>(
    inputNames.map((input) => [input, { came: 0, lacked: 0, costsInReview: 0 }]),
  );

  /** `said` is what the application says now not to send. */
  constructor(private readonly said: readonly InputName[]) {}

  /** Adds a transaction. Changes what its facts say of the application. */
  add(snapshot: Snapshot, ruleset: PublishedRuleset): void {
    this.transactions += 1;
    const lacking = inputNames.filter((input) => !isWhole(input, snapshot));
    for (const [input, count] of this.counts) if (didCome(input, snapshot)) count.came += 1;
    const now = judged(snapshot, ruleset, this.said);
    if (now.outcome === 'REVIEW') this.inReview += 1;
    const ifAllSaid = lacking.length === 0 ? now : judged(snapshot, ruleset, lacking);
    const isReviewed = ifAllSaid.outcome === 'REVIEW';
    if (isReviewed) this.inReviewIfAllSaid += 1;
    for (const input of ifAllSaid.withoutInputs) {
      const count = this.counts.get(input);
      if (!count) continue;
      count.lacked += 1;
      if (isReviewed) continue;
      const others = lacking.filter((one) => one !== input);
      if (judged(snapshot, ruleset, others).outcome === 'REVIEW') count.costsInReview += 1;
    }
  }

  report(): ApplicationCoverage {
    const { transactions, inReview, inReviewIfAllSaid } = this;
    const inputs = [...this.counts].map(([input, counts]) => ({ input, ...counts }));
    return { transactions, inReview, inReviewIfAllSaid, inputs };
  }
}

function judged(
  { evidence, trailIntact, challengeFlows }: Snapshot,
  ruleset: PublishedRuleset,
  without: readonly InputName[],
): Pick<Evaluation, 'outcome' | 'withoutInputs'> {
  evidence.sheet.set('application.without', without);
  return evaluate(evidence, ruleset, { trailIntact, asOf: '', challengeFlows });
}

function didCome(input: InputName, { evidence: { sheet, findings } }: Snapshot): boolean {
  const component = componentOfInput(input);
  return component === null ? !lacksDocument(sheet) : CAME.includes(findings[component]?.state);
}

/** True if nothing of the input can be missing, or the transaction has no use for it. */
function isWhole(input: InputName, { evidence: { sheet, findings } }: Snapshot): boolean {
  const component = componentOfInput(input);
  if (component === null) return !lacksDocument(sheet);
  const state = findings[component]?.state;
  // A device may come without the word whether it is registered.
  return component !== 'DEVICE_IP' && state !== 'MISSING_INPUT' && state !== 'PARTIAL' && state !== 'SKIPPED';
}
