// Offsets such as +03:00 are not names: they would ignore daylight saving time.
const NAME = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/;

/** Whether a name is one of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const formatOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', hourCycle: 'h23' });

const QUARTER_MS = 900_000;
/** About four months of quarters of an hour. */
const MAX_KEPT = 12_000;

/**
 * Returns what tells the local hour (0 to 23) of a moment in a time zone. Asking Intl costs a microsecond or more, so
 * the answer is kept for each quarter of an hour; offsets have changed on those bounds only since 1972.
 */
export function localHourIn(timeZone: string): (time: number) => number {
  const format = formatOf(timeZone);
  const hours = new Map<number, number>();
  let lastQuarter = NaN;
  let lastHour = NaN;
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    if (quarter === lastQuarter) return lastHour;
    let hour = hours.get(quarter);
    if (hour === undefined) {
      // Dates end at 8.64e15 ms; beyond there is no hour.
      hour = Math.abs(time) <= 8.64e15 ? Number(format.format(time)) : NaN;
      if (hours.size >= MAX_KEPT) hours.clear();
      hours.set(quarter, hour);
    }
    lastQuarter = quarter;
    lastHour = hour;
    return hour;
  };
}
