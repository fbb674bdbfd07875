// The first pause; each further pause is twice as long (0.5 s, 1 s, 2 s, 4 s). A deadlock or a fail-over ends in this
// time, and five attempts end within half a minute.
const FIRST_MS = 500;
const MAX_MS = 60_000;

/** Returns the pause after a failed attempt: exponential, with up to 30 % jitter, so that attempts do not coincide. */
export function retryDelayMs(attempt: number, random: number): number {
  const base = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
  return Math.round(base * (1 + 0.3 * random));
}
