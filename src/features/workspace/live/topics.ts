import { table } from '../../../platform/kernel/table.js';
import type { IndexedAuditEntry } from '../../audit/index.js';
import type { OperatorPrincipal, Permission } from '../../../platform/http/index.js';
import { publicId, type IdPrefix } from '../../../platform/kernel/index.js';

/** The topics of a subscription. `queue`: cases that are assigned to the operator or to nobody. */
export const topics = ['queue', 'cases', 'hits', 'approvals', 'sessions', 'transactions', 'badges'] as const;
export type StreamSubscription = (typeof topics)[number];

/** The subscription of one live stream: the audit steps that it sends to its operator. */
export interface StreamListener {
  readonly topics: ReadonlySet<StreamSubscription>;
  /** The stored id of a case whose steps are all sent, even if the case is assigned to somebody else. */
  readonly caseId: string | null;
}

interface SubjectRule {
  readonly prefix: IdPrefix;
  /** The permission to see the steps; null if every operator may see them. */
  readonly permission: Permission | null;
  readonly topics: readonly StreamSubscription[];
}

const SUBJECT_RULES: Readonly<Record<string, SubjectRule>> = table({
  review: { prefix: 'rev', permission: 'reviews:read', topics: ['cases', 'queue'] },
  screening_hit: { prefix: 'hit', permission: 'screening:read', topics: ['hits'] },
  approval: { prefix: 'apr', permission: null, topics: ['approvals'] },
  session: { prefix: 'kys', permission: 'sessions:read', topics: ['sessions'] },
  transaction: { prefix: 'txn', permission: 'kyt:read', topics: ['transactions'] },
});

/** Subject types whose steps change a badge. */
const BADGE_SUBJECTS: ReadonlySet<string> = new Set(['review', 'screening_hit', 'approval']);

/** Returns the subject types that these subscriptions need. */
export function subjectsOf(all: Iterable<StreamListener>): string[] {
  const topics = new Set<string>();
  for (const listening of all) {
    for (const [type, rule] of Object.entries(SUBJECT_RULES)) {
      const isNamed = rule.topics.some((topic) => listening.topics.has(topic));
      const isCase = type === 'review' && listening.caseId !== null;
      if (isNamed || isCase || (listening.topics.has('badges') && BADGE_SUBJECTS.has(type))) topics.add(type);
    }
  }
  return [...topics];
}

export const affectsBadges = ({ subjectType }: IndexedAuditEntry): boolean => BADGE_SUBJECTS.has(subjectType);

export interface CaseAssignment {
  readonly status: string;
  readonly assigneeId: string | null;
}

const maySee = (permissions: ReadonlySet<Permission>, { permission }: SubjectRule): boolean =>
  permission === null || permissions.has(permission);

/** Returns the message for an audit step; null if the operator did not subscribe to it or may not see it. */
export function streamMessageOf(
  step: IndexedAuditEntry,
  { id, permissions }: OperatorPrincipal,
  listening: StreamListener,
  standing: CaseAssignment | undefined,
): Readonly<Record<string, unknown>> | null {
  const rule = SUBJECT_RULES[step.subjectType];
  if (!rule || !maySee(permissions, rule)) return null;
  const subscribed = rule.topics.filter((topic) => listening.topics.has(topic));
  const isCase = step.subjectType === 'review' && step.subjectId === listening.caseId;
  const isMine =
    (standing?.assigneeId ?? null) === null ||
    standing?.assigneeId === id ||
    step.action === 'review.assigned';
  const isSubscribed = subscribed.some((topic) => topic !== 'queue' || isMine);
  if (!isSubscribed && !isCase) return null;
  return {
    type: step.subjectType,
    id: publicId(rule.prefix, step.subjectId),
    action: step.action,
    at: step.recordedAt.toISOString(),
    ...(standing && {
      status: standing.status,
      assigneeId: standing.assigneeId === null ? null : publicId('opr', standing.assigneeId),
    }),
  };
}
