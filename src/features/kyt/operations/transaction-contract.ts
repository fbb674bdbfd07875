import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  TrailContractForMany,
  type AuditContent,
  type AuditSubject,
  type TrailExpectation,
  type TrailGap,
  expectationOf,
  sheetOf,
} from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { digestOfEvaluationRow, digestOfTransactionRow } from '../domain/submission/row-digest.js';
import { receiptMatchesHash } from '../domain/stored/stored-packing.js';
import {
  readTrailStates,
  type DecisionState,
  type EvaluationState,
  type TransactionState,
} from '../store/trail-state.queries.js';
import { pick } from '../../../platform/kernel/index.js';

const KEY_GONE: TrailGap = { kind: 'MISSING', seq: null, detail: 'the key of its body is not there' };

const STRAY: TrailGap = {
  kind: 'STATE_MISMATCH',
  seq: null,
  detail: 'lists do not find it where its evaluations and decisions say',
};

/** Returns the trail that a transaction in this state must have. */
export function transactionExpectation(
  transaction: TransactionState,
  evaluations: readonly EvaluationState[],
  decisions: readonly DecisionState[],
  events: number | null,
  isStray = false,
): TrailExpectation {
  return {
    ...(events !== null && { counted: { rows: events, by: sheetOf('transaction').events ?? [] } }),
    found: [...(transaction.has_key ? [] : [KEY_GONE]), ...(isStray ? [STRAY] : [])],
    grammar: expectationOf('transaction', transaction).grammar,
    bound: ['transaction.received', 'transaction.evaluated', 'transaction.decided'],
    anchors: [
      {
        action: 'transaction.received',
        hash: transaction.trail_hash,
        says: receivedEntryContent(transaction),
      },
      ...evaluations.map((evaluation) => ({
        action: 'transaction.evaluated' as const,
        hash: evaluation.trail_hash,
        says: evaluatedEntryContent(evaluation),
      })),
      ...decisions.map((decision) => ({
        action: 'transaction.decided' as const,
        hash: decision.trail_hash,
        says: { evaluationVersion: decision.evaluation_version, outcome: decision.outcome },
      })),
    ],
  };
}

/** Describes the audit trail that a transaction must have in its present state. */
@Injectable()
export class TransactionContract {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('transaction')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    return (await this.expectations(organisationId, [id])).get(id) ?? null;
  }

  @TrailContractForMany('transaction')
  async expectations(organisationId: string, ids: readonly string[]): Promise<Map<string, TrailExpectation>> {
    const { transactions, evaluations, decisions, events, stray } = await this.uow.read(
      organisationId,
      (db) => readTrailStates(db, organisationId, ids),
    );
    const [evaluated, decided] = [byTransaction(evaluations), byTransaction(decisions)];
    return new Map(
      transactions.map(
        ({ id, ...row }) =>
          [
            id,
            transactionExpectation(
              row,
              evaluated.get(id) ?? [],
              decided.get(id) ?? [],
              events.get(id) ?? 0,
              stray.has(id),
            ),
          ] as const,
      ),
    );
  }
}

/** Returns the content that the audit entry of this row must have. */
export const receivedEntryContent = (row: TransactionState): AuditContent => ({
  transactionId: row.transaction_id,
  ...pick(row, 'source', 'fingerprint', 'type', 'amount', 'currency'),
  occurredAt: row.occurred_at,
  warnings: row.warnings ?? [],
  row: digestOfTransactionRow({
    organisationId: row.organisation_id,
    clientAppId: row.client_app_id,
    ...pick(row, 'channel', 'cash', 'direction'),
    directionSource: row.direction_source,
    receivedAt: row.received_at,
    documentKey: row.document_key,
    customerKey: row.customer_key,
    externalKey: row.external_key,
    accountKey: row.account_key,
    deviceKey: row.device_key,
    ipKey: row.ip_key,
    counterpartyKey: row.counterparty_key,
    ...(row.origin_country === null || row.destination_country === null
      ? {}
      : {
          cardKey: row.card_key,
          originCountry: row.origin_country,
          destinationCountry: row.destination_country,
        }),
    sealedBody: row.body_digest,
    warnings: row.warnings ?? [],
    requestId: row.request_id,
    correlationId: row.correlation_id,
    traceparent: row.traceparent,
  }),
});

/** Returns the content that the audit entry of this evaluation must have. */
export const evaluatedEntryContent = (row: EvaluationState): AuditContent => ({
  evaluationVersion: row.evaluation_version,
  outcome: row.outcome,
  score: row.risk_score,
  composition: row.composition,
  defensible: row.defensible,
  // Null if the receipt no longer has its hash: no entry matches then.
  receiptHash: receiptMatchesHash(row.receipt, row.receipt_hash) ? row.receipt_hash.toString('hex') : null,
  row: digestOfEvaluationRow({
    organisationId: row.organisation_id,
    recommendedAction: row.recommended_action,
    riskLevel: row.risk_level,
    rulesetId: row.ruleset_id,
    evaluatedAt: row.evaluated_at,
    facts: row.facts_digest,
    brief: row.brief,
  }),
});

function byTransaction<T extends { readonly transaction_ref: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const rowsOfTransaction = groups.get(row.transaction_ref);
    if (rowsOfTransaction) rowsOfTransaction.push(row);
    else groups.set(row.transaction_ref, [row]);
  }
  return groups;
}
