import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AuditSubject,
  type RepairEvidence,
  type RepairSource,
  RepairSources,
  type TrailGap,
} from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import { digestOf } from '../kernel/index.js';
import { verifyBundle } from './domain/replay.js';
import { ReceiptExport } from './receipt-export.service.js';

interface Evaluated {
  readonly version: number;
  readonly receipt: string;
  readonly receipt_hash: Buffer;
}

// What an entry said that is gone, or that does not link any more, other rows can say. Bytes that were changed and are
// still there are only answered by deciding again; a business row that was edited is answered by nothing of its own.
const LOST: readonly TrailGap['kind'][] = ['MISSING_EVENTS', 'CHAIN_BROKEN'];
const SUSPECT: readonly TrailGap['kind'][] = [...LOST, 'TAMPERED'];

/** What the rows of a transaction prove about gaps of its trail. */
@Injectable()
export class TransactionRepairs implements RepairSource, OnModuleInit {
  constructor(
    private readonly sources: RepairSources,
    private readonly uow: UnitOfWork,
    private readonly receipts: ReceiptExport,
  ) {}

  onModuleInit(): void {
    this.sources.register('transaction', this);
  }

  /** From the receipts of its evaluations, each of which still has the hash under which it was stored. */
  async reconstruct(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    const evaluations = await this.evaluations(subject);
    const intact = evaluations.filter(
      ({ receipt, receipt_hash: hash }) => digestOf(receipt) === hash.toString('hex'),
    );
    if (evaluations.length === 0 || intact.length < evaluations.length) return null;
    return answering(gaps, LOST, evidenceOf(evaluations));
  }

  /** Each evaluation is decided again from its stored facts, and comes out as it was. */
  async rederive(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    const evaluations = await this.evaluations(subject);
    for (const { version } of evaluations) {
      const bundle = await this.receipts.bundle(subject.organisationId, subject.id, version);
      if (verifyBundle(JSON.stringify(bundle)).problems.length > 0) return null;
    }
    return evaluations.length === 0 ? null : answering(gaps, SUSPECT, evidenceOf(evaluations));
  }

  private evaluations({ organisationId, id }: AuditSubject): Promise<Evaluated[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT evaluation_version AS version, receipt, receipt_hash FROM kyt_evaluations
         WHERE transaction_ref = $1 ORDER BY evaluation_version`,
        [id],
      ),
    );
  }
}

const evidenceOf = (evaluations: readonly Evaluated[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    evaluations.map(({ version, receipt_hash: hash }) => [`evaluation-${version}`, hash.toString('hex')]),
  );

function answering(
  gaps: readonly TrailGap[],
  kinds: readonly TrailGap['kind'][],
  evidence: Readonly<Record<string, string>>,
): RepairEvidence | null {
  const answers = gaps.filter(({ kind }) => kinds.includes(kind));
  return answers.length === 0 ? null : { answers, evidence };
}
