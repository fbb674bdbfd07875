import { table } from '../../../../platform/kernel/table.js';
import { isDeepStrictEqual } from 'node:util';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';
import { MIRRORED } from '../compile/item-predicate.js';
import { patternMatcher } from '../rule/applicability.js';
import { childrenOf, type ComparisonOperator, type Expression, type ExpressionOf } from '../syntax/ast.js';
import { FaultError } from '../syntax/diagnostics.js';
import { LIMITS, type ParameterValue } from '../vocabulary.js';
import type { CheckContext } from './check-result.js';
import { ANY_NUMBER, rangeOfFeature, possibleTextsOf, type ValueRange } from './feature-values.js';

/**
 * Returns warnings about a checked expression: comparisons that are true or false for every transaction, texts that a
 * field never holds, and lists that make a condition false. Such a rule runs, but may not do what its author meant.
 */
export function warningsFor(node: Expression, context: Omit<CheckContext, 'lists'>): readonly FaultError[] {
  const reader = new ConstantConditionFinder(context);
  reader.readCondition(node);
  return reader.remarks;
}

type Constants = readonly (number | string | boolean)[];

/** A value in a chain of `&&`, and the range of numbers that meet its comparisons. */
interface Remaining {
  readonly value: Expression;
  low: number;
  high: number;
  /** True if the bound itself is in the range. */
  lowIsIn: boolean;
  highIsIn: boolean;
  texts: ReadonlySet<string> | null;
}

/** Ranges of function results; hours and weekdays as in docs/rule-language.md. Half of the equator is 20,038 km. */
const RANGES: Readonly<Record<string, ValueRange>> = table({
  localHour: { low: 0, high: 23 },
  localWeekday: { low: 1, high: 7 },
  localDay: { low: 1, high: 31 },
  size: { low: 0, high: LIMITS.list },
  distanceKm: { low: 0, high: 20_038 },
  count: { low: 0, high: LIMITS.list },
});

class ConstantConditionFinder {
  readonly remarks: FaultError[] = [];
  /** The quantifier whose body is being read. */
  private quantifier: { readonly variable: string; readonly list: Expression } | null = null;
  /** True below an odd number of negations. */
  private isNegated = false;

  constructor(private readonly context: Omit<CheckContext, 'lists'>) {}

  readCondition(node: Expression): void {
    if (node.kind === 'bool') this.remarkConstant(node, node.value);
    if (node.kind === 'and' || node.kind === 'or') {
      for (const item of node.items) this.readCondition(item);
      if (node.kind === 'and' && node.items.every((item) => !this.isRemarked(item))) this.readTogether(node);
      return;
    }
    if (node.kind === 'not') {
      this.isNegated = !this.isNegated;
      this.readCondition(node.operand);
      this.isNegated = !this.isNegated;
      return;
    }
    if (node.kind === 'lookup') this.readMembership(node, false);
    this.read(node);
  }

  private read(node: Expression): void {
    if (node.kind === 'quantifier') {
      this.read(node.list);
      this.quantifier = node;
      this.readCondition(node.body);
      this.quantifier = null;
      return;
    }
    if (node.kind === 'compare') this.readComparison(node);
    if (node.kind === 'in') this.readTexts(node.left, node.right);
    if (node.kind === 'call') this.readCall(node);
    for (const part of childrenOf(node)) {
      const isCondition = ['and', 'or', 'not'].includes(part.kind);
      if (isCondition || (node.kind === 'conditional' && part === node.test)) this.readCondition(part);
      else this.read(part);
    }
  }

  private readComparison(node: ExpressionOf<'compare'>): void {
    const { op, left, right } = node;
    for (const [lookup, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (lookup.kind === 'lookup' && other.kind === 'bool') {
        this.readMembership(lookup, (op === '==') !== other.value);
      }
    }
    this.readTexts(left, right);
    this.readTexts(right, left);
    if (isSame(left, right)) {
      this.remarkConstant(node, op === '==' || op === '<=' || op === '>=');
      return;
    }
    const [a, b] = [this.rangeOf(left), this.rangeOf(right)];
    const always = a && b && constantResult(op, a, b);
    if (typeof always === 'boolean') this.remarkConstant(node, always);
  }

  /** Warns if being on a list can only keep the rule from hitting. */
  private readMembership(node: ExpressionOf<'lookup'>, isInverted: boolean): void {
    if (this.isNegated === isInverted) return;
    const message = `An entry of ${node.list} clears: one that a single person made counts when two have approved it.`;
    this.remark('LIST_CLEARS', node, message, { found: node.list });
  }

  private readCall(node: ExpressionOf<'call'>): void {
    const [argument] = node.args;
    const isTextTest = ['contains', 'startsWith', 'endsWith'].includes(node.name);
    if (isTextTest && argument && this.constantsOf(argument)?.includes('')) this.remarkConstant(node, true);
  }

  /** Warns about texts that the compared field never holds. */
  private readTexts(value: Expression, named: Expression): void {
    const feature = value.kind === 'path' ? this.featureOf(value.name) : undefined;
    const possible = feature && possibleTextsOf(feature);
    if (!possible) return;
    const items = named.kind === 'list' ? named.items : [named];
    for (const item of items) {
      for (const text of this.constantsOf(item) ?? []) {
        if (typeof text !== 'string' || possible.has(text)) continue;
        const message = possible.isOpen
          ? `Only a transaction with a ${feature.name} of its own holds this text: it is not in the catalogue.`
          : `The field ${feature.name} never holds this text.`;
        this.remark('UNKNOWN_VALUE', item, message, {
          found: text,
          suggestion: possible.near(text),
        });
      }
    }
  }

  /** Warns about comparisons with constants that no value can satisfy together. */
  private readTogether(node: ExpressionOf<'and'>): void {
    const remainings: Remaining[] = [];
    for (const item of node.items) {
      const [value, op, bounds] = this.bounded(item);
      if (value === null) continue;
      let remaining = remainings.find((one) => isSame(one.value, value));
      if (!remaining) {
        remaining = {
          value,
          ...(this.rangeOf(value) ?? ANY_NUMBER),
          lowIsIn: true,
          highIsIn: true,
          texts: null,
        };
        remainings.push(remaining);
      }
      narrow(remaining, op, bounds);
      if (!isEmpty(remaining)) continue;
      this.remark('NEVER_TRUE', node, 'No transaction meets all of these conditions at once.', {});
      return;
    }
  }

  /** Returns a value and the constants that an item of a chain compares it with; null if it compares none. */
  private bounded(item: Expression): readonly [Expression | null, ComparisonOperator, Constants] {
    if (item.kind !== 'compare' && item.kind !== 'in') return [null, '==', []];
    const [left, right] = [this.constantsOf(item.left), this.constantsOf(item.right)];
    if (right !== null && left === null) return [item.left, item.kind === 'in' ? '==' : item.op, right];
    if (left !== null && right === null && item.kind === 'compare') {
      return [item.right, MIRRORED[item.op], left];
    }
    return [null, '==', []];
  }

  /** Returns the range of an expression; null if it is not a number. */
  private rangeOf(node: Expression): ValueRange | null {
    if (node.kind === 'path') {
      const feature = this.featureOf(node.name);
      return feature && ['number', 'numbers'].includes(feature.type) ? rangeOfFeature(feature) : null;
    }
    if (node.kind === 'negate') {
      const range = this.rangeOf(node.operand);
      return range && { low: -range.high, high: -range.low };
    }
    if (node.kind === 'arithmetic') {
      const [a, b] = [this.rangeOf(node.left), this.rangeOf(node.right)];
      return a && b && combineRanges(node.op, a, b);
    }
    if (node.kind === 'conditional') {
      const [a, b] = [this.rangeOf(node.then), this.rangeOf(node.otherwise)];
      return a && b && { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
    }
    if (node.kind === 'call' || node.kind === 'quantifier') return RANGES[node.name] ?? null;
    const [value] = this.constantsOf(node) ?? [];
    return typeof value === 'number' && node.kind !== 'list' ? { low: value, high: value } : null;
  }

  /** Returns the values of an expression; null if it is not constant. */
  private constantsOf(node: Expression): Constants | null {
    if (node.kind === 'number' || node.kind === 'string' || node.kind === 'bool') return [node.value];
    if (node.kind === 'list') return node.items.flatMap((item) => this.constantsOf(item) ?? []);
    if (node.kind === 'negate') {
      const [value] = this.constantsOf(node.operand) ?? [];
      return typeof value === 'number' ? [-value] : null;
    }
    if (node.kind !== 'param') return null;
    const value: ParameterValue | undefined = this.context.parameters?.[node.name];
    return value === undefined ? null : typeof value === 'object' ? value : [value];
  }

  /** Returns the field of a name; for the variable of a quantifier, the field of its list. */
  private featureOf(name: string): ReturnType<CheckContext['schema']['find']> {
    const { quantifier } = this;
    if (quantifier?.variable !== name) return this.context.schema.find(name);
    return quantifier.list.kind === 'path' ? this.context.schema.find(quantifier.list.name) : undefined;
  }

  /** True if a part of the expression is known to be always or never true. */
  private isRemarked(node: Expression): boolean {
    return this.remarks.some(
      ({ code, span }) => code !== 'LIST_CLEARS' && span.start >= node.start && span.end <= node.end,
    );
  }

  private remarkConstant(node: Expression, value: boolean): void {
    if (value) {
      this.remark('ALWAYS_TRUE', node, 'This is true for every transaction that has these fields.', {});
    } else this.remark('NEVER_TRUE', node, 'This is true for no transaction.', {});
  }

  private remark(...[code, span, message, hints]: ConstructorParameters<typeof FaultError>): void {
    this.remarks.push(new FaultError(code, span, message, hints));
  }
}

/** Returns the result of a comparison if it is the same for all numbers of both ranges, else null. */
function constantResult(op: ComparisonOperator, a: ValueRange, b: ValueRange): boolean | null {
  switch (op) {
    case '<':
      return a.high < b.low ? true : a.low >= b.high ? false : null;
    case '<=':
      return a.high <= b.low ? true : a.low > b.high ? false : null;
    case '>':
      return constantResult('<', b, a);
    case '>=':
      return constantResult('<=', b, a);
    case '==':
      if (a.high < b.low || b.high < a.low) {
        return false;
      }
      return a.low === a.high && b.low === b.high ? true : null;
    case '!=': {
      const same = constantResult('==', a, b);
      return same === null ? null : !same;
    }
  }
}

function combineRanges(op: ExpressionOf<'arithmetic'>['op'], a: ValueRange, b: ValueRange): ValueRange {
  if (op === '+') return { low: a.low + b.low, high: a.high + b.high };
  if (op === '-') return { low: a.low - b.high, high: a.high - b.low };
  const isFinite = [a.low, a.high, b.low, b.high].every(Number.isFinite);
  // A divisor near zero can give any quotient, and zero times an unbounded value can be anything.
  if (!isFinite || op === '/') return a.low >= 0 && b.low >= 0 ? { low: 0, high: Infinity } : ANY_NUMBER;
  const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return { low: Math.min(...corners), high: Math.max(...corners) };
}

function narrow(left: Remaining, op: ComparisonOperator, values: Constants): void {
  const numbers = values.filter((value) => typeof value === 'number');
  if (op === '==' && numbers.length < values.length) {
    const valueTexts = values.map(String);
    left.texts = new Set(
      left.texts === null ? valueTexts : valueTexts.filter((text) => left.texts?.has(text)),
    );
    return;
  }
  if (numbers.length === 0 || op === '!=') return;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const isStrict = op === '<' || op === '>';
  if (op !== '<' && op !== '<=' && low >= left.low) {
    left.lowIsIn = !isStrict && (low > left.low || left.lowIsIn);
    left.low = low;
  }
  if (op !== '>' && op !== '>=' && high <= left.high) {
    left.highIsIn = !isStrict && (high < left.high || left.highIsIn);
    left.high = high;
  }
}

const isEmpty = ({ low, high, lowIsIn, highIsIn, texts }: Remaining): boolean =>
  texts?.size === 0 || low > high || (low === high && !(lowIsIn && highIsIn));

/** True if two expressions are equal apart from their positions. */
const isSame = (a: Expression, b: Expression): boolean =>
  isDeepStrictEqual(withoutPlaces(a), withoutPlaces(b));

const withoutPlaces = (node: Expression): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value: unknown) =>
      ['start', 'end', 'nameSpan', 'listSpan'].includes(key) ? undefined : value,
    ),
  );

/** Returns a warning about a pattern that matches no known code (types, currencies), else null. */
export function warningOnPattern(pattern: string, codes: readonly string[]): FaultError | null {
  if (codes.some(patternMatcher([pattern]))) return null;
  return new FaultError('UNKNOWN_VALUE', { start: 0, end: 0 }, 'No code that is known fits this.', {
    found: pattern,
    suggestion: didYouMean(pattern, codes),
  });
}
