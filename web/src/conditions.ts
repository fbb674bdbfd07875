/** Which questions and steps a person gets to see; the same rules as the service's, which has the last word. */
export type Answer = string | boolean | readonly string[];
export type Answers = Readonly<Record<string, Answer>>;

export interface Condition {
  readonly answer: string;
  readonly equals?: string | boolean | null;
  readonly in?: readonly string[] | null;
}

/** Whether a condition holds for what has been answered so far. */
export function holds(condition: Condition | null | undefined, answers: Answers): boolean {
  if (!condition) return true;
  const answer = answers[condition.answer];
  if (answer === undefined) return false;
  const allowed = condition.in;
  if (allowed) {
    if (typeof answer === 'boolean') return false;
    const given = typeof answer === 'string' ? [answer] : answer;
    return given.some((one) => allowed.includes(one));
  }
  return answer === condition.equals;
}
