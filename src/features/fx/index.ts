// Owns exchange rates and how amounts are converted. Promises that no rate is ever guessed: one that is missing or too
// old is said to be so.
export { FxModule } from './fx.module.js';
export {
  ExchangeRatesService,
  type NewestRate,
  type RateImport,
  type RateImported,
} from './exchange-rates.service.js';
export { parseRateFile, type ImportedRate } from './domain/rate-list.js';
export { cents, RateBook, type DatedRate, type RateFinding } from './domain/rate-book.js';
