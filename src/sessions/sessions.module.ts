import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { AuthModule } from '../auth/index.js';
import { CustomersModule } from '../customers/index.js';
import { HttpModule } from '../http/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { UploadsModule } from '../uploads/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ClientSessionsController } from './api/client-sessions.controller.js';
import { FlowsController } from './api/flows.controller.js';
import { OperatorSessionsController } from './api/operator-sessions.controller.js';
import { PublicSessionsController } from './api/public-sessions.controller.js';
import { CustomerSessions } from './customer-sessions.service.js';
import { FlowsService } from './flows.service.js';
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
import { ProgressRepository } from './store/progress.repository.js';
import { StepUpRepository } from './store/step-up.repository.js';
import { SessionRepository } from './store/session.repository.js';

@Module({
  imports: [
    AuditModule,
    AuthModule,
    CustomersModule,
    HttpModule,
    ReviewsModule,
    UploadsModule,
    WebhooksModule,
  ],
  controllers: [
    ClientSessionsController,
    FlowsController,
    OperatorSessionsController,
    PublicSessionsController,
    SessionEvidenceController,
  ],
  providers: [
    CustomerSessions,
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
    StepUps,
    FlowsService,
    SessionAnswers,
    SessionEnds,
    SessionEvents,
    SessionEvidenceReader,
    SessionRepository,
    SessionsService,
  ],
})
export class SessionsModule {}
