import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  TrailContractForMany,
  type AuditContent,
  type AuditSubject,
  type TrailExpectation,
  type TrailGrammar,
} from '../../audit/index.js';
import { UnitOfWork } from '../../database/index.js';
import type { TransactionStatus } from '../domain/status.js';
import {
  trailStates,
  type DecisionState,
  type EvaluationState,
  type TransactionState,
} from '../store/trail-state.queries.js';

const WAITING = ['transaction.received', 'transaction.replayed'] as const;
const CONCLUDED = ['transaction.evaluated', 'transaction.decided', 'transaction.late_noted'] as const;

/** The order in which a transaction's audit entries may follow each other. */
const order: Omit<TrailGrammar, 'last'> = {
  first: ['transaction.received'],
  follows: {
    'transaction.received': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.dead_lettered': ['transaction.replayed', 'transaction.discarded'],
    'transaction.discarded': [],
    'transaction.replayed': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.evaluated': CONCLUDED,
    'transaction.decided': CONCLUDED,
    'transaction.late_noted': CONCLUDED,
  },
};

const lastFor: Readonly<Record<TransactionStatus, TrailGrammar['last']>> = {
  QUEUED: WAITING,
  PROCESSING: WAITING,
  COMPLETED: CONCLUDED,
  DEAD_LETTERED: ['transaction.dead_lettered', 'transaction.discarded'],
};

/** Returns the trail that a transaction in this state must have. */
export function transactionExpectation(
  transaction: TransactionState,
  evaluations: readonly EvaluationState[],
  decisions: readonly DecisionState[],
): TrailExpectation {
  return {
    grammar: { ...order, last: lastFor[transaction.status ?? 'COMPLETED'] },
    bound: ['transaction.received', 'transaction.evaluated', 'transaction.decided'],
    anchors: [
      { action: 'transaction.received', hash: transaction.trail_hash, says: receivedContent(transaction) },
      ...evaluations.map((evaluation) => ({
        action: 'transaction.evaluated' as const,
        hash: evaluation.trail_hash,
        says: evaluatedContent(evaluation),
      })),
      ...decisions.map((decision) => ({
        action: 'transaction.decided' as const,
        hash: decision.trail_hash,
        says: { evaluationVersion: decision.evaluation_version, outcome: decision.outcome },
      })),
    ],
  };
}

/** Tells Audit what the trail of a transaction must look like in its present state. */
@Injectable()
export class TransactionTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('transaction')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    return (await this.expectations(organisationId, [id])).get(id) ?? null;
  }

  @TrailContractForMany('transaction')
  async expectations(organisationId: string, ids: readonly string[]): Promise<Map<string, TrailExpectation>> {
    const { transactions, evaluations, decisions } = await this.uow.read(organisationId, (db) =>
      trailStates(db, organisationId, ids),
    );
    const [evaluated, decided] = [byTransaction(evaluations), byTransaction(decisions)];
    return new Map(
      transactions.map(
        ({ id, ...row }) =>
          [id, transactionExpectation(row, evaluated.get(id) ?? [], decided.get(id) ?? [])] as const,
      ),
    );
  }
}

const receivedContent = (row: TransactionState): AuditContent => ({
  transactionId: row.transaction_id,
  source: row.source,
  fingerprint: row.fingerprint,
  type: row.type,
  amount: row.amount,
  currency: row.currency,
  occurredAt: row.occurred_at,
});

const evaluatedContent = (row: EvaluationState): AuditContent => ({
  evaluationVersion: row.evaluation_version,
  outcome: row.outcome,
  score: row.risk_score,
  composition: row.composition,
  defensible: row.defensible,
  receiptHash: row.receipt_hash,
});

function byTransaction<T extends { readonly transaction_ref: string }>(
  rows: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const own = groups.get(row.transaction_ref);
    if (own) own.push(row);
    else groups.set(row.transaction_ref, [row]);
  }
  return groups;
}
