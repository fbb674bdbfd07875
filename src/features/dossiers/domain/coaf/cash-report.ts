import { table } from '../../../../platform/kernel/table.js';
import {
  CASH_CONTRIBUTED,
  CASH_DEPOSITED,
  CASH_PAID,
  CASH_PROVISIONED,
  CASH_WITHDRAWN,
} from '../../data/siscoaf-codes.js';

/** Cash operations from this amount in reais on are reported automatically (Circular BCB 3.978/2020, art. 49, I to III). */
export const CASH_REPORT_FROM_BRL = 50_000;

/** The fields of a transaction that decide whether a cash report to COAF is due, and with which code. */
export interface CashOperation {
  readonly type: string;
  readonly direction: 'IN' | 'OUT' | null;
  /** Null if no exchange rate is usable. The amount may then exceed the threshold. */
  readonly amountBrl: number | null;
}

/** True if the operation must be reported. An unknown amount counts as reportable, so that a person checks it. */
export const isReportable = ({ amountBrl }: CashOperation): boolean =>
  amountBrl === null || amountBrl >= CASH_REPORT_FROM_BRL;

// Includes types that are not in the catalogue but that institutions may use.
const byType: Readonly<Record<string, number>> = table({
  CASH_DEPOSIT: CASH_DEPOSITED,
  CASH_WITHDRAWAL: CASH_WITHDRAWN,
  CARD_WITHDRAWAL: CASH_WITHDRAWN,
  PIX_WITHDRAWAL: CASH_WITHDRAWN,
  CASH_CONTRIBUTION: CASH_CONTRIBUTED,
  CASH_PAYMENT: CASH_PAID,
  CASH_PROVISION: CASH_PROVISIONED,
});

/** Returns the Siscoaf code of the report; null if neither type nor direction determines it. */
export function cashCode({ type, direction }: CashOperation): number | null {
  const knownCode = byType[type];
  if (knownCode !== undefined) return knownCode;
  return direction === null ? null : direction === 'IN' ? CASH_DEPOSITED : CASH_WITHDRAWN;
}
