import { Field, View } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { NewestRate, RateImported } from '../exchange-rates.service.js';

const MAX_RATES = 1_000;

export class RateBody {
  @Field.text('ISO 4217, not BRL.', {
    max: 3,
    pattern: /^[A-Z]{3}$/,
    form: 'three capital letters',
    example: 'EUR',
  })
  currency: string;

  @Field.text({
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

  @Field.list(() => RateBody, { min: 1, maxItems: MAX_RATES }) rates: RateBody[];
}

export class RatesImportedView {
  @View.text({ example: 'fxi_019364d0c0de7000a000000000000001' }) id: string;
  @View.integer({ example: 12 }) rateCount: number;
  @View.instant() importedAt: string;

  static of({ id, rateCount, importedAt }: RateImported): RatesImportedView {
    return { id: publicId('fxi', id), rateCount, importedAt: importedAt.toISOString() };
  }
}

export class RateView {
  @View.text({ example: 'EUR' }) currency: string;
  @View.text({ example: '2026-11-19', format: 'date' }) date: string;
  @View.text('Reais per unit.', { example: '6.2345' }) rate: string;
  @View.text({ example: 'PTAX' }) source: string;
  @View.instant() importedAt: string;

  static of({ importedAt, ...rate }: NewestRate): RateView {
    return { ...rate, importedAt: importedAt.toISOString() };
  }
}

export class NewestRatesView {
  @View.list(RateView) rates: RateView[];
}
