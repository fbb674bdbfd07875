import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

const MAX_ORDINAL = 2_147_483_647; // of PostgreSQL's integer

/** A number that counts, such as a version: a number that no row can have is refused here, not by the database. */
export const IsOrdinal = (first = 1): PropertyDecorator =>
  applyDecorators(IsInt(), Min(first), Max(MAX_ORDINAL));
