/** The time of the service. Ages are told by it, as the clock of this computer may be wrong. */

// The header has whole seconds, and an answer takes its time.
const TOLERANCE_MS = 5_000;
let ahead = 0;

/** Takes the time of an answer. */
export function setByAnswer({ headers }: Response): void {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now();
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < TOLERANCE_MS ? 0 : difference;
}

export const now = (): number => Date.now() + ahead;
