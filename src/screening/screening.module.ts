import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../http/index.js';
import { HitsController } from './api/hits.controller.js';
import { ImportsController } from './api/imports.controller.js';
import { ListsController } from './api/lists.controller.js';
import { SearchController } from './api/search.controller.js';
import { CustomerHits } from './customer-hits.js';
import { EntryCodec } from './entry-codec.js';
import { HitDesk } from './hit-desk.service.js';
import { ImportUploads } from './import-uploads.service.js';
import { IndexKeeper } from './index-keeper.js';
import { ListEntries } from './list-entries.service.js';
import { ListImporter } from './list-importer.service.js';
import { ListLookups } from './list-lookup.js';
import { Rounds } from './rounds.service.js';
import { Screener } from './screener.service.js';
import { ScreeningLists } from './screening-lists.service.js';
import { ScreeningTrail } from './screening-trail.js';
import { HitRepository } from './store/hit.repository.js';
import { JoiningRepository } from './store/joining.repository.js';
import { ListRepository } from './store/list.repository.js';
import { RoundRepository } from './store/round.repository.js';

@Module({
  imports: [AuditModule, CustomersModule, HttpModule],
  controllers: [HitsController, ImportsController, ListsController, SearchController],
  providers: [
    CustomerHits,
    EntryCodec,
    HitDesk,
    HitRepository,
    ImportUploads,
    IndexKeeper,
    JoiningRepository,
    ListEntries,
    ListImporter,
    ListLookups,
    ListRepository,
    RoundRepository,
    Rounds,
    Screener,
    ScreeningLists,
    ScreeningTrail,
  ],
  exports: [
    HitDesk,
    HitRepository,
    IndexKeeper,
    ListImporter,
    ListLookups,
    RoundRepository,
    Rounds,
    Screener,
    ScreeningLists,
  ],
})
export class ScreeningModule {}
