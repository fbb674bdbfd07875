import { OrganisationSettingsService } from '../../features/auth/index.js';
import { isQuota, quotaNames, Quotas, quotas } from '../../platform/quotas/index.js';
import { withServices } from '../context.js';
import { findOrganisation } from '../named.js';

/** Sets a quota of an organisation if a value is given, and prints all quotas with their use. */
export async function organisationQuota(key: string, name?: string, value?: string): Promise<void> {
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, key);
    if (name !== undefined && value !== undefined) {
      if (!isQuota(name)) throw new Error(`${name} is no quota; quotas: ${quotaNames.join(', ')}`);
      const limit = value === 'default' ? null : Number(value);
      if (limit !== null && !(Number.isSafeInteger(limit) && limit >= 0)) {
        throw new Error('A limit is a whole number, or default.');
      }
      await services.get(OrganisationSettingsService).setQuota(organisationId, name, limit);
    }
    const limits = await services.get(Quotas).limitsOf(organisationId);
    const uses = await services.get(Quotas).readUses(organisationId);
    for (const one of quotaNames) {
      if (name !== undefined && one !== name) continue;
      const takenText = uses[one] === null ? '' : `, ${uses[one]} taken`;
      process.stdout.write(`${one}: ${limits[one]}${takenText}. ${quotas[one].doc}\n`);
    }
  });
}
