import { CustomerRelationEntity } from './customer-relation.entity.js';
import { CustomerEntity } from './customer.entity.js';

export const customersEntities = [CustomerRelationEntity, CustomerEntity];
