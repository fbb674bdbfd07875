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
import { CustomerSessionsService } from './customer-sessions.service.js';
import { FlowsService } from './flows/flows.service.js';
import { SessionEvidenceController } from './api/session-evidence.controller.js';
import { SessionEvidenceReaderService } from './evidence/session-evidence-reader.service.js';
import { SessionAnswersService } from './link/session-answers.service.js';
import { PublicSessionService } from './link/public-session.service.js';
import { PublicSessionPageService } from './link/public-session-page.service.js';
import { SessionCompletionNotifier } from './outcome/session-completion-notifier.js';
import { SessionEventPublisher } from './outcome/session-event-publisher.js';
import { SessionIssuerService } from './session-issuer.service.js';
import { SessionLimitsService } from './link/session-limits.service.js';
import { SessionLinkFactory } from './link/session-link-factory.js';
import { SessionReaderService } from './link/session-reader.service.js';
import { SessionParticipantsService } from './session-participants.service.js';
import { SessionContract } from './session-contract.js';
import { SessionUploadsService } from './link/session-uploads.service.js';
import { SessionsService } from './sessions.service.js';
import { SessionHistoryService } from './step-ups/session-history.service.js';
import { StepUpsService } from './step-ups/step-ups.service.js';
import { AppLogosService } from './branding/app-logos.service.js';
import { PrivacyNoticesService } from './privacy-notices.service.js';
import { SessionCodesService } from './link/session-codes.service.js';
import { RoundExpiryService } from './outcome/round-expiry.service.js';
import { SessionPeopleService } from './people/session-people.service.js';
import { SessionRoundsService } from './outcome/session-rounds.service.js';
import { CodeRepository } from './store/code.repository.js';
import { RoundRepository } from './store/round.repository.js';
import { FlowDraftsService } from './flows/flow-drafts.service.js';
import { FlowFunnelsService } from './flows/flow-funnels.service.js';
import { ReverificationService } from './verified/reverification.service.js';
import { SessionReuseService } from './verified/session-reuse.service.js';
import { VerificationRepository } from './store/verification.repository.js';
import { ProgressRepository } from './store/progress.repository.js';
import { StepUpRepository } from './store/step-up.repository.js';
import { SessionRepository } from './store/session.repository.js';
import { sessionsEntities } from './store/entities.js';

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
    SessionReuseService,
    ReverificationService,
    FlowFunnelsService,
    FlowDraftsService,
    AppLogosService,
    CustomerSessionsService,
    RoundRepository,
    CodeRepository,
    SessionRoundsService,
    SessionPeopleService,
    RoundExpiryService,
    SessionCodesService,
    PrivacyNoticesService,
    FlowsService,
    ProgressRepository,
    SessionAnswersService,
    PublicSessionPageService,
    PublicSessionService,
    SessionCompletionNotifier,
    SessionEventPublisher,
    SessionEvidenceReaderService,
    SessionIssuerService,
    SessionLimitsService,
    SessionLinkFactory,
    SessionParticipantsService,
    SessionReaderService,
    SessionRepository,
    SessionContract,
    SessionUploadsService,
    SessionsService,
    StepUpRepository,
    SessionHistoryService,
    StepUpsService,
  ],
  exports: [
    ReverificationService,
    VerificationRepository,
    SessionHistoryService,
    StepUpsService,
    FlowsService,
    SessionAnswersService,
    SessionCompletionNotifier,
    SessionEventPublisher,
    SessionEvidenceReaderService,
    RoundExpiryService,
    SessionPeopleService,
    SessionRepository,
    SessionRoundsService,
    SessionsService,
  ],
})
export class SessionsModule {}
