import { Injectable } from '@nestjs/common';
import {
  type AuditSubject,
  type RepairEvidence,
  ReconstructTrail,
  RederiveTrail,
  type TrailGap,
} from '../../audit/index.js';
import { UnitOfWork } from '../../database/index.js';
import { digestOf } from '../../kernel/index.js';
import { verifyBundle } from '../domain/replay.js';
import { ReceiptExport } from '../replay/receipt-export.service.js';
import { EVALUATION_TEXT, type StoredEvaluationText } from '../store/archive.queries.js';
import { KytEvaluationEntity } from '../store/entities/kyt-evaluation.entity.js';

// Other rows can attest an entry that is gone or no longer links. Bytes that were changed and are still there are only
// answered by deciding again; no evidence of the transaction itself answers for an edited business row.
const LOST: readonly TrailGap['kind'][] = ['MISSING_EVENTS', 'CHAIN_BROKEN'];
const SUSPECT: readonly TrailGap['kind'][] = [...LOST, 'TAMPERED'];

/** Finds in the rows of a transaction the evidence about gaps of its trail. */
@Injectable()
export class TransactionRepairs {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly receipts: ReceiptExport,
  ) {}

  /** From the receipts of its evaluations, each of which still has the hash under which it was stored. */
  @ReconstructTrail('transaction')
  async reconstruct(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    const evaluations = await this.evaluations(subject);
    const intact = evaluations.filter(
      ({ receipt, receiptHash: hash }) => digestOf(receipt) === hash.toString('hex'),
    );
    if (evaluations.length === 0 || intact.length < evaluations.length) return null;
    return answering(gaps, LOST, evidenceOf(evaluations));
  }

  /** Each evaluation is decided again from its stored facts, and comes out as it was. */
  @RederiveTrail('transaction')
  async rederive(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    const evaluations = await this.evaluations(subject);
    for (const { evaluationVersion: version } of evaluations) {
      const bundle = await this.receipts.bundle(subject.organisationId, subject.id, version);
      if (verifyBundle(JSON.stringify(bundle)).problems.length > 0) return null;
    }
    return evaluations.length === 0 ? null : answering(gaps, SUSPECT, evidenceOf(evaluations));
  }

  private evaluations({ organisationId, id }: AuditSubject): Promise<StoredEvaluationText[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(KytEvaluationEntity, {
        select: EVALUATION_TEXT,
        where: { organisationId, transactionRef: id },
        order: { evaluationVersion: 'ASC' },
      }),
    );
  }
}

const evidenceOf = (evaluations: readonly StoredEvaluationText[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    evaluations.map(({ evaluationVersion: version, receiptHash: hash }) => [
      `evaluation-${version}`,
      hash.toString('hex'),
    ]),
  );

function answering(
  gaps: readonly TrailGap[],
  kinds: readonly TrailGap['kind'][],
  evidence: Readonly<Record<string, string>>,
): RepairEvidence | null {
  const answers = gaps.filter(({ kind }) => kinds.includes(kind));
  return answers.length === 0 ? null : { answers, evidence };
}
