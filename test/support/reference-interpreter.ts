import type { Expression } from '../../src/features/rules/language/syntax/ast.js';
import { unknownAs, type Values } from './rule-language.js';

type Value = number | string | boolean | readonly (number | string)[] | undefined;

/**
 * A second, plain implementation of the language, written from docs/rule-language.md: it walks the tree and counts its
 * steps. What the compiled rules say must be what this says.
 */
export class ReferenceInterpreter {
  steps = 0;
  private item: number | string | undefined;

  constructor(
    private readonly values: Values,
    private readonly whyUnknown: (name: string) => string = unknownAs,
  ) {}

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
      return this.whyUnknown(first.name) === 'MISSING' ? false : undefined;
    }
    if (name === 'hoursBetween') {
      const [from, to] = args.map((one) => this.value(one));
      if (typeof from !== 'number' || typeof to !== 'number') return undefined;
      return settled((to - from) / 3_600_000);
    }
    if (name === 'distanceKm') {
      const places = args.map((one) => this.value(one));
      return places.every((one) => typeof one === 'number') ? kilometres(places) : undefined;
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
      case 'localWeekday':
        return isoWeekday(inBrazil(of as number));
      case 'localDay':
        return inBrazil(of as number).getUTCDate();
      case 'isBankDay': {
        const day = inBrazil(of as number);
        return isoWeekday(day) < 6 && !CLOSED.has(day.toISOString().slice(0, 10)) && !isFixed(day);
      }
      case 'plain':
        return anyCase(of as string);
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

/** Brazil has had no daylight saving time since 2019. */
const inBrazil = (time: number): Date => new Date(time - 3 * 3_600_000);
const isoWeekday = (day: Date): number => day.getUTCDay() || 7;
/** Carnival, Good Friday and Corpus Christi of the years that generated moments are in. */
const CLOSED: ReadonlySet<string> = new Set([
  ...['2024-02-12', '2024-02-13', '2024-03-29', '2024-05-30'],
  ...['2025-03-03', '2025-03-04', '2025-04-18', '2025-06-19'],
  ...['2026-02-16', '2026-02-17', '2026-04-03', '2026-06-04'],
]);
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
const isFixed = (day: Date): boolean => {
  const date = day.toISOString().slice(5, 10);
  // National since 2024.
  return FIXED.includes(date) || (date === '11-20' && day.getUTCFullYear() >= 2024);
};

const anyCase = (text: string): string =>
  [...text.normalize('NFD')]
    .filter((char) => !/^\p{M}$/u.test(char))
    .join('')
    .toLowerCase();

/** By the angle between two points of the sphere as vectors. */
function kilometres([latA = NaN, lonA = NaN, latB = NaN, lonB = NaN]: readonly number[]): number | undefined {
  if (![latA, latB].every((one) => Math.abs(one) <= 90)) return undefined;
  if (![lonA, lonB].every((one) => Math.abs(one) <= 180)) return undefined;
  const [a, b] = [
    [latA, lonA],
    [latB, lonB],
  ].map(([lat = NaN, lon = NaN]) => {
    const [p, l] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
  }) as [number[], number[]];
  const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const cross = [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);
  return Math.round(6_371.0088 * Math.atan2(Math.hypot(...cross), dot) * 1_000) / 1_000;
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
