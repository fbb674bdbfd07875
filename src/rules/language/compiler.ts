import { exhaustive } from '../../kernel/exhaustive.js';
import type { ArithmeticOperator, ComparisonOperator, Expression, ExpressionOf } from './ast.js';
import { typeOfValue, type Type } from './checker.js';
import { add, divide, isMultiple, multiply, subtract } from './decimal.js';
import type { FactSheet } from './fact-sheet.js';
import type { Bool, CompileContext, Compiled, Item, Items, Numeric, Text, Three } from './closures.js';
import { itemPredicate, type ItemPredicate } from './item-predicate.js';
import { localHourIn } from './local-time.js';
import { guardOf } from './saturation.js';
import type { Feature } from './schema.js';
import type { ParameterValue } from './vocabulary.js';

/** The item that a quantifier is at. Quantifiers do not nest and evaluation is synchronous, so one place is enough. */
interface Cell {
  readonly name: string;
  readonly type: 'number' | 'string';
  number: number;
  text: string;
}

/** Compiles a checked condition to closures. */
export function compileCondition(node: Expression, context: CompileContext): Bool {
  return asBool(new Compiler(context).compile(node));
}

/** Compiles a checked expression of any type. */
export const compileExpression = (node: Expression, context: CompileContext): Compiled =>
  new Compiler(context).compile(node);

const three = (value: boolean): Three => (value ? 1 : 0);

/** The checker has seen to it that types fit; this says so to the compiler of the language we are written in. */
function asBool(compiled: Compiled): Bool {
  if (compiled.type !== 'bool') throw new Error(`a checked condition is a ${compiled.type}`);
  return compiled.run;
}

function asNumeric(compiled: Compiled): { run: Numeric; constant: number | null; slot?: number } {
  if (compiled.type !== 'number' && compiled.type !== 'time') throw new Error('a checked number is none');
  return compiled;
}

function asText(compiled: Compiled): { run: Text; constant: string | null } {
  if (compiled.type !== 'string') throw new Error('a checked text is none');
  return compiled;
}

function asItems(compiled: Compiled): { type: 'numbers' | 'strings'; run: Items } {
  if (compiled.type !== 'numbers' && compiled.type !== 'strings') throw new Error('a checked list is none');
  return compiled;
}

const boolOf = (run: Bool): Compiled => ({ type: 'bool', run, constant: null });
const numberOf = (run: Numeric): Compiled => ({ type: 'number', run, constant: null });

class Compiler {
  private cell: Cell | null = null;

  constructor(private readonly context: CompileContext) {}

  compile(node: Expression): Compiled {
    switch (node.kind) {
      case 'number':
      case 'string':
      case 'bool':
        return constantOf(node.value);
      case 'list':
        return constantOf(node.items.map((item) => this.constantItem(item)) as ParameterValue);
      case 'param':
        return constantOf(this.parameter(node.name));
      case 'path':
        return this.path(node.name);
      case 'not': {
        const operand = asBool(this.compile(node.operand));
        return boolOf((sheet) => NEGATED[operand(sheet)]);
      }
      case 'negate':
        return this.negated(node);
      case 'and':
        return boolOf(conjunction(this.bools(node.items)));
      case 'or':
        return boolOf(disjunction(this.bools(node.items)));
      case 'compare':
        return this.guarded(node, comparison(node.op, this.compile(node.left), this.compile(node.right)));
      case 'in':
        return this.guarded(node, membership(this.compile(node.left), asItems(this.compile(node.right)).run));
      case 'arithmetic':
        return this.arithmetic(node);
      case 'conditional':
        return this.conditional(node);
      case 'call':
        return this.call(node);
      case 'quantifier':
        return this.quantifier(node);
      case 'lookup':
        return this.lookup(node);
    }
  }

  private bools(items: readonly Expression[]): readonly Bool[] {
    return items.map((item) => asBool(this.compile(item)));
  }

  private parameter(name: string): ParameterValue {
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

  private path(name: string): Compiled {
    const { cell } = this;
    if (cell?.name === name) {
      return cell.type === 'number'
        ? { type: 'number', run: () => cell.number, constant: null }
        : { type: 'string', run: () => cell.text, constant: null };
    }
    return readerOf(this.context.schema.get(name));
  }

  private negated({ operand }: ExpressionOf<'negate'>): Compiled {
    const { run } = asNumeric(this.compile(operand));
    return numberOf((sheet) => 0 - run(sheet));
  }

  private arithmetic({ op, left, right }: ExpressionOf<'arithmetic'>): Compiled {
    const [a, b] = [asNumeric(this.compile(left)), asNumeric(this.compile(right))];
    const apply = OPERATIONS[op];
    if (a.constant !== null && b.constant !== null) {
      const value = apply(a.constant, b.constant);
      // An operation on constants that has no result never has one.
      return Number.isNaN(value) ? numberOf(() => NaN) : constantOf(value);
    }
    const [runA, runB] = [a.run, b.run];
    if (a.constant !== null) {
      const constant = a.constant;
      return numberOf((sheet) => apply(constant, runB(sheet)));
    }
    return numberOf((sheet) => apply(runA(sheet), runB(sheet)));
  }

  private conditional({ test, then, otherwise }: ExpressionOf<'conditional'>): Compiled {
    const condition = asBool(this.compile(test));
    const [a, b] = [this.compile(then), this.compile(otherwise)];
    switch (a.type) {
      case 'bool': {
        const [yes, no] = [a.run, asBool(b)];
        return boolOf((sheet) => {
          const met = condition(sheet);
          return met === 1 ? yes(sheet) : met === 0 ? no(sheet) : 2;
        });
      }
      case 'number':
      case 'time': {
        const [yes, no] = [a.run, asNumeric(b).run];
        const run: Numeric = (sheet) => {
          const met = condition(sheet);
          return met === 1 ? yes(sheet) : met === 0 ? no(sheet) : NaN;
        };
        return { type: a.type, run, constant: null };
      }
      case 'string': {
        const [yes, no] = [a.run, asText(b).run];
        const run: Text = (sheet) => {
          const met = condition(sheet);
          return met === 1 ? yes(sheet) : met === 0 ? no(sheet) : undefined;
        };
        return { type: 'string', run, constant: null };
      }
      case 'numbers':
      case 'strings':
        throw new Error('a checked choice is between single values');
    }
  }

  private call(node: ExpressionOf<'call'>): Compiled {
    const [first, second] = node.args;
    if (node.receiver === null) {
      if (node.name === 'has' && first?.kind === 'path') return presence(this.context.schema.get(first.name));
      if (node.name === 'hoursBetween' && first && second) {
        const [from, to] = [asNumeric(this.compile(first)).run, asNumeric(this.compile(second)).run];
        return numberOf((sheet) => divide(to(sheet) - from(sheet), HOUR_MS));
      }
      throw new Error(`a checked rule calls ${node.name}`);
    }
    const receiver = this.compile(node.receiver);
    const argument = first ? this.compile(first) : null;
    switch (node.name) {
      case 'isRound':
        return this.guarded(node, roundness(asNumeric(receiver).run, argument));
      case 'localHour': {
        const hourOf = localHourIn(String(argument?.constant));
        const { run } = asNumeric(receiver);
        return numberOf((sheet) => hourOf(run(sheet)));
      }
      case 'digits': {
        const { run } = asText(receiver);
        return { type: 'string', run: (sheet) => run(sheet)?.replace(/\D/g, ''), constant: null };
      }
      case 'size': {
        const { run } = asItems(receiver);
        return numberOf((sheet) => run(sheet)?.length ?? NaN);
      }
      case 'startsWith':
      case 'endsWith':
      case 'contains':
        if (!argument) throw new Error(`a checked call of ${node.name} has an argument`);
        return textTest(TEXT_TESTS[node.name], asText(receiver).run, asText(argument).run);
      default:
        throw new Error(`a checked rule calls ${node.name}`);
    }
  }

  private quantifier(node: ExpressionOf<'quantifier'>): Compiled {
    const { type, run: items } = asItems(this.compile(node.list));
    if (type === 'numbers') {
      const predicate = itemPredicate(node.body, node.variable, (part) => this.constantNumber(part));
      if (predicate) return this.simpleQuantifier(node, items as NumberItems, predicate);
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
    const at = (item: Item, sheet: FactSheet): Three => {
      if (typeof item === 'number') cell.number = item;
      else cell.text = item;
      return body(sheet);
    };
    switch (node.name) {
      case 'exists':
        return this.guarded(node, boolOf(anyOf(items, at)));
      case 'all':
        return this.guarded(node, boolOf(allOf(items, at)));
      case 'count':
        return numberOf(totalOf(items, at, () => 1));
      case 'sum':
        return numberOf(totalOf(items, at, (item) => item as number));
      default:
        return exhaustive(node.name);
    }
  }

  /** The value of a number that does not depend on a transaction, or null. */
  private constantNumber(node: Expression): number | null {
    if (node.kind === 'number') return node.value;
    if (node.kind === 'param') {
      const value = this.parameter(node.name);
      return typeof value === 'number' ? value : null;
    }
    if (node.kind !== 'arithmetic') return null;
    const [left, right] = [this.constantNumber(node.left), this.constantNumber(node.right)];
    if (left === null || right === null) return null;
    const value = OPERATIONS[node.op](left, right);
    return Number.isNaN(value) ? null : value;
  }

  private simpleQuantifier(
    node: ExpressionOf<'quantifier'>,
    items: NumberItems,
    predicate: ItemPredicate,
  ): Compiled {
    switch (node.name) {
      case 'exists':
        return this.guarded(node, boolOf(anyNumber(items, predicate, true)));
      case 'all':
        return this.guarded(node, boolOf(anyNumber(items, predicate, false)));
      case 'count':
        return numberOf(numbersCounted(items, predicate));
      case 'sum':
        return numberOf(numbersAdded(items, predicate));
      default:
        return exhaustive(node.name);
    }
  }

  private lookup(node: ExpressionOf<'lookup'>): Compiled {
    const value = asText(this.compile(node.value)).run;
    const { list } = node;
    return boolOf((sheet) => {
      const text = value(sheet);
      if (text === undefined) return 2;
      const found = sheet.has(list, text);
      return found === undefined ? 2 : three(found);
    });
  }

  /** A comparison of lower bounds may say what is not certain; then it is unknown. */
  private guarded(node: Expression, compiled: Compiled): Compiled {
    // Within a quantifier the whole of it is guarded.
    if (this.context.minding === 'EXACT' || this.cell || compiled.type !== 'bool') return compiled;
    const guard = guardOf(node, this.context);
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

const TEXT_TESTS = {
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  contains: (text: string, part: string) => text.includes(part),
} as const;

function constantOf(value: ParameterValue): Compiled {
  const type: Type = typeOfValue(value);
  if (typeof value === 'number') return { type: 'number', run: () => value, constant: value };
  if (typeof value === 'string') return { type: 'string', run: () => value, constant: value };
  if (typeof value === 'boolean') return { type: 'bool', run: () => three(value), constant: value };
  return { type: type === 'strings' ? 'strings' : 'numbers', run: () => value, constant: value };
}

function readerOf({ slot, type }: Feature): Compiled {
  switch (type) {
    case 'bool':
      return boolOf((sheet) => sheet.bools[slot] as Three);
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

/** 1 when there is a value, 0 when it is certain that there is none. */
function presence({ slot, type }: Feature): Compiled {
  const otherwise: Bool = ({ missing }) => (missing[slot] === 1 ? 0 : 2);
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

/** Once no part is 0, all parts are 1 exactly when no bit of a 2 is among them. */
function conjunction(items: readonly Bool[]): Bool {
  const [a, b, c] = items;
  if (a && b && items.length === 2) {
    return (sheet) => {
      const x = a(sheet);
      if (x === 0) return 0;
      const y = b(sheet);
      return y === 0 ? 0 : (x | y) === 1 ? 1 : 2;
    };
  }
  if (a && b && c && items.length === 3) {
    return (sheet) => {
      const x = a(sheet);
      if (x === 0) return 0;
      const y = b(sheet);
      if (y === 0) return 0;
      const z = c(sheet);
      return z === 0 ? 0 : (x | y | z) === 1 ? 1 : 2;
    };
  }
  return (sheet) => {
    let result: Three = 1;
    for (const item of items) {
      const value = item(sheet);
      if (value === 0) return 0;
      if (value === 2) result = 2;
    }
    return result;
  };
}

function disjunction(items: readonly Bool[]): Bool {
  const [a, b] = items;
  if (a && b && items.length === 2) {
    return (sheet) => {
      const x = a(sheet);
      if (x === 1) return 1;
      const y = b(sheet);
      return y === 1 ? 1 : x === 2 ? 2 : y;
    };
  }
  return (sheet) => {
    let result: Three = 0;
    for (const item of items) {
      const value = item(sheet);
      if (value === 1) return 1;
      if (value === 2) result = 2;
    }
    return result;
  };
}

function comparison(op: ComparisonOperator, left: Compiled, right: Compiled): Compiled {
  if (left.type === 'string') return boolOf(equality(op, left.run, asText(right).run));
  if (left.type === 'bool') return boolOf(truthEquality(op, left.run, asBool(right)));
  const [a, b] = [asNumeric(left), asNumeric(right)];
  if (b.constant === null) return boolOf(ordering(op, a.run, b.run));
  return boolOf(
    a.slot === undefined ? orderingTo(op, a.run, b.constant) : fieldOrderingTo(op, a.slot, b.constant),
  );
}

function equality(op: ComparisonOperator, a: Text, b: Text): Bool {
  const wanted = op === '==';
  return (sheet) => {
    const [x, y] = [a(sheet), b(sheet)];
    return x === undefined || y === undefined ? 2 : three((x === y) === wanted);
  };
}

function truthEquality(op: ComparisonOperator, a: Bool, b: Bool): Bool {
  const wanted = op === '==';
  return (sheet) => {
    const [x, y] = [a(sheet), b(sheet)];
    return x === 2 || y === 2 ? 2 : three((x === y) === wanted);
  };
}

/** NaN fails every comparison, so it is looked for only when one fails. */
function ordering(op: ComparisonOperator, a: Numeric, b: Numeric): Bool {
  const unlessNaN = (x: number, y: number): Three => (Number.isNaN(x) || Number.isNaN(y) ? 2 : 0);
  switch (op) {
    case '<':
      return ordering('>', b, a);
    case '<=':
      return ordering('>=', b, a);
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

function orderingTo(op: ComparisonOperator, a: Numeric, y: number): Bool {
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

/** A field and a constant: what rules say most often, in one step instead of two. */
function fieldOrderingTo(op: ComparisonOperator, slot: number, y: number): Bool {
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
      return orderingTo(op, ({ numbers }) => numbers[slot] ?? NaN, y);
  }
}

function membership(value: Compiled, items: Items): Compiled {
  const run: (sheet: FactSheet) => Item | undefined =
    value.type === 'string' ? value.run : asNumeric(value).run;
  return boolOf((sheet) => {
    const [item, list] = [run(sheet), items(sheet)];
    if (item === undefined || list === undefined || Number.isNaN(item)) return 2;
    return three(list.includes(item));
  });
}

function roundness(value: Numeric, step: Compiled | null): Compiled {
  const of = step?.constant;
  if (typeof of !== 'number') throw new Error('a checked step is a number');
  return boolOf((sheet) => {
    const number = value(sheet);
    return Number.isNaN(number) ? 2 : three(isMultiple(number, of));
  });
}

const textTest = (test: (text: string, part: string) => boolean, a: Text, b: Text): Compiled =>
  boolOf((sheet) => {
    const [text, part] = [a(sheet), b(sheet)];
    return text === undefined || part === undefined ? 2 : three(test(text, part));
  });

type AtItem = (item: Item, sheet: FactSheet) => Three;

const anyOf =
  (items: Items, at: AtItem): Bool =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return 2;
    let result: Three = 0;
    for (const item of list) {
      const value = at(item, sheet);
      if (value === 1) return 1;
      if (value === 2) result = 2;
    }
    return result;
  };

const allOf =
  (items: Items, at: AtItem): Bool =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return 2;
    let result: Three = 1;
    for (const item of list) {
      const value = at(item, sheet);
      if (value === 0) return 0;
      if (value === 2) result = 2;
    }
    return result;
  };

const totalOf =
  (items: Items, at: AtItem, worth: (item: Item) => number): Numeric =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return NaN;
    let total = 0;
    for (const item of list) {
      const value = at(item, sheet);
      if (value === 2) return NaN;
      if (value === 1) total = add(total, worth(item));
    }
    return total;
  };

type NumberItems = (sheet: FactSheet) => readonly number[] | undefined;

/** `exists` looks for an item that fits, `all` for one that does not. */
const anyNumber =
  (items: NumberItems, fits: ItemPredicate, wanted: boolean): Bool =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return 2;
    for (const item of list) if (fits(item) === wanted) return three(wanted);
    return three(!wanted);
  };

const numbersCounted =
  (items: NumberItems, fits: ItemPredicate): Numeric =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return NaN;
    let count = 0;
    for (const item of list) if (fits(item)) count += 1;
    return count;
  };

const numbersAdded =
  (items: NumberItems, fits: ItemPredicate): Numeric =>
  (sheet) => {
    const list = items(sheet);
    if (!list) return NaN;
    let sum = 0;
    for (const item of list) if (fits(item)) sum = add(sum, item);
    return sum;
  };
