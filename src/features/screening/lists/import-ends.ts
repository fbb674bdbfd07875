import type { Hash } from 'node:crypto';
import { Raw } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { conflict, type DomainError } from '../../../platform/kernel/index.js';
import type { Bytes } from '../domain/lists/text-records.js';
import type { ListRow, SnapshotRow } from '../domain/records.js';
import { ScreeningSnapshotEntity } from '../store/entities/screening-snapshot.entity.js';
import { ScreeningStagedEntryEntity } from '../store/entities/screening-staged-entry.entity.js';

// A running import updates its row every half second.
const ABANDONED_AFTER = "interval '60 seconds'";

export type ImportFigures = Pick<
  SnapshotRow,
  | 'id'
  | 'sha256'
  | 'lines'
  | 'entries'
  | 'linesMerged'
  | 'linesBroken'
  | 'fieldsDropped'
  | 'added'
  | 'changed'
  | 'removed'
>;

/** The figures of a snapshot that was never compared with the list. */
export const NO_FIGURES = { sha256: null, added: null, changed: null, removed: null } as const;

/** Fails an import of the list whose process has not reported for 60 seconds. */
export async function failAbandonedImport(tx: Tx, organisationId: string, listId: string): Promise<void> {
  const failed = await tx
    .createQueryBuilder()
    .update(ScreeningSnapshotEntity)
    .set({ status: 'FAILED', reason: 'INTERRUPTED', endedAt: () => 'now()' })
    .where({
      organisationId,
      listId,
      status: 'READING',
      touchedAt: Raw((touched) => `${touched} < now() - ${ABANDONED_AFTER}`),
    })
    .returning('id')
    .execute();
  for (const { id } of failed.raw as { id: string }[]) {
    await tx.delete(ScreeningStagedEntryEntity, { snapshotId: id });
  }
}

/** Stores the result of reading a snapshot. */
export async function concludeImport(tx: Tx, id: string, judged: Partial<SnapshotRow>): Promise<void> {
  const ended = judged.status === 'AWAITING_CONFIRMATION' ? {} : { endedAt: () => 'now()' };
  await tx.update(
    ScreeningSnapshotEntity,
    { id, status: 'READING' },
    { ...judged, touchedAt: () => 'now()', ...ended },
  );
}

export const importFiguresOf = (
  { key }: ListRow,
  { id: snapshotId, ...figures }: ImportFigures,
): Record<string, string | number | null> => {
  const { sha256, lines, entries, linesMerged, linesBroken, fieldsDropped, added, changed, removed } =
    figures;
  return {
    ...{ key, snapshotId, sha256, lines, entries, linesMerged, linesBroken, fieldsDropped },
    ...{ added, changed, removed },
  };
};

/** Passes the chunks of a file through, and adds their length to `reading` and their bytes to the digest. */
export async function* countBytes(
  bytes: Bytes,
  reading: { bytesRead: number },
  sha256: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    reading.bytesRead += chunk.length;
    sha256.update(chunk);
    yield chunk;
  }
}

export const notWaitingError = (): DomainError =>
  conflict('', 'NOT_WAITING', 'This import does not wait for a confirmation.');
