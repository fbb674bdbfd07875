// Owns lists, their index, and hits. Promises that every hit is explained and stored once, that a dismissed hit stays
// dismissed until its entry changes, and that a missing or stale list is reported and never counts as "no hit".
export { ScreeningModule } from './screening.module.js';
export { ScreeningJobsModule } from './screening-jobs.module.js';
export {
  HitDispositionService,
  type RecordedMatch,
  type CurrentMatch,
} from './hits/hit-disposition.service.js';
export { HitApprovalsService, type HitDecision } from './hits/hit-approvals.service.js';
export { DispositionBody } from './api/screening.dto.js';
export { FreezesService, type FrozenSubjects } from './hits/freezes.service.js';
export { HitReopeningService } from './hits/hit-reopening.service.js';
export { SearchIndexService } from './search/search-index.service.js';
export { ListImporterService } from './lists/list-importer.service.js';
export { ListEntriesService } from './lists/list-entries.service.js';
export { EntryView, HitView } from './api/screening.view.dto.js';
export { ListLookups } from './lists/list-lookup.js';
export { partyOfCustomer, today } from './hits/screening-rounds.service.js';
export { ScreenerService, type Screening, type ScreeningState } from './search/screener.service.js';
export { ScreeningListsService, type NewList } from './lists/screening-lists.service.js';
export type { HitRow, SnapshotRow } from './domain/records.js';
export { listFormats, type ListFormat } from './domain/lists/list-formats.js';
export { hitStatuses } from './domain/hit.js';
export { listKinds, type ListedValue, type ListKind } from './domain/lists/list-entry.js';
export type { Match, ScreenedParty } from './domain/party.js';
export type { PartyRole } from './domain/party-role.js';
export type { MatchStrength } from './domain/qualify.js';
export type { CurrentHit } from './store/hit.repository.js';
export { sampleLists } from './data/samples.js';
export { ScreeningHitEntity, ScreeningListEntity } from './store/entities.js';
export { isComparable, searchWords } from './domain/names/name-query.js';
export { scoreNames } from './domain/names/pair-scorer.js';
