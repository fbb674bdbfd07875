import { childrenOf, type Expression } from '../syntax/ast.js';
import type { CompileContext, TernaryValue } from './closures.js';
import type { FactSheet } from '../fact-sheet.js';

/**
 * How a result can change if the true value of a capped feature is larger than the known lower bound: UP, DOWN, or
 * either way (ANY). By slot; features without an entry do not matter.
 */
type Trend = 'UP' | 'DOWN' | 'ANY';
type Trends = ReadonlyMap<number, Trend>;
type TrendContext = Pick<CompileContext, 'schema' | 'parameters'>;

const NO_TRENDS: Trends = new Map();

/**
 * Respects lower bounds in a comparison. `sum >= 50000` is certain if a lower bound meets it; if not, it is unknown,
 * because the true sum may be larger. Null when the comparison reads no capped feature.
 */
export function lowerBoundGuardOf(
  node: Expression,
  context: TrendContext,
): ((sheet: FactSheet, result: TernaryValue) => TernaryValue) | null {
  const trends = trendsOf(node, context);
  if (trends.size === 0) return null;
  const all = [...trends];
  return (sheet, result) => {
    const { saturated } = sheet;
    if (saturated === null || result === 2) return result;
    for (const [slot, trend] of all) {
      if (!saturated.has(slot)) continue;
      // A true result is certain if larger values cannot make it false (UP), a false one if they cannot make it true.
      if (!(trend === 'UP' && result === 1) && !(trend === 'DOWN' && result === 0)) return 2;
    }
    return result;
  };
}

/** Returns, for each capped feature, if larger values can only raise the result or make it true (UP) or the reverse. */
function trendsOf(node: Expression, context: TrendContext): Trends {
  switch (node.kind) {
    case 'number':
    case 'string':
    case 'bool':
    case 'param':
    case 'list':
      return NO_TRENDS;
    case 'path': {
      const feature = context.schema.find(node.name);
      return feature?.capped === true ? new Map([[feature.slot, 'UP' as const]]) : NO_TRENDS;
    }
    case 'negate':
      return reverseTrends(trendsOf(node.operand, context));
    case 'arithmetic':
      return arithmeticTrends(node.op, node.left, node.right, context);
    case 'compare': {
      const [left, right] = [trendsOf(node.left, context), trendsOf(node.right, context)];
      if (node.op === '>' || node.op === '>=') return joinTrends(left, reverseTrends(right));
      if (node.op === '<' || node.op === '<=') return joinTrends(reverseTrends(left), right);
      return asUnsure(joinTrends(left, right));
    }
    case 'in':
      // More items in the list can only make `in` true. Another value on its left can change it either way.
      return joinTrends(asUnsure(trendsOf(node.left, context)), trendsOf(node.right, context));
    case 'quantifier': {
      const list = trendsOf(node.list, context);
      // Capped features in the body are read for each item and can go either way.
      const body = asUnsure(trendsOf(node.body, context));
      if (node.name === 'all') return joinTrends(reverseTrends(list), body);
      // An unknown item makes the total unknown, and an item that was cut off may be unknown.
      const isTotal = node.name === 'count' || node.name === 'sum';
      return joinTrends(isTotal && mayBeUnknown(node.body, node.variable) ? asUnsure(list) : list, body);
    }
    case 'call':
      if (node.name === 'size' && node.receiver) return trendsOf(node.receiver, context);
      return asUnsure(allTrends(node.receiver ? [node.receiver, ...node.args] : node.args, context));
    case 'conditional':
      return asUnsure(allTrends([node.test, node.then, node.otherwise], context));
    case 'not':
      return reverseTrends(trendsOf(node.operand, context));
    case 'and':
    case 'or':
      return allTrends(node.items, context);
    case 'lookup':
      return asUnsure(trendsOf(node.value, context));
  }
}

function arithmeticTrends(op: string, left: Expression, right: Expression, context: TrendContext): Trends {
  const [a, b] = [trendsOf(left, context), trendsOf(right, context)];
  if (op === '+') return joinTrends(a, b);
  if (op === '-') return joinTrends(a, reverseTrends(b));
  const isScaled = op === '*' || op === '/';
  if (isScaled && isPositive(right, context)) return joinTrends(a, asUnsure(b));
  if (op === '*' && isPositive(left, context)) return joinTrends(asUnsure(a), b);
  return asUnsure(joinTrends(a, b));
}

/** True for a constant factor above zero. */
function isPositive(node: Expression, { parameters }: TrendContext): boolean {
  const value = node.kind === 'param' ? parameters[node.name] : node.kind === 'number' ? node.value : null;
  return typeof value === 'number' && value > 0;
}

/** True if the body can be unknown for an item: when it reads more than the item, or calculates with it. */
function mayBeUnknown(body: Expression, variable: string): boolean {
  if (body.kind === 'path') return body.name !== variable;
  // A distance from invalid coordinates is unknown.
  if (body.kind === 'lookup' || (body.kind === 'call' && body.name === 'distanceKm')) return true;
  if (body.kind === 'arithmetic' && (body.op === '/' || reads(body, variable))) return true;
  return childrenOf(body).some((part) => mayBeUnknown(part, variable));
}

const reads = (node: Expression, name: string): boolean =>
  node.kind === 'path' ? node.name === name : childrenOf(node).some((part) => reads(part, name));

const allTrends = (nodes: readonly Expression[], context: TrendContext): Trends =>
  nodes.reduce<Trends>((trends, node) => joinTrends(trends, trendsOf(node, context)), NO_TRENDS);

const OPPOSITE = { UP: 'DOWN', DOWN: 'UP', ANY: 'ANY' } as const;

const reverseTrends = (trends: Trends): Trends =>
  new Map([...trends].map(([slot, trend]) => [slot, OPPOSITE[trend]]));

const asUnsure = (trends: Trends): Trends =>
  new Map([...trends.keys()].map((slot) => [slot, 'ANY' as const]));

function joinTrends(a: Trends, b: Trends): Trends {
  if (a.size === 0) return b;
  const all = new Map(a);
  for (const [slot, trend] of b) {
    const other = all.get(slot);
    all.set(slot, other === undefined || other === trend ? trend : 'ANY');
  }
  return all;
}
