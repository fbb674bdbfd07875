import { registration } from '../registry/index.js';
import type { QuotaName } from './domain/quota-names.js';

/** The method returns how much of a quota an organisation uses now. */
export const QuotaUse = registration<(organisationId: string) => Promise<number>, QuotaName>(
  'use of a quota',
);
