import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ClientCustomersController } from './api/client-customers.controller.js';
import { CustomerFiles } from './customer-files.js';
import { CustomerTrail } from './customer-trail.js';
import { CustomersService } from './customers.service.js';
import { CustomerRepository } from './store/customer.repository.js';

@Module({
  imports: [AuditModule, WebhooksModule],
  controllers: [ClientCustomersController],
  providers: [CustomerFiles, CustomerRepository, CustomerTrail, CustomersService],
  exports: [CustomerFiles, CustomersService],
})
export class CustomersModule {}
