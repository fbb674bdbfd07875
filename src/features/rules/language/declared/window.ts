import { table } from '../../../../platform/kernel/table.js';

/** The span of a window: milliseconds, the local day, or business days of the bank calendar, including today. */
export type AggregateWindow =
  | { readonly kind: 'SPAN'; readonly ms: number }
  | { readonly kind: 'DAY' }
  | { readonly kind: 'BUSINESS_DAYS'; readonly days: number };

const UNITS: Readonly<Record<string, number>> = table({ m: 60_000, h: 3_600_000, d: 86_400_000 });
const DAY_MS = 86_400_000;
const SPAN = /^([1-9]\d{0,5})(m|h|d)$/;
const BUSINESS = /^([1-9]\d?)bd$/;
/** The longest window, its offset included. */
export const MAX_WINDOW_DAYS = 400;
const MAX_BUSINESS_DAYS = 60;

/** Reads `30m`, `24h`, `90d`, `5bd` or `day`; null if the text is malformed or the span too long. */
export function parseWindow(text: string): AggregateWindow | null {
  if (text === 'day') return { kind: 'DAY' };
  const business = BUSINESS.exec(text);
  if (business) {
    const days = Number(business[1]);
    return days <= MAX_BUSINESS_DAYS ? { kind: 'BUSINESS_DAYS', days } : null;
  }
  const ms = parseSpan(text);
  return ms === null ? null : { kind: 'SPAN', ms };
}

/** Milliseconds of `30m`, `24h` or `90d`; null if the text is malformed or the span too long. */
export function parseSpan(text: string): number | null {
  const match = SPAN.exec(text);
  if (!match) return null;
  const ms = Number(match[1]) * (UNITS[match[2] ?? ''] ?? NaN);
  return ms <= MAX_WINDOW_DAYS * DAY_MS ? ms : null;
}

/** Returns how far a window looks back at most, in milliseconds before the transaction. */
export function maxReachMsOf(window: AggregateWindow, offsetMs: number): number {
  switch (window.kind) {
    case 'SPAN':
      return window.ms + offsetMs;
    case 'DAY':
      // A local day can have 25 hours.
      return DAY_MS + 3_600_000;
    case 'BUSINESS_DAYS':
      // Five business days in a week, at most one holiday in two weeks, and up to six other days at either end.
      return (Math.ceil(1.5 * window.days) + 6) * DAY_MS;
  }
}
