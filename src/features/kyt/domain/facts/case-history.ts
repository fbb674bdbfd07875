/** An alert about a transaction of a customer, in a case that was not a false positive. */
export interface PastAlert {
  /** The id of the transaction without hyphens. */
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  /** Null if the alert has no points. */
  readonly points: number | null;
  /** Times in ms since the epoch: of the transaction, and of the end of the case. */
  readonly occurredAt: number;
  readonly closedAt: number | null;
}

/** The largest amount of a rule's alerts in a case that two people closed as a false positive. */
export interface SettledRule {
  readonly rule: string;
  readonly amount: number;
  readonly closedAt: number;
}

/** The cases of one customer, as they are now. */
export interface CustomerCases {
  readonly openCases: number;
  /** Cases that one operator merged into open ones; they are not in `openCases`. */
  readonly mergedCases: number;
  readonly confirmedFraud: boolean;
  readonly alerts: readonly PastAlert[];
  readonly settled: readonly SettledRule[];
}

/** The facts about a customer's cases that rules may read. */
export interface CustomerCaseHistory {
  readonly openCases: number;
  /** Cases that one operator merged into open ones; they are not in `openCases`. */
  readonly mergedCases: number;
  readonly confirmedFraud: boolean;
  readonly points7d: number;
  readonly points30d: number;
  /** True if an alert of the window has no points, so that the sum is a lower bound. */
  readonly unknown7d: boolean;
  readonly unknown30d: boolean;
  /** The largest amount of each rule whose alerts were false positives not long ago. */
  readonly settled: ReadonlyMap<string, number>;
}

const DAY = 86_400_000;
/** Number of days whose points are added up. */
export const ALERT_DAYS = 30;

/**
 * The alerts that count at a moment, in order of time. `points` and `unknown` hold, at each index, the sum over the
 * alerts before that index.
 */
interface CountedAlerts {
  readonly times: readonly number[];
  readonly points: readonly number[];
  readonly unknown: readonly number[];
  readonly byTransaction: ReadonlyMap<string, PastAlert>;
}

/** Computes the case facts of many transactions of one customer, whose alerts are sorted and summed once. */
export class CaseHistory {
  /** The alerts that count, by the number of cases that ended more than 30 days before the transaction. */
  private readonly alertsByEnded = new Map<number, CountedAlerts>();
  /** The times at which cases were closed, in order. */
  private readonly ends: readonly number[];

  constructor(
    private readonly cases: CustomerCases,
    private readonly settledDays: number,
  ) {
    const ends = cases.alerts.flatMap(({ closedAt }) => closedAt ?? []);
    this.ends = [...new Set(ends)].sort((a, b) => a - b);
  }

  /** Returns the facts of the transaction that occurred at `at`. Its own alerts do not count. */
  at(at: number, transactionRef: string): CustomerCaseHistory {
    const { openCases, mergedCases, confirmedFraud } = this.cases;
    const alerts = this.countedAt(at);
    const alert = alerts.byTransaction.get(transactionRef);
    const week = sumSince(alerts, at, at - 7 * DAY, alert);
    const month = sumSince(alerts, at, at - ALERT_DAYS * DAY, alert);
    return {
      ...{ openCases, mergedCases, confirmedFraud, settled: this.settledAt(at) },
      ...{ points7d: week.points, unknown7d: week.unknown > 0 },
      ...{ points30d: month.points, unknown30d: month.unknown > 0 },
    };
  }

  /** Returns the alerts of cases that are open or were closed in the 30 days before a moment. */
  private countedAt(at: number): CountedAlerts {
    const since = at - ALERT_DAYS * DAY;
    // Transactions between the ends of the same two cases count the same alerts.
    const endCount = placeAfter(this.ends, since);
    let alerts = this.alertsByEnded.get(endCount);
    if (!alerts) this.alertsByEnded.set(endCount, (alerts = countedSince(this.cases.alerts, since)));
    return alerts;
  }

  private settledAt(at: number): ReadonlyMap<string, number> {
    const span = this.settledDays * DAY;
    const settledByRule = new Map<string, number>();
    for (const { rule, amount, closedAt } of this.cases.settled) {
      if (closedAt <= at - span || closedAt >= at + span) continue;
      settledByRule.set(rule, Math.max(amount, settledByRule.get(rule) ?? amount));
    }
    return settledByRule;
  }
}

/**
 * Keeps one alert of each transaction, even if several cases have the transaction: the alert of its newest evaluation.
 */
function countedSince(all: readonly PastAlert[], since: number): CountedAlerts {
  const byTransaction = new Map<string, PastAlert>();
  for (const alert of all) {
    if (alert.closedAt !== null && alert.closedAt <= since) continue;
    const pastAlert = byTransaction.get(alert.transactionRef);
    if (!pastAlert || alert.evaluationVersion > pastAlert.evaluationVersion) {
      byTransaction.set(alert.transactionRef, alert);
    }
  }
  const sorted = [...byTransaction.values()].sort((a, b) => a.occurredAt - b.occurredAt);
  const points = [0];
  const unknown = [0];
  sorted.forEach((alert, i) => {
    points.push((points[i] ?? 0) + (alert.points ?? 0));
    unknown.push((unknown[i] ?? 0) + (alert.points === null ? 1 : 0));
  });
  return { times: sorted.map(({ occurredAt }) => occurredAt), points, unknown, byTransaction };
}

/** Adds up the alerts in (since, at] without the transaction's own. */
function sumSince(
  { times, points, unknown }: CountedAlerts,
  at: number,
  since: number,
  own: PastAlert | undefined,
): { readonly points: number; readonly unknown: number } {
  const [from, until] = [placeAfter(times, since), placeAfter(times, at)];
  const isOwn = own !== undefined && own.occurredAt > since && own.occurredAt <= at;
  const between = (sums: readonly number[]): number => (sums[until] ?? 0) - (sums[from] ?? 0);
  return {
    points: between(points) - (isOwn ? (own.points ?? 0) : 0),
    unknown: between(unknown) - (isOwn && own.points === null ? 1 : 0),
  };
}

/** Returns how many of the sorted times are not after `time`. */
function placeAfter(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
