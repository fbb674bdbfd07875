import type { Problem } from '../api/problem.js';
import type { common } from '../texts/common.js';

// Conflicts that a change by somebody else explains. Each other one says what the object does not allow.
const CHANGED: ReadonlySet<string> = new Set(['BUSY', 'CHANGED', 'OUTDATED', 'REOPENED', 'REPLAYED']);

/** Returns why a call failed, in the words of the console. */
export function failureText({ code, details }: Problem, t: (typeof common)['en']): string {
  const conflicts = details.filter((one) => !CHANGED.has(one.code));
  if (code === 'STATE_CONFLICT' && conflicts.length > 0) {
    return conflicts.flatMap((one) => t.conflicts[one.code] ?? [])[0] ?? t.notPossible;
  }
  return t.failures[code] ?? (code.endsWith('_NOT_FOUND') ? t.notThere : t.failed(code));
}
