import { Module, type DynamicModule } from '@nestjs/common';
import { ApprovalsModule } from './features/approvals/index.js';
import { AuditJobsModule, AuditModule } from './features/audit/index.js';
import { RepairsModule } from './features/repairs/index.js';
import { AuthModule } from './features/auth/index.js';
import { ConsoleModule } from './features/console/index.js';
import { SettingsModule, type Settings } from './platform/config/index.js';
import { CustomersModule } from './features/customers/index.js';
import { DatabaseModule } from './platform/database/index.js';
import { DossiersJobsModule, DossiersModule } from './features/dossiers/index.js';
import { FxModule } from './features/fx/index.js';
import { HostedPageModule } from './features/hosted-page/index.js';
import { HttpModule } from './platform/http/index.js';
import { EvaluationModule, KytJobsModule, KytModule } from './features/kyt/index.js';
import { OperationsAuditWriter } from './bootstrap/operations-audit-writer.js';
import { OperatorsModule } from './features/operators/index.js';
import { PrivacyModule } from './platform/privacy/index.js';
import { QueueModule } from './platform/queue/index.js';
import { ProvidersModule } from './features/providers/index.js';
import { QuotasModule } from './platform/quotas/index.js';
import { ReviewsJobsModule, ReviewsModule } from './features/reviews/index.js';
import { RulesJobsModule, RulesModule } from './features/rules/index.js';
import { ScheduleModule } from './platform/schedule/index.js';
import { ScreeningJobsModule, ScreeningModule } from './features/screening/index.js';
import { SearchModule } from './features/search/index.js';
import { RequiredSchema } from './bootstrap/required-schema.js';
import { ServiceMetrics } from './bootstrap/service-metrics.js';
import { SessionsJobsModule, SessionsModule } from './features/sessions/index.js';
import { TelemetryModule, type StructuredLogger } from './platform/telemetry/index.js';
import { UploadsJobsModule, UploadsModule } from './features/uploads/index.js';
import { WebhooksJobsModule, WebhooksModule } from './features/webhooks/index.js';
import { WorkspaceModule } from './features/workspace/index.js';

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
      providers: [OperationsAuditWriter, RequiredSchema, ServiceMetrics],
    };
  }
}
