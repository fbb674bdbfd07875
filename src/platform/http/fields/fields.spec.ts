import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { toProblemDetails } from '../body/validation.pipe.js';
import { Field } from './field.js';
import { View, viewOf } from './view.js';

const MODES = ['LIVE', 'SHADOW'] as const;

class InnerBody {
  @Field.text({ max: 3 }) name: string;
}

class OuterBody {
  @Field.text({ max: 3, pattern: /^[a-z]+$/, form: 'small letters' }) code: string;
  @Field.text('Why.', { maxLength: 5, defined: true, example: 'so' }) reason: string;
  @Field.text({ max: 5, optional: true, nullable: true }) note?: string | null;
  @Field.string({ minLength: 2, maxLength: 4 }) word: string;
  @Field.matching(/^\d{2}$/) digits: string;
  @Field.instant() at: string;
  @Field.date() day: string;
  @Field.integer({ min: 1, max: 9 }) count: number;
  @Field.integer({ min: 1, max: 9, url: true, optional: true }) limit?: number;
  @Field.ordinal() version: number;
  @Field.number({ min: 0.5, max: 1, decimals: 2 }) share: number;
  @Field.number({ min: 0, max: 1, decimals: 2, optional: true }) part?: number;
  @Field.flag({ default: false }) dry = false;
  @Field.enum(MODES, { optional: 'not null' }) mode?: (typeof MODES)[number];
  @Field.enums(MODES) modes: (typeof MODES)[number][];
  @Field.texts({ min: 1, maxItems: 2 }) tags: string[];
  @Field.texts({ max: 2, required: false }) keys: string[] = [];
  @Field.object(() => InnerBody) inner: InnerBody;
  @Field.list(() => InnerBody, { maxItems: 2 }) list: InnerBody[];
  @Field.object(() => InnerBody, { optional: true }) maybe?: InnerBody;

  // @ts-expect-error A text is no number.
  @Field.text({ max: 3, required: false, optional: true }) wrongText?: number;
  // @ts-expect-error A value of the enumeration has no place in it.
  @Field.enum(MODES, { optional: true }) wrongEnum?: 'LIVE';
  // @ts-expect-error An object of another class.
  @Field.object(() => InnerBody, { optional: true }) wrongObject?: { other: string };
}

const GOOD = {
  ...{ code: 'abc', reason: 'so', word: 'ab', digits: '12', at: '2026-11-20T12:00:00Z', day: '2026-11-20' },
  ...{ count: 5, version: 1, share: 0.5, modes: ['LIVE'], tags: ['a'], inner: { name: 'a' }, list: [] },
};

const read = (body: object): OuterBody => plainToInstance(OuterBody, body);
const findings = (changes: object): string[] =>
  toProblemDetails(validateSync(read({ ...GOOD, ...changes }))).map(({ path, code }) => `${path} ${code}`);

function schemaOf(dto: { prototype: object }, name: string): unknown {
  const { isArray, ...schema } = Reflect.getMetadata(
    'swagger/apiModelProperties',
    dto.prototype,
    name,
  ) as Readonly<Record<string, unknown>>;
  return isArray === true ? { ...schema, isArray } : schema;
}

describe('Field', () => {
  it('accepts what conforms, and hands it on', () => {
    expect(findings({})).toEqual([]);
    expect(findings({ note: null, limit: '7', mode: 'LIVE', dry: true, keys: [] })).toEqual([]);
    expect(read({ ...GOOD, limit: '7' }).limit).toBe(7);
    expect(read(GOOD).inner).toBeInstanceOf(InnerBody);
  });

  it.each([
    [{ maybe: [{ name: 'a' }] }, 'maybe TYPE_INVALID'],
    [{ code: 'abcd' }, 'code TOO_LONG'],
    [{ code: 'A' }, 'code PATTERN_MISMATCH'],
    [{ code: undefined }, 'code TYPE_INVALID'],
    [{ reason: undefined }, 'reason REQUIRED'],
    [{ reason: 'longer' }, 'reason TOO_LONG'],
    [{ note: 7 }, 'note TYPE_INVALID'],
    [{ word: 7 }, 'word TYPE_INVALID'],
    [{ digits: 'x' }, 'digits PATTERN_MISMATCH'],
    [{ at: '2026-11-20' }, 'at DATETIME_INVALID'],
    [{ day: 'yesterday' }, 'day VALUE_INVALID'],
    [{ count: 0 }, 'count TOO_SMALL'],
    [{ count: 10 }, 'count TOO_LARGE'],
    [{ count: '5' }, 'count TYPE_INVALID'],
    [{ limit: '1e1' }, 'limit TYPE_INVALID'],
    [{ version: 0 }, 'version TOO_SMALL'],
    [{ version: 2 ** 31 }, 'version TOO_LARGE'],
    [{ share: 0.4 }, 'share TOO_SMALL'],
    [{ dry: 'true' }, 'dry TYPE_INVALID'],
    [{ mode: 'OFF' }, 'mode VALUE_NOT_ALLOWED'],
    [{ mode: null }, 'mode VALUE_NOT_ALLOWED'],
    [{ modes: [] }, 'modes TOO_FEW_ITEMS'],
    [{ modes: ['LIVE', 'LIVE'] }, 'modes ITEMS_NOT_UNIQUE'],
    [{ tags: [] }, 'tags TOO_FEW_ITEMS'],
    [{ tags: ['a', 'b', 'c'] }, 'tags TOO_MANY_ITEMS'],
    [{ keys: [1] }, 'keys TYPE_INVALID'],
    [{ inner: [] }, 'inner TYPE_INVALID'],
    [{ inner: { name: '' } }, 'inner.name TOO_SHORT'],
    [{ list: {} }, 'list TYPE_INVALID'],
    [{ list: [{ name: 'a' }, { name: 'abcd' }] }, 'list[1].name TOO_LONG'],
    [{ list: [{ name: 'a' }, []] }, 'list[1] TYPE_INVALID'],
    [{ list: [[{ name: 'a' }]] }, 'list[0] TYPE_INVALID'],
    [{ list: [null] }, 'list[0] TYPE_INVALID'],
    [{ share: 0.512 }, 'share VALUE_INVALID'],
    [{ part: 1e-7 }, 'part VALUE_INVALID'],
    [{ part: 6e-323 }, 'part VALUE_INVALID'],
  ])('finds what is wrong with %j', (changes, expected) => {
    expect(findings(changes)).toEqual([expected]);
  });

  it.each<[string, object]>([
    ['code', { type: String, required: true }],
    ['reason', { type: String, required: true, description: 'Why.', maxLength: 5, example: 'so' }],
    ['note', { type: String, required: false, nullable: true }],
    ['word', { type: String, required: true, minLength: 2, maxLength: 4 }],
    ['digits', { type: String, required: true, pattern: '^\\d{2}$' }],
    ['at', { type: String, required: true, format: 'date-time' }],
    ['limit', { type: 'integer', required: false, minimum: 1, maximum: 9 }],
    ['version', { type: 'integer', required: true, minimum: 1 }],
    ['share', { type: 'number', required: true, format: 'decimal', minimum: 0.5, maximum: 1 }],
    ['dry', { type: Boolean, required: false, default: false }],
    ['mode', { type: 'string', required: false, enum: ['LIVE', 'SHADOW'] }],
    ['tags', { type: String, required: true, isArray: true, minItems: 1, maxItems: 2 }],
    ['keys', { type: String, required: false, isArray: true }],
  ])('documents %s', (name, expected) => {
    expect(schemaOf(OuterBody, name)).toEqual(expected);
  });
});

class ShownView {
  @View.text('Who.', { example: 'a' }) name: string;
  @View.textOrNull() note: string | null;
  @View.integer({ optional: true }) count?: number;
  @View.instantOrNull() at: string | null;
  @View.enumOrNull(MODES) mode: string | null;
  @View.list(InnerBody) list: readonly InnerBody[];
  @View.object(InnerBody) stored: unknown;

  // @ts-expect-error It can be null.
  @View.text() wrongNull: string | null;
  // @ts-expect-error A text is no number.
  @View.integer() wrongType: string;
}

const MOMENT = '2026-11-20T12:00:00.000Z';

describe('View', () => {
  it('refuses the example of an id on a text, whose stored uuid it would show', () => {
    const example = 'txn_019364d0c0de7000a000000000000001';
    expect(() => View.text({ example })).toThrow('declare it with View.id');
    expect(() => View.textOrNull('Which.', { example })).toThrow('declare it with View.id');
    expect(View.id('txn', { example })).toBeInstanceOf(Function);
  });

  it.each<[string, object]>([
    ['name', { type: String, required: true, description: 'Who.', example: 'a' }],
    ['note', { type: String, required: true, nullable: true }],
    ['count', { type: 'integer', required: false }],
    ['at', { type: String, required: true, format: 'date-time', nullable: true, example: MOMENT }],
    ['mode', { type: String, required: true, nullable: true, enum: ['LIVE', 'SHADOW', null] }],
    ['list', { type: InnerBody, required: true, isArray: true }],
    ['stored', { type: InnerBody, required: true }],
  ])('documents %s', (name, expected) => {
    expect(schemaOf(ShownView, name)).toEqual(expected);
  });
});

class AppView {
  @View.id('app') id: string;
  @View.text() name: string;
}
class PickedView extends PickType(AppView, ['id'] as const) {}
class DirectView extends AppView {
  @ApiProperty() kind: string;
}

describe('viewOf', () => {
  const row = { id: '019364d0-c0de-7000-a000-000000000001', name: 'shop', kind: 'WEB', secret: 'x' };

  it('shows what the class declares, ids with their prefix, and nothing else', () => {
    expect(viewOf(AppView, row, {})).toEqual({
      id: 'app_019364d0c0de7000a000000000000001',
      name: 'shop',
    });
  });

  it.each([
    [PickedView, 'PickedView declares without View: id'],
    [DirectView, 'DirectView declares without View: kind'],
  ])('refuses %p, which documents a property that would not be shown', (view, message) => {
    expect(() => viewOf(view as typeof AppView, row, {})).toThrow(message);
  });
});
