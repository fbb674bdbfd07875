import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import { Field, PageQuery } from '../../../platform/http/index.js';
import { subjectTypes } from '../domain/entry.js';

const SUBJECT_TYPE = /^[a-z][a-z_]{0,31}$/;
export const ACTION = /^[a-z][a-z_.]{0,63}$/;

const asNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
);

export class AuditEventsQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Only entries about this kind of subject.',
    enum: subjectTypes,
    example: 'transaction',
  })
  @IsOptional()
  @Matches(SUBJECT_TYPE)
  subjectType?: string;

  @Field.text('As in the events; a prefixed id (`txn_…`) is understood too.', { max: 128, optional: true })
  subjectId?: string;

  @Field.matching(ACTION, 'Only entries of this action.', {
    optional: true,
    example: 'transaction.evaluated',
  })
  action?: string;
  @Field.instant('Recorded at or after.', { optional: true }) from?: string;
  @Field.instant('Recorded before.', { optional: true }) to?: string;
}

export class ProofQuery {
  @Field.integer('`index` of the event.', { min: 0, max: Number.MAX_SAFE_INTEGER, example: 4711 })
  @asNumber
  index: number;

  @Field.integer('Of the tree that the auditor knows; the newest checkpoint when not given.', {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  @asNumber
  size?: number;
}

export class WitnessBody {
  @Field.string('The signed note of the witness.', {
    minLength: 1,
    maxLength: 8_192,
    example: 'vigia.example/development/t/01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071/i/1\n4711\n…',
  })
  note: string;

  @Field.string('The verifier key of the witness.', {
    minLength: 1,
    maxLength: 512,
    example: 'vigia-witness+1f2e3d4c+AXq…',
  })
  key: string;
}

export class ConsistencyQuery {
  @Field.integer('Size of the earlier checkpoint.', { min: 0, max: Number.MAX_SAFE_INTEGER, example: 4711 })
  @asNumber
  from: number;

  @Field.integer('The newest checkpoint when not given.', {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  @asNumber
  to?: number;
}
