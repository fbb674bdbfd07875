import { Global, Module } from '@nestjs/common';
import { RegistryModule } from '../registry/index.js';
import { Quotas } from './quotas.service.js';

@Global()
@Module({ imports: [RegistryModule], providers: [Quotas], exports: [Quotas] })
export class QuotasModule {}
