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
import { CustomerHits } from './hits/customer-hits.service.js';
import { EntryCodec } from './lists/entry-codec.js';
import { HitApprovals } from './hits/hit-approvals.service.js';
import { HitDispositionService } from './hits/hit-disposition.service.js';
import { ImportUploads } from './lists/import-uploads.service.js';
import { IndexKeeper } from './search/index-keeper.service.js';
import { ListEntries } from './lists/list-entries.service.js';
import { ListImporter } from './lists/list-importer.service.js';
import { ListChecks } from './lists/list-checks.service.js';
import { ListLookups } from './lists/list-lookup.js';
import { Freezes } from './hits/freezes.service.js';
import { HitMemory } from './hits/hit-memory.service.js';
import { FreezesController } from './api/freezes.controller.js';
import { Rounds } from './hits/rounds.service.js';
import { Screener } from './search/screener.service.js';
import { ScreeningLists } from './lists/screening-lists.service.js';
import { ScreeningTrail } from './screening-trail.js';
import { HitRepository } from './store/hit.repository.js';
import { JoiningRepository } from './store/joining.repository.js';
import { EntryRepository } from './store/entry.repository.js';
import { SnapshotRepository } from './store/snapshot.repository.js';
import { screeningEntities } from './store/entities/index.js';

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
    CustomerHits,
    EntryCodec,
    EntryRepository,
    Freezes,
    HitApprovals,
    HitMemory,
    HitDispositionService,
    HitRepository,
    ImportUploads,
    IndexKeeper,
    JoiningRepository,
    ListEntries,
    ListImporter,
    ListLookups,
    ListChecks,
    Rounds,
    Screener,
    ScreeningLists,
    ScreeningTrail,
    SnapshotRepository,
  ],
  exports: [
    Freezes,
    HitApprovals,
    HitMemory,
    HitDispositionService,
    IndexKeeper,
    ListEntries,
    ListImporter,
    ListLookups,
    Rounds,
    Screener,
    ScreeningLists,
  ],
})
export class ScreeningModule {}
