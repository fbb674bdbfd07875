/** Days of the organisation: they begin and end where it is, whatever the zone of the browser. */
import { now } from '../api/clock.js';

export const ZONE = 'America/Sao_Paulo';

// The writing of Sweden is that of a date input: "2026-11-30 14:05".
const written = new Intl.DateTimeFormat('sv-SE', {
  ...{ timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit' },
});

/** The local time of a moment, as an input for moments takes it: "2026-11-30T14:05". */
export const localTimeOf = (moment: Date | string): string =>
  written.format(new Date(moment)).replace(' ', 'T');

/** The day of a moment: "2026-11-30". */
export const dayOf = (moment: Date | string): string => localTimeOf(moment).slice(0, 10);

export const today = (): string => dayOf(new Date(now()));

/** The moment of a local time: "2026-11-30T14:05". Of a time that a change of clocks left out, the first one after it. */
export function momentOf(localTime: string): string {
  const [summer, winter] = ['-02:00', '-03:00'].map((offset) => new Date(`${localTime}:00${offset}`));
  const moment = summer && localTimeOf(summer) === localTime ? summer : winter;
  return (moment ?? new Date(NaN)).toISOString();
}

/** The first moment of a day. */
export const startOf = (day: string): string => momentOf(`${day}T00:00`);

/** The first moment after a day: a span until that day ends there. */
export function endOf(day: string): string {
  const next = new Date(day);
  next.setUTCDate(next.getUTCDate() + 1);
  return startOf(next.toISOString().slice(0, 10));
}

/** The last day of a span that ends at a moment. */
export const lastDayOf = (end: string): string => dayOf(new Date(new Date(end).getTime() - 1));
