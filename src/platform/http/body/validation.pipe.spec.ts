import 'reflect-metadata';
import type { ArgumentMetadata } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  ValidateNested,
} from 'class-validator';
import { DomainError, type ErrorDetail } from '../../kernel/domain-error.js';
import { Check, IsText } from './property-check.js';
import { compiledBody, validationPipe } from './validation.pipe.js';
import { createFault } from '../errors/violations.js';

class ItemBody {
  @IsInt()
  @Max(9)
  count: number;
}
class DetailBody {
  @IsOptional()
  @IsString()
  note?: string;
}
class OrdinaryBody {
  @IsString()
  @IsIn(['a', 'b'])
  kind: string;

  @IsOptional()
  @IsUrl()
  url?: string;

  @IsOptional()
  @IsInt()
  most = 10;

  @ApiPropertyOptional({ type: 'integer', nullable: true, default: 3 })
  @IsOptional()
  @IsInt()
  least: number | null = 3;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => DetailBody)
  details?: DetailBody[];

  @IsOptional()
  @IsObject()
  free?: Record<string, unknown>;

  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => ItemBody)
  items: ItemBody[];
}
class HotBody {
  @IsDefined()
  @IsText({ max: 5 })
  name: string;

  @IsOptional()
  @Check('inThePast', (value, _siblings, { now }) =>
    Number(value) > now() ? createFault('DATETIME_IN_FUTURE') : null,
  )
  at?: number;
}

const detailsOf = async (work: () => unknown): Promise<readonly ErrorDetail[]> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_FAILED') return error.details;
    throw error;
  }
  throw new Error('was accepted');
};
const bodyOf = (metatype: ArgumentMetadata['metatype'] & {}): ArgumentMetadata => ({
  type: 'body',
  metatype,
});
const ordinary = (body: unknown): Promise<readonly ErrorDetail[]> =>
  detailsOf(() => validationPipe().transform(body, bodyOf(OrdinaryBody)));

describe('validationPipe', () => {
  it('hands on an instance of the DTO', async () => {
    const body = await (validationPipe().transform(
      { kind: 'a', items: [{ count: 1 }] },
      bodyOf(OrdinaryBody),
    ) as Promise<unknown>);
    expect(body).toBeInstanceOf(OrdinaryBody);
  });

  it('names path, code and rule of everything that is wrong', async () => {
    const details = await ordinary({
      kind: 'c',
      url: 'x',
      items: [{ count: 1 }, { count: 10 }, { count: 'x' }],
      more: 1,
    });
    expect(details.map(({ path, code }) => [path, code])).toEqual([
      ['more', 'UNKNOWN_FIELD'],
      ['kind', 'VALUE_NOT_ALLOWED'],
      ['url', 'VALUE_INVALID'],
      ['items', 'TOO_MANY_ITEMS'],
      ['items[1].count', 'TOO_LARGE'],
      ['items[2].count', 'TYPE_INVALID'],
    ]);
    expect(details.map(({ message }) => message)).toEqual([
      'This field is not part of the contract.',
      'Must be one of: a, b.',
      'Must be a URL.',
      'Must have at most 2 items.',
      'Must be at most 9.',
      'Must be a whole number.',
    ]);
  });

  it('says only once that a value has the wrong type, and repeats no value', async () => {
    const details = await ordinary({ kind: 52998224725, items: '52998224725', '529.982.247-25': 1 });
    expect(details.map(({ path, code }) => [path, code])).toEqual([
      ['*', 'UNKNOWN_FIELD'],
      ['kind', 'TYPE_INVALID'],
      ['items', 'TYPE_INVALID'],
    ]);
    expect(JSON.stringify(details)).not.toMatch(/52998224725|529\.982/);
  });

  it('takes null for left out, where the schema does not allow it and something may be left out', async () => {
    const sent = {
      ...{ kind: 'a', items: [{ count: 1 }], url: null, most: null, least: null },
      ...{ details: [{ note: null }, { note: 'x' }], free: { url: null } },
    };
    const body = (await (validationPipe().transform(
      sent,
      bodyOf(OrdinaryBody),
    ) as Promise<unknown>)) as OrdinaryBody;
    expect(body).toMatchObject({ url: undefined, most: 10, least: null });
    expect(body.details?.map(({ note }) => note)).toEqual([undefined, 'x']);
    expect(body.free).toEqual({ url: null });
    const required = await ordinary({ kind: null, items: [{ count: null }] });
    expect(required.map(({ path, code }) => [path, code])).toEqual([
      ['kind', 'TYPE_INVALID'],
      ['items[0].count', 'TYPE_INVALID'],
    ]);
  });

  it('leaves a body with a pipe of its own to that', async () => {
    compiledBody(HotBody);
    const body = { name: 7 };
    expect(await (validationPipe().transform(body, bodyOf(HotBody)) as Promise<unknown>)).toBe(body);
  });
});

describe('compiledBody', () => {
  const pipe = new (
    compiledBody(HotBody) as new (clock: { now: () => number }) => { transform(body: unknown): unknown }
  )({
    now: () => 10,
  });

  it('hands on the body itself', () => {
    const body = { name: 'Ana', at: 10 };
    expect(pipe.transform(body)).toBe(body);
  });

  it('refuses by the clock it was given', async () => {
    expect(await detailsOf(() => pipe.transform({ at: 11, name: '' }))).toEqual([
      { path: 'name', code: 'TOO_SHORT', message: 'Must not be empty.' },
      { path: 'at', code: 'DATETIME_IN_FUTURE', message: 'Must not be more than 5 minutes ahead of now.' },
    ]);
  });

  it('refuses a request without a body', async () => {
    expect(await detailsOf(() => pipe.transform(undefined))).toMatchObject([
      { path: '', code: 'TYPE_INVALID' },
    ]);
  });
});
