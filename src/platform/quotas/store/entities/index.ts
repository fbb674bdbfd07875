import { OrganisationQuotaEntity } from './organisation-quota.entity.js';

export const quotasEntities = [OrganisationQuotaEntity];
