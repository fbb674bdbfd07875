import type { FactValue } from '../../../rules/index.js';
import type { OpenTransaction } from '../claimed.js';
import { keyOf, VelocityLog, type LogRow } from '../facts/velocity-log.js';
import { instrumentOf } from '../facts/velocity-window.js';
import { movesCash } from '../../../../platform/kernel/reference/transaction-types.js';
import type { CurrentTransaction } from './window-rows.js';

/** Returns the transaction as a row of a log. */
export const rowOf = ({ submission, occurredAt, seq, ...keys }: OpenTransaction): LogRow => ({
  time: occurredAt.getTime(),
  seq: Number(seq),
  amount: Number(submission.amount),
  currency: submission.currency,
  instrument: instrumentOf(submission.type),
  cash: movesCash(submission.type),
  direction: submission.direction.value,
  peer: keyOf(keys.counterpartyKey),
  customer: keyOf(keys.customerKey),
  type: submission.type,
  channel: submission.channel,
  keys: [keys.deviceKey, keys.ipKey, keys.accountKey, keys.cardKey].map(keyOf),
  originCountry: submission.origin.country ?? '',
  destinationCountry: submission.destination.country ?? '',
});

/** Returns the transaction in the form in which its aggregates include it. */
export const currentOf = (
  transaction: OpenTransaction,
  otherKey: Buffer | null,
  amountBrl: number | null,
  house: ReadonlyMap<number, FactValue>,
): CurrentTransaction => ({
  own: VelocityLog.of([rowOf(transaction)], false),
  keys: {
    customer: keyOf(transaction.customerKey),
    customerToo: keyOf(otherKey),
    document: keyOf(transaction.documentKey),
    counterparty: keyOf(transaction.counterpartyKey),
    account: keyOf(transaction.accountKey),
    device: keyOf(transaction.deviceKey),
    ip: keyOf(transaction.ipKey),
    card: keyOf(transaction.cardKey),
  },
  amountBrl,
  house,
  asOf: Math.min(transaction.occurredAt.getTime(), transaction.receivedAt.getTime()),
});
