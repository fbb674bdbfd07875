import type { ScreeningHitEntity } from '../store/entities/screening-hit.entity.js';
import type { ScreeningListEntity } from '../store/entities/screening-list.entity.js';
import type { ScreeningSnapshotEntity } from '../store/entities/screening-snapshot.entity.js';

/** A list as it is stored. */
export type ListRow = Readonly<ScreeningListEntity>;

/** One import of a file: how far it is, what it changes, and what became of it. */
export type SnapshotRow = Readonly<ScreeningSnapshotEntity>;

export type HitRow = Readonly<
  Omit<ScreeningHitEntity, 'subjectIndex' | 'entryHash' | 'seen' | 'awaitsCase'>
> & {
  readonly entryHash: string;
  readonly listKey: string;
  readonly listKind: string;
};
