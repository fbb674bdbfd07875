import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { RatesController } from './api/rates.controller.js';
import { ExchangeRates } from './exchange-rates.service.js';
import { FxTrail } from './fx-trail.js';

@Module({
  imports: [AuditModule],
  controllers: [RatesController],
  providers: [ExchangeRates, FxTrail],
  exports: [ExchangeRates],
})
export class FxModule {}
