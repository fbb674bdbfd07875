import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { HitsController } from './api/hits.controller.js';
import { ImportsController } from './api/imports.controller.js';
import { ListsController } from './api/lists.controller.js';
import { SearchController } from './api/search.controller.js';
import { CustomerHitsService } from './hits/customer-hits.service.js';
import { EntryCodec } from './lists/entry-codec.js';
import { HitApprovalsService } from './hits/hit-approvals.service.js';
import { HitDispositionService } from './hits/hit-disposition.service.js';
import { ImportUploadsService } from './lists/import-uploads.service.js';
import { SearchIndexService } from './search/search-index.service.js';
import { ListEntriesService } from './lists/list-entries.service.js';
import { ListImporterService } from './lists/list-importer.service.js';
import { ListIntegrityService } from './lists/list-integrity.service.js';
import { ListLookups } from './lists/list-lookup.js';
import { FreezesService } from './hits/freezes.service.js';
import { HitReopeningService } from './hits/hit-reopening.service.js';
import { FreezesController } from './api/freezes.controller.js';
import { ScreeningRoundsService } from './hits/screening-rounds.service.js';
import { ScreenerService } from './search/screener.service.js';
import { ScreeningListsService } from './lists/screening-lists.service.js';
import { ListContract } from './list-contract.js';
import { HitRepository } from './store/hit.repository.js';
import { HitMergeRepository } from './store/hit-merge.repository.js';
import { EntryRepository } from './store/entry.repository.js';
import { RoundRepository } from './store/round.repository.js';
import { SnapshotRepository } from './store/snapshot.repository.js';
import { screeningEntities } from './store/entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(screeningEntities),
    ApprovalsModule,
    AuditModule,
    CustomersModule,
    HttpModule,
  ],
  controllers: [FreezesController, HitsController, ImportsController, ListsController, SearchController],
  providers: [
    CustomerHitsService,
    EntryCodec,
    EntryRepository,
    FreezesService,
    HitApprovalsService,
    HitReopeningService,
    HitDispositionService,
    HitRepository,
    ImportUploadsService,
    SearchIndexService,
    HitMergeRepository,
    ListEntriesService,
    ListImporterService,
    ListLookups,
    ListIntegrityService,
    RoundRepository,
    ScreeningRoundsService,
    ScreenerService,
    ScreeningListsService,
    ListContract,
    SnapshotRepository,
  ],
  exports: [
    FreezesService,
    HitApprovalsService,
    HitReopeningService,
    HitDispositionService,
    SearchIndexService,
    ListEntriesService,
    ListImporterService,
    ListLookups,
    RoundRepository,
    ScreeningRoundsService,
    ScreenerService,
    ScreeningListsService,
  ],
})
export class ScreeningModule {}
