import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/kernel/index.js';
import { AuditKeys } from './audit-keys.js';
import { rootFromInclusion } from '../domain/merkle.js';
import { LogProofBuilder } from './log-proof-builder.js';
import { LogQueries, type StoredCheckpoint } from '../store/log.queries.js';

export interface LeafProof {
  readonly index: number;
  readonly size: number;
  readonly leaf: Buffer;
  readonly path: readonly Buffer[];
  readonly root: Buffer;
}

export interface LogStatus {
  readonly checkpoint: StoredCheckpoint | null;
  readonly verifierKeys: readonly string[];
  readonly pending: number;
  /** Number of entries that were pruned after their retention. */
  readonly pruned: number;
}

/** Answers auditors: the state of a log, and proofs. */
@Injectable()
export class LogAuditorService {
  constructor(
    private readonly queries: LogQueries,
    private readonly proofs: LogProofBuilder,
    private readonly keys: AuditKeys,
  ) {}

  async readStatus(organisationId: string): Promise<LogStatus> {
    const checkpoint = await this.queries.findCurrentLog(organisationId);
    return {
      checkpoint,
      pruned: checkpoint?.pruned ?? 0,
      verifierKeys: this.keys.verifierKeys,
      pending: await this.queries.countPending(organisationId),
    };
  }

  /** Proves that the leaf at `index` is in the tree of the first `size` leaves (default: all leaves). */
  async proveInclusion(organisationId: string, index: number, size?: number): Promise<LeafProof> {
    const present = (await this.queries.findCurrentLog(organisationId))?.size ?? 0;
    const targetSize = size ?? present;
    if (targetSize > present || index >= targetSize) throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
    const [leaf] = await this.proofs.readRoots(organisationId, [{ start: index, length: 1 }]);
    const path = await this.proofs.proveInclusion(organisationId, index, targetSize);
    const root = leaf && rootFromInclusion(index, targetSize, leaf, path);
    if (!leaf || !root) throw new Error('a proof that was just made leads to no root');
    return { index, size: targetSize, leaf, path, root };
  }

  /** Proves that the tree of `to` leaves (default: all leaves) begins with the tree of `from` leaves. */
  async proveConsistency(
    organisationId: string,
    from: number,
    to?: number,
  ): Promise<{ from: number; to: number; path: readonly Buffer[] }> {
    const present = (await this.queries.findCurrentLog(organisationId))?.size ?? 0;
    const targetSize = to ?? present;
    if (targetSize > present || from > targetSize) throw new DomainError('AUDIT_ENTRY_NOT_FOUND');
    return {
      from,
      to: targetSize,
      path: await this.proofs.proveConsistency(organisationId, from, targetSize),
    };
  }
}
