import { CustomerSummaryView, maskedName } from '../../customers/index.js';
import { View } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import {
  formatReais,
  ReviewView,
  type AlertRow,
  type LocalisedTexts,
  type ReviewRow,
} from '../../reviews/index.js';
import type { CaseRow } from '../cases/case-rows.service.js';

export class LanguagesView {
  @View.text('In Brazilian Portuguese.', { example: 'Conta de passagem' }) 'pt-BR': string;
  @View.text('In English.', { example: 'Pass-through account' }) en: string;
}

const NO_REASON_TEXTS: LocalisedTexts = { 'pt-BR': 'Sem motivo registrado', en: 'No reason recorded' };

export class AlertView {
  @View.id('txn', 'The reference of the transaction.') transaction: string;
  @View.integer('Counts the evaluations of the transaction from 1.', { example: 1 })
  evaluationVersion: number;
  @View.textOrNull('The rule, or MISSING_DATA, LIST_HIT, SESSION, MANUAL.', { example: 'BR-FLOW-12' })
  rule: string | null;
  @View.object(LanguagesView, 'The title of the alert, for people.') title: LanguagesView;
  @View.object(LanguagesView, 'The sentence of its gravest reason.') reason: LanguagesView;
  @View.integerOrNull('The score of the evaluation.', { example: 74 }) score: number | null;
  @View.textOrNull('In reais; null when nobody knows.', { example: '18400.00' }) amount: string | null;
  @View.texts('Every rule that counted.', { example: ['BR-FLOW-12'] }) rules: readonly string[];
  @View.texts('The countries, as ISO 3166 alpha-2 codes.', { example: ['BR'] }) countries: readonly string[];
  @View.instant('When it came to the case.') at: string;
  @View.textOrNull('The look-back that found it; null of what was an alert when it took place.', {
    example: null,
  })
  lookBack: string | null;

  static of({ transactionRef, evaluationVersion, points, amountCents, lead, ...row }: AlertRow): AlertView {
    return {
      transaction: publicId('txn', transactionRef),
      evaluationVersion,
      rule: lead?.code ?? null,
      title: lead?.title ?? NO_REASON_TEXTS,
      reason: lead?.text ?? NO_REASON_TEXTS,
      score: points,
      amount: formatReais(amountCents),
      rules: row.rules,
      countries: row.countries,
      at: row.linkedAt.toISOString(),
      lookBack: row.lookBackId && publicId('lbk', row.lookBackId),
    };
  }
}

export class CaseClockView {
  @View.enum(['RESPONSE', 'ANALYSIS', 'REPORT'], 'The clock that runs.', { example: 'ANALYSIS' })
  name: string;
  @View.instant('When it happened.') at: string;
  @View.integer('Negative when it has run out.', { example: 86_400 }) secondsLeft: number;
}

export class CaseCountsView {
  @View.integer('Alerts and transactions that people added.', { example: 3 }) transactions: number;
  @View.integer('How many hits.', { example: 1 }) hits: number;
  @View.integer('Hits that nobody has closed.', { example: 1 }) openHits: number;
  @View.integer('How many notes.', { example: 2 }) notes: number;
  @View.integer('Of the same customer.', { example: 1 }) otherOpenCases: number;
}

/** A case as a list shows it. */
export class CaseRowView extends ReviewView {
  @View.object(LanguagesView, 'What it is about, in a few words.') title: LanguagesView;
  @View.object(LanguagesView, 'The sentence of its gravest reason.') reason: LanguagesView;
  @View.textOrNull('The key of the rule.', { example: 'BR-FLOW-12' }) rule: string | null;

  @View.textOrNull(
    'In full with `customers:read`, else the first letters. Null when nobody is known, or was erased.',
    {
      example: 'Maria Exemplo',
    },
  )
  customerName: string | null;

  @View.textOrNull(
    'Whom a list names, when nobody is known whose payments these are; in full with `customers:read`, else the first letters.',
    { example: null },
  )
  partyName: string | null;

  @View.textOrNull('Of its alerts together, in reais; null when nobody knows.', { example: '53900.00' })
  amount: string | null;

  @View.integer('Since it was opened.', { example: 3_600 }) ageSeconds: number;
  @View.objectOrNull(CaseClockView, 'Null when none runs.') clock: CaseClockView | null;
  @View.textOrNull('The name of who works on it.', { example: 'Marina Alves' }) assigneeName: string | null;
  @View.textOrNull('The name of who proposed it.') proposedByName: string | null;
  @View.textOrNull('The name of who closed it.') closedByName: string | null;
  @View.object(CaseCountsView, 'How many there are of each.') counts: CaseCountsView;
  @View.list(AlertView, 'With `include=alerts`: the three gravest.', { optional: true })
  alerts?: readonly AlertView[];
  @View.objectOrNull(CustomerSummaryView, 'With `include=customer` and `customers:read`.', { optional: true })
  customer?: CustomerSummaryView | null;

  static ofRow(
    { review, person, partyName, names, counts, alerts, inClear, withCustomer }: CaseRow,
    now: Date,
  ): CaseRowView {
    const name = person?.profile?.name ?? null;
    return Object.assign(ReviewView.of(review, now), {
      title: review.lead?.title ?? NO_REASON_TEXTS,
      reason: review.lead?.text ?? NO_REASON_TEXTS,
      rule: review.lead?.code ?? null,
      customerName: inClear ? name : maskedName(name),
      partyName: inClear ? partyName : maskedName(partyName),
      amount: formatReais(review.amountCents),
      ageSeconds: Math.floor((now.getTime() - review.openedAt.getTime()) / 1_000),
      clock: caseClockOf(review, now),
      assigneeName: lookUpName(names, review.assigneeId),
      proposedByName: lookUpName(names, review.proposedBy),
      closedByName: lookUpName(names, review.closedBy),
      counts: { transactions: review.linked, ...counts },
      ...(alerts && { alerts: alerts.map((one) => AlertView.of(one)) }),
      ...(withCustomer && { customer: person && inClear ? CustomerSummaryView.of(person) : null }),
    });
  }
}

export const lookUpName = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
  id === null ? null : (names.get(id) ?? null);

export function caseClockOf(review: ReviewRow, now: Date): CaseClockView | null {
  const { status, report, reportedAt, responseDeadline, dueAt } = review;
  if (status === 'MERGED') return null;
  if (status === 'CLOSED' && (report !== 'COMMUNICATE' || reportedAt !== null)) return null;
  const isResponse = status === 'OPEN' && responseDeadline?.getTime() === dueAt.getTime();
  return {
    name: status === 'CLOSED' ? 'REPORT' : isResponse ? 'RESPONSE' : 'ANALYSIS',
    at: dueAt.toISOString(),
    secondsLeft: Math.floor((dueAt.getTime() - now.getTime()) / 1_000),
  };
}
