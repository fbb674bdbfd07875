// Owns lists, their index, and hits. Promises that every hit is explained and kept once, that what was dismissed stays
// dismissed until the entry changes, and that a missing or stale list is said and never taken for "no hit".
export { ScreeningModule } from './screening.module.js';
export { ScreeningJobsModule } from './screening-jobs.module.js';
export {
  HitDispositionService,
  type RecordedMatch,
  type CurrentMatch,
} from './hits/hit-disposition.service.js';
export { HitApprovals, type HitDecision } from './hits/hit-approvals.service.js';
export { DispositionBody } from './api/screening.dto.js';
export { Freezes } from './hits/freezes.service.js';
export { HitMemory } from './hits/hit-memory.service.js';
export { IndexKeeper } from './search/index-keeper.service.js';
export { ListImporter, type ImportSource } from './lists/list-importer.service.js';
export { ListEntries } from './lists/list-entries.service.js';
export { EntryView, HitView } from './api/screening.view.dto.js';
export { ListLookups } from './lists/list-lookup.js';
export { partyOf, Rounds, today } from './hits/rounds.service.js';
export { Screener, type Screening, type ScreeningState } from './search/screener.service.js';
export { ScreeningLists, type NewList } from './lists/screening-lists.service.js';
export type { HitRow, ListRow, SnapshotRow } from './domain/records.js';
export { valueOf, visibleDigits } from './domain/lists/list-values.js';
export { listFormats, type ListFormat } from './domain/lists/list-formats.js';
export { hitStatuses } from './domain/hit.js';
export { listKinds, type ListedValue, type ListKind } from './domain/lists/list-entry.js';
export type { Match, Party } from './domain/party.js';
export type { PartyRole } from './domain/party-role.js';
export type { Strength } from './domain/qualify.js';
export type { CurrentHit } from './store/hit.repository.js';
export { sampleLists } from './data/samples.js';
export { ScreeningListEntity } from './store/entities/screening-list.entity.js';
export { isComparable, wordsToFind } from './domain/names/asked-name.js';
export { scoreNames } from './domain/names/pair-scorer.js';
