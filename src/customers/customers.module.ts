import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { CustomerTrail } from './customer-trail.js';
import { CustomersService } from './customers.service.js';
import { CustomerRepository } from './store/customer.repository.js';

@Module({
  imports: [AuditModule, WebhooksModule],
  providers: [CustomerRepository, CustomerTrail, CustomersService],
  exports: [CustomersService],
})
export class CustomersModule {}
