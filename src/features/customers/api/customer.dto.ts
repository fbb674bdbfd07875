import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, ValidateIf } from 'class-validator';
import { Field, PageQuery } from '../../../platform/http/index.js';

const LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
const REASON = { max: 2_000, pattern: /^[\s\S]{20,}$/u, form: 'at least 20 characters' };

export class CustomersQuery extends PageQuery {
  @Field.text('A full CPF or CNPJ, with or without punctuation. Found through its keyed hash.', {
    max: 20,
    optional: true,
    example: '529.982.247-25',
  })
  document?: string;

  @Field.text('Only those of the customer with this id in your own system.', {
    max: 256,
    optional: true,
    example: 'customer-4711',
  })
  externalCustomerId?: string;
  @Field.enum(LEVELS, 'Only customers with this risk level.', { optional: true })
  riskLevel?: (typeof LEVELS)[number];

  @Field.ids(
    'cus',
    'These customers and no others, separated by commas or one by one; no filter beside it.',
    {
      maxItems: 100,
      optional: true,
      example: ['cus_019364d0c0de7000a000000000000001', 'cus_019364d0c0de7000a000000000000002'],
    },
  )
  ids?: string[];
}

export class ProfileBody {
  @Field.enum(['NATURAL', 'LEGAL'], 'A natural or a legal person.', { optional: true })
  personType?: 'NATURAL' | 'LEGAL';

  @Field.number('In reais; null when it is not known.', {
    min: 0,
    max: 1_000_000_000_000,
    decimals: 2,
    optional: true,
    nullable: true,
    example: 4_800,
  })
  monthlyIncome?: number | null;

  @Field.number('Of a company, in reais.', {
    min: 0,
    max: 1_000_000_000_000,
    decimals: 2,
    optional: true,
    nullable: true,
    example: null,
  })
  monthlyRevenue?: number | null;

  @Field.number('The PIX limit at night that the customer has chosen.', {
    min: 0,
    max: 1_000_000_000_000,
    decimals: 2,
    optional: true,
    nullable: true,
    example: 1_500,
  })
  nightLimit?: number | null;

  @ApiPropertyOptional({
    description: 'The hour at which the night of the customer begins.',
    type: 'integer',
    nullable: true,
    enum: [20, 22, null],
    example: 22,
  })
  @ValidateIf(({ nightStartHour }: ProfileBody) => nightStartHour !== undefined && nightStartHour !== null)
  @IsIn([20, 22])
  nightStartHour?: number | null;

  @Field.flag('What the customer says: politically exposed, family, or close associate.', {
    optional: true,
    nullable: true,
  })
  pep?: boolean | null;
}

export class RiskLevelBody {
  @Field.enum(LEVELS, 'The level of risk of the customer.', { example: 'HIGH' })
  riskLevel: (typeof LEVELS)[number];
}

export class RelationshipBody {
  @Field.text('The day on which the relationship ended; null when it goes on.', {
    max: 10,
    pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
    form: 'a day, YYYY-MM-DD',
    format: 'date',
    nullable: true,
    example: '2026-11-20',
  })
  @ValidateIf(({ endedOn }: RelationshipBody) => endedOn !== null)
  endedOn: string | null;
}

export class WhyBody {
  @Field.text('The reason, in your own words.', {
    ...REASON,
    minLength: 20,
    maxLength: 2_000,
    example: 'The court asks for the customer in case 0001234-55.2026.8.26.0100.',
  })
  reason: string;
}

export class RiskLevelRequestBody extends IntersectionType(RiskLevelBody, WhyBody) {}
