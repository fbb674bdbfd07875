import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { RatesController } from './api/rates.controller.js';
import { ExchangeRatesService } from './exchange-rates.service.js';
import { RateImportsService } from './rate-imports.service.js';
import { fxEntities } from './store/entities.js';

@Module({
  imports: [TypeOrmModule.forFeature(fxEntities), ApprovalsModule, AuditModule],
  controllers: [RatesController],
  providers: [ExchangeRatesService, RateImportsService],
  exports: [ExchangeRatesService],
})
export class FxModule {}
