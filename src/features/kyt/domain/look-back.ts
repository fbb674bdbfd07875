/** RULESET: a ruleset version is applied to stored facts. LIST: people of earlier transactions are screened. */
export type LookBackKind = 'RULESET' | 'LIST';
export const lookBackStatuses = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'] as const;
export type LookBackStatus = (typeof lookBackStatuses)[number];

export const MAX_LOOK_BACK_DAYS = 366;

/** The progress and the results of a look-back, including transactions that could not be read. */
export interface LookBackCounts {
  readonly looked: number;
  /** Transactions that the ruleset or list makes an alert. */
  readonly alerts: number;
  /** Alerts that already had a case. Cases opened only for missing data do not count. */
  readonly known: number;
  readonly opened: number;
  readonly joined: number;
  /** Transactions without a readable body, because the person was erased. */
  readonly unreadable: number;
  /** The versions applied: `key@version` of the ruleset, or of each snapshot of the list during the run. */
  readonly judgedBy: readonly string[];
  /** By live rule, the number of transactions for which it could not be decided, because a fact was missing. */
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

/** Thrown if a look-back cannot succeed, so that it is not attempted again. */
export class LookBackFailureError extends Error {
  constructor(readonly code: 'RULESET_NOT_USABLE' | 'LIST_NOT_IN_USE') {
    super(code);
    this.name = 'LookBackFailure';
  }
}
