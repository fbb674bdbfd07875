// Owns how much of the installation one organisation may take. Promises that no organisation sets its own limits, and
// that everybody sees theirs.
export { QuotasModule } from './quotas.module.js';
export { Quotas, quotaExceeded, type Limits } from './quotas.service.js';
export { QuotaUse } from './quota-use.js';
export { OrganisationQuotaEntity } from './store/entities/organisation-quota.entity.js';
export { isQuota, quotaNames, quotas, type QuotaName } from './domain/quota-names.js';
