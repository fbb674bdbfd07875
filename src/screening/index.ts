// Owns lists, their index, and hits. Promises that every hit is explained and kept once, that what was dismissed stays
// dismissed until the entry changes, and that a missing or stale list is said and never taken for "no hit".
export { ScreeningModule } from './screening.module.js';
export { ScreeningJobsModule } from './screening-jobs.module.js';
export { HitDesk, type RecordedMatch, type StandingMatch } from './hit-desk.service.js';
export { IndexKeeper } from './index-keeper.js';
export { ListImporter, type ImportSource } from './list-importer.service.js';
export { ListLookups } from './list-lookup.js';
export { partyOf, Rounds, today } from './rounds.service.js';
export { Screener, type Screening, type ScreeningState } from './screener.service.js';
export { ScreeningLists, type NewList } from './screening-lists.service.js';
export type { HitRow, ListRow, SnapshotRow } from './domain/records.js';
export { listFormats, valueOf, visibleDigits, type ListFormat } from './domain/list-formats.js';
export { listKinds, type ListedValue, type ListKind } from './domain/list-entry.js';
export type { Match, Party, PartyRole } from './domain/party.js';
export type { Strength } from './domain/qualify.js';
export type { StandingHit } from './store/hit.repository.js';
export { sampleLists } from './data/samples.js';
