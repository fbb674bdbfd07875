import type { CustomerRiskProfile } from '../../../customers/index.js';
import type { FactSheet, FactValue, FeatureName } from '../../../rules/index.js';

const DAY_MS = 86_400_000;
const FULL_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Facts are stored unencrypted. Longer text is no category and may hold personal data, so it is cut. */
const MAX_TEXT = 64;

/** Sets the facts about the customer as a person; `today` is the local day of the transaction, `YYYY-MM-DD`. */
export function setPersonFacts(
  sheet: FactSheet,
  { declared, birthDate, nationalities }: CustomerRiskProfile,
  today: string,
): void {
  const put = (name: FeatureName, value: FactValue | null): void => {
    if (value === null) sheet.setUnknown(name, 'MISSING', 'NOT_DECLARED');
    else sheet.set(name, value);
  };
  put(
    'profile.age',
    birthDate === null || !FULL_DATE.test(birthDate) ? null : yearsBetween(birthDate, today),
  );
  put(
    'profile.occupation',
    cutText(declared?.occupation)?.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase() ?? null,
  );
  put('profile.segment', cutText(declared?.segment));
  put('profile.relationshipDays', daysBetween(declared?.relationshipSince, today));
  put('profile.nationalities', nationalities.length > 0 ? nationalities : null);
  const { from } = declared ?? {};
  put('profile.source', (from?.monthlyIncome ?? from?.monthlyRevenue)?.by ?? null);
  put('profile.declaredDays', daysBetween(declared?.asOf.slice(0, 10), today));
}

const cutText = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : text.slice(0, MAX_TEXT);

/** Days from a date until today. Not negative: a declaration made after the transaction is 0 days old. */
function daysBetween(from: string | null | undefined, today: string): number | null {
  if (from === null || from === undefined || !FULL_DATE.test(from)) return null;
  return Math.max(0, (Date.parse(today) - Date.parse(from)) / DAY_MS);
}

/** Whole years from a day until today; null if the day is in the future. */
function yearsBetween(from: string, today: string): number | null {
  const years =
    Number(today.slice(0, 4)) - Number(from.slice(0, 4)) - (today.slice(5) < from.slice(5) ? 1 : 0);
  return years >= 0 ? years : null;
}
