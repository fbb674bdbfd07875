import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TrailContracts, type AuditSubject, type TrailExpectation, type TrailGrammar } from '../audit/index.js';
import type { TransactionStatus } from './domain/status.js';

const WAITING = ['transaction.received', 'transaction.replayed'] as const;

/** The order in which a transaction's audit entries may follow each other. */
const order: Omit<TrailGrammar, 'last'> = {
  first: ['transaction.received'],
  follows: {
    'transaction.received': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.dead_lettered': ['transaction.replayed'],
    'transaction.replayed': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.evaluated': ['transaction.evaluated'],
  },
};

const lastFor: Readonly<Record<TransactionStatus, TrailGrammar['last']>> = {
  QUEUED: WAITING,
  PROCESSING: WAITING,
  COMPLETED: ['transaction.evaluated'],
  DEAD_LETTERED: ['transaction.dead_lettered'],
};

/** Tells Audit what the trail of a transaction must look like in its present state. */
@Injectable()
export class TransactionTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly source: DataSource,
  ) {}

  onModuleInit(): void {
    this.contracts.register('transaction', (subject) => this.expectation(subject));
  }

  private async expectation(subject: AuditSubject): Promise<TrailExpectation | null> {
    const rows: { trail_hash: Buffer; status: TransactionStatus | null; evaluations: Buffer[] }[] =
      await this.source.query(
        `SELECT t.trail_hash, w.status,
                array(SELECT e.trail_hash FROM kyt_evaluations e WHERE e.transaction_ref = t.id
                      ORDER BY e.evaluation_version) AS evaluations
         FROM kyt_transactions t LEFT JOIN kyt_work w ON w.transaction_ref = t.id
         WHERE t.id = $1 AND t.organisation_id = $2`,
        [subject.id, subject.organisationId],
      );
    const [row] = rows;
    if (!row) return null;
    return {
      grammar: { ...order, last: lastFor[row.status ?? 'COMPLETED'] },
      anchors: [
        { action: 'transaction.received', hash: row.trail_hash },
        ...row.evaluations.map((hash) => ({ action: 'transaction.evaluated' as const, hash })),
      ],
    };
  }
}
