/** Tells what a case is about: for the line at its top, and for the draft of a justification. */
import type { CaseFile, CaseTransaction, Decision } from '../../data/cases.js';
import { evaluationIn } from '../../data/cases.js';
import { componentsOf } from '../../data/transactions.js';
import { inLanguage, wasLooked } from '../../parts/evidence/looked.js';
import { apart, date, money } from '../../texts/formats.js';
import type { Language } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { communicated, findingTexts } from './finding-texts.js';

/** The payments of a case, the gravest first: by score, then by amount. */
export const gravestFirst = (payments: readonly CaseTransaction[]): CaseTransaction[] =>
  payments.toSorted(
    (a, b) => (b.riskScore ?? -1) - (a.riskScore ?? -1) || Number(b.amount) - Number(a.amount),
  );

interface Finding {
  readonly reason: CaseTransaction['reasons'][number];
  readonly payments: number;
}

/** Returns what the rules found in all payments: each rule once, as it stands where it weighs most, the gravest first. */
function findingsIn(payments: readonly CaseTransaction[]): Finding[] {
  const byRule = new Map<string, Finding>();
  for (const { reasons } of gravestFirst(payments)) {
    for (const reason of reasons) {
      const before = byRule.get(reason.rule);
      byRule.set(reason.rule, {
        reason: before !== undefined && before.reason.points >= reason.points ? before.reason : reason,
        payments: (before?.payments ?? 0) + 1,
      });
    }
  }
  return [...byRule.values()].toSorted((a, b) => b.reason.points - a.reason.points);
}

const sentenceOf = ({ sentence, title }: Finding['reason'], language: Language): string =>
  inLanguage(sentence, language) ?? inLanguage(title, language) ?? '';

/** The exact sum of amounts in each currency. */
export function totalsOf(payments: readonly CaseTransaction[], language: Language): string {
  const decimals = Math.max(0, ...payments.map(({ amount }) => (amount.split('.')[1] ?? '').length));
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of payments) {
    const [whole = '', part = ''] = amount.split('.');
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(whole + part.padEnd(decimals, '0')));
  }
  return [...sums]
    .map(([currency, sum]) => {
      const digits = String(sum).padStart(decimals + 1, '0');
      const [whole, part] = [
        digits.slice(0, digits.length - decimals),
        digits.slice(digits.length - decimals),
      ];
      return money(decimals === 0 ? whole : `${whole}.${part}`, currency, language);
    })
    .join(' + ');
}

interface Span {
  readonly count: number;
  readonly total: string;
  readonly from: string;
  readonly to: string;
}

function spanOf(payments: readonly CaseTransaction[], language: Language): Span {
  const days = payments.map(({ occurredAt }) => occurredAt).sort();
  return {
    count: payments.length,
    total: totalsOf(payments, language),
    from: date(days[0] ?? '', language),
    to: date(days.at(-1) ?? '', language),
  };
}

/** Why the case exists, in one or two sentences: how many payments, how much, since when, and what weighs most. */
export function whyOf(file: CaseFile, language: Language): string {
  const t = findingTexts[language];
  const [finding] = findingsIn(file.transactions);
  const [hit] = file.hits;
  const listed = hit && t.similar(apart(nameOfEntry(hit)), word('listKind', hit.hit.listKind, language));
  const about = finding ? sentenceOf(finding.reason, language) : listed;
  return [
    file.transactions.length === 0 ? null : t.payments(spanOf(file.transactions, language)),
    about ?? word('theme', file.theme, language),
  ]
    .filter((one) => one !== null)
    .join(' ');
}

const nameOfEntry = ({ hit, entry }: CaseFile['hits'][number]): string =>
  entry?.names[0] ?? hit.found ?? hit.entryKey;

/** The choices of a person so far. */
interface Chosen {
  readonly resolution: Decision['resolution'] | null;
  readonly report: Decision['report'] | null;
}

/** The language of a justification: what goes to COAF is Portuguese. */
const languageFor = ({ report }: Chosen, language: Language): Language =>
  report === 'COMMUNICATE' ? 'pt' : language;

/** The last sentence of a justification: it says nothing but what the person has chosen. */
export function conclusionOf(chosen: Chosen, language: Language): string {
  const { resolution, report } = chosen;
  if (resolution === null || report === null) return '';
  return report === 'COMMUNICATE' ? communicated[resolution] : findingTexts[language].archived[resolution];
}

/** A justification made of all evidence of the case; the person reads it, changes it and signs. */
export function draftOf(file: CaseFile, chosen: Chosen, screen: Language): string {
  const language = languageFor(chosen, screen);
  const t = findingTexts[language];
  const payments = file.transactions;
  const findings = findingsIn(payments).map(({ reason, payments: count }) =>
    t.found(sentenceOf(reason, language), count),
  );
  const hits = file.hits.map((one) =>
    t.hit[one.hit.status](nameOfEntry(one), word('listKind', one.hit.listKind, language)),
  );
  const unseen = new Set(
    payments.flatMap((payment) => {
      const evaluation = evaluationIn(payment);
      if (evaluation === null) return [];
      return componentsOf(evaluation).flatMap(([name, { state }]) =>
        wasLooked(state) ? [] : word('component', name, language),
      );
    }),
  );
  return [
    payments.length === 0 ? '' : t.analysed(spanOf(payments, language)),
    ...(payments.length > 0 && findings.length === 0 ? [t.nothingFound] : findings),
    ...hits,
    unseen.size === 0 ? '' : t.unseen([...unseen].join(', ')),
    conclusionOf(chosen, screen),
  ]
    .filter((line) => line !== '')
    .join('\n');
}
