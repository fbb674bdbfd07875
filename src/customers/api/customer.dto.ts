import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNumber, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { IsText, PageQuery } from '../../http/index.js';

const LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
const AMOUNT = { type: 'number', nullable: true, minimum: 0, maximum: 1_000_000_000_000 } as const;
const REASON = { max: 2_000, pattern: /^[\s\S]{20,}$/u, form: 'at least 20 characters' };

export class CustomersQuery extends PageQuery {
  @ApiPropertyOptional({
    example: '529.982.247-25',
    description: 'A full CPF or CNPJ, with or without punctuation. Found through its keyed hash.',
  })
  @IsOptional()
  @IsText({ max: 20 })
  document?: string;

  @ApiPropertyOptional({ example: 'customer-4711' })
  @IsOptional()
  @IsText({ max: 256 })
  externalCustomerId?: string;

  @ApiPropertyOptional({ enum: LEVELS })
  @IsOptional()
  @IsIn(LEVELS)
  riskLevel?: (typeof LEVELS)[number];
}

export class ProfileBody {
  @ApiPropertyOptional({ enum: ['NATURAL', 'LEGAL'] })
  @IsOptional()
  @IsIn(['NATURAL', 'LEGAL'])
  personType?: 'NATURAL' | 'LEGAL';

  @ApiPropertyOptional({ ...AMOUNT, example: 4_800, description: 'In reais; null when it is not known.' })
  @ValidateIf(({ monthlyIncome }: ProfileBody) => monthlyIncome !== undefined && monthlyIncome !== null)
  @IsNumber({ maxDecimalPlaces: 2, allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(1_000_000_000_000)
  monthlyIncome?: number | null;

  @ApiPropertyOptional({ ...AMOUNT, example: null, description: 'Of a company, in reais.' })
  @ValidateIf(({ monthlyRevenue }: ProfileBody) => monthlyRevenue !== undefined && monthlyRevenue !== null)
  @IsNumber({ maxDecimalPlaces: 2, allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(1_000_000_000_000)
  monthlyRevenue?: number | null;

  @ApiPropertyOptional({
    ...AMOUNT,
    example: 1_500,
    description: 'The PIX limit at night that the customer has chosen.',
  })
  @ValidateIf(({ nightLimit }: ProfileBody) => nightLimit !== undefined && nightLimit !== null)
  @IsNumber({ maxDecimalPlaces: 2, allowInfinity: false, allowNaN: false })
  @Min(0)
  @Max(1_000_000_000_000)
  nightLimit?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, enum: [20, 22, null], example: 22 })
  @ValidateIf(({ nightStartHour }: ProfileBody) => nightStartHour !== undefined && nightStartHour !== null)
  @IsIn([20, 22])
  nightStartHour?: number | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'What the customer says: politically exposed, family, or close associate.',
  })
  @ValidateIf(({ pep }: ProfileBody) => pep !== undefined && pep !== null)
  @IsBoolean()
  pep?: boolean | null;
}

export class RiskLevelBody {
  @ApiProperty({ enum: LEVELS, example: 'HIGH' })
  @IsIn(LEVELS)
  riskLevel: (typeof LEVELS)[number];
}

export class RelationshipBody {
  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    example: '2026-11-20',
    description: 'The day on which the relationship ended; null when it goes on.',
  })
  @ValidateIf(({ endedOn }: RelationshipBody) => endedOn !== null)
  @IsText({ max: 10, pattern: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, form: 'a day, YYYY-MM-DD' })
  endedOn: string | null;
}

export class WhyBody {
  @ApiProperty({
    minLength: 20,
    maxLength: 2_000,
    example: 'The court asks for the customer in case 0001234-55.2026.8.26.0100.',
  })
  @IsText(REASON)
  reason: string;
}
