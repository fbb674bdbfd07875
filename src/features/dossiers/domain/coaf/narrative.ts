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
    const own = movements.filter((one) => one.direction === direction);
    if (own.length === 0) return null;
    const known = own.flatMap(({ amount }) => amount ?? []);
    const total = `R$ ${brazilianAmount(sumOfAmounts(known), { points: true })}`;
    const missing = own.length - known.length;
    const besides =
      missing === 0 ? '' : `, além de ${countOf(missing, 'operação', 'operações')} sem conversão em reais`;
    const count = countOf(
      own.length,
      direction === 'IN' ? 'crédito' : 'débito',
      direction === 'IN' ? 'créditos' : 'débitos',
    );
    return `${count} no total de ${total}${besides}`;
  };
  const [credits, debits] = [sum('IN'), sum('OUT')];
  const sides = [
    credits && `${credits}, de ${countOf(facts.senders, 'remetente', 'remetentes')}`,
    debits && `${debits}, a ${countOf(facts.beneficiaries, 'beneficiário', 'beneficiários')}`,
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
