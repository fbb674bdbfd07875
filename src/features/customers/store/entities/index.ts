import { CustomerRelationEntity } from './customer-relation.entity.js';
import { CustomerEntity } from './customer.entity.js';

/** One for each table of this module. */
export const customersEntities = [CustomerRelationEntity, CustomerEntity];
