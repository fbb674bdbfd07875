import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ExchangeRatesService, parseRateFile } from '../../features/fx/index.js';
import { countOf } from '../../platform/kernel/index.js';
import { withServices } from '../context.js';
import { findOrganisation } from '../named.js';

export async function importRates(
  file: string,
  options: { readonly organisation: string; readonly source?: string },
): Promise<void> {
  const rates = parseRateFile(readFileSync(file, 'utf8'));
  await withServices(async (services) => {
    const organisationId = await findOrganisation(services, options.organisation);
    const { rateCount } = await services.get(ExchangeRatesService).import(organisationId, {
      source: options.source ?? basename(file),
      rates,
      actor: { type: 'system', id: 'cli' },
      requestId: null,
      correlationId: null,
    });
    process.stdout.write(`${countOf(rateCount, 'rate', 'rates')} imported\n`);
  });
}
