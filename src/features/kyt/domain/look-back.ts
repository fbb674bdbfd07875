/** RULESET: a version of a ruleset over the facts that were kept. LIST: a list over the people of the transactions. */
export type LookBackKind = 'RULESET' | 'LIST';
export const lookBackStatuses = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'] as const;
export type LookBackStatus = (typeof lookBackStatuses)[number];

export const MAX_LOOK_BACK_DAYS = 366;

/** How far a look-back is, and what it came to. What could not be looked at is counted, too. */
export interface LookBackCounts {
  /** Transactions that were looked at. */
  readonly looked: number;
  /** Those that would have been an alert. */
  readonly alerts: number;
  /** Those of them that had a case before, for whatever reason that is more than missing data. */
  readonly known: number;
  readonly opened: number;
  readonly joined: number;
  /** Transactions of which nothing can be read any more, for their person was erased. */
  readonly unreadable: number;
  /** The judges: `key@version` of the ruleset, or of each snapshot of the list that was in force meanwhile. */
  readonly judgedBy: readonly string[];
  /** Live rules that could not be decided for want of a fact, with how often. */
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

/** Why a look-back cannot go on, whoever tries again. */
export class LookBackFailure extends Error {
  constructor(readonly code: 'RULESET_NOT_USABLE' | 'LIST_NOT_IN_USE') {
    super(code);
    this.name = 'LookBackFailure';
  }
}
