/** RULESET: a version of a ruleset over stored facts. LIST: a list over the people of the transactions. */
export type LookBackKind = 'RULESET' | 'LIST';
export const lookBackStatuses = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'] as const;
export type LookBackStatus = (typeof lookBackStatuses)[number];

export const MAX_LOOK_BACK_DAYS = 366;

/** The progress and the results of a look-back, including transactions that could not be read. */
export interface LookBackCounts {
  /** Transactions that were looked at. */
  readonly looked: number;
  /** Transactions that would have been an alert. */
  readonly alerts: number;
  /** Alerts that had a case before, other than a case for missing data only. */
  readonly known: number;
  readonly opened: number;
  readonly joined: number;
  /** Transactions that cannot be read, because their person was erased. */
  readonly unreadable: number;
  /** The judges: `key@version` of the ruleset, or of each snapshot of the list that was in force meanwhile. */
  readonly judgedBy: readonly string[];
  /** The count of transactions for which each live rule could not be decided, for want of a fact. */
  readonly undecided: Readonly<Record<string, number>>;
}

export const NOTHING_YET: LookBackCounts = {
  ...{ looked: 0, alerts: 0, known: 0, opened: 0, joined: 0, unreadable: 0 },
  judgedBy: [],
  undecided: {},
};

export function addCounts(one: LookBackCounts, other: LookBackCounts): LookBackCounts {
  const undecided = { ...one.undecided };
  for (const [rule, count] of Object.entries(other.undecided)) {
    undecided[rule] = (undecided[rule] ?? 0) + count;
  }
  return {
    looked: one.looked + other.looked,
    alerts: one.alerts + other.alerts,
    known: one.known + other.known,
    opened: one.opened + other.opened,
    joined: one.joined + other.joined,
    unreadable: one.unreadable + other.unreadable,
    judgedBy: [...new Set([...one.judgedBy, ...other.judgedBy])],
    undecided,
  };
}

/** A permanent reason why a look-back cannot go on. */
export class LookBackFailure extends Error {
  constructor(readonly code: 'RULESET_NOT_USABLE' | 'LIST_NOT_IN_USE') {
    super(code);
    this.name = 'LookBackFailure';
  }
}
