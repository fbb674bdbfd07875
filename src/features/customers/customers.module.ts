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
import { CustomerFilesService } from './customer-files.service.js';
import { CustomerMergesService } from './customer-merges.service.js';
import { CustomerKeyCheckService } from './customer-key-check.service.js';
import { CustomerRowRegistry } from './customer-row-registry.js';
import { CustomerContract } from './customer-contract.js';
import { CustomersService } from './customers.service.js';
import { CustomerEnrichmentService } from './identification/customer-enrichment.service.js';
import { CustomerIdentificationService } from './identification/customer-identification.service.js';
import { CustomerCacheService } from './identification/customer-cache.service.js';
import { CustomerRegistrationService } from './identification/customer-registration.service.js';
import { CustomerProfilesService } from './profiles/customer-profiles.service.js';
import { CompanyPeopleService } from './records/company-people.service.js';
import { CustomerApprovalsService } from './records/customer-approvals.service.js';
import { CustomerChangesService } from './records/customer-changes.service.js';
import { CustomerDeclarationsService } from './records/customer-declarations.service.js';
import { CustomerErasureService } from './records/customer-erasure.service.js';
import { CustomerRecordsService } from './records/customer-records.service.js';
import { LastOperationFinder } from './records/last-operation-finder.js';
import { CustomerProfileRepository } from './store/customer-profile.repository.js';
import { CustomerRecordRepository } from './store/customer-record.repository.js';
import { CustomerRepository } from './store/customer.repository.js';
import { customersEntities } from './store/entities.js';

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
    CompanyPeopleService,
    CustomerApprovalsService,
    CustomerChangesService,
    CustomerDeclarationsService,
    CustomerEnrichmentService,
    CustomerErasureService,
    CustomerFilesService,
    CustomerIdentificationService,
    CustomerKeyCheckService,
    CustomerRowRegistry,
    CustomerCacheService,
    CustomerMergesService,
    CustomerProfileRepository,
    CustomerProfilesService,
    CustomerRecordRepository,
    CustomerRecordsService,
    CustomerRegistrationService,
    CustomerRepository,
    CustomerContract,
    CustomersService,
    LastOperationFinder,
  ],
  exports: [
    CompanyPeopleService,
    CustomerDeclarationsService,
    CustomerFilesService,
    CustomerIdentificationService,
    CustomerRecordsService,
    CustomerRegistrationService,
    CustomersService,
  ],
})
export class CustomersModule {}
