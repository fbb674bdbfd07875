import { Global, Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { BodyGuard, ClientGate, HttpModule, QueryGuard } from '../../platform/http/index.js';
import { RegistryModule } from '../../platform/registry/index.js';
import { AccessGuard } from './access.guard.js';
import { ClientAppsController } from './api/client-apps.controller.js';
import { OperatorClientAppsController } from './api/operator-client-apps.controller.js';
import { InputProfilesController } from './api/input-profiles.controller.js';
import { QuotasController } from './api/quotas.controller.js';
import { ClientAppGrantsService } from './client-app-grants.service.js';
import { ClientAppAudit } from './client-app-audit.js';
import { ClientAppsService } from './client-apps.service.js';
import { ClientDirectoryService } from './client-directory.service.js';
import { ClientSecretsService } from './client-secrets.service.js';
import { ClientUsageService } from './client-usage.service.js';
import { CostlyCallsInterceptor } from './api/costly-calls.interceptor.js';
import { InputProfilesService } from './inputs/input-profiles.service.js';
import { OrganisationSettingsService } from './organisation-settings.service.js';
import { SecretNotices } from './secret-notices.js';
import { ClientAppQueries } from './store/client-app.queries.js';
import { authEntities } from './store/entities.js';

// Global, because modules that AuthModule itself imports use `ClientGate`.
@Global()
@Module({
  imports: [TypeOrmModule.forFeature(authEntities), ApprovalsModule, AuditModule, HttpModule, RegistryModule],
  controllers: [
    ClientAppsController,
    OperatorClientAppsController,
    InputProfilesController,
    QuotasController,
  ],
  providers: [
    ClientAppGrantsService,
    ClientAppQueries,
    ClientAppAudit,
    ClientAppsService,
    ClientDirectoryService,
    ClientSecretsService,
    ClientUsageService,
    InputProfilesService,
    OrganisationSettingsService,
    SecretNotices,
    { provide: ClientGate, useExisting: ClientDirectoryService },
    // In this order, so that query and body are validated only after the access check.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useExisting: QueryGuard },
    { provide: APP_GUARD, useExisting: BodyGuard },
    { provide: APP_INTERCEPTOR, useClass: CostlyCallsInterceptor },
  ],
  exports: [
    ClientAppQueries,
    ClientAppsService,
    ClientDirectoryService,
    ClientGate,
    ClientSecretsService,
    ClientUsageService,
    OrganisationSettingsService,
  ],
})
export class AuthModule {}
