import { asProblem } from '../api/problem.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/language.js';
import { say } from './toasts.js';

/** Tells why an act had no success, where the act has no dialog of its own that would. */
export function useComplain(): (error: unknown) => void {
  const c = useTexts(common);
  return (error) => {
    const { code, requestId } = asProblem(error);
    const text = c.failures[code] ?? c.failed(code);
    say(requestId === null ? text : `${text} (${requestId})`, { bad: true });
  };
}
