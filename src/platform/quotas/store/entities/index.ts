import { OrganisationQuotaEntity } from './organisation-quota.entity.js';

/** The entities of this module, one per table. */
export const quotasEntities = [OrganisationQuotaEntity];
