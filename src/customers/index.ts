// Owns who the customers of an organisation are. Promises one record per person, sealed under that person's key, and
// that whoever is identified is announced once.
export { CustomersModule } from './customers.module.js';
export { CustomerFiles, type CustomerFile } from './customer-files.js';
export { CustomerDesk, type CustomerDetail } from './customer-desk.js';
export { CustomerTies, type CustomerTie } from './customer-ties.js';
export { LastOperations } from './last-operations.js';
export { CustomersService, type FoundCustomer, type Identified } from './customers.service.js';
export { customerSubject, type CustomerSighting } from './domain/sighting.js';
export type { Move as CustomerMove } from './domain/merging.js';
export type { CustomerProfile, DeclaredProfile, KnownCustomer } from './domain/customer.js';
