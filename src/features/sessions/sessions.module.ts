import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { ProvidersModule } from '../providers/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { UploadsModule } from '../uploads/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ClientSessionsController } from './api/client-sessions.controller.js';
import { FlowsController } from './api/flows/flows.controller.js';
import { LogosController } from './api/settings/logos.controller.js';
import { PrivacyNoticeController } from './api/settings/privacy-notice.controller.js';
import { SessionRoundsController } from './api/session-rounds.controller.js';
import { FlowDraftsController } from './api/flows/flow-drafts.controller.js';
import { ReverificationController } from './api/settings/reverification.controller.js';
import { OperatorSessionsController } from './api/operator-sessions.controller.js';
import { PublicSessionsController } from './api/public-sessions.controller.js';
import { CustomerSessions } from './customer-sessions.service.js';
import { FlowsService } from './flows/flows.service.js';
import { SessionEvidenceController } from './api/session-evidence.controller.js';
import { SessionEvidenceReader } from './evidence/session-evidence-reader.service.js';
import { SessionAnswers } from './link/session-answers.service.js';
import { PublicSessionService } from './link/public-session.service.js';
import { PublicSessionPage } from './link/public-session-page.service.js';
import { SessionEnds } from './outcome/session-ends.js';
import { SessionEvents } from './outcome/session-events.js';
import { SessionIssuer } from './session-issuer.service.js';
import { SessionLimits } from './link/session-limits.service.js';
import { SessionLinks } from './link/session-links.js';
import { SessionReader } from './link/session-reader.service.js';
import { SessionParties } from './session-parties.service.js';
import { SessionTrail } from './session-trail.js';
import { SessionUploads } from './link/session-uploads.service.js';
import { SessionsService } from './sessions.service.js';
import { StepUps } from './step-ups/step-ups.service.js';
import { AppLogos } from './branding/app-logos.service.js';
import { PrivacyNotices } from './privacy-notices.service.js';
import { SessionCodes } from './link/session-codes.service.js';
import { SessionLapses } from './outcome/session-lapses.service.js';
import { SessionPeople } from './people/session-people.service.js';
import { SessionRounds } from './outcome/session-rounds.service.js';
import { CodeRepository } from './store/code.repository.js';
import { RoundRepository } from './store/round.repository.js';
import { FlowDrafts } from './flows/flow-drafts.service.js';
import { FlowFunnels } from './flows/flow-funnels.service.js';
import { Reverification } from './verified/reverification.service.js';
import { SessionReuse } from './verified/session-reuse.service.js';
import { VerificationRepository } from './store/verification.repository.js';
import { ProgressRepository } from './store/progress.repository.js';
import { StepUpRepository } from './store/step-up.repository.js';
import { SessionRepository } from './store/session.repository.js';
import { sessionsEntities } from './store/entities/index.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(sessionsEntities),
    ApprovalsModule,
    AuditModule,
    AuthModule,
    CustomersModule,
    HttpModule,
    ProvidersModule,
    ReviewsModule,
    UploadsModule,
    WebhooksModule,
  ],
  controllers: [
    ClientSessionsController,
    FlowDraftsController,
    FlowsController,
    LogosController,
    PrivacyNoticeController,
    SessionRoundsController,
    OperatorSessionsController,
    ReverificationController,
    PublicSessionsController,
    SessionEvidenceController,
  ],
  providers: [
    VerificationRepository,
    SessionReuse,
    Reverification,
    FlowFunnels,
    FlowDrafts,
    AppLogos,
    CustomerSessions,
    RoundRepository,
    CodeRepository,
    SessionRounds,
    SessionPeople,
    SessionLapses,
    SessionCodes,
    PrivacyNotices,
    FlowsService,
    ProgressRepository,
    SessionAnswers,
    PublicSessionPage,
    PublicSessionService,
    SessionEnds,
    SessionEvents,
    SessionEvidenceReader,
    SessionIssuer,
    SessionLimits,
    SessionLinks,
    SessionParties,
    SessionReader,
    SessionRepository,
    SessionTrail,
    SessionUploads,
    SessionsService,
    StepUpRepository,
    StepUps,
  ],
  exports: [
    Reverification,
    VerificationRepository,
    StepUps,
    FlowsService,
    SessionAnswers,
    SessionEnds,
    SessionEvents,
    SessionEvidenceReader,
    SessionLapses,
    SessionPeople,
    SessionRepository,
    SessionRounds,
    SessionsService,
  ],
})
export class SessionsModule {}
