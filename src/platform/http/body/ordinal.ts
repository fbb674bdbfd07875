import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

const MAX_ORDINAL = 2_147_483_647; // the largest integer of PostgreSQL

/**
 * Requires a counting number, such as a version. A number beyond PostgreSQL's integer is refused here, not by the
 * database.
 */
export const IsOrdinal = (first = 1): PropertyDecorator =>
  applyDecorators(IsInt(), Min(first), Max(MAX_ORDINAL));
