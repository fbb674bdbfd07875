import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional, IsString } from 'class-validator';
import { Field, PageQuery } from '../../../platform/http/index.js';
import { hitStatuses, type Disposition, type HitStatus } from '../domain/hit.js';
import { LIST_KEY, listKinds, type ListKind } from '../domain/lists/list-entry.js';
import { listFormats, type ListFormat } from '../domain/lists/list-formats.js';
import type { ListChange, NewList } from '../lists/screening-lists.service.js';

const KEY = { max: 63, pattern: LIST_KEY, form: 'small letters, digits and hyphens' };
const DATE = { max: 10, pattern: /^\d{4}(-\d{2}-\d{2})?$/, form: 'a date such as 1970-01-31, or a year' };
const dispositions = ['CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'] as const;

export class ListBody implements NewList {
  @Field.text("How rules and answers call it: `list('ofac-sdn').has(…)`.", { ...KEY, example: 'ofac-sdn' })
  key: string;

  @Field.text('The name of the list.', { max: 200, example: 'OFAC Specially Designated Nationals' })
  name: string;
  @Field.enum(listKinds, 'The kind of list.', { example: 'SANCTIONS' }) kind: ListKind;

  @Field.enum(listFormats, 'The format that its files come in.', { example: 'OFAC_SDN_CSV' })
  format: ListFormat;

  @Field.number('From which score a hit is kept; the default depends on the kind. At most four decimals.', {
    min: 0.5,
    max: 1,
    decimals: 4,
    optional: true,
  })
  evidenceThreshold?: number;

  @Field.number(
    'From which score a name forces a review, where the kind allows that. At most four decimals.',
    {
      min: 0.5,
      max: 1,
      decimals: 4,
      optional: true,
    },
  )
  mandatoryThreshold?: number;

  @Field.integer(
    'After so many days without an import the list is stale; null never. 7 by default for public lists.',
    { min: 1, max: 366, optional: true, nullable: true },
  )
  staleAfterDays?: number | null;
}

export class ListNameBody {
  @Field.text('The name of the list.', { max: 200, example: 'OFAC SDN' }) name: string;
}

export class ListChangeBody implements ListChange {
  @Field.number('The score from which a hit counts as evidence. At most four decimals.', {
    min: 0.5,
    max: 1,
    decimals: 4,
    optional: true,
  })
  evidenceThreshold?: number;
  @Field.number('The score from which a person has to decide about a hit. At most four decimals.', {
    min: 0.5,
    max: 1,
    decimals: 4,
    optional: true,
  })
  mandatoryThreshold?: number;
  @Field.integer('After how many days the list counts as too old.', {
    min: 1,
    max: 366,
    optional: true,
    nullable: true,
  })
  staleAfterDays?: number | null;
  @Field.flag('True takes the list out of use; its hits stay.', { optional: true }) archived?: boolean;
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'Too many names that only sound alike.',
  })
  reason: string;
}

export class ImportReasonBody {
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'OFAC has removed a programme; compared by hand.',
  })
  reason: string;
}

export class SearchBody {
  @Field.text('The name to look for.', { max: 256, example: 'João da Silva' }) name: string;

  @Field.enum(
    ['PERSON', 'ORGANISATION', 'OTHER', 'UNKNOWN'],
    'What the name is of: a person, an organisation, something else, or unknown.',
    { optional: true, default: 'UNKNOWN' },
  )
  kind?: 'PERSON' | 'ORGANISATION' | 'OTHER' | 'UNKNOWN';

  @Field.text('CPF or CNPJ, full or masked.', { max: 32, optional: true, example: '***.456.789-**' })
  document?: string;

  @Field.text('The date of birth, as `YYYY-MM-DD`.', { ...DATE, optional: true, example: '1970-01-31' })
  birthDate?: string;

  @Field.text('The nationality, as an ISO 3166 alpha-2 code.', {
    max: 2,
    pattern: /^[A-Z]{2}$/,
    form: 'a country code',
    optional: true,
    example: 'BR',
  })
  nationality?: string;

  @ApiPropertyOptional({ type: [String], description: 'Keys of the lists to search; all when left out.' })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(50)
  lists?: string[];

  @Field.number('From where it counts.', { min: 0.5, max: 1, optional: true, default: 0.8 })
  threshold?: number;
  @Field.integer('At most so many.', { min: 1, max: 100, optional: true, default: 20 }) limit?: number;
}

export class HitsQuery extends PageQuery {
  @Field.enum(hitStatuses, 'Only those with this status.', { optional: true }) status?: HitStatus;

  @Field.flag('Only hits that a person must decide, or only the others.', { url: true, optional: true })
  mandatory?: boolean;

  @Field.text('Only hits of this list.', {
    max: 64,
    optional: true,
    example: 'lst_019364d0c0de7000a000000000000001',
  })
  listId?: string;

  @Field.text('Only those of this customer.', {
    max: 64,
    optional: true,
    example: 'cus_019364d0c0de7000a000000000000001',
  })
  customerId?: string;

  @Field.text('The customer whose payment it was: hits about whom they deal with.', {
    ...{ max: 64, optional: true, example: 'cus_019364d0c0de7000a000000000000001' },
  })
  forCustomerId?: string;
}

export class FreezeReasonBody {
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The identity document was forged.',
  })
  reason: string;
}

export class DispositionBody {
  @Field.enum(dispositions, 'What is decided about the hit.', { example: 'DISMISSED_FALSE_POSITIVE' })
  disposition: Disposition;

  @Field.text('Why it was decided.', {
    pattern: /^[\s\S]{20,}$/u,
    form: 'at least 20 characters',
    minLength: 20,
    maxLength: 2_000,
    example: 'Another date of birth in the identity document.',
  })
  justification: string;
}
