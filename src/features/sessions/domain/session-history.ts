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

type Checked = Pick<FlowDefinition, 'requiredChecks'>;

const NO_HISTORY: SessionHistory = { approvedAt: null, approvedFlows: [], result: null, endedAt: null };

/**
 * Returns the facts about sessions, which are given newest first. `answers` returns the keys of the flows that a session
 * of a flow version answers.
 */
export function sessionHistoryOf(
  sessions: readonly EndedSession[],
  answers: (flowId: string) => readonly string[],
): SessionHistory {
  const [last] = sessions;
  if (!last) return NO_HISTORY;
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

/**
 * Returns the keys of the current flows that a session of this flow version answers: its own flow, even if the current
 * version asks for more, and every flow that requires no other checks.
 */
export const flowsAnsweredBy = (
  { key: own, definition }: { readonly key: string; readonly definition: Checked },
  current: ReadonlyMap<string, Checked>,
): readonly string[] =>
  [...current]
    .filter(([key, { requiredChecks }]) => {
      return key === own || requiredChecks.every((check) => definition.requiredChecks.includes(check));
    })
    .map(([key]) => key);

/** True if one operator made the link and may have filled it in alone: no face was compared with the document. */
export const isWordOfOne = ({
  createdBy,
  flow,
}: {
  readonly createdBy: string;
  readonly flow: Checked;
}): boolean => createdBy.startsWith('operator:') && !requiresFace(flow);

/** True if the flow requires that the face of the person is compared with the document. */
export const requiresFace = ({ requiredChecks }: Checked): boolean => requiredChecks.includes('FACE_MATCH');
