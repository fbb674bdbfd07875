import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { CheckpointSigner } from '../log/checkpoint-signer.js';
import { rootFromInclusion } from '../domain/merkle.js';
import type { SealedLeaf, TrailGap } from '../domain/trail.js';
import { LogIncompleteError, LogProofBuilder } from '../log/log-proof-builder.js';
import { AuditLogEntity } from '../store/entities.js';

type Paths = ReadonlyMap<number, readonly Buffer[]>;

// Maximum number of proofs: for 300 entries of one subject and as many of its state trail.
const MAX_PROVEN = 600;

/** Compares the leaves of subjects with the signed state of their log. */
@Injectable()
export class TrailSealVerifier {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly proofs: LogProofBuilder,
    private readonly signer: CheckpointSigner,
  ) {}

  /**
   * Returns the gaps of the log that affect these subjects, by the keys of `subjects`. Up to MAX_PROVEN leaves it
   * verifies the proof of each leaf to the signed root; with more leaves, as for a whole dossier, only that the log is
   * signed and not rolled back.
   */
  async findGaps(
    organisationId: string,
    subjects: ReadonlyMap<string, readonly SealedLeaf[]>,
  ): Promise<Map<string, TrailGap[]>> {
    const sealedLeaves = [...subjects.values()].flat();
    const common = await this.readLogState(organisationId, sealedLeaves.length === 0);
    const gaps = new Map<string, TrailGap[]>();
    const log = sealedLeaves.length <= MAX_PROVEN ? common.log : null;
    const paths = log ? await this.readPaths(organisationId, log, sealedLeaves) : null;
    for (const [id, leaves] of subjects) {
      const sealGaps = common.fault ? [common.fault] : [];
      gaps.set(id, log ? await this.findUnproven(organisationId, log, leaves, paths) : sealGaps);
    }
    return gaps;
  }

  /** Returns the inclusion paths by leaf index, with one query; null if the log lacks nodes on them. */
  private async readPaths(
    organisationId: string,
    { size }: AuditLogEntity,
    leaves: readonly SealedLeaf[],
  ): Promise<Paths | null> {
    const indices = leaves.map(({ index }) => index).filter((index) => index < Number(size));
    try {
      const paths = await this.proofs.proveInclusions(organisationId, indices, Number(size));
      return new Map(indices.map((index, i) => [index, paths[i] ?? []]));
    } catch (error) {
      if (error instanceof LogIncompleteError) return null;
      throw error;
    }
  }

  /** Returns the signed state of the log, or a fault if the log cannot prove anything. */
  private async readLogState(
    organisationId: string,
    isEmpty: boolean,
  ): Promise<{ log: AuditLogEntity | null; fault: TrailGap | null }> {
    const log = await this.uow.read(organisationId, (db) => db.findOneBy(AuditLogEntity, { organisationId }));
    const bad = (problem: TrailGap): { log: null; fault: TrailGap } => ({
      log: null,
      fault: { ...problem, linked: true },
    });
    if (!log) {
      if (isEmpty) return { log: null, fault: null };
      return bad(fault('LOG_ROLLED_BACK', 'the log of the organisation is gone'));
    }
    if (log.rolledBackAt !== null) {
      return bad(fault('LOG_ROLLED_BACK', 'the log is behind what was handed out of it'));
    }
    if (!this.signer.isOurs({ size: Number(log.size), root: log.root, note: log.note })) {
      return bad(fault('TAMPERED', 'the newest checkpoint is not one that this service signed'));
    }
    return { log, fault: null };
  }

  private async findUnproven(
    organisationId: string,
    log: AuditLogEntity,
    leaves: readonly SealedLeaf[],
    known: Paths | null,
  ): Promise<TrailGap[]> {
    const { size, root } = log;
    const gaps: TrailGap[] = leaves
      .filter(({ index }) => index >= Number(size))
      .map(({ seq }) => ({ kind: 'TAMPERED', seq, detail: 'its leaf is beyond the signed size' }));
    const covered = leaves.filter(({ index }) => index < Number(size));
    // If the log lacks nodes, the paths are read per subject: this subject may not need the missing nodes.
    const paths = known ?? (await this.readPaths(organisationId, log, covered));
    if (!paths) {
      const missingLeaves = fault('TAMPERED', 'the log lacks leaves that a checkpoint covers');
      return [...gaps, { ...missingLeaves, linked: true, leaf: covered[0]?.index ?? 0 }];
    }
    for (const { seq, index, hash } of covered) {
      const reached = rootFromInclusion(index, Number(size), hash, paths.get(index) ?? []);
      if (!reached?.equals(root)) {
        const detail = 'its leaf does not lead to the signed root';
        gaps.push({ kind: 'TAMPERED', seq, detail, linked: true, leaf: index });
      }
    }
    return gaps;
  }
}

const fault = (kind: TrailGap['kind'], detail: string): TrailGap => ({ kind, seq: null, detail });
