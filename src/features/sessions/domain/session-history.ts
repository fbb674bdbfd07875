import type { FlowDefinition } from './flow/flow.js';
import type { SessionOutcome } from './session.js';

/** A session of a customer that ended with a result. */
export interface EndedSession {
  readonly flowId: string;
  readonly endedAt: Date;
  /** The result, as people decided where they did. */
  readonly outcome: SessionOutcome;
  readonly approved: boolean;
  /** True if one operator alone made the link, and nobody decided about the result. */
  readonly byOperator: boolean;
}

/** The facts about the sessions of a customer that rules read. */
export interface SessionHistory {
  readonly approvedAt: Date | null;
  /** For each flow that an approved session answers, as `KEY@TIME`: the end of the newest one, in milliseconds. */
  readonly approvedFlows: readonly string[];
  readonly result: SessionOutcome | null;
  readonly endedAt: Date | null;
}

const NOTHING: SessionHistory = { approvedAt: null, approvedFlows: [], result: null, endedAt: null };

/**
 * Returns the facts about sessions, which are given newest first. `answers` returns the keys of the flows that a session
 * of a flow version answers.
 */
export function sessionHistoryOf(
  sessions: readonly EndedSession[],
  answers: (flowId: string) => readonly string[],
): SessionHistory {
  const [last] = sessions;
  if (!last) return NOTHING;
  const approved = sessions.filter((session) => session.approved);
  const newest = new Map<string, number>();
  for (const { flowId, endedAt } of approved) {
    for (const key of answers(flowId)) if (!newest.has(key)) newest.set(key, endedAt.getTime());
  }
  return {
    approvedAt: approved[0]?.endedAt ?? null,
    approvedFlows: [...newest].map(([key, at]) => `${key}@${at}`).sort(),
    result: last.outcome,
    endedAt: last.endedAt,
  };
}

/** True if whoever passed the one flow has passed all checks of the other. */
export const coversChecksOf = (
  one: Pick<FlowDefinition, 'requiredChecks'>,
  other: Pick<FlowDefinition, 'requiredChecks'>,
): boolean => other.requiredChecks.every((check) => one.requiredChecks.includes(check));

/** True if the flow finds out by the face whether the person is the one of the document. */
export const requiresFace = ({ requiredChecks }: Pick<FlowDefinition, 'requiredChecks'>): boolean =>
  requiredChecks.includes('FACE_MATCH');
