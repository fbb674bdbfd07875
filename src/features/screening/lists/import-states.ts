import { createHash } from 'node:crypto';
import { Raw } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { conflict, type DomainError } from '../../../platform/kernel/index.js';
import { HEAD_BYTES } from '../domain/lists/file-date.js';
import { FormatMismatchError } from '../../../platform/kernel/csv/csv-table.js';
import type { Bytes } from '../../../platform/kernel/csv/decode-text.js';
import type { ListRow, SnapshotRow } from '../domain/records.js';
import {
  ScreeningListEntity,
  ScreeningSnapshotEntity,
  ScreeningStagedEntryEntity,
} from '../store/entities.js';

// Time without an update after which an import is abandoned; a running import updates its row every half second.
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
  const endColumns = judged.status === 'AWAITING_CONFIRMATION' ? {} : { endedAt: () => 'now()' };
  await tx.update(
    ScreeningSnapshotEntity,
    { id, status: 'READING' },
    { ...judged, touchedAt: () => 'now()', ...endColumns },
  );
}

/** Returns the columns that a file lacks and has, if its format was not the one that was named. */
export const columnsOf = (error: unknown): Partial<Pick<SnapshotRow, 'broken' | 'dropped'>> => {
  if (!(error instanceof FormatMismatchError)) return {};
  const { line, missing, found } = error;
  return {
    broken: missing.map((column) => ({ line, column, problem: 'COLUMN_MISSING' })),
    dropped: found.map((column) => ({ line, column, problem: 'COLUMN_FOUND' })),
  };
};

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

/** Confirms a list as current, because its file came again: as of the day that the file says, or now. */
export const confirmCurrent = (tx: Tx, id: string, fileDatedAt: Date | null): Promise<unknown> =>
  tx.update(ScreeningListEntity, { id }, { publishedAt: fileDatedAt ?? (() => 'now()') });

/** The digest and the beginning of a file that is being read. */
export class ReadFile {
  head = Buffer.alloc(0);
  private readonly hash = createHash('sha256');

  update(chunk: Uint8Array): void {
    const room = HEAD_BYTES - this.head.length;
    if (room > 0) this.head = Buffer.concat([this.head, chunk.subarray(0, room)]);
    this.hash.update(chunk);
  }

  /** Returns the SHA-256 in hexadecimal; once, at the end. */
  digest(): string {
    return this.hash.digest('hex');
  }
}

/** Passes the chunks of a file through, and adds their length to `reading` and their bytes to the file that is read. */
export async function* countBytes(
  bytes: Bytes,
  reading: { bytesRead: number },
  file: ReadFile,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    reading.bytesRead += chunk.length;
    file.update(chunk);
    yield chunk;
  }
}

export const notWaitingError = (): DomainError =>
  conflict('', 'NOT_WAITING', 'This import does not wait for a confirmation.');
