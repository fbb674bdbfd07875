import { dateTime, money } from '../../texts/formats.js';
import { word } from '../../texts/words.js';

/** The name of a payment in lists of a case: its amount, its type and its time. */
export const paymentName = (one: {
  readonly amount: string;
  readonly currency: string;
  readonly type: string;
  readonly occurredAt: string;
}): string =>
  `${money(one.amount, one.currency)}, ${word('transactionType', one.type)}, ${dateTime(one.occurredAt)}`;
