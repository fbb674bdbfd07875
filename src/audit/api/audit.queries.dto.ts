import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { IsInstant, IsText, PageQuery } from '../../http/index.js';

const SUBJECT_TYPE = /^[a-z][a-z_]{0,31}$/;
export const ACTION = /^[a-z][a-z_.]{0,63}$/;

const asNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
);

export class AuditEventsQuery extends PageQuery {
  @ApiPropertyOptional({ example: 'transaction', pattern: SUBJECT_TYPE.source })
  @IsOptional()
  @Matches(SUBJECT_TYPE)
  subjectType?: string;

  @ApiPropertyOptional({ description: 'As in the events; a prefixed id (`txn_…`) is understood too.' })
  @IsOptional()
  @IsText({ max: 128 })
  subjectId?: string;

  @ApiPropertyOptional({ example: 'transaction.evaluated', pattern: ACTION.source })
  @IsOptional()
  @Matches(ACTION)
  action?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Recorded at or after.' })
  @IsOptional()
  @IsInstant()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Recorded before.' })
  @IsOptional()
  @IsInstant()
  to?: string;
}

export class ProofQuery {
  @ApiProperty({ type: 'integer', minimum: 0, example: 4711, description: '`index` of the event.' })
  @asNumber
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  index: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Of the tree that the auditor knows; the newest checkpoint when not given.',
  })
  @IsOptional()
  @asNumber
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  size?: number;
}

export class ConsistencyQuery {
  @ApiProperty({ type: 'integer', minimum: 0, example: 4711, description: 'Size of the earlier checkpoint.' })
  @asNumber
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  from: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'The newest checkpoint when not given.' })
  @IsOptional()
  @asNumber
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  to?: number;
}
