import { assertNever } from '../../../../platform/kernel/exhaustive.js';
import type { ArithmeticOperator, Expression, ExpressionOf } from '../syntax/ast.js';
import { typeOfValue, type Type } from '../check/types.js';
import { add, divide, multiply, subtract } from '../decimal.js';
import type { FactSheet } from '../fact-sheet.js';
import type {
  BoolClosure,
  CompileContext,
  CompiledExpression,
  Item,
  NumericClosure,
  TextClosure,
  TernaryValue,
} from './closures.js';
import { compileMethod } from './methods.js';
import { itemPredicate, type ItemPredicate } from './item-predicate.js';
import { distanceKm } from '../values.js';
import { lowerBoundGuardOf } from './saturation.js';
import type { Feature } from '../schema.js';
import type { ParameterValue } from '../vocabulary.js';
import {
  asBool,
  asItems,
  boolOf,
  compileComparison,
  compileMembership,
  asNumeric,
  asText,
  numberOf,
  toTernary,
} from './comparisons.js';
import {
  compileAnd,
  compileOr,
  type NumberItems,
  compileAny,
  compileAll,
  compileTotal,
  compileAnyNumber,
  compileNumberCount,
  compileNumberSum,
} from './combinations.js';

/** The current item of a quantifier. One is enough: quantifiers do not nest, and evaluation is synchronous. */
interface Cell {
  readonly name: string;
  readonly type: 'number' | 'string';
  number: number;
  text: string;
}

/** Compiles a checked condition to closures. */
export function compileCondition(node: Expression, context: CompileContext): BoolClosure {
  return asBool(new Compiler(context).compile(node));
}

/** Compiles a checked expression of any type. */
export const compileExpression = (node: Expression, context: CompileContext): CompiledExpression =>
  new Compiler(context).compile(node);

class Compiler {
  private cell: Cell | null = null;

  constructor(private readonly context: CompileContext) {}

  compile(node: Expression): CompiledExpression {
    switch (node.kind) {
      case 'number':
      case 'string':
      case 'bool':
        return constantOf(node.value);
      case 'list':
        return constantOf(node.items.map((item) => this.constantItem(item)) as ParameterValue);
      case 'param':
        return constantOf(this.parameterValue(node.name));
      case 'path':
        return this.compilePath(node.name);
      case 'not': {
        const operand = asBool(this.compile(node.operand));
        return boolOf((sheet) => NEGATED[operand(sheet)]);
      }
      case 'negate':
        return this.compileNegation(node);
      case 'and':
        return boolOf(compileAnd(this.compileBools(node.items)));
      case 'or':
        return boolOf(compileOr(this.compileBools(node.items)));
      case 'compare':
        return this.guardLowerBounds(
          node,
          compileComparison(node.op, this.compile(node.left), this.compile(node.right)),
        );
      case 'in':
        return this.guardLowerBounds(
          node,
          compileMembership(this.compile(node.left), asItems(this.compile(node.right)).run),
        );
      case 'arithmetic':
        return this.compileArithmetic(node);
      case 'conditional':
        return this.compileConditional(node);
      case 'call':
        return this.compileCall(node);
      case 'quantifier':
        return this.compileQuantifier(node);
      case 'lookup':
        return this.compileLookup(node);
    }
  }

  private compileBools(items: readonly Expression[]): readonly BoolClosure[] {
    return items.map((item) => asBool(this.compile(item)));
  }

  private parameterValue(name: string): ParameterValue {
    const value = this.context.parameters[name];
    if (value === undefined) {
      throw new Error(`a checked rule reads parameter ${name}, which it does not have`);
    }
    return value;
  }

  private constantItem(item: Expression): Item {
    const { constant } = this.compile(item);
    if (typeof constant === 'number' || typeof constant === 'string') return constant;
    throw new Error('a checked list holds texts or numbers');
  }

  private compilePath(name: string): CompiledExpression {
    const { cell } = this;
    if (cell?.name === name) {
      return cell.type === 'number'
        ? { type: 'number', run: () => cell.number, constant: null }
        : { type: 'string', run: () => cell.text, constant: null };
    }
    return readerOf(this.context.schema.getKnown(name));
  }

  private compileNegation({ operand }: ExpressionOf<'negate'>): CompiledExpression {
    const { run } = asNumeric(this.compile(operand));
    return numberOf((sheet) => 0 - run(sheet));
  }

  private compileArithmetic({ op, left, right }: ExpressionOf<'arithmetic'>): CompiledExpression {
    const [a, b] = [asNumeric(this.compile(left)), asNumeric(this.compile(right))];
    const apply = OPERATIONS[op];
    if (a.constant !== null && b.constant !== null) {
      const value = apply(a.constant, b.constant);
      // An operation on constants without a result, such as a division by zero, is always unknown.
      return Number.isNaN(value) ? numberOf(() => NaN) : constantOf(value);
    }
    const [runA, runB] = [a.run, b.run];
    if (a.constant !== null) {
      const constant = a.constant;
      return numberOf((sheet) => apply(constant, runB(sheet)));
    }
    return numberOf((sheet) => apply(runA(sheet), runB(sheet)));
  }

  private compileConditional({ test, then, otherwise }: ExpressionOf<'conditional'>): CompiledExpression {
    const condition = asBool(this.compile(test));
    const [a, b] = [this.compile(then), this.compile(otherwise)];
    switch (a.type) {
      case 'bool': {
        const [yes, no] = [a.run, asBool(b)];
        return boolOf((sheet) => {
          const result = condition(sheet);
          return result === 1 ? yes(sheet) : result === 0 ? no(sheet) : 2;
        });
      }
      case 'number':
      case 'time': {
        const [yes, no] = [a.run, asNumeric(b).run];
        const run: NumericClosure = (sheet) => {
          const result = condition(sheet);
          return result === 1 ? yes(sheet) : result === 0 ? no(sheet) : NaN;
        };
        return { type: a.type, run, constant: null };
      }
      case 'string': {
        const [yes, no] = [a.run, asText(b).run];
        const run: TextClosure = (sheet) => {
          const result = condition(sheet);
          return result === 1 ? yes(sheet) : result === 0 ? no(sheet) : undefined;
        };
        return { type: 'string', run, constant: null };
      }
      case 'numbers':
      case 'strings':
        throw new Error('a checked choice is between single values');
    }
  }

  private compileCall(node: ExpressionOf<'call'>): CompiledExpression {
    const [first, second] = node.args;
    if (node.receiver === null) {
      if (node.name === 'has' && first?.kind === 'path') {
        return compilePresence(this.context.schema.getKnown(first.name));
      }
      if (node.name === 'distanceKm') {
        const [a, b, c, d] = node.args.map((arg) => asNumeric(this.compile(arg)).run);
        if (a && b && c && d) return numberOf((sheet) => distanceKm(a(sheet), b(sheet), c(sheet), d(sheet)));
      }
      if (node.name === 'hoursBetween' && first && second) {
        const [from, to] = [asNumeric(this.compile(first)).run, asNumeric(this.compile(second)).run];
        return numberOf((sheet) => divide(to(sheet) - from(sheet), HOUR_MS));
      }
      throw new Error(`a checked rule calls ${node.name}`);
    }
    const argument = first ? this.compile(first) : null;
    const called = compileMethod(node.name, this.compile(node.receiver), argument);
    return node.name === 'isRound' ? this.guardLowerBounds(node, called) : called;
  }

  private compileQuantifier(node: ExpressionOf<'quantifier'>): CompiledExpression {
    const { type, run: items } = asItems(this.compile(node.list));
    if (type === 'numbers') {
      const predicate = itemPredicate(node.body, node.variable, (part) => this.constantNumber(part));
      if (predicate) return this.compileSimpleQuantifier(node, items as NumberItems, predicate);
    }
    const cell: Cell = {
      name: node.variable,
      type: type === 'numbers' ? 'number' : 'string',
      number: NaN,
      text: '',
    };
    this.cell = cell;
    const body = asBool(this.compile(node.body));
    this.cell = null;
    const at = (item: Item, sheet: FactSheet): TernaryValue => {
      if (typeof item === 'number') cell.number = item;
      else cell.text = item;
      return body(sheet);
    };
    switch (node.name) {
      case 'exists':
        return this.guardLowerBounds(node, boolOf(compileAny(items, at)));
      case 'all':
        return this.guardLowerBounds(node, boolOf(compileAll(items, at)));
      case 'count':
        return numberOf(compileTotal(items, at, () => 1));
      case 'sum':
        return numberOf(compileTotal(items, at, (item) => item as number));
      default:
        return assertNever(node.name);
    }
  }

  /** Returns the value of a number that does not depend on a transaction, else null. */
  private constantNumber(node: Expression): number | null {
    if (node.kind === 'number') return node.value;
    if (node.kind === 'param') {
      const value = this.parameterValue(node.name);
      return typeof value === 'number' ? value : null;
    }
    if (node.kind !== 'arithmetic') return null;
    const [left, right] = [this.constantNumber(node.left), this.constantNumber(node.right)];
    if (left === null || right === null) return null;
    const value = OPERATIONS[node.op](left, right);
    return Number.isNaN(value) ? null : value;
  }

  private compileSimpleQuantifier(
    node: ExpressionOf<'quantifier'>,
    items: NumberItems,
    predicate: ItemPredicate,
  ): CompiledExpression {
    switch (node.name) {
      case 'exists':
        return this.guardLowerBounds(node, boolOf(compileAnyNumber(items, predicate, true)));
      case 'all':
        return this.guardLowerBounds(node, boolOf(compileAnyNumber(items, predicate, false)));
      case 'count':
        return numberOf(compileNumberCount(items, predicate));
      case 'sum':
        return numberOf(compileNumberSum(items, predicate));
      default:
        return assertNever(node.name);
    }
  }

  private compileLookup(node: ExpressionOf<'lookup'>): CompiledExpression {
    const value = asText(this.compile(node.value)).run;
    const { list } = node;
    return boolOf((sheet) => {
      const text = value(sheet);
      if (text === undefined) return 2;
      const isListed = sheet.has(list, text);
      return isListed === undefined ? 2 : toTernary(isListed);
    });
  }

  /** Makes the result of a comparison unknown where lower bounds do not decide it. */
  private guardLowerBounds(node: Expression, compiled: CompiledExpression): CompiledExpression {
    // Inside a quantifier nothing is guarded: the quantifier is guarded as a whole.
    if (this.context.minding === 'EXACT' || this.cell || compiled.type !== 'bool') return compiled;
    const guard = lowerBoundGuardOf(node, this.context);
    if (!guard) return compiled;
    const { run } = compiled;
    return boolOf((sheet) => guard(sheet, run(sheet)));
  }
}

const HOUR_MS = 3_600_000;
const NEGATED = [1, 0, 2] as const;

const OPERATIONS: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
};

function constantOf(value: ParameterValue): CompiledExpression {
  const type: Type = typeOfValue(value);
  if (typeof value === 'number') return { type: 'number', run: () => value, constant: value };
  if (typeof value === 'string') return { type: 'string', run: () => value, constant: value };
  if (typeof value === 'boolean') return { type: 'bool', run: () => toTernary(value), constant: value };
  return { type: type === 'strings' ? 'strings' : 'numbers', run: () => value, constant: value };
}

function readerOf({ slot, type }: Feature): CompiledExpression {
  switch (type) {
    case 'bool':
      return boolOf((sheet) => sheet.bools[slot] as TernaryValue);
    case 'number':
    case 'time':
      return { type, run: (sheet) => sheet.numbers[slot] ?? NaN, constant: null, slot };
    case 'string':
      return { type, run: (sheet) => sheet.texts[slot], constant: null };
    case 'numbers':
    case 'strings':
      return { type, run: (sheet) => sheet.lists[slot], constant: null };
  }
}

/** Returns 1 if there is a value, 0 if there certainly is none, else 2 (unknown). */
function compilePresence({ slot, type }: Feature): CompiledExpression {
  const otherwise: BoolClosure = ({ missing }) => (missing[slot] === 1 ? 0 : 2);
  switch (type) {
    case 'number':
    case 'time':
      return boolOf((sheet) => (Number.isNaN(sheet.numbers[slot] ?? NaN) ? otherwise(sheet) : 1));
    case 'bool':
      return boolOf((sheet) => (sheet.bools[slot] === 2 ? otherwise(sheet) : 1));
    case 'string':
      return boolOf((sheet) => (sheet.texts[slot] === undefined ? otherwise(sheet) : 1));
    case 'numbers':
    case 'strings':
      return boolOf((sheet) => (sheet.lists[slot] === undefined ? otherwise(sheet) : 1));
  }
}
