import type { ComparisonOperator, Expression, ExpressionOf } from '../syntax/ast.js';
import { diagnosticOf, FaultError } from '../syntax/diagnostics.js';
import { parse } from '../syntax/parser.js';
import { printExpression } from '../syntax/printer.js';
import { LIMITS, type Diagnostic } from '../vocabulary.js';

/** The value that a condition is compared with: a literal, another field, or a parameter of the rule. */
export type BuilderValue =
  | number
  | string
  | boolean
  | readonly number[]
  | readonly string[]
  | { readonly path: string }
  | { readonly param: string };

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
const METHODS = ['startsWith', 'endsWith', 'contains', 'isRound'] as const;
/** Operators that stand between a field and a value. */
export const builderOperators = [...COMPARISONS, 'in', ...METHODS, 'inList'] as const;
/** Operators that test a field without a second operand. */
export const builderTests = ['isTrue', 'has'] as const;

/**
 * A condition as JSON, for forms that build rules. `expr` holds any other expression, such as arithmetic and
 * quantifiers, as text; so every condition has both forms.
 */
export type BuilderNode =
  | { readonly all: readonly BuilderNode[] }
  | { readonly any: readonly BuilderNode[] }
  | { readonly not: BuilderNode }
  | {
      readonly path: string;
      readonly op: (typeof builderOperators)[number];
      readonly value: BuilderValue;
    }
  | { readonly path: string; readonly op: (typeof builderTests)[number] }
  | { readonly expr: string };

/** Writes a tree in the builder's form. Nothing is lost: `fromBuilder` gives the same tree. */
export function toBuilderNode(node: Expression): BuilderNode {
  switch (node.kind) {
    case 'and':
      return { all: node.items.map(toBuilderNode) };
    case 'or':
      return { any: node.items.map(toBuilderNode) };
    case 'not':
      return { not: toBuilderNode(node.operand) };
    case 'path':
      return { path: node.name, op: 'isTrue' };
    case 'compare':
      return binaryNode(node, node.left, node.op, node.right);
    case 'in':
      return binaryNode(node, node.left, 'in', node.right);
    case 'call':
      return callNode(node);
    case 'lookup':
      return node.value.kind === 'path'
        ? { path: node.value.name, op: 'inList', value: node.list }
        : asText(node);
    case 'number':
    case 'string':
    case 'bool':
    case 'list':
    case 'param':
    case 'negate':
    case 'arithmetic':
    case 'conditional':
    case 'quantifier':
      return asText(node);
  }
}

const asText = (node: Expression): BuilderNode => ({ expr: printExpression(node) });

function binaryNode(
  node: Expression,
  left: Expression,
  op: ComparisonOperator | 'in' | (typeof METHODS)[number],
  right: Expression,
): BuilderNode {
  const value = valueOf(right);
  return left.kind === 'path' && value !== null ? { path: left.name, op, value } : asText(node);
}

function callNode(node: ExpressionOf<'call'>): BuilderNode {
  const [first, ...more] = node.args;
  if (!first || more.length > 0) return asText(node);
  if (node.receiver === null) {
    return node.name === 'has' && first.kind === 'path' ? { path: first.name, op: 'has' } : asText(node);
  }
  const method = METHODS.find((name) => name === node.name);
  return method ? binaryNode(node, node.receiver, method, first) : asText(node);
}

function valueOf(node: Expression): BuilderValue | null {
  switch (node.kind) {
    case 'number':
    case 'string':
    case 'bool':
      return node.value;
    case 'path':
      return { path: node.name };
    case 'param':
      return { param: node.name };
    case 'list': {
      const items = node.items.map((item) =>
        item.kind === 'number' || item.kind === 'string' ? item.value : null,
      );
      return items.includes(null) ? null : (items as readonly number[] | readonly string[]);
    }
    case 'not':
    case 'negate':
    case 'and':
    case 'or':
    case 'compare':
    case 'in':
    case 'arithmetic':
    case 'conditional':
    case 'call':
    case 'quantifier':
    case 'lookup':
      return null;
  }
}

export type FromBuilder =
  | { readonly ok: true; readonly ast: Expression; readonly text: string }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads a condition in the builder's form from unchecked JSON. Types and names are checked as in any text. A group of
 * one condition becomes that condition. Faults are named by their JSON path.
 */
export function fromBuilder(value: unknown): FromBuilder {
  try {
    // Printing and parsing the tree gives its parts their positions, and finds texts that cannot be read.
    const text = printExpression(expressionOf(value, '', 0));
    return { ok: true, ast: parse(text), text };
  } catch (error) {
    if (error instanceof BuilderFaultError) {
      return { ok: false, diagnostics: [diagnosticOf(error.fault, '', error.path)] };
    }
    if (error instanceof FaultError) return { ok: false, diagnostics: [diagnosticOf(error, '', '')] };
    throw error;
  }
}

class BuilderFaultError extends Error {
  constructor(
    readonly path: string,
    readonly fault: FaultError,
  ) {
    super(fault.message);
  }
}

const faultAt = (path: string, message: string, expected: string): BuilderFaultError =>
  new BuilderFaultError(path, new FaultError('DEFINITION_INVALID', NOWHERE, message, { expected }));

const NOWHERE = { start: 0, end: 0 } as const;
const NODE_FORMS = '{all}, {any}, {not}, {path, op, value} or {expr}';
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/;
const MAX_DEPTH = LIMITS.depth + 1;

type Members = Readonly<Record<string, unknown>>;

function expressionOf(value: unknown, path: string, depth: number): Expression {
  if (depth > MAX_DEPTH) throw faultAt(path, 'The condition is nested too deeply.', `${LIMITS.depth} levels`);
  const node = membersOf(value, path);
  const keys = Object.keys(node).sort().join();
  switch (keys) {
    case 'all':
    case 'any':
      return parseGroup(keys === 'all' ? 'and' : 'or', node[keys], `${path}/${keys}`, depth);
    case 'not':
      return { kind: 'not', operand: expressionOf(node['not'], `${path}/not`, depth + 1), ...NOWHERE };
    case 'expr':
      return parseText(node['expr'], `${path}/expr`);
    case 'op,path':
      return parseTest(node, path);
    case 'op,path,value':
      return parseCondition(node, path);
    default:
      throw faultAt(path, 'This is no condition.', NODE_FORMS);
  }
}

function membersOf(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw faultAt(path, 'This is no condition.', NODE_FORMS);
  }
  return value as Members;
}

function parseGroup(kind: 'and' | 'or', value: unknown, path: string, depth: number): Expression {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.nodes) {
    throw faultAt(path, 'A group has conditions.', `1 to ${LIMITS.nodes} conditions`);
  }
  const items = value.map((item, i) => expressionOf(item, `${path}/${i}`, depth + 1));
  const [first] = items;
  return first && items.length === 1 ? first : { kind, items, ...NOWHERE };
}

function parseText(value: unknown, path: string): Expression {
  if (typeof value !== 'string') {
    throw faultAt(path, 'The expression is a text.', 'a text of the rule language');
  }
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof FaultError) throw new BuilderFaultError(path, error);
    throw error;
  }
}

function parseTest(node: Members, path: string): Expression {
  const field = pathOf(node['path'], `${path}/path`);
  if (node['op'] === 'isTrue') return field;
  if (node['op'] === 'has') return callOf('has', null, field);
  throw faultAt(`${path}/op`, 'Without a value there is no such operator.', builderTests.join(', '));
}

function parseCondition(node: Members, path: string): Expression {
  const left = pathOf(node['path'], `${path}/path`);
  const value = node['value'];
  const op = builderOperators.find((one) => one === node['op']);
  switch (op) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { kind: 'compare', op, left, right: operandOf(value, `${path}/value`), ...NOWHERE };
    case 'in':
      return { kind: 'in', left, right: operandOf(value, `${path}/value`), ...NOWHERE };
    case 'startsWith':
    case 'endsWith':
    case 'contains':
    case 'isRound':
      return callOf(op, left, operandOf(value, `${path}/value`));
    case 'inList':
      if (typeof value !== 'string') throw faultAt(`${path}/value`, 'A list is named by its id.', 'a text');
      return { kind: 'lookup', list: value, listSpan: NOWHERE, value: left, ...NOWHERE };
    case undefined:
      throw faultAt(
        `${path}/op`,
        'There is no such operator.',
        [...builderOperators, ...builderTests].join(', '),
      );
  }
}

const callOf = (name: string, receiver: Expression | null, argument: Expression): Expression => ({
  kind: 'call',
  name,
  nameSpan: NOWHERE,
  receiver,
  args: [argument],
  ...NOWHERE,
});

function pathOf(value: unknown, path: string): Expression {
  if (typeof value !== 'string' || !NAME.test(value)) {
    throw faultAt(path, 'This is no field.', 'the name of a field');
  }
  return { kind: 'path', name: value, ...NOWHERE };
}

function operandOf(value: unknown, path: string): Expression {
  if (Array.isArray(value)) {
    if (value.length === 0) throw faultAt(path, 'A list has items.', '1 or more texts or numbers');
    return { kind: 'list', items: value.map((item, i) => literalOf(item, `${path}/${i}`)), ...NOWHERE };
  }
  if (typeof value !== 'object' || value === null) return literalOf(value, path);
  const { path: field, param } = value as Members;
  const keys = Object.keys(value).join();
  if (keys === 'path') return pathOf(field, `${path}/path`);
  if (keys === 'param' && typeof param === 'string' && NAME.test(param)) {
    return { kind: 'param', name: param, ...NOWHERE };
  }
  throw faultAt(path, 'This is no value.', 'a literal, {path} or {param}');
}

function literalOf(value: unknown, path: string): Expression {
  if (typeof value === 'string') return { kind: 'string', value, ...NOWHERE };
  if (typeof value === 'boolean') return { kind: 'bool', value, ...NOWHERE };
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'number', value, ...NOWHERE };
  throw faultAt(path, 'This is no value.', 'a text, a number, true or false');
}
