import { encryptionContextOf } from '../../platform/privacy/index.js';
import type { CustomerProfile } from './domain/customer.js';
import type { CustomerEntity } from './store/entities.js';

export const profileContextOf = ({ id, organisationId }: { id: string; organisationId: string }): string =>
  encryptionContextOf('customers', id, organisationId);

/** Blind indexes that find a customer's transactions: of the customer and of the records merged into it. */
export const subjectIndexesOf = (customer: CustomerEntity, merged: readonly CustomerEntity[]): Buffer[] =>
  [customer, ...merged]
    .flatMap(({ externalIndex, documentIndex }) => [externalIndex, documentIndex])
    .filter((key) => key !== null);

export const parseProfile = (plain: Buffer): CustomerProfile =>
  JSON.parse(plain.toString('utf8')) as CustomerProfile;
