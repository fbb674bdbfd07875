import { Injectable } from '@nestjs/common';
import { lockRow, newestFirst, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, orThrow, required } from '../../../platform/kernel/index.js';
import { type ActorContext, auditDraftOf } from '../actor-context.js';
import { AuditTrail } from './audit-trail.js';
import { entryHash, type AuditContent, type AuditDraft, type AuditSubject } from '../domain/entry.js';
import type { RepairKind, TrailGap, TrailVerdict } from '../domain/trail.js';
import { LogProofBuilder } from '../log/log-proof-builder.js';
import { AuditRepairEntity } from '../store/entities.js';
import { restoreRow, parseRestoredEntry } from '../store/repair.queries.js';
import { RepairSources, type RepairEvidence } from './repair-sources.js';
import { StateRederivation } from './state-rederivation.js';

/** A repair without the bytes of the restored entry. */
export type RepairRow = Omit<AuditRepairEntity, 'restored'>;
export type RepairStatus = AuditRepairEntity['status'];

export interface RepairRequest {
  readonly subject: AuditSubject;
  readonly kind: RepairKind;
  readonly justification: string;
  /** The bytes to restore, for RESTORE. */
  readonly canonical: Buffer | null;
}

export interface RepairBasis {
  readonly gaps: readonly TrailGap[];
  readonly evidence: Readonly<Record<string, string>>;
  readonly restoredSeq: number | null;
}

/**
 * Repairs trails: one person requests, another approves. A repair changes no entry; it explains gaps, by an
 * entry of its own.
 *
 * - RESTORE supplies the bytes of an entry that was changed or deleted. It takes only bytes that the log has sealed.
 * - RECONSTRUCT proves missing entries by other rows with the same content.
 * - RE_DERIVE evaluates again from the stored facts and gets the same result, or restores changed columns from a
 *   sealed entry or receipt.
 * - ATTEST accepts a gap that nothing can prove. The trail stays marked as ATTESTED_GAP.
 */
@Injectable()
export class TrailRepairsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly proofs: LogProofBuilder,
    private readonly sources: RepairSources,
    private readonly stateRederivation: StateRederivation,
    private readonly clock: Clock,
  ) {}

  /** Lists repairs older than `before`, the newest first. */
  async page(
    organisationId: string,
    status: RepairStatus | null,
    before: string | null,
    limit: number,
  ): Promise<RepairRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(
        AuditRepairEntity,
        newestFirst({ organisationId, ...(status !== null && { status }) }, before, limit),
      ),
    );
  }

  /** Finds the gaps that a repair can explain, and its evidence. Throws STATE_CONFLICT if there is none. */
  async findBasis({ subject, kind, canonical }: RepairRequest): Promise<RepairBasis> {
    const verdict = orThrow(await this.trail.findTrailStatus(subject), 'AUDIT_ENTRY_NOT_FOUND');
    if (verdict.gaps.length === 0) throw conflict('kind', 'NOTHING_TO_REPAIR', 'The trail has no gap.');
    return this.basisOf(subject, kind, verdict, canonical);
  }

  /** Stores a requested repair. */
  async insert(
    tx: Tx,
    ctx: ActorContext,
    id: string,
    { subject, kind, justification, canonical }: RepairRequest,
    basis: RepairBasis,
  ): Promise<void> {
    const { organisationId, type: subjectType, id: subjectId } = subject;
    const subjectAndKind = { organisationId, subjectType, subjectId, kind, justification };
    const requestedRepair = { requestedBy: ctx.actor.id, ...basis, restored: canonical };
    await tx.insert(AuditRepairEntity, { id, ...subjectAndKind, ...requestedRepair });
    const content = { ...subjectContent(subject, kind), gaps: basis.gaps.map(nameOf), ...basis.evidence };
    await this.trail.record(tx, this.draftEntry(ctx, id, 'repair.requested', content));
  }

  async lockStatus(tx: Tx, organisationId: string, id: string): Promise<RepairStatus> {
    return (await lock(tx, organisationId, id)).status;
  }

  /** Applies or refuses a repair. `decidedBy` is the second person; null if the request expired or was withdrawn. */
  async decide(
    tx: Tx,
    ctx: ActorContext,
    id: string,
    decision: 'APPLIED' | 'REFUSED',
    decidedBy: string | null,
  ): Promise<void> {
    const { organisationId } = ctx;
    const open = await lock(tx, organisationId, id);
    if (open.status !== 'REQUESTED') throw new DomainError('STATE_CONFLICT');
    const decided = { status: decision, decidedBy, decidedAt: () => 'clock_timestamp()' };
    await tx.update(AuditRepairEntity, { organisationId, id }, decided);
    if (decision === 'APPLIED' && open.kind === 'RE_DERIVE') await this.putBack(tx, open);
    const action = decision === 'APPLIED' ? 'repair.applied' : 'repair.refused';
    const subject = { organisationId, type: open.subjectType, id: open.subjectId };
    const content = { ...subjectContent(subject, open.kind), gaps: open.gaps.map(nameOf) };
    await this.trail.record(tx, this.draftEntry(ctx, id, action, content));
  }

  async find(organisationId: string, id: string): Promise<RepairRow> {
    return orThrow(
      await this.uow.read(organisationId, (db) => db.findOneBy(AuditRepairEntity, { organisationId, id })),
      'REPAIR_NOT_FOUND',
    );
  }

  /** Finds the gaps that a repair of this kind can explain, and its evidence. */
  private async basisOf(
    subject: AuditSubject,
    kind: RepairKind,
    verdict: TrailVerdict,
    canonical: Buffer | null,
  ): Promise<RepairBasis> {
    if ((kind === 'RESTORE') !== (canonical !== null)) {
      throw conflict('kind', 'BYTES_EXPECTED', 'Bytes are given for RESTORE, and for nothing else.');
    }
    switch (kind) {
      case 'RESTORE':
        return this.findRestoration(subject, verdict, required(canonical, 'the entry to restore'));
      case 'RECONSTRUCT':
      case 'RE_DERIVE': {
        const evidence = await this.findEvidence(subject, kind, verdict.gaps);
        if (!evidence) throw conflict('kind', 'NO_EVIDENCE', 'No other durable row proves what is missing.');
        return { gaps: evidence.answers, evidence: evidence.evidence, restoredSeq: null };
      }
      case 'ATTEST':
        return { gaps: verdict.gaps, evidence: {}, restoredSeq: null };
    }
  }

  private async findEvidence(
    subject: AuditSubject,
    kind: 'RECONSTRUCT' | 'RE_DERIVE',
    gaps: readonly TrailGap[],
  ): Promise<RepairEvidence | null> {
    const evidences = [
      await this.sources.findEvidence(subject, kind, gaps),
      kind === 'RE_DERIVE' ? await this.stateRederivation.find(subject, gaps) : null,
    ].filter((one) => one !== null);
    if (evidences.length === 0) return null;
    return {
      answers: evidences.flatMap(({ answers }) => answers),
      evidence: Object.assign({}, ...evidences.map(({ evidence }) => evidence)) as RepairEvidence['evidence'],
      rows: evidences.flatMap(({ rows = [] }) => rows),
    };
  }

  /** Restores rows for an applied repair. Derives the values again, as the rows may have changed since the request. */
  private async putBack(tx: Tx, { organisationId, id, subjectType, subjectId }: RepairRow): Promise<void> {
    const subject = { organisationId, type: subjectType, id: subjectId };
    const { gaps } = await this.trail.trailStatus(subject);
    const evidence = gaps.length === 0 ? null : await this.findEvidence(subject, 'RE_DERIVE', gaps);
    for (const row of evidence?.rows ?? []) {
      if ((await restoreRow(tx, organisationId, id, row)) !== 1) throw new DomainError('STATE_CONFLICT');
    }
  }

  private async findRestoration(
    subject: AuditSubject,
    verdict: TrailVerdict,
    canonical: Buffer,
  ): Promise<RepairBasis> {
    const entry = parseEntryOrNull(canonical);
    const leaf = entry && (await this.proofs.findLeaf(subject, entry.seq));
    if (!entry || !leaf?.hash.equals(entryHash(canonical))) {
      throw conflict('kind', 'NOT_SEALED', 'The log has not sealed these bytes at that place.');
    }
    const evidence = { sealed: leaf.hash.toString('hex') };
    return { gaps: verdict.gaps.filter(({ seq }) => seq === entry.seq), evidence, restoredSeq: entry.seq };
  }

  private draftEntry(
    ctx: ActorContext,
    id: string,
    action: AuditDraft['action'],
    content: AuditContent,
  ): AuditDraft {
    const now = new Date(this.clock.now());
    return auditDraftOf(ctx, 'repair', id, action, now, content);
  }
}

async function lock(tx: Tx, organisationId: string, id: string): Promise<RepairRow> {
  return orThrow(
    await lockRow(tx, AuditRepairEntity, { organisationId, id }, 'pessimistic_write'),
    'REPAIR_NOT_FOUND',
  );
}

const subjectContent = (subject: AuditSubject, kind: RepairKind): AuditContent => ({
  kind,
  of: `${subject.type}:${subject.id}`,
});

const nameOf = ({ kind, seq, detail }: TrailGap): string => `${kind} at ${seq ?? '-'}: ${detail}`;

function parseEntryOrNull(canonical: Buffer): ReturnType<typeof parseRestoredEntry> | null {
  try {
    const entry = parseRestoredEntry(canonical);
    return Number.isInteger(entry.seq) ? entry : null;
  } catch {
    return null; // not an entry; the caller refuses the request
  }
}
