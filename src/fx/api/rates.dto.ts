import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, ValidateNested } from 'class-validator';
import { IsText } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { NewestRate, RateImported } from '../exchange-rates.service.js';

const MAX_RATES = 1_000;

export class RateBody {
  @ApiProperty({ example: 'EUR', description: 'ISO 4217, not BRL.' })
  @IsText({ max: 3, pattern: /^[A-Z]{3}$/, form: 'three capital letters' })
  currency: string;

  @ApiProperty({ example: '2026-11-19', format: 'date' })
  @IsText({ max: 10, pattern: /^\d{4}-\d\d-\d\d$/, form: 'YYYY-MM-DD' })
  date: string;

  @ApiProperty({
    example: '6.2345',
    description: 'Reais per unit, as a decimal text with at most 10 places.',
  })
  @IsText({ max: 20, pattern: /^\d{1,9}(\.\d{1,10})?$/, form: 'a decimal with at most 10 places' })
  rate: string;
}

export class ImportRatesBody {
  @ApiProperty({
    example: 'PTAX',
    description: 'Who published the rates; shown with every evaluation that uses them.',
  })
  @IsText({ max: 64 })
  source: string;

  @ApiProperty({ type: [RateBody], maxItems: MAX_RATES })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_RATES)
  @ValidateNested({ each: true })
  @Type(() => RateBody)
  rates: RateBody[];
}

export class RatesImportedView {
  @ApiProperty({ example: 'fxi_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ type: 'integer', example: 12 })
  rateCount: number;

  @ApiProperty({ type: String, format: 'date-time' })
  importedAt: string;

  static of({ id, rateCount, importedAt }: RateImported): RatesImportedView {
    return { id: publicId('fxi', id), rateCount, importedAt: importedAt.toISOString() };
  }
}

export class RateView {
  @ApiProperty({ example: 'EUR' })
  currency: string;

  @ApiProperty({ example: '2026-11-19', format: 'date' })
  date: string;

  @ApiProperty({ example: '6.2345', description: 'Reais per unit.' })
  rate: string;

  @ApiProperty({ example: 'PTAX' })
  source: string;

  @ApiProperty({ type: String, format: 'date-time' })
  importedAt: string;

  static of({ importedAt, ...rate }: NewestRate): RateView {
    return { ...rate, importedAt: importedAt.toISOString() };
  }
}

export class NewestRatesView {
  @ApiProperty({ type: [RateView] })
  rates: RateView[];
}
