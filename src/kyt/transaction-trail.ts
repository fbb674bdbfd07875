import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  TrailContracts,
  type AuditContent,
  type AuditSubject,
  type TrailExpectation,
  type TrailGrammar,
} from '../audit/index.js';
import { sqlArray, UnitOfWork } from '../database/index.js';
import type { TransactionStatus } from './domain/status.js';

const WAITING = ['transaction.received', 'transaction.replayed'] as const;

/** The order in which a transaction's audit entries may follow each other. */
const order: Omit<TrailGrammar, 'last'> = {
  first: ['transaction.received'],
  follows: {
    'transaction.received': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.dead_lettered': ['transaction.replayed', 'transaction.discarded'],
    'transaction.discarded': [],
    'transaction.replayed': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.evaluated': ['transaction.evaluated', 'transaction.decided'],
    'transaction.decided': ['transaction.evaluated', 'transaction.decided'],
  },
};

const lastFor: Readonly<Record<TransactionStatus, TrailGrammar['last']>> = {
  QUEUED: WAITING,
  PROCESSING: WAITING,
  COMPLETED: ['transaction.evaluated', 'transaction.decided'],
  DEAD_LETTERED: ['transaction.dead_lettered', 'transaction.discarded'],
};

/** What a stored transaction says about itself; no status once it is evaluated. */
export interface TransactionState {
  readonly trail_hash: Buffer;
  readonly status: TransactionStatus | null;
  readonly transaction_id: string;
  readonly source: string;
  readonly fingerprint: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly occurred_at: string;
}

export interface EvaluationState {
  readonly trail_hash: Buffer;
  readonly evaluation_version: number;
  readonly outcome: string;
  readonly risk_score: number | null;
  readonly composition: string;
  readonly defensible: boolean;
  readonly receipt_hash: string | null;
}

/** What a person decided. */
export interface DecisionState {
  readonly trail_hash: Buffer;
  readonly evaluation_version: number;
  readonly outcome: string;
}

/** The columns of these states, of `kyt_transactions t`, `kyt_work w` and `kyt_evaluations`. */
export const stateColumns = {
  transaction: `t.trail_hash, w.status, t.transaction_id, t.source, encode(t.fingerprint, 'hex') AS fingerprint,
    t.type, t.amount::text AS amount, t.currency,
    to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS occurred_at`,
  // A receipt whose text no longer gives its hash has none that an entry could confirm.
  evaluation: `trail_hash, evaluation_version, outcome, risk_score, composition, defensible,
    CASE WHEN receipt_hash = sha256(convert_to(receipt, 'UTF8')) THEN encode(receipt_hash, 'hex') END AS receipt_hash`,
} as const;

/** What the trail of a transaction in this state must look like. */
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
export class TransactionTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.contracts.register(
      'transaction',
      (subject) => this.expectation(subject),
      (organisationId, ids) => this.expectations(organisationId, ids),
    );
  }

  private async expectations(
    organisationId: string,
    ids: readonly string[],
  ): Promise<Map<string, TrailExpectation>> {
    return this.uow.read(organisationId, async (db) => {
      const values = [sqlArray.plain(ids), organisationId];
      const rows: (TransactionState & { id: string })[] = await db.query(
        `SELECT t.id, ${stateColumns.transaction}
         FROM kyt_transactions t LEFT JOIN kyt_work w ON w.transaction_ref = t.id
         WHERE t.id = ANY($1::uuid[]) AND t.organisation_id = $2`,
        values,
      );
      const evaluations: (EvaluationState & { transaction_ref: string })[] = await db.query(
        `SELECT transaction_ref, ${stateColumns.evaluation} FROM kyt_evaluations
         WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2
         ORDER BY transaction_ref, evaluation_version`,
        values,
      );
      const decisions: (DecisionState & { transaction_ref: string })[] = await db.query(
        `SELECT transaction_ref, trail_hash, evaluation_version, outcome FROM kyt_decisions
         WHERE transaction_ref = ANY($1::uuid[]) AND organisation_id = $2 ORDER BY transaction_ref, event_sequence`,
        values,
      );
      const [evaluated, decided] = [byTransaction(evaluations), byTransaction(decisions)];
      return new Map(
        rows.map(
          ({ id, ...row }) =>
            [id, transactionExpectation(row, evaluated.get(id) ?? [], decided.get(id) ?? [])] as const,
        ),
      );
    });
  }

  private async expectation(subject: AuditSubject): Promise<TrailExpectation | null> {
    return this.uow.read(subject.organisationId, async (db) => {
      const rows: TransactionState[] = await db.query(
        `SELECT ${stateColumns.transaction}
         FROM kyt_transactions t LEFT JOIN kyt_work w ON w.transaction_ref = t.id
         WHERE t.id = $1 AND t.organisation_id = $2`,
        [subject.id, subject.organisationId],
      );
      const [row] = rows;
      if (!row) return null;
      const evaluations: EvaluationState[] = await db.query(
        `SELECT ${stateColumns.evaluation} FROM kyt_evaluations
         WHERE transaction_ref = $1 AND organisation_id = $2 ORDER BY evaluation_version`,
        [subject.id, subject.organisationId],
      );
      const decisions: DecisionState[] = await db.query(
        `SELECT trail_hash, evaluation_version, outcome FROM kyt_decisions
         WHERE transaction_ref = $1 AND organisation_id = $2 ORDER BY event_sequence`,
        [subject.id, subject.organisationId],
      );
      return transactionExpectation(row, evaluations, decisions);
    });
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
