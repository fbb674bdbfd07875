// Owns the customers of an organisation. Promises one record per person, encrypted under that person's data key, and
// one event for each identified customer.
export { CustomersModule } from './customers.module.js';
export { CustomerFilesService, type CustomerFile } from './customer-files.service.js';
export { CustomerDetailView, CustomerSummaryView } from './api/customer.view.dto.js';
export {
  CustomerRecordsService,
  type CustomerDetail,
  type DecryptedCustomer,
} from './records/customer-records.service.js';
export {
  CustomerDeclarationsService,
  type PreparedDeclaration,
} from './records/customer-declarations.service.js';
export { UNCONFIRMED } from './domain/declarations.js';
export { WhyBody } from './api/customer.dto.js';
export { maskedDocument, maskedEmail, maskedName, maskedPhone } from './domain/masking.js';
export {
  ForgetWithCustomer,
  MoveWithCustomer,
  RekeyWithCustomer,
  SealedForCustomer,
} from './customer-row-registry.js';
export { LastOperation } from './records/last-operation-finder.js';
export { CustomerIdentificationService } from './identification/customer-identification.service.js';
export { CompanyPeopleService, type PersonBehindCompany } from './records/company-people.service.js';
export { countMergedRecords, type StoredRiskProfile } from './store/customer-record.repository.js';
export { CustomerRegistrationService } from './identification/customer-registration.service.js';
export type { IdentificationResult } from './identification/matching.js';
export { CustomersService, type CustomerWithIdentification } from './customers.service.js';
export { customerSubject, type CustomerObservation } from './domain/observation.js';
export type {
  CustomerRecordMerge as CustomerMerge,
  CustomerRecordMove as CustomerMove,
} from './domain/merging.js';
export type { CustomerRiskProfile, Declaration, CustomerWithProfile } from './domain/customer.js';
export { CustomerEntity } from './store/entities.js';
export { profileContextOf as customerContext, parseProfile } from './customer-seal.js';
