import type { FactValue } from '../../../rules/index.js';
import type { DecryptedTransaction } from '../claimed.js';
import { packedKeyOf, VelocityLog, type LogRow } from '../facts/velocity-log.js';
import { instrumentOf } from '../facts/velocity-window.js';
import { movesCash } from '../../../../platform/kernel/reference/transaction-types.js';
import type { CurrentTransaction } from './window-rows.js';

export const logRowOf = ({ submission, occurredAt, seq, ...keys }: DecryptedTransaction): LogRow => ({
  time: occurredAt.getTime(),
  seq: Number(seq),
  amount: Number(submission.amount),
  currency: submission.currency,
  instrument: instrumentOf(submission.type),
  cash: movesCash(submission.type),
  direction: submission.direction.value,
  peer: packedKeyOf(keys.counterpartyKey),
  customer: packedKeyOf(keys.customerKey),
  type: submission.type,
  channel: submission.channel,
  keys: [keys.deviceKey, keys.ipKey, keys.accountKey, keys.cardKey].map(packedKeyOf),
  originCountry: submission.origin.country ?? '',
  destinationCountry: submission.destination.country ?? '',
});

/** Returns the transaction in the form in which its aggregates include it. */
export const currentTransactionOf = (
  transaction: DecryptedTransaction,
  otherKey: Buffer | null,
  amountBrl: number | null,
  custom: ReadonlyMap<number, FactValue>,
): CurrentTransaction => ({
  own: VelocityLog.of([logRowOf(transaction)], false),
  keys: {
    customer: packedKeyOf(transaction.customerKey),
    customerToo: packedKeyOf(otherKey),
    document: packedKeyOf(transaction.documentKey),
    counterparty: packedKeyOf(transaction.counterpartyKey),
    account: packedKeyOf(transaction.accountKey),
    device: packedKeyOf(transaction.deviceKey),
    ip: packedKeyOf(transaction.ipKey),
    card: packedKeyOf(transaction.cardKey),
  },
  amountBrl,
  custom,
  asOf: Math.min(transaction.occurredAt.getTime(), transaction.receivedAt.getTime()),
});
