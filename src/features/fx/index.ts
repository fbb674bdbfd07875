// Owns exchange rates and how amounts are converted. Promises that no rate is ever guessed: a missing or outdated rate
// is reported as such.
export { FxModule } from './fx.module.js';
export { ExchangeRatesService } from './exchange-rates.service.js';
export { parseRateFile } from './domain/rate-list.js';
export { roundToCents, ExchangeRateTable } from './domain/exchange-rate-table.js';
