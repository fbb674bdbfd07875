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
import { CustomerSessions } from './customer-sessions.js';
import { FlowsService } from './flows.service.js';
import { SessionAnswers } from './session-answers.js';
import { SessionDesk } from './session-desk.js';
import { SessionEvents } from './session-events.js';
import { SessionLimits } from './session-limits.js';
import { SessionLinks } from './session-links.js';
import { SessionReader } from './session-reader.js';
import { SessionTrail } from './session-trail.js';
import { SessionUploads } from './session-uploads.js';
import { SessionsService } from './sessions.service.js';
import { StepUps } from './step-ups.service.js';
import { FlowRepository } from './store/flow.repository.js';
import { ProgressRepository } from './store/progress.repository.js';
import { StepUpRepository } from './store/step-up.repository.js';
import { SessionDecisionRepository } from './store/session-decision.repository.js';
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
  ],
  providers: [
    CustomerSessions,
    FlowRepository,
    FlowsService,
    ProgressRepository,
    SessionAnswers,
    SessionDecisionRepository,
    SessionDesk,
    SessionEvents,
    SessionLimits,
    SessionLinks,
    SessionReader,
    SessionRepository,
    SessionTrail,
    SessionUploads,
    SessionsService,
    StepUpRepository,
    StepUps,
  ],
  exports: [
    StepUpRepository,
    StepUps,
    FlowsService,
    SessionAnswers,
    SessionDecisionRepository,
    SessionEvents,
    SessionRepository,
    SessionsService,
  ],
})
export class SessionsModule {}
