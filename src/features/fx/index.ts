// Owns exchange rates and how amounts are converted. Promises that no rate is ever guessed: a missing or outdated rate
// is reported as such.
export { FxModule } from './fx.module.js';
export {
  ExchangeRatesService,
  type NewestRate,
  type RateImport,
  type RateImported,
} from './exchange-rates.service.js';
export { parseRateFile, type ImportedRate } from './domain/rate-list.js';
export { cents, RateBook, type DatedRate, type RateFinding } from './domain/rate-book.js';
