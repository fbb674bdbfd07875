import { columns, execute, statement, type Reader, type Rows } from '../../database/index.js';
import { KytEvaluationEntity } from './entities/kyt-evaluation.entity.js';
import { KytTransactionEntity } from './entities/kyt-transaction.entity.js';

const RECEIPT = statement(
  'kyt.receipt',
  `SELECT t.id, t.transaction_id, t.source, t.received_at, t.sealed_body, e.receipt, e.receipt_hash, e.facts
   FROM kyt_transactions t JOIN kyt_evaluations e ON e.transaction_ref = t.id
   WHERE t.organisation_id = $1 AND t.id = $2 AND ($3::int IS NULL OR e.evaluation_version = $3)
   ORDER BY e.evaluation_version DESC LIMIT 1`,
  {
    ...columns(KytTransactionEntity, 'id', 'transactionId', 'source', 'receivedAt', 'sealedBody'),
    ...columns(KytEvaluationEntity, 'receipt', 'receiptHash', 'facts'),
  },
);

/** An evaluation with what it was made of. */
export type ReceiptRow = Rows<typeof RECEIPT>;

/** The evaluation of this version; the newest, if none is named. */
export async function receiptRow(
  db: Reader,
  organisationId: string,
  transactionRef: string,
  version: number | null,
): Promise<ReceiptRow | null> {
  const [row] = await execute(db, RECEIPT, [organisationId, transactionRef, version]);
  return row ?? null;
}
