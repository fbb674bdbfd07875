import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
} from 'class-validator';
import { IsText, PageQuery, UrlFlag } from '../../http/index.js';
import { hitStatuses, type Disposition, type HitStatus } from '../domain/hit.js';
import { listKinds, type ListKind } from '../domain/list-entry.js';
import { LIST_KEY } from '../screening-lists.service.js';
import { listFormats, type ListFormat } from '../domain/list-formats.js';

const KEY = { max: 63, pattern: LIST_KEY, form: 'small letters, digits and hyphens' };
const DATE = { max: 10, pattern: /^\d{4}(-\d{2}-\d{2})?$/, form: 'a date such as 1970-01-31, or a year' };
const THRESHOLD = { type: 'number', minimum: 0.5, maximum: 1 } as const;
const dispositions = ['CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'] as const;

/** Query values are texts. */
export class ListBody {
  @ApiProperty({
    example: 'ofac-sdn',
    description: "How rules and answers call it: `list('ofac-sdn').has(…)`.",
  })
  @IsText(KEY)
  key: string;

  @ApiProperty({ example: 'OFAC Specially Designated Nationals' })
  @IsText({ max: 200 })
  name: string;

  @ApiProperty({ enum: listKinds, example: 'SANCTIONS' })
  @IsIn(listKinds)
  kind: ListKind;

  @ApiProperty({
    enum: listFormats,
    example: 'OFAC_SDN_CSV',
    description: 'The format that its files come in.',
  })
  @IsIn(listFormats)
  format: ListFormat;

  @ApiPropertyOptional({
    ...THRESHOLD,
    description: 'From which score a hit is kept; the default depends on the kind.',
  })
  @IsOptional()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  evidenceThreshold?: number;

  @ApiPropertyOptional({
    ...THRESHOLD,
    description: 'From which score a name forces a review, where the kind allows that.',
  })
  @IsOptional()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  mandatoryThreshold?: number;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: 366,
    description:
      'After so many days without an import the list is stale; null never. 7 by default for public lists.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(366)
  staleAfterDays?: number | null;
}

export class ListChangeBody {
  @ApiPropertyOptional({ example: 'OFAC SDN' })
  @IsOptional()
  @IsText({ max: 200 })
  name?: string;

  @ApiPropertyOptional(THRESHOLD)
  @IsOptional()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  evidenceThreshold?: number;

  @ApiPropertyOptional(THRESHOLD)
  @IsOptional()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  mandatoryThreshold?: number;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: 366 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(366)
  staleAfterDays?: number | null;

  @ApiPropertyOptional({ description: 'True takes the list out of use; its hits stay.' })
  @IsOptional()
  @IsBoolean()
  archived?: boolean;
}

export class SearchBody {
  @ApiProperty({ example: 'João da Silva' })
  @IsText({ max: 256 })
  name: string;

  @ApiPropertyOptional({ enum: ['PERSON', 'ORGANISATION', 'OTHER', 'UNKNOWN'], default: 'UNKNOWN' })
  @IsOptional()
  @IsIn(['PERSON', 'ORGANISATION', 'OTHER', 'UNKNOWN'])
  kind?: 'PERSON' | 'ORGANISATION' | 'OTHER' | 'UNKNOWN';

  @ApiPropertyOptional({ example: '***.456.789-**', description: 'CPF or CNPJ, full or masked.' })
  @IsOptional()
  @IsText({ max: 32 })
  document?: string;

  @ApiPropertyOptional({ example: '1970-01-31' })
  @IsOptional()
  @IsText(DATE)
  birthDate?: string;

  @ApiPropertyOptional({ example: 'BR' })
  @IsOptional()
  @IsText({ max: 2, pattern: /^[A-Z]{2}$/, form: 'a country code' })
  nationality?: string;

  @ApiPropertyOptional({ type: [String], description: 'Keys of the lists to search; all when left out.' })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(50)
  lists?: string[];

  @ApiPropertyOptional({ ...THRESHOLD, default: 0.7 })
  @IsOptional()
  @IsNumber()
  @Min(0.5)
  @Max(1)
  threshold?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}

export class HitsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: hitStatuses })
  @IsOptional()
  @IsIn(hitStatuses)
  status?: HitStatus;

  @ApiPropertyOptional({
    type: Boolean,
    description: 'Only hits that a person must decide, or only the others.',
  })
  @IsOptional()
  @UrlFlag()
  @IsBoolean()
  mandatory?: boolean;

  @ApiPropertyOptional({ example: 'lst_019364d0c0de7000a000000000000001' })
  @IsOptional()
  @IsText({ max: 64 })
  listId?: string;

  @ApiPropertyOptional({ example: 'cus_019364d0c0de7000a000000000000001' })
  @IsOptional()
  @IsText({ max: 64 })
  customerId?: string;
}

export class DispositionBody {
  @ApiProperty({ enum: dispositions, example: 'DISMISSED_FALSE_POSITIVE' })
  @IsIn(dispositions)
  disposition: Disposition;

  @ApiProperty({
    minLength: 20,
    maxLength: 2_000,
    example: 'Another date of birth in the identity document.',
  })
  @IsText({ max: 2_000, pattern: /^[\s\S]{20,}$/u, form: 'at least 20 characters' })
  justification: string;
}
