import { Injectable } from '@nestjs/common';
import { raiseStatementTimeout, UnitOfWork } from '../../../platform/database/index.js';
import type { MissingEntry } from '../domain/package-format.js';
import type { LoggedLeaf } from '../store/log.queries.js';
import { PruningRepository } from '../store/pruning.repository.js';
import { findUnsealedBefore } from '../store/watch/late-seal.statements.js';

// Maximum time between an entry's timestamp and the commit of its transaction, which makes it visible.
const SEALING_MS = 5_000;

/** Finds the entries that a package of the whole log lacks. The package must name them, or it would look complete. */
@Injectable()
export class MissingEntryFinder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly prunings: PruningRepository,
  ) {}

  /** Finds leaves whose entry was deleted, although no entry about a pruning names the leaf. */
  async findErased(organisationId: string, leaves: readonly LoggedLeaf[]): Promise<MissingEntry[]> {
    const bare = leaves.filter(({ entry }) => entry === null);
    const missingEntries: MissingEntry[] = [];
    for (const type of new Set(bare.map(({ subjectType }) => subjectType))) {
      const leavesOfType = bare.filter(({ subjectType }) => subjectType === type);
      const ids = [...new Set(leavesOfType.map(({ subjectId }) => subjectId))];
      const namedLeaves = await this.prunings.readNamedLeaves(organisationId, type, ids);
      for (const { index, subjectId, subjectSeq: seq } of leavesOfType) {
        if (namedLeaves.get(subjectId)?.(index) === true) continue;
        missingEntries.push({ subject: `${type}:${subjectId}`, seq, why: 'ERASED' });
      }
    }
    return missingEntries;
  }

  /** Finds entries that have no leaf, although the log was signed after they should have been sealed. */
  async findUnsealed(organisationId: string, signedAt: Date): Promise<MissingEntry[]> {
    const rows = await this.uow.run(organisationId, async (tx) => {
      await raiseStatementTimeout(tx, 10);
      return findUnsealedBefore(tx, organisationId, new Date(signedAt.getTime() - SEALING_MS));
    });
    return rows.map(({ subject_type: type, subject_id: id, subject_seq: seq }) => ({
      subject: `${type}:${id}`,
      seq,
      why: 'UNSEALED',
    }));
  }
}
