import {
  CASH_CONTRIBUTED,
  CASH_DEPOSITED,
  CASH_PAID,
  CASH_PROVISIONED,
  CASH_WITHDRAWN,
} from '../../data/siscoaf-codes.js';

/** From this amount in reais on, an operation in cash is reported by itself (Circular BCB 3.978/2020, art. 49, I to III). */
export const CASH_REPORT_FROM_BRL = 50_000;

/** An operation in cash, as far as its report depends on it. */
export interface CashOperation {
  readonly type: string;
  readonly direction: 'IN' | 'OUT' | null;
  /** Null when there is no usable rate: an unknown amount may be a large one. */
  readonly amountBrl: number | null;
}

/** True if the operation is reported. An unknown amount in reais is reported too, so that a person looks at it. */
export const isReportable = ({ amountBrl }: CashOperation): boolean =>
  amountBrl === null || amountBrl >= CASH_REPORT_FROM_BRL;

// Types that institutions may use beside those of the catalogue.
const byType: Readonly<Record<string, number>> = {
  CASH_DEPOSIT: CASH_DEPOSITED,
  CASH_WITHDRAWAL: CASH_WITHDRAWN,
  CARD_WITHDRAWAL: CASH_WITHDRAWN,
  PIX_WITHDRAWAL: CASH_WITHDRAWN,
  CASH_CONTRIBUTION: CASH_CONTRIBUTED,
  CASH_PAYMENT: CASH_PAID,
  CASH_PROVISION: CASH_PROVISIONED,
};

/** Returns the code of the report; null when neither type nor direction tells. */
export function cashCode({ type, direction }: CashOperation): number | null {
  const known = byType[type];
  if (known !== undefined) return known;
  return direction === null ? null : direction === 'IN' ? CASH_DEPOSITED : CASH_WITHDRAWN;
}
