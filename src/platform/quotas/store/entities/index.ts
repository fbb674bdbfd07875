import { OrganisationQuotaEntity } from './organisation-quota.entity.js';

/** One for each table of this module. */
export const quotasEntities = [OrganisationQuotaEntity];
