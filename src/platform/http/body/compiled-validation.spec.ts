import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { IsDefined, IsEmail, IsIn, IsObject, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { compileValidator, type DtoClass } from './compiled-validation.js';
import { Check, IsText } from './property-check.js';
import { createFault } from '../errors/violations.js';

const LATE = createFault('VALUE_INVALID', 'Too late.');

class BaseBody {
  @IsDefined()
  @IsText({ max: 3, pattern: /^[a-z]+$/, form: 'lower-case letters' })
  code: string;
}
class InnerBody {
  @IsOptional()
  @IsText({ max: 3 })
  note?: string;
}
class SampleBody extends BaseBody {
  @IsDefined()
  @IsObject()
  @ValidateNested()
  inner: InnerBody;

  @IsOptional()
  @Check('deadline', (value, siblings, { now }) =>
    siblings['code'] === 'abc' && now() > Number(value) ? LATE : null,
  )
  deadline?: number;

  @Check('present', (value) => (value === undefined ? createFault('REQUIRED') : null))
  judged: unknown;
}

const validate = compileValidator(SampleBody);
const valid = { code: 'abc', inner: {}, judged: 1 };
const at = (time: number): { now: () => number } => ({ now: () => time });

describe('compileValidator', () => {
  it('accepts what conforms, and compiles a class once', () => {
    expect(validate({ ...valid, deadline: 10, inner: { note: 'hi' } }, at(9))).toEqual([]);
    expect(compileValidator(SampleBody)).toBe(validate);
  });

  it('gives checks the siblings and the time of the caller', () => {
    expect(validate({ ...valid, deadline: 10 }, at(11))).toEqual([
      { path: 'deadline', code: 'VALUE_INVALID', message: 'Too late.' },
    ]);
    expect(validate({ ...valid, code: 'xyz', deadline: 10 }, at(11))).toEqual([]);
  });

  it('keeps inherited rules, nested ones, and those for what is absent', () => {
    const body = { code: 'ABC', inner: { note: 'long' }, extra: 1 };
    expect(validate(body, at(0)).map(({ path, code, message }) => [path, code, message])).toEqual([
      ['inner.note', 'TOO_LONG', 'Must have at most 3 characters.'],
      ['judged', 'REQUIRED', 'This field is required.'],
      ['code', 'PATTERN_MISMATCH', 'Must be lower-case letters.'],
      ['extra', 'UNKNOWN_FIELD', 'This field is not part of the contract.'],
    ]);
  });

  it('looks up no name on the prototype', () => {
    expect(validate(JSON.parse('{"code":"abc","inner":{},"judged":1,"valueOf":1}'), at(0))).toMatchObject([
      { path: 'valueOf', code: 'UNKNOWN_FIELD' },
    ]);
  });

  describe('refuses to compile', () => {
    class Unknown {
      @IsEmail()
      address: string;
    }
    class Each {
      @IsText({ max: 3 })
      @IsIn(['a'], { each: true })
      items: string[];
    }
    class Conditional {
      @ValidateIf(() => false)
      @IsText({ max: 3 })
      text: string;
    }
    class Loose {
      @IsDefined()
      @ValidateNested()
      inner: InnerBody;
    }
    class Untyped {
      @IsObject()
      @ValidateNested()
      inner: unknown;
    }
    class Plain {
      text: string;
    }

    it.each<[string, DtoClass, RegExp]>([
      ['a decorator it does not know', Unknown, /Unknown\.address .*isEmail/],
      ['a rule for each item', Each, /Each\.items/],
      ['a conditional rule', Conditional, /Conditional\.text/],
      ['a nested object that could be an array', Loose, /Loose\.inner .*@IsObject/],
      ['a nested object without a class', Untyped, /Untyped\.inner .*class/],
      ['a class without rules', Plain, /Plain has no/],
    ])('%s', (_, dto, message) => {
      expect(() => compileValidator(dto)).toThrow(message);
    });
  });
});
