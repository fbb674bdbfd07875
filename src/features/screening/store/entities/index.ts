import { FreezeNoticeEntity } from './freeze-notice.entity.js';
import { FreezeEntity } from './freeze.entity.js';
import { HitUseEntity } from './hit-use.entity.js';
import { ScreeningEntryEntity } from './screening-entry.entity.js';
import { ScreeningHitEntity } from './screening-hit.entity.js';
import { ScreeningListEntity } from './screening-list.entity.js';
import { ScreeningRoundEntity } from './screening-round.entity.js';
import { ScreeningSnapshotEntity } from './screening-snapshot.entity.js';
import { ScreeningStagedEntryEntity } from './screening-staged-entry.entity.js';

export const screeningEntities = [
  FreezeNoticeEntity,
  FreezeEntity,
  HitUseEntity,
  ScreeningEntryEntity,
  ScreeningHitEntity,
  ScreeningListEntity,
  ScreeningRoundEntity,
  ScreeningSnapshotEntity,
  ScreeningStagedEntryEntity,
];
