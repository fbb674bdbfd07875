import { registration } from '../registry/index.js';
import type { QuotaName } from './domain/quota-names.js';

/** The method tells how much of a quota an organisation takes now. */
export const QuotaUse = registration<(organisationId: string) => Promise<number>, QuotaName>(
  'use of a quota',
);
