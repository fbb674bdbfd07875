import type { Expression } from '../../src/rules/language/syntax/ast.js';
import { unknownAs, type Values } from './rule-language.js';

type Value = number | string | boolean | readonly (number | string)[] | undefined;

/**
 * A second, plain implementation of the language, written from docs/rule-language.md: it walks the tree and counts its
 * steps. What the compiled rules say must be what this says.
 */
export class ReferenceInterpreter {
  steps = 0;
  private item: number | string | undefined;

  constructor(private readonly values: Values) {}

  value(node: Expression): Value {
    switch (node.kind) {
      case 'number':
      case 'string':
      case 'bool':
        return node.value;
      case 'list':
        return node.items.map((item) => this.value(item) as number | string);
      case 'param':
        throw new Error('generated conditions have no parameters');
      case 'path':
        if (node.name === 'item') return this.item;
        this.steps += 1;
        return this.values[node.name] ?? undefined;
      case 'not': {
        this.steps += 1;
        const operand = this.value(node.operand);
        return operand === undefined ? undefined : operand !== true;
      }
      case 'negate': {
        this.steps += 1;
        const operand = this.value(node.operand) as number | undefined;
        return operand === undefined ? undefined : 0 - operand;
      }
      case 'and':
      case 'or':
        return this.group(node.items, node.kind === 'or');
      case 'compare':
        this.steps += 1;
        return compared(node.op, this.value(node.left), this.value(node.right));
      case 'in': {
        const [left, right] = [this.value(node.left), this.value(node.right)];
        if (left === undefined || !Array.isArray(right)) return undefined;
        this.steps += right.length;
        return right.some((item) => item === left);
      }
      case 'arithmetic':
        this.steps += 1;
        return calculated(node.op, this.value(node.left), this.value(node.right));
      case 'conditional': {
        this.steps += 1;
        const test = this.value(node.test);
        if (test === undefined) return undefined;
        return this.value(test === true ? node.then : node.otherwise);
      }
      case 'call':
        this.steps += 1;
        return this.call(node.name, node.receiver, node.args);
      case 'quantifier':
        return this.quantified(node.name, this.value(node.list), node.body);
      case 'lookup': {
        this.steps += 1;
        const value = this.value(node.value);
        return value === undefined || value === 'é' ? undefined : value === 'BR';
      }
    }
  }

  private group(items: readonly Expression[], decisive: boolean): boolean | undefined {
    let unknown = false;
    for (const [i, item] of items.entries()) {
      if (i > 0) this.steps += 1;
      const value = this.value(item);
      if (value === decisive) return decisive;
      if (value === undefined) unknown = true;
    }
    return unknown ? undefined : !decisive;
  }

  private call(name: string, receiver: Expression | null, args: readonly Expression[]): Value {
    const [first] = args;
    if (name === 'has' && first?.kind === 'path') {
      this.steps += 1;
      if (this.values[first.name] !== null) return true;
      return unknownAs(first.name) === 'MISSING' ? false : undefined;
    }
    const of = receiver ? this.value(receiver) : undefined;
    const arg = first ? this.value(first) : undefined;
    if (of === undefined || (first && arg === undefined)) return undefined;
    switch (name) {
      case 'digits':
        return [...(of as string)].filter((char) => char >= '0' && char <= '9').join('');
      case 'size':
        return (of as readonly unknown[]).length;
      case 'startsWith':
        return (of as string).startsWith(arg as string);
      case 'contains':
        return (of as string).includes(arg as string);
      case 'isRound': {
        const quotient = calculated('/', of, arg);
        return quotient === undefined ? undefined : Number.isInteger(quotient);
      }
      case 'localHour': {
        // Brazil has had no daylight saving time since 2019.
        const hour = Math.floor((of as number) / 3_600_000 - 3) % 24;
        return hour;
      }
      default:
        throw new Error(`no reference for ${name}`);
    }
  }

  private quantified(name: string, list: Value, body: Expression): Value {
    this.steps += 1;
    if (!Array.isArray(list)) return undefined;
    let total = 0;
    let unknown = false;
    for (const item of list as readonly (number | string)[]) {
      this.steps += 1;
      this.item = item;
      const met = this.value(body);
      if (name === 'exists' && met === true) return true;
      if (name === 'all' && met === false) return false;
      if (met === undefined) unknown = true;
      else if (met === true) total = settled(sum(total, name === 'sum' ? (item as number) : 1));
    }
    if (unknown) return undefined;
    if (name === 'exists') return false;
    return name === 'all' ? true : total;
  }
}

/** Exact where both are decimals of few digits, which is what the generators make. */
function sum(a: number, b: number): number {
  const larger = Math.max(Math.abs(a), Math.abs(b));
  const places = larger === 0 ? 0 : 14 - Math.floor(Math.log10(larger));
  return Number((a + b).toFixed(Math.max(0, Math.min(100, places))));
}

const settled = (value: number): number => Number(value.toPrecision(15));

function calculated(op: string, a: Value, b: Value): number | undefined {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  const results: Record<string, number> = { '+': sum(a, b), '-': sum(a, -b), '*': a * b, '/': a / b };
  const result = results[op] ?? NaN;
  return (op === '/' && b === 0) || !Number.isFinite(result) ? undefined : settled(result);
}

function compared(op: string, a: Value, b: Value): boolean | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (op === '==' || op === '!=') return (a === b) === (op === '==');
  const [x, y] = [a as number, b as number];
  const results: Record<string, boolean> = { '<': x < y, '<=': x <= y, '>': x > y, '>=': x >= y };
  return results[op];
}
