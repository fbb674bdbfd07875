import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { FxModule } from '../fx/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { KytModule } from '../kyt/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { ScreeningModule } from '../screening/index.js';
import { SessionsModule } from '../sessions/index.js';
import { UploadsModule } from '../uploads/index.js';
import { CoafEditsController } from './api/coaf-edits.controller.js';
import { CoafController } from './api/coaf.controller.js';
import { ComplianceController } from './api/compliance.controller.js';
import { DossiersController } from './api/dossiers.controller.js';
import { CashReportsService } from './coaf/cash-reports.service.js';
import { CoafCommunicationsService } from './coaf/coaf-communications.service.js';
import { CommunicationContents } from './coaf/communication-contents.js';
import { CoafEditsService } from './coaf/coaf-edits.service.js';
import { CoafFilingsService } from './coaf/coaf-filings.service.js';
import { ComplianceReportService } from './compliance-report.service.js';
import { CustomerCommunicationsService } from './coaf/customer-communications.service.js';
import { DossierOperators } from './files/dossier-operators.js';
import { DossierExports } from './files/dossier-exports.js';
import { DossierPicturesService } from './files/dossier-pictures.service.js';
import { DossierCases } from './files/dossier-cases.js';
import { DossierScopes } from './files/dossier-scopes.js';
import { DossierTrails } from './files/dossier-trails.js';
import { DossiersService } from './files/dossiers.service.js';
import { CommunicationRepository } from './store/communication.repository.js';
import { TrailScopesService } from './trail-scopes.service.js';
import { ComplianceQueries } from './store/compliance.queries.js';
import { SubjectExportsService } from './files/subject-exports.service.js';
import { SuspicionsService } from './coaf/suspicions.service.js';
import { dossiersEntities } from './store/entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(dossiersEntities),
    ApprovalsModule,
    AuditModule,
    CustomersModule,
    FxModule,
    HttpModule,
    KytModule,
    ReviewsModule,
    ScreeningModule,
    SessionsModule,
    UploadsModule,
  ],
  controllers: [CoafController, CoafEditsController, ComplianceController, DossiersController],
  providers: [
    CashReportsService,
    CoafCommunicationsService,
    CommunicationContents,
    CoafEditsService,
    CoafFilingsService,
    CommunicationRepository,
    ComplianceQueries,
    ComplianceReportService,
    CustomerCommunicationsService,
    DossierExports,
    DossierOperators,
    DossierPicturesService,
    DossierCases,
    DossierScopes,
    DossierTrails,
    DossiersService,
    SubjectExportsService,
    SuspicionsService,
    TrailScopesService,
  ],
  exports: [CashReportsService, CommunicationRepository, SuspicionsService],
})
export class DossiersModule {}
