const QUARTER_MS = 900_000;
const MAX_KEPT = 12_000;

/**
 * Returns what tells the local day (2026-11-20) of a moment in a time zone. Asking Intl costs microseconds, so the answer
 * is kept for each quarter of an hour; offsets have changed on those bounds only since 1972.
 */
export function localDayIn(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const days = new Map<number, string>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    let day = days.get(quarter);
    if (day === undefined) {
      if (days.size >= MAX_KEPT) days.clear();
      days.set(quarter, (day = format.format(at)));
    }
    return day;
  };
}
