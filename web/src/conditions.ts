import type { StepAnswer, Answers, AnswerCondition } from '../../src/features/sessions/domain/flow/flow.js';

// The same rules as the service's, which has the last word.
export type { StepAnswer, Answers, AnswerCondition };

/** Whether a condition holds for what has been answered so far. */
export function holds(condition: AnswerCondition | null | undefined, answers: Answers): boolean {
  if (!condition) return true;
  const answer = answers[condition.answer];
  if (answer === undefined) return false;
  const allowed = condition.in;
  if (allowed) {
    if (typeof answer === 'boolean') return false;
    const given: readonly unknown[] = typeof answer === 'string' ? [answer] : answer;
    return given.some((one) => (allowed as readonly unknown[]).includes(one));
  }
  return answer === condition.equals;
}
