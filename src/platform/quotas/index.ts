// Owns the quotas of organisations. Promises that no organisation sets its own limits, and that each can see them.
export { QuotasModule } from './quotas.module.js';
export { Quotas, quotaExceeded, type QuotaLimits } from './quotas.service.js';
export { QuotaUse } from './quota-use.js';
export { OrganisationQuotaEntity } from './store/entities.js';
export { isQuota, quotaNames, quotas, type QuotaName } from './domain/quota-names.js';
