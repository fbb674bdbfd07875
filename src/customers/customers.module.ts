import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { HttpModule } from '../http/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ClientCustomersController } from './api/client-customers.controller.js';
import { CustomersController } from './api/customers.controller.js';
import { CustomerDesk } from './customer-desk.js';
import { CustomerFiles } from './customer-files.js';
import { CustomerMerges } from './customer-merges.js';
import { CustomerTies } from './customer-ties.js';
import { CustomerTrail } from './customer-trail.js';
import { CustomersService } from './customers.service.js';
import { LastOperations } from './last-operations.js';
import { CustomerDeskRepository } from './store/customer-desk.repository.js';
import { CustomerRepository } from './store/customer.repository.js';
import { MergeRepository } from './store/merge.repository.js';

@Module({
  imports: [AuditModule, HttpModule, WebhooksModule],
  controllers: [ClientCustomersController, CustomersController],
  providers: [
    CustomerDesk,
    CustomerDeskRepository,
    CustomerFiles,
    CustomerMerges,
    CustomerRepository,
    CustomerTies,
    CustomerTrail,
    CustomersService,
    LastOperations,
    MergeRepository,
  ],
  exports: [CustomerDesk, CustomerFiles, CustomerTies, CustomersService, LastOperations],
})
export class CustomersModule {}
