import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { OperatorSearchController } from './api/operator-search.controller.js';
import { RelationsController } from './api/relations.controller.js';
import { NameIndexService } from './names/name-index.service.js';
import { CustomerNameSearch } from './names/name-search.js';
import { OperatorSearchService } from './operator-search.service.js';
import { RelationsService } from './relations.service.js';
import { NameIndexRepository } from './store/name-index.repository.js';
import { NameSearchQueries } from './store/name-search.queries.js';
import { RecordSearchQueries } from './store/record-search.queries.js';
import { RelationQueries } from './store/relation.queries.js';
import { searchEntities } from './store/entities.js';

@Module({
  imports: [TypeOrmModule.forFeature(searchEntities), AuditModule, CustomersModule, HttpModule],
  controllers: [OperatorSearchController, RelationsController],
  providers: [
    NameIndexService,
    NameIndexRepository,
    CustomerNameSearch,
    NameSearchQueries,
    OperatorSearchService,
    RecordSearchQueries,
    RelationQueries,
    RelationsService,
  ],
  exports: [RelationsService],
})
export class SearchModule {}
