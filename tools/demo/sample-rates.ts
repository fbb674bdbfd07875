import type { INestApplicationContext } from '@nestjs/common';
import { ExchangeRatesService } from '../../src/features/fx/index.js';
import { Clock } from '../../src/platform/kernel/index.js';
import { BRAZIL_TIME_ZONE, localDayIn } from '../../src/platform/kernel/values/local-day.js';

/** Fictional rates, in reais per unit. A real installation imports its own. */
const SAMPLE = [
  { currency: 'USD', rate: '5.45' },
  { currency: 'EUR', rate: '6.3' },
  { currency: 'GBP', rate: '7.2' },
  { currency: 'ARS', rate: '0.004' },
] as const;
const SOURCE = 'sample (fictional)';
const today = localDayIn(BRAZIL_TIME_ZONE);

/** Imports sample rates of today, unless other rates were imported. */
export async function freshSampleRates(
  services: INestApplicationContext,
  organisationId: string,
): Promise<void> {
  const rates = services.get(ExchangeRatesService);
  const date = today(services.get(Clock).now());
  const newest = await rates.listNewestRates(organisationId);
  if (newest.some((rate) => rate.source !== SOURCE || rate.date === date)) return;
  await rates.import(organisationId, {
    source: SOURCE,
    rates: SAMPLE.map(({ currency, rate }) => ({ currency, rate, date })),
    actor: { type: 'system', id: 'demo-seed' },
    requestId: null,
    correlationId: null,
  });
}
