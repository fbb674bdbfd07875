import { Field, View } from '../../../platform/http/index.js';
import type { NewestRate } from '../exchange-rates.service.js';

const MAX_RATES = 1_000;

export class RateBody {
  @Field.text('ISO 4217, not BRL.', {
    max: 3,
    pattern: /^[A-Z]{3}$/,
    form: 'three capital letters',
    example: 'EUR',
  })
  currency: string;

  @Field.text('The day, as `YYYY-MM-DD`.', {
    max: 10,
    pattern: /^\d{4}-\d\d-\d\d$/,
    form: 'YYYY-MM-DD',
    example: '2026-11-19',
    format: 'date',
  })
  date: string;

  @Field.text('Reais per unit, as a decimal text with at most 10 places.', {
    max: 20,
    pattern: /^\d{1,9}(\.\d{1,10})?$/,
    form: 'a decimal with at most 10 places',
    example: '6.2345',
  })
  rate: string;
}

export class ImportRatesBody {
  @Field.text('Who published the rates; shown with every evaluation that uses them.', {
    max: 64,
    example: 'PTAX',
  })
  source: string;

  @Field.list(() => RateBody, 'The rates.', { min: 1, maxItems: MAX_RATES }) rates: RateBody[];

  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'PTAX of yesterday, closing quotations.',
  })
  reason: string;
}

export class RateView {
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'EUR' }) currency: string;
  @View.text('The day, as `YYYY-MM-DD`.', { example: '2026-11-19', format: 'date' }) date: string;
  @View.text('Reais per unit.', { example: '6.2345' }) rate: string;
  @View.text('Who published the rate.', { example: 'PTAX' }) source: string;
  @View.instant('When it was imported.') importedAt: string;

  static of({ importedAt, ...rate }: NewestRate): RateView {
    return { ...rate, importedAt: importedAt.toISOString() };
  }
}

export class NewestRatesView {
  @View.list(RateView, 'The rates.') rates: RateView[];
}
