import type { Approval } from '../../data/approvals.js';
import { date, dateTime, money, number } from '../../texts/formats.js';
import { word } from '../../texts/words.js';

/** Words for yes and no, and by the name of the field for its values. */
export type ValueWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The group of words in which the states of the object of an act stand. */
const STATUS: Readonly<Partial<Record<Approval['act'], string>>> = {
  'case.close': 'caseStatus',
  'communication.file': 'communicationStatus',
  'communication.dismiss': 'communicationStatus',
  'hit.decide': 'hitStatus',
  'hit.reopen': 'hitStatus',
  'ruleset.publish': 'rulesetStatus',
  'ruleset.look_back': 'rulesetStatus',
  'list.import': 'importStatus',
  'operator.empower': 'appStatus',
};

const GROUPS: Readonly<Record<string, string>> = {
  resolution: 'resolution',
  report: 'report',
  disposition: 'hitStatus',
  riskLevel: 'risk',
  roles: 'role',
  withoutInputs: 'input',
  checks: 'providerCheck',
};

/** Amounts in reais. */
const AMOUNTS: ReadonlySet<string> = new Set(['monthlyIncome', 'monthlyRevenue', 'nightLimit']);

const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const RATE = /^(\d{4}-\d\d-\d\d) ([A-Z]{3}) (\S+)$/;
const HASH = /^[0-9a-f]{64}$/;

/** A value of a change as a person reads it: null where there is none, `content` where it is more than a line or two. */
export function inWords(
  words: ValueWords,
  act: Approval['act'],
  name: string,
  value: unknown,
): string | { readonly content: unknown } | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) {
    const shown = value.map((one) => inWords(words, act, name, one));
    if (shown.length === 0) return null;
    return shown.every((one) => typeof one === 'string') ? shown.join('\n') : { content: value };
  }
  if (name === 'costMicros' && typeof value === 'number') return money(value / 1_000_000, 'BRL');
  if (typeof value === 'number') {
    if (AMOUNTS.has(name)) return money(value, 'BRL');
    return name === 'nightStartHour' ? `${String(value)}:00` : number(value);
  }
  if (typeof value === 'boolean') return words['flag']?.[String(value)] ?? String(value);
  if (typeof value !== 'string') return { content: value };
  if (HASH.test(value)) return `${value.slice(0, 16)}…`;
  if (DAY.test(value)) return date(value);
  if (TIME.test(value)) return dateTime(value);
  const [, day, currency, rate] = RATE.exec(value) ?? [];
  if (day !== undefined) return `${date(day)}: ${currency ?? ''} ${rate ?? ''}`;
  const group = name === 'status' ? (STATUS[act] ?? 'approvalStatus') : GROUPS[name];
  return group === undefined ? (words[name]?.[value] ?? value) : word(group, value);
}
