import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  type AuditSubject,
  type RederivedRow,
  type RepairEvidence,
  ReconstructTrail,
  RederiveTrail,
  type TrailEntry,
  type TrailGap,
} from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { BlindIndex } from '../../../platform/privacy/index.js';
import { verifyBundle } from '../domain/replay.js';
import { mapStoredBody } from '../domain/stored/stored-body.js';
import { receiptMatchesHash, readableReceipt } from '../domain/stored/stored-packing.js';
import { computeGroupingKeys } from '../domain/submission/grouping.js';
import { BodyEncryption } from '../ingest/body-encryption.js';
import { ReceiptExportService } from '../replay/receipt-export.service.js';
import { EVALUATION_TEXT, type StoredEvaluationText } from '../store/archive.queries.js';
import { KytEvaluationEntity, KytTransactionEntity } from '../store/entities.js';
import { readTrailStates, type TransactionState } from '../store/trail-state.queries.js';
import { restoreEvaluationColumns, restoreTransactionColumns } from './transaction-columns.js';

// LOST: gaps of missing or unlinked entries, which the receipts answer. SUSPECT: those and changed bytes, which need a
// replay of the evaluations. Other gaps are changed columns, which are restored from the entry or receipt that was
// stored with them.
const LOST: readonly TrailGap['kind'][] = ['MISSING_EVENTS', 'CHAIN_BROKEN'];
const SUSPECT: readonly TrailGap['kind'][] = [...LOST, 'TAMPERED'];

/** Finds evidence in the rows of a transaction for the repair of gaps in its audit trail. */
@Injectable()
export class TransactionRepairsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly receipts: ReceiptExportService,
    private readonly trail: AuditTrail,
    private readonly bodyEncryption: BodyEncryption,
    private readonly index: BlindIndex,
  ) {}

  /** Returns the receipts of the evaluations as evidence, if all of them still have their stored hash. */
  @ReconstructTrail('transaction')
  async reconstruct(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    const evaluations = await this.readEvaluations(subject);
    const intact = evaluations.filter(({ receipt, receiptHash }) => receiptMatchesHash(receipt, receiptHash));
    if (evaluations.length === 0 || intact.length < evaluations.length) return null;
    return answerGaps(gaps, LOST, evidenceOf(evaluations));
  }

  /**
   * Returns evidence if each evaluation, replayed from its stored facts, has the same result. If only columns were
   * changed, the evidence restores them from their entry, their receipt and the body.
   */
  @RederiveTrail('transaction')
  async rederive(subject: AuditSubject, gaps: readonly TrailGap[]): Promise<RepairEvidence | null> {
    if (!gaps.some(({ kind }) => SUSPECT.includes(kind))) return this.findColumnEvidence(subject, gaps);
    const evaluations = await this.readEvaluations(subject);
    for (const { evaluationVersion: version } of evaluations) {
      const bundle = await this.receipts.createBundle(subject.organisationId, subject.id, version);
      if (verifyBundle(JSON.stringify(bundle)).problems.length > 0) return null;
    }
    return evaluations.length === 0 ? null : answerGaps(gaps, SUSPECT, evidenceOf(evaluations));
  }

  private async findColumnEvidence(
    subject: AuditSubject,
    gaps: readonly TrailGap[],
  ): Promise<RepairEvidence | null> {
    const { organisationId, id } = subject;
    const { transactions, evaluations } = await this.uow.read(organisationId, (db) =>
      readTrailStates(db, organisationId, [id]),
    );
    const texts = await this.readEvaluations(subject);
    const entries = await this.trail.readEntries(subject);
    const rows: RederivedRow[] = [];
    const evidence: Record<string, string> = {};
    const answered = new Set<string>();
    const add = (entry: TrailEntry, row: RederivedRow | null): void => {
      if (!row || Object.keys(row.patch).length === 0) return;
      rows.push(row);
      answered.add(entry.action);
      for (const column of Object.keys(row.patch)) {
        evidence[`${row.table}.${column}`] = entry.hash.toString('hex');
      }
    };
    for (const entry of entries) {
      const version = entry.content['evaluationVersion'];
      const evaluation = evaluations.find(({ evaluation_version: of }) => of === version);
      const text = texts.find(({ evaluationVersion: of }) => of === version);
      const [row] = transactions;
      if (entry.action === 'transaction.received' && row) {
        add(entry, await this.restoreReceivedRow(subject, row, entry));
      }
      if (entry.action !== 'transaction.evaluated' || !evaluation || !text) continue;
      const receipt = readableReceipt(text.receipt);
      const patch = receipt === null ? null : restoreEvaluationColumns(evaluation, receipt, entry);
      const versionColumn = { evaluation_version: evaluation.evaluation_version };
      add(entry, patch && { table: 'kyt_evaluations', which: versionColumn, patch });
    }
    const answers = gaps.filter(
      ({ kind, detail }) =>
        kind === 'STATE_MISMATCH' && [...answered].some((action) => detail.includes(action)),
    );
    return answers.length === 0 ? null : { answers, evidence, rows };
  }

  private async restoreReceivedRow(
    { organisationId, id: transactionRef }: AuditSubject,
    row: TransactionState,
    entry: TrailEntry,
  ): Promise<RederivedRow | null> {
    const { content, occurredAt } = entry;
    const bytes = await this.uow.read(organisationId, async (db) =>
      db.findOne(KytTransactionEntity, {
        select: { id: true, sealedBody: true },
        where: { organisationId, id: transactionRef },
      }),
    );
    const [opened] = bytes
      ? await this.bodyEncryption.openMany([{ transactionRef, organisationId, bytes: bytes.sealedBody }])
      : [];
    if (opened?.kind !== 'open' || opened.erased.length > 0) return null;
    const submission = mapStoredBody(opened, {
      source: content['source'] === 'LEGACY' ? 'LEGACY' : 'INGEST',
      receivedAt: new Date(occurredAt),
      transactionId: String(content['transactionId']),
    });
    const keys = computeGroupingKeys(this.index, organisationId, submission);
    const patch = restoreTransactionColumns(row, submission, keys, entry);
    return patch && { table: 'kyt_transactions', which: {}, patch };
  }

  private readEvaluations({ organisationId, id }: AuditSubject): Promise<StoredEvaluationText[]> {
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

function answerGaps(
  gaps: readonly TrailGap[],
  kinds: readonly TrailGap['kind'][],
  evidence: Readonly<Record<string, string>>,
): RepairEvidence | null {
  const answers = gaps.filter(({ kind }) => kinds.includes(kind));
  return answers.length === 0 ? null : { answers, evidence };
}
