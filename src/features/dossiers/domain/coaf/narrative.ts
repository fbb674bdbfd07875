import { brazilianAmount, siscoafDate, sumOfAmounts } from './communication.js';
import { countOf } from '../../../../platform/kernel/index.js';
import type { CalendarDay } from '../../../../platform/kernel/values/local-day.js';

/** The facts of the case for a drafted narrative. */
export interface NarrativeFacts {
  readonly holder: string | null;
  readonly from: CalendarDay;
  readonly to: CalendarDay;
  /** `amount` is in reais; null if no exchange rate is usable. */
  readonly movements: readonly { readonly direction: 'IN' | 'OUT' | null; readonly amount: string | null }[];
  readonly senders: number;
  readonly beneficiaries: number;
  readonly justification: string | null;
  readonly reasons: readonly string[];
}

/** Composes sentences from stored facts only, without conclusions that no person has drawn. */
export function composeNarrative(facts: NarrativeFacts): string {
  const { holder, movements, justification, reasons } = facts;
  const sum = (direction: 'IN' | 'OUT'): string | null => {
    const ownMovements = movements.filter((one) => one.direction === direction);
    if (ownMovements.length === 0) return null;
    const knownAmounts = ownMovements.flatMap(({ amount }) => amount ?? []);
    const total = `R$ ${brazilianAmount(sumOfAmounts(knownAmounts), { points: true })}`;
    const countedText = (count: number): string =>
      direction === 'IN' ? countOf(count, 'crédito', 'créditos') : countOf(count, 'débito', 'débitos');
    // Movements without an amount in reais are told apart: they are no part of the total.
    const missingAmounts = ownMovements.length - knownAmounts.length;
    const unknown = missingAmounts === 0 ? null : `${countedText(missingAmounts)} sem conversão em reais`;
    if (knownAmounts.length === 0) return unknown;
    const amountText = `${countedText(knownAmounts.length)} ${knownAmounts.length === 1 ? 'de' : 'no total de'} ${total}`;
    return unknown === null ? amountText : `${amountText}, além de ${unknown}`;
  };
  const [credits, debits] = [sum('IN'), sum('OUT')];
  const sides = [
    credits &&
      `${credits}${facts.senders === 0 ? '' : `, de ${countOf(facts.senders, 'remetente', 'remetentes')}`}`,
    debits &&
      `${debits}${facts.beneficiaries === 0 ? '' : `, a ${countOf(facts.beneficiaries, 'beneficiário', 'beneficiários')}`}`,
  ].filter((side) => side !== null);
  const period =
    siscoafDate(facts.from) === siscoafDate(facts.to)
      ? `Em ${siscoafDate(facts.from)}`
      : `De ${siscoafDate(facts.from)} a ${siscoafDate(facts.to)}`;
  const what = sides.length > 0 ? sides.join('; ') : countOf(movements.length, 'operação', 'operações');
  const sentences = [
    ...(movements.length === 0 ? [] : [`${period}, ${holder ?? 'o titular'} movimentou ${what}.`]),
    ...(reasons.length === 0 ? [] : [`Indícios: ${reasons.join(' ')}`]),
    ...(justification === null || justification === '' ? [] : [`Análise: ${justification}`]),
  ];
  return sentences.join(' ');
}
