import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { KytModule } from '../kyt/index.js';
import { OperatorsModule } from '../operators/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { ScreeningModule } from '../screening/index.js';
import { SearchModule } from '../search/index.js';
import { SessionsModule } from '../sessions/index.js';
import { BulkController } from './api/bulk.controller.js';
import { CasesController } from './api/cases.controller.js';
import { CountsController } from './api/counts.controller.js';
import { StreamController } from './api/stream.controller.js';
import { ViewsController } from './api/views.controller.js';
import { BulkDecisionsService } from './bulk/bulk-decisions.service.js';
import { CaseContextService } from './cases/case-context.service.js';
import { CaseFileService } from './cases/case-file.service.js';
import { CaseHitsService } from './cases/case-hits.service.js';
import { CaseRowsService } from './cases/case-rows.service.js';
import { WaitingCountsService } from './cases/waiting-counts.service.js';
import { ChangeStreamsService } from './live/change-streams.service.js';
import { SavedViewsService } from './views/saved-views.service.js';
import { workspaceEntities } from './store/entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(workspaceEntities),
    ApprovalsModule,
    AuditModule,
    CustomersModule,
    HttpModule,
    KytModule,
    OperatorsModule,
    ReviewsModule,
    ScreeningModule,
    SearchModule,
    SessionsModule,
  ],
  controllers: [BulkController, CasesController, CountsController, StreamController, ViewsController],
  providers: [
    BulkDecisionsService,
    CaseContextService,
    CaseFileService,
    CaseHitsService,
    CaseRowsService,
    ChangeStreamsService,
    WaitingCountsService,
    SavedViewsService,
  ],
})
export class WorkspaceModule {}
