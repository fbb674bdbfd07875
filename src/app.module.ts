import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalsModule } from './approvals/index.js';
import { AuditJobsModule, AuditModule } from './audit/index.js';
import { RepairsModule } from './repairs/index.js';
import { AuthModule } from './auth/index.js';
import { ConsoleModule } from './console/index.js';
import { SettingsModule, type Settings } from './config/index.js';
import { CustomersModule } from './customers/index.js';
import { DatabaseModule } from './database/index.js';
import { DossiersJobsModule, DossiersModule } from './dossiers/index.js';
import { FxModule } from './fx/index.js';
import { HostedPageModule } from './hosted-page/index.js';
import { HttpModule } from './http/index.js';
import { EvaluationModule, KytJobsModule, KytModule } from './kyt/index.js';
import { OperationsTrail } from './operations-trail.js';
import { OperatorsModule } from './operators/index.js';
import { PrivacyModule } from './privacy/index.js';
import { QueueModule } from './queue/index.js';
import { ProvidersModule } from './providers/index.js';
import { QuotasModule } from './quotas/index.js';
import { ReviewsJobsModule, ReviewsModule } from './reviews/index.js';
import { RulesJobsModule, RulesModule } from './rules/index.js';
import { ScheduleModule } from './schedule/index.js';
import { ScreeningJobsModule, ScreeningModule } from './screening/index.js';
import { SearchModule } from './search/index.js';
import { ServiceMetrics } from './service-metrics.js';
import { SessionsJobsModule, SessionsModule } from './sessions/index.js';
import { TelemetryModule, type StructuredLogger } from './telemetry/index.js';
import { UploadsJobsModule, UploadsModule } from './uploads/index.js';
import { WebhooksJobsModule, WebhooksModule } from './webhooks/index.js';
import { WorkspaceModule } from './workspace/index.js';

/** The whole service. What a process does beside answering requests is decided by its role. */
@Module({})
export class AppModule {
  static with(settings: Settings, logger: StructuredLogger): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.with(settings),
        TelemetryModule.with(logger),
        DatabaseModule,
        ScheduleModule,
        PrivacyModule,
        QueueModule.with(settings),
        HttpModule,
        QuotasModule,
        AuditModule,
        ApprovalsModule,
        RepairsModule,
        AuthModule,
        OperatorsModule,
        RulesModule,
        FxModule,
        WebhooksModule,
        CustomersModule,
        ScreeningModule,
        UploadsModule,
        ReviewsModule,
        ProvidersModule,
        SessionsModule,
        KytModule,
        EvaluationModule,
        SearchModule,
        DossiersModule,
        WorkspaceModule,
        HostedPageModule,
        ConsoleModule,
        ...(settings.role === 'api'
          ? []
          : [
              AuditJobsModule,
              DossiersJobsModule,
              KytJobsModule,
              ReviewsJobsModule,
              RulesJobsModule,
              ScreeningJobsModule,
              UploadsJobsModule,
              SessionsJobsModule,
              WebhooksJobsModule,
            ]),
      ],
      providers: [OperationsTrail, ServiceMetrics],
    };
  }
}
