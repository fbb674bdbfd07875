import { ApiProperty } from '@nestjs/swagger';
import {
  CsvBody,
  DEFAULT_BODY_RULES,
  Field,
  NdjsonBody,
  parseLimitedJson,
  View,
} from '../../../platform/http/index.js';
import { DomainError, invalid } from '../../../platform/kernel/index.js';
import { readProfileRows } from '../domain/profile-file.js';
import type { RowProblem } from '../domain/profile-row.js';

export const MAX_PROFILE_ROWS = 5_000;

const { limits } = DEFAULT_BODY_RULES;
/** JSON limits of an upload: one level deeper than a single row, and 20 keys for each of its rows. */
export const PROFILES_BODY = {
  maxBytes: 8 * 1_024 * 1_024,
  limits: { ...limits, maxDepth: limits.maxDepth + 1, maxKeys: MAX_PROFILE_ROWS * 20 },
  ndjson: true,
  csv: true as const,
};

/** Documents one row in OpenAPI. Each row is validated by itself, so that an invalid row does not refuse the others. */
export class ProfileRowBody {
  @ApiProperty({ description: 'Your id of the customer.', required: false, example: 'customer-4711' })
  externalCustomerId?: string;
  @ApiProperty({ description: 'A CPF or CNPJ.', required: false, example: '529.982.247-25' })
  document?: string;
  @ApiProperty({ description: 'The name of the customer.', required: false, example: 'Maria Exemplo' })
  name?: string;
  @ApiProperty({
    description: 'The date of birth, as `YYYY-MM-DD`.',
    required: false,
    format: 'date',
    example: '1980-05-17',
  })
  birthDate?: string;
  @ApiProperty({ description: 'The income of a month.', required: false, example: 4_800 })
  monthlyIncome?: number;
  @ApiProperty({ required: false, description: 'Of a company, in reais.', example: 90_000 })
  monthlyRevenue?: number;
  @ApiProperty({ description: 'The occupation.', required: false, example: 'Nurse' }) occupation?: string;
  @ApiProperty({ description: 'Whether the person is politically exposed.', required: false, example: false })
  pep?: boolean;

  @ApiProperty({
    required: false,
    enum: ['LOW', 'MEDIUM', 'HIGH'],
    description: 'The first level or a higher one; a lower one is refused and waits for nobody.',
  })
  riskLevel?: string;

  @ApiProperty({
    description: 'The day since which there is a relation to the institution.',
    required: false,
    format: 'date',
    example: '2019-03-01',
  })
  relationshipSince?: string;
  @ApiProperty({ description: 'The segment of customers.', required: false, example: 'RETAIL' })
  segment?: string;

  @ApiProperty({
    required: false,
    format: 'date',
    description:
      'The day as of which the row holds; today when left out. What is known of a later day stays.',
    example: '2024-12-31',
  })
  asOf?: string;
}

export class ProfilesQuery {
  @Field.flag('Says what would come of it, and writes nothing.', { optional: true, url: true })
  preview?: boolean;
}

export class RowProblemView {
  @View.integer('Counted from 1.', { example: 17 }) line: number;
  @View.text('The place of it, as in `origin.cpfCnpj`.', { example: 'monthlyIncome' }) path: string;
  @View.text('A stable code; a program may rely on it.', { example: 'OUT_OF_RANGE' }) code: string;
  @View.text('A sentence for people; its wording may change.') message: string;
}

export class ProfilesOutcomeView {
  @View.integer('How many rows there are.', { example: 5_000 }) rows: number;
  @View.integer('Customers who had no record before, and have one now, or would with `preview`.', {
    example: 40,
  })
  created: number;
  @View.integer('Rows by which a record came about or changed, or would with `preview`.', { example: 4_990 })
  changed: number;
  @View.integer('Rows that say nothing new: also those of an earlier request that was cut off.', {
    example: 8,
  })
  unchanged: number;
  @View.list(RowProblemView, 'Everything that is wrong with a row; the other rows are written.')
  problems: readonly RowProblemView[];
}

type Line = { readonly line: number; readonly value: unknown } | RowProblem;

/** The rows of a body: a JSON array, one JSON value per line, or CSV. An invalid line does not refuse the others. */
export async function parseLines(body: unknown): Promise<readonly Line[]> {
  if (body instanceof CsvBody) {
    const parsedRows = await readProfileRows(body.bytes);
    if ('code' in parsedRows) throw bodyError(parsedRows.code, parsedRows.message);
    return requireRowCount(parsedRows);
  }
  const items: unknown = body instanceof NdjsonBody ? body.lines : body;
  if (!Array.isArray(items)) throw bodyError('TYPE_INVALID', 'The body must be a JSON array, NDJSON or CSV.');
  return requireRowCount(items).map((item: unknown, i) => lineOf(i + 1, item));
}

function requireRowCount<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length === 0) throw bodyError('TOO_FEW_ITEMS', 'There is no row.');
  if (items.length > MAX_PROFILE_ROWS) {
    throw bodyError('TOO_MANY_ITEMS', `One request holds at most ${MAX_PROFILE_ROWS} rows.`);
  }
  return items;
}

function lineOf(line: number, item: unknown): Line {
  if (!Buffer.isBuffer(item)) return { line, value: item };
  try {
    return { line, value: parseLimitedJson(item, limits) };
  } catch (error) {
    const [found] = error instanceof DomainError ? error.details : [];
    if (!found) throw error;
    const { path, code, message } = found;
    return { line, path, code, message };
  }
}

const bodyError = (code: string, message: string): DomainError => invalid('', code, message);
