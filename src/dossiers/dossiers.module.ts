import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CustomersModule } from '../customers/index.js';
import { FxModule } from '../fx/index.js';
import { HttpModule } from '../http/index.js';
import { KytModule } from '../kyt/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { ScreeningModule } from '../screening/index.js';
import { SessionsModule } from '../sessions/index.js';
import { UploadsModule } from '../uploads/index.js';
import { CoafController } from './api/coaf.controller.js';
import { ComplianceController } from './api/compliance.controller.js';
import { DossiersController } from './api/dossiers.controller.js';
import { CashReports } from './cash-reports.service.js';
import { CoafDesk } from './coaf-desk.service.js';
import { CoafDrafts } from './coaf-drafts.js';
import { CoafTrail } from './coaf-trail.js';
import { ComplianceReport } from './compliance-report.js';
import { CustomerCommunications } from './customer-communications.js';
import { DossierExports } from './dossier-exports.js';
import { Dossiers } from './dossiers.service.js';
import { CommunicationRepository } from './store/communication.repository.js';
import { TrailScopes } from './trail-scopes.js';
import { ComplianceQueries } from './store/compliance.queries.js';
import { InstitutionRepository } from './store/institution.repository.js';
import { SubjectExports } from './subject-exports.js';
import { Suspicions } from './suspicions.service.js';

@Module({
  imports: [
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
  controllers: [CoafController, ComplianceController, DossiersController],
  providers: [
    CashReports,
    CoafDesk,
    CoafDrafts,
    CoafTrail,
    CommunicationRepository,
    ComplianceQueries,
    ComplianceReport,
    CustomerCommunications,
    DossierExports,
    Dossiers,
    InstitutionRepository,
    SubjectExports,
    Suspicions,
    TrailScopes,
  ],
  exports: [CashReports, CommunicationRepository, Suspicions],
})
export class DossiersModule {}
