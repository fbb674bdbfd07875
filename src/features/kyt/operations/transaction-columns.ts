import type { AuditContent, RederivedRow, TrailEntry } from '../../audit/index.js';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { digestOf } from '../../../platform/kernel/index.js';
import type { GroupingKeys } from '../domain/submission/grouping.js';
import type { Submission } from '../domain/submission/submission.js';
import { movesCash } from '../../../platform/kernel/reference/transaction-types.js';
import type { EvaluationState, TransactionState } from '../store/trail-state.queries.js';
import { evaluatedEntryContent, receivedEntryContent } from './transaction-contract.js';

/** The fields of a receipt that are also columns of its evaluation. */
interface ReceiptColumns {
  readonly outcome: EvaluationState['outcome'];
  readonly recommendedAction: EvaluationState['recommended_action'];
  readonly score: number | null;
  readonly level: EvaluationState['risk_level'];
  readonly composition: EvaluationState['composition'];
  readonly defensible: boolean;
  readonly evaluatedAt: string;
}

/**
 * Restores the columns of an evaluation from its receipt, whose hash the audit entry holds. Returns the changed
 * columns; null if the restored row would still differ from the entry.
 */
export function restoreEvaluationColumns(
  row: EvaluationState,
  receipt: string,
  entry: TrailEntry,
): RederivedRow['patch'] | null {
  const receiptHash = digestOf(receipt);
  if (receiptHash !== entry.content['receiptHash']) return null;
  const columns = JSON.parse(receipt) as ReceiptColumns;
  const truth: EvaluationState = {
    ...row,
    outcome: columns.outcome,
    recommended_action: columns.recommendedAction,
    risk_score: columns.score,
    risk_level: columns.level,
    composition: columns.composition,
    defensible: columns.defensible,
    evaluated_at: new Date(columns.evaluatedAt),
    trail_hash: entry.hash,
    receipt_hash: Buffer.from(receiptHash, 'hex'),
  };
  if (!entryContains(entry, evaluatedEntryContent(truth))) return null;
  return difference(row, truth);
}

/** Restores the columns of a transaction from its audit entry, and from the body whose digest the entry holds. */
export function restoreTransactionColumns(
  row: TransactionState,
  submission: Submission,
  keys: GroupingKeys,
  entry: TrailEntry,
): RederivedRow['patch'] | null {
  const { requestId, correlationId, occurredAt, actor, content } = entry;
  const state: TransactionState = {
    ...row,
    client_app_id: actor.slice(actor.indexOf(':') + 1),
    transaction_id: String(content['transactionId']),
    source: content['source'] === 'LEGACY' ? 'LEGACY' : 'INGEST',
    fingerprint: String(content['fingerprint']),
    type: String(content['type']),
    amount: String(content['amount']),
    currency: String(content['currency']),
    occurred_at: String(content['occurredAt']),
    warnings: nullIfEmpty(content['warnings'] as string[]),
    channel: submission.channel,
    cash: movesCash(submission.type),
    direction: submission.direction.value,
    direction_source: submission.direction.source,
    received_at: new Date(occurredAt),
    document_key: keys.document,
    customer_key: keys.customer,
    external_key: keys.external,
    account_key: keys.account,
    device_key: keys.device,
    ip_key: keys.ip,
    counterparty_key: keys.counterparty,
    request_id: requestId ?? '',
    correlation_id: correlationId ?? '',
    card_key: keys.card,
    origin_country: submission.origin.country ?? '',
    destination_country: submission.destination.country ?? '',
    trail_hash: entry.hash,
  };
  const truth = [state, { ...state, ...NOT_KEPT }].find((one) =>
    entryContains(entry, receivedEntryContent(one)),
  );
  if (!truth) return null;
  const patch = difference(row, truth);
  // `truth` has the fingerprint in hexadecimal, as entries do; PostgreSQL expects `\x` before it.
  return 'fingerprint' in patch ? { ...patch, fingerprint: `\\x${truth.fingerprint}` } : patch;
}

/** Columns that older rows do not have. */
const NOT_KEPT = { card_key: null, origin_country: null, destination_country: null };

const nullIfEmpty = (texts: string[]): string[] | null => (texts.length === 0 ? null : texts);

const entryContains = ({ content }: TrailEntry, state: AuditContent): boolean =>
  Object.entries(state).every(
    ([name, value]) => canonicalJson(content[name] ?? null) === canonicalJson(value),
  );

/** Returns the original values of changed columns, as JSON that PostgreSQL reads. */
function difference<Row extends object>(row: Row, truth: Row): Record<string, unknown> {
  const changedColumns = Object.entries(truth).filter(
    ([name, value]) => serialize(value) !== serialize((row as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(changedColumns.map(([name, value]) => [name, asJson(value)]));
}

const serialize = (value: unknown): string => JSON.stringify([asJson(value)]);

const asJson = (value: unknown): unknown =>
  Buffer.isBuffer(value)
    ? `\\x${value.toString('hex')}`
    : value instanceof Date
      ? value.toISOString()
      : value;
