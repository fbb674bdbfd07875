import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RegistryModule } from '../registry/index.js';
import { Quotas } from './quotas.service.js';
import { quotasEntities } from './store/entities.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature(quotasEntities), RegistryModule],
  providers: [Quotas],
  exports: [Quotas],
})
export class QuotasModule {}
