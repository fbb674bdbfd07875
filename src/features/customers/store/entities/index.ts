import { CustomerRelationEntity } from './customer-relation.entity.js';
import { CustomerEntity } from './customer.entity.js';

/** The entities of this module, one per table. */
export const customersEntities = [CustomerRelationEntity, CustomerEntity];
