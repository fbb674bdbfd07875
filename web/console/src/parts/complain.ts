import { asProblem } from '../api/problem.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/language.js';
import { failureText } from './failure-text.js';
import { say } from './toasts.js';

/** Tells why an act had no success, where the act has no dialog of its own that would. */
export function useComplain(): (error: unknown) => void {
  const c = useTexts(common);
  return (error) => {
    const problem = asProblem(error);
    const { requestId } = problem;
    const text = failureText(problem, c);
    say(requestId === null ? text : `${text} (${requestId})`, { bad: true });
  };
}
