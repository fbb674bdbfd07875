import type { ScreeningHitEntity } from '../store/entities/screening-hit.entity.js';
import type { ScreeningListEntity } from '../store/entities/screening-list.entity.js';
import type { ScreeningRoundEntity } from '../store/entities/screening-round.entity.js';
import type { ScreeningSnapshotEntity } from '../store/entities/screening-snapshot.entity.js';

/** A list as it is stored. */
export type ListRow = Readonly<ScreeningListEntity>;

export type SnapshotStatus = ScreeningSnapshotEntity['status'];
export type BrokenLine = ScreeningSnapshotEntity['broken'][number];

/** One import of a file: how far it is, what it changes, and what became of it. */
export type SnapshotRow = Readonly<Omit<ScreeningSnapshotEntity, 'sha256' | 'touchedAt'>> & {
  readonly sha256: string | null;
};

export type HitRow = Readonly<
  Omit<ScreeningHitEntity, 'subjectIndex' | 'entryHash' | 'seen' | 'awaitsCase'>
> & {
  readonly entryHash: string;
  readonly listKey: string;
  readonly listKind: string;
};

/** Screening the known customers against what a snapshot brought. */
export type RoundRow = Readonly<Omit<ScreeningRoundEntity, 'leaseUntil'>>;
