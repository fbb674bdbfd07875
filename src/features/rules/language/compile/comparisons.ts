import type { ComparisonOperator } from '../syntax/ast.js';
import { isMultiple } from '../decimal.js';
import type { FactSheet } from '../fact-sheet.js';
import type {
  BoolClosure,
  CompiledExpression,
  Item,
  Items,
  NumericClosure,
  TextClosure,
  TernaryValue,
} from './closures.js';

export const toTernary = (value: boolean): TernaryValue => (value ? 1 : 0);

/** Narrows the type for TypeScript; the checker has already verified it. */
export function asBool(compiled: CompiledExpression): BoolClosure {
  if (compiled.type !== 'bool') throw new Error(`a checked condition is a ${compiled.type}`);
  return compiled.run;
}

export function asNumeric(compiled: CompiledExpression): {
  run: NumericClosure;
  constant: number | null;
  slot?: number;
} {
  if (compiled.type !== 'number' && compiled.type !== 'time') throw new Error('a checked number is none');
  return compiled;
}

export function asText(compiled: CompiledExpression): { run: TextClosure; constant: string | null } {
  if (compiled.type !== 'string') throw new Error('a checked text is none');
  return compiled;
}

export function asItems(compiled: CompiledExpression): { type: 'numbers' | 'strings'; run: Items } {
  if (compiled.type !== 'numbers' && compiled.type !== 'strings') throw new Error('a checked list is none');
  return compiled;
}

export const numberOf = (run: NumericClosure): CompiledExpression => ({
  type: 'number',
  run,
  constant: null,
});

export const boolOf = (run: BoolClosure): CompiledExpression => ({ type: 'bool', run, constant: null });

export function compileComparison(
  op: ComparisonOperator,
  left: CompiledExpression,
  right: CompiledExpression,
): CompiledExpression {
  if (left.type === 'string') return boolOf(compileEquality(op, left.run, asText(right).run));
  if (left.type === 'bool') return boolOf(compileTruthEquality(op, left.run, asBool(right)));
  const [a, b] = [asNumeric(left), asNumeric(right)];
  if (b.constant === null) return boolOf(compileOrdering(op, a.run, b.run));
  return boolOf(
    a.slot === undefined
      ? compileOrderingTo(op, a.run, b.constant)
      : compileFieldOrderingTo(op, a.slot, b.constant),
  );
}

function compileEquality(op: ComparisonOperator, a: TextClosure, b: TextClosure): BoolClosure {
  const expected = op === '==';
  return (sheet) => {
    const [x, y] = [a(sheet), b(sheet)];
    return x === undefined || y === undefined ? 2 : toTernary((x === y) === expected);
  };
}

function compileTruthEquality(op: ComparisonOperator, a: BoolClosure, b: BoolClosure): BoolClosure {
  const expected = op === '==';
  return (sheet) => {
    const [x, y] = [a(sheet), b(sheet)];
    return x === 2 || y === 2 ? 2 : toTernary((x === y) === expected);
  };
}

/** Every comparison with NaN is false, so NaN is checked only after a comparison fails. */
function compileOrdering(op: ComparisonOperator, a: NumericClosure, b: NumericClosure): BoolClosure {
  const unlessNaN = (x: number, y: number): TernaryValue => (Number.isNaN(x) || Number.isNaN(y) ? 2 : 0);
  switch (op) {
    case '<':
      return compileOrdering('>', b, a);
    case '<=':
      return compileOrdering('>=', b, a);
    case '>':
      return (sheet) => {
        const [x, y] = [a(sheet), b(sheet)];
        return x > y ? 1 : unlessNaN(x, y);
      };
    case '>=':
      return (sheet) => {
        const [x, y] = [a(sheet), b(sheet)];
        return x >= y ? 1 : unlessNaN(x, y);
      };
    case '==':
      return (sheet) => {
        const [x, y] = [a(sheet), b(sheet)];
        return x === y ? 1 : unlessNaN(x, y);
      };
    case '!=':
      return (sheet) => {
        const [x, y] = [a(sheet), b(sheet)];
        return x === y ? 0 : unlessNaN(x, y) === 2 ? 2 : 1;
      };
  }
}

function compileOrderingTo(op: ComparisonOperator, a: NumericClosure, y: number): BoolClosure {
  switch (op) {
    case '<':
      return (sheet) => {
        const x = a(sheet);
        return x < y ? 1 : x >= y ? 0 : 2;
      };
    case '<=':
      return (sheet) => {
        const x = a(sheet);
        return x <= y ? 1 : x > y ? 0 : 2;
      };
    case '>':
      return (sheet) => {
        const x = a(sheet);
        return x > y ? 1 : x <= y ? 0 : 2;
      };
    case '>=':
      return (sheet) => {
        const x = a(sheet);
        return x >= y ? 1 : x < y ? 0 : 2;
      };
    case '==':
      return (sheet) => {
        const x = a(sheet);
        return x === y ? 1 : Number.isNaN(x) ? 2 : 0;
      };
    case '!=':
      return (sheet) => {
        const x = a(sheet);
        return x === y ? 0 : Number.isNaN(x) ? 2 : 1;
      };
  }
}

/** Compares a field with a constant, as rules do most often, in one step instead of two. */
function compileFieldOrderingTo(op: ComparisonOperator, slot: number, y: number): BoolClosure {
  switch (op) {
    case '<':
      return ({ numbers }) => {
        const x = numbers[slot] ?? NaN;
        return x < y ? 1 : x >= y ? 0 : 2;
      };
    case '<=':
      return ({ numbers }) => {
        const x = numbers[slot] ?? NaN;
        return x <= y ? 1 : x > y ? 0 : 2;
      };
    case '>':
      return ({ numbers }) => {
        const x = numbers[slot] ?? NaN;
        return x > y ? 1 : x <= y ? 0 : 2;
      };
    case '>=':
      return ({ numbers }) => {
        const x = numbers[slot] ?? NaN;
        return x >= y ? 1 : x < y ? 0 : 2;
      };
    case '==':
    case '!=':
      return compileOrderingTo(op, ({ numbers }) => numbers[slot] ?? NaN, y);
  }
}

export function compileMembership(value: CompiledExpression, items: Items): CompiledExpression {
  const run: (sheet: FactSheet) => Item | undefined =
    value.type === 'string' ? value.run : asNumeric(value).run;
  return boolOf((sheet) => {
    const [item, list] = [run(sheet), items(sheet)];
    if (item === undefined || list === undefined || Number.isNaN(item)) return 2;
    return toTernary(list.includes(item));
  });
}

export function compileMultipleTest(
  value: NumericClosure,
  step: CompiledExpression | null,
): CompiledExpression {
  const constant = step?.constant;
  if (typeof constant !== 'number') throw new Error('a checked step is a number');
  return boolOf((sheet) => {
    const number = value(sheet);
    return Number.isNaN(number) ? 2 : toTernary(isMultiple(number, constant));
  });
}

export const textTest = (
  test: (text: string, part: string) => boolean,
  a: TextClosure,
  b: TextClosure,
): CompiledExpression =>
  boolOf((sheet) => {
    const [text, part] = [a(sheet), b(sheet)];
    return text === undefined || part === undefined ? 2 : toTernary(test(text, part));
  });
