import type { ActorKind } from './world.js';
import type { StreamLabel } from './moves.js';

/** An evaluated event with its label. */
export interface LabelledOutcome {
  readonly label: StreamLabel;
  readonly customer: string;
  readonly amount: number;
  readonly outcome: string;
  /** The ids of the rules with a hit. */
  readonly hits: readonly string[];
}

export interface ClassRecall {
  readonly class: string;
  readonly patterns: number;
  /** Number of patterns with at least one event that was not APPROVED. */
  readonly found: number;
  /** Number of patterns with at least one event that a person had to review. */
  readonly reviewed: number;
  /** The share of the money of found patterns that moved before their first alert. */
  readonly movedBefore: number;
  /** Number of found patterns of which at most a quarter of the money had moved before the first alert. */
  readonly early: number;
}

export interface FalseAlertShare {
  readonly actor: ActorKind;
  readonly transactions: number;
  readonly inReview: number;
  readonly customers: number;
  readonly customersInReview: number;
}

/** The number of hits of a rule in events of patterns, and in innocent events. */
export interface RulePrecision {
  readonly rule: string;
  readonly inPatterns: number;
  readonly ofInnocents: number;
  readonly patterns: number;
}

export interface RecallReport {
  readonly classes: readonly ClassRecall[];
  readonly innocents: readonly FalseAlertShare[];
  readonly rules: readonly RulePrecision[];
}

interface PatternTally {
  readonly class: string;
  total: number;
  beforeAlert: number;
  isFound: boolean;
  isReviewed: boolean;
}

interface InnocentTally {
  transactions: number;
  inReview: number;
  readonly customers: Set<string>;
  readonly reviewed: Set<string>;
}

interface RuleTally {
  inPatterns: number;
  ofInnocents: number;
  readonly patterns: Set<string>;
}

/** Counts the patterns that a ruleset finds, and the innocent customers that it affects. Takes events in order of time. */
export class RecallTally {
  private readonly patterns = new Map<string, PatternTally>();
  private readonly innocents = new Map<ActorKind, InnocentTally>();

  private readonly rules = new Map<string, RuleTally>();

  add(event: LabelledOutcome): void {
    const { kind, patternId } = event.label;
    this.addHits(event);
    if (kind === 'PATTERN') this.addPattern(event);
    else if (patternId === null) this.addInnocent(event);
  }

  report(): RecallReport {
    const byClass = new Map<string, PatternTally[]>();
    for (const pattern of this.patterns.values()) {
      byClass.set(pattern.class, [...(byClass.get(pattern.class) ?? []), pattern]);
    }
    return {
      classes: [...byClass].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, all]) => recallOf(name, all)),
      innocents: [...this.innocents].map(([actor, { transactions, inReview, customers, reviewed }]) => ({
        ...{ actor, transactions, inReview },
        ...{ customers: customers.size, customersInReview: reviewed.size },
      })),
      rules: [...this.rules]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([rule, { patterns, ...hits }]) => ({ rule, ...hits, patterns: patterns.size })),
    };
  }

  private addHits({ label: { kind, patternId }, hits }: LabelledOutcome): void {
    // Ordinary events of a customer in a pattern count on neither side.
    if (kind === 'INNOCENT' && patternId !== null) return;
    for (const rule of hits) {
      let tally = this.rules.get(rule);
      if (!tally) this.rules.set(rule, (tally = { inPatterns: 0, ofInnocents: 0, patterns: new Set() }));
      if (patternId === null) tally.ofInnocents += 1;
      else {
        tally.inPatterns += 1;
        tally.patterns.add(patternId);
      }
    }
  }

  private addPattern({ label, amount, outcome }: LabelledOutcome): void {
    const id = label.patternId ?? '';
    let tally = this.patterns.get(id);
    if (!tally) {
      tally = { class: label.class ?? '', total: 0, beforeAlert: 0, isFound: false, isReviewed: false };
      this.patterns.set(id, tally);
    }
    tally.total += amount;
    if (outcome !== 'APPROVED') tally.isFound = true;
    if (!tally.isFound) tally.beforeAlert += amount;
    if (isForPeople(outcome)) tally.isReviewed = true;
  }

  private addInnocent({ label, customer, outcome }: LabelledOutcome): void {
    let tally = this.innocents.get(label.actor);
    if (!tally) {
      tally = { transactions: 0, inReview: 0, customers: new Set(), reviewed: new Set() };
      this.innocents.set(label.actor, tally);
    }
    tally.transactions += 1;
    tally.customers.add(customer);
    if (!isForPeople(outcome)) return;
    tally.inReview += 1;
    tally.reviewed.add(customer);
  }
}

const EARLY = 0.25;

/** True if an operator has to review the event. CHALLENGED does not count: it waits for the customer. */
const isForPeople = (outcome: string): boolean => outcome !== 'APPROVED' && outcome !== 'CHALLENGED';

function recallOf(name: string, all: readonly PatternTally[]): ClassRecall {
  const found = all.filter(({ isFound }) => isFound);
  const shares = found.map(({ beforeAlert, total }) => beforeAlert / total);
  return {
    class: name,
    patterns: all.length,
    found: found.length,
    reviewed: all.filter(({ isReviewed }) => isReviewed).length,
    movedBefore: shares.length === 0 ? 0 : shares.reduce((sum, value) => sum + value, 0) / shares.length,
    early: shares.filter((moved) => moved <= EARLY).length,
  };
}

const printLine = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};

/** Prints a report as tables. */
export function printRecall({ classes, innocents, rules }: RecallReport): void {
  const percent = (part: number, whole: number): string =>
    `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`.padStart(9);
  printLine();
  printLine('class of pattern          patterns  found  to a person  moved before the first alert  early');
  for (const { class: name, patterns, found, reviewed, movedBefore, early } of classes) {
    printLine(
      `${name.padEnd(26)}${String(patterns).padStart(8)}  ${String(found).padStart(5)}  ` +
        `${String(reviewed).padStart(11)}  ${percent(movedBefore, 1).padStart(27)}  ${String(early).padStart(5)}`,
    );
  }
  printLine();
  printLine('innocents   transactions  in REVIEW             customers  in REVIEW');
  for (const { actor, transactions, inReview, customers, customersInReview } of innocents) {
    printLine(
      `${actor.padEnd(12)}${String(transactions).padStart(12)}  ${String(inReview).padStart(9)} ` +
        `${percent(inReview, transactions)}  ${String(customers).padStart(9)}  ` +
        `${String(customersInReview).padStart(9)} ${percent(customersInReview, customers)}`,
    );
  }
  printLine();
  printLine('rule          hits in patterns  of innocents  precision  patterns');
  for (const { rule, inPatterns, ofInnocents, patterns } of rules) {
    printLine(
      `${rule.padEnd(12)}  ${String(inPatterns).padStart(16)}  ${String(ofInnocents).padStart(12)}  ` +
        `${percent(inPatterns, inPatterns + ofInnocents)}  ${String(patterns).padStart(8)}`,
    );
  }
}
