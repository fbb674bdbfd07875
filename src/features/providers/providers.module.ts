import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { OutboundModule } from '../../platform/outbound/index.js';
import { ProvidersController } from './api/providers.controller.js';
import { ProviderGateway } from './provider-gateway.js';
import { ProviderClient } from './provider-client.js';
import { ProviderTargets } from './provider-targets.js';
import { ProvidersService } from './providers.service.js';
import { ProviderUsageRepository } from './store/provider-usage.repository.js';
import { providersEntities } from './store/entities.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(providersEntities),
    ApprovalsModule,
    AuditModule,
    HttpModule,
    OutboundModule,
  ],
  controllers: [ProvidersController],
  providers: [ProviderGateway, ProviderClient, ProviderTargets, ProvidersService, ProviderUsageRepository],
  exports: [ProviderClient, ProviderGateway, ProvidersService],
})
export class ProvidersModule {}
