import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { RegistryModule } from '../../platform/registry/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ClientCustomersController } from './api/client-customers.controller.js';
import { CustomersController } from './api/customers.controller.js';
import { ProfilesController } from './api/profiles.controller.js';
import { CustomerFiles } from './customer-files.service.js';
import { CustomerMerges } from './customer-merges.service.js';
import { CustomerKeys } from './customer-keys.service.js';
import { CustomerLinks } from './customer-links.js';
import { CustomerTrail } from './customer-trail.js';
import { CustomersService } from './customers.service.js';
import { CustomerEnrichment } from './identification/customer-enrichment.service.js';
import { CustomerIdentification } from './identification/customer-identification.service.js';
import { CustomerMemory } from './identification/customer-memory.service.js';
import { CustomerRegistration } from './identification/customer-registration.service.js';
import { CustomerProfiles } from './profiles/customer-profiles.service.js';
import { CompanyPeople } from './records/company-people.service.js';
import { CustomerApprovals } from './records/customer-approvals.service.js';
import { CustomerChanges } from './records/customer-changes.service.js';
import { CustomerDeclarations } from './records/customer-declarations.service.js';
import { CustomerErasure } from './records/customer-erasure.service.js';
import { CustomerRecordsService } from './records/customer-records.service.js';
import { LastOperations } from './records/last-operations.js';
import { CustomerProfileRepository } from './store/customer-profile.repository.js';
import { CustomerRecordRepository } from './store/customer-record.repository.js';
import { CustomerRepository } from './store/customer.repository.js';
import { customersEntities } from './store/entities/index.js';

@Module({
  imports: [
    TypeOrmModule.forFeature(customersEntities),
    ApprovalsModule,
    AuditModule,
    HttpModule,
    RegistryModule,
    WebhooksModule,
  ],
  controllers: [ProfilesController, ClientCustomersController, CustomersController],
  providers: [
    CompanyPeople,
    CustomerApprovals,
    CustomerChanges,
    CustomerDeclarations,
    CustomerEnrichment,
    CustomerErasure,
    CustomerFiles,
    CustomerIdentification,
    CustomerKeys,
    CustomerLinks,
    CustomerMemory,
    CustomerMerges,
    CustomerProfileRepository,
    CustomerProfiles,
    CustomerRecordRepository,
    CustomerRecordsService,
    CustomerRegistration,
    CustomerRepository,
    CustomerTrail,
    CustomersService,
    LastOperations,
  ],
  exports: [
    CompanyPeople,
    CustomerDeclarations,
    CustomerFiles,
    CustomerIdentification,
    CustomerRecordsService,
    CustomerRegistration,
    CustomersService,
  ],
})
export class CustomersModule {}
