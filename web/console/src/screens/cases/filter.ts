/** The filter of the queue as it stands in the address: every parameter of the list of cases that names nobody. */
import { VIEWS, type CaseFilter, type CaseView } from '../../data/cases.js';
import { dayOf, lastDayOf } from '../../texts/days.js';

const KEYS = [
  ...['theme', 'kind', 'priority', 'status', 'assignee', 'overdue', 'queue', 'rule', 'country'],
  ...['amountFrom', 'amountTo', 'scoreFrom', 'scoreTo', 'openedFrom', 'openedTo', 'sort'],
] as const;

export type Filter = Readonly<Record<string, string>>;

/** Reads a filter from an address or from a saved view. The service judges the values. */
export function readFilter(from: Readonly<Record<string, unknown>>): Filter {
  const read = KEYS.flatMap((key) => {
    const value = from[key];
    return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
      ? [[key, String(value)] as const]
      : [];
  });
  return Object.fromEntries(read);
}

/** The filter for an address: numbers stand there without quotes. */
export const searchOf = (filter: Filter): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter).map(([key, value]) => [
      key,
      value === 'true' || /^\d{1,15}$/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );

/** The query of the list: the view, and the filter over it. */
export const queryOf = (view: CaseView, filter: Filter): CaseFilter => ({ ...VIEWS[view], ...filter });

/** The day of a bound of the filter, for people: a span ends with its last day; empty where the bound is no moment of a day. */
export function shownDay(name: string, moment: string): string {
  if (!name.startsWith('opened') || Number.isNaN(Date.parse(moment))) return '';
  return name === 'openedTo' ? lastDayOf(moment) : dayOf(moment);
}

/** The same text for the same filter, whatever the order it was made in: so it is saved, and found again. */
export const textOf = (query: CaseFilter | Filter): string =>
  new URLSearchParams(
    Object.entries(query)
      .map(([key, value]) => [key, String(value)])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
  ).toString();
