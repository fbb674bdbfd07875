import { sealContext } from '../privacy/index.js';
import type { CustomerProfile } from './domain/customer.js';

export const contextOf = ({ id, organisationId }: { id: string; organisationId: string }): string =>
  sealContext('customers', id, organisationId);

export const profileIn = (plain: Buffer): CustomerProfile =>
  JSON.parse(plain.toString('utf8')) as CustomerProfile;
