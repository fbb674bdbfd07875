import type { ComparisonOperator, Expression } from '../syntax/ast.js';
import { isMultiple } from '../decimal.js';

export type ItemPredicate = (item: number) => boolean;

/** The operator of the same comparison with its sides exchanged. */
export const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/**
 * Compiles the body of a quantifier over numbers that reads only the number and constants: then nothing can be unknown
 * and no sheet is needed. Null if the body reads more. `constantOf` returns the value of a constant part, or null.
 */
export function itemPredicate(
  node: Expression,
  variable: string,
  constantOf: (node: Expression) => number | null,
): ItemPredicate | null {
  const predicateOf = (part: Expression): ItemPredicate | null => itemPredicate(part, variable, constantOf);
  const isItem = (part: Expression): boolean => part.kind === 'path' && part.name === variable;
  switch (node.kind) {
    case 'bool':
      return node.value ? () => true : () => false;
    case 'not': {
      const operand = predicateOf(node.operand);
      return operand && ((item) => !operand(item));
    }
    case 'and':
    case 'or':
      return combinePredicates(node.kind, node.items.map(predicateOf));
    case 'compare': {
      const [left, right] = [constantOf(node.left), constantOf(node.right)];
      if (isItem(node.left) && right !== null) return comparisonWith(node.op, right);
      return isItem(node.right) && left !== null ? comparisonWith(MIRRORED[node.op], left) : null;
    }
    case 'call': {
      const [argument] = node.args;
      const step = argument ? constantOf(argument) : null;
      const isRound = node.name === 'isRound' && node.receiver !== null && isItem(node.receiver);
      return isRound && step !== null ? (item) => isMultiple(item, step) : null;
    }
    case 'number':
    case 'string':
    case 'list':
    case 'path':
    case 'param':
    case 'negate':
    case 'in':
    case 'arithmetic':
    case 'conditional':
    case 'quantifier':
    case 'lookup':
      return null;
  }
}

function combinePredicates(
  kind: 'and' | 'or',
  parts: readonly (ItemPredicate | null)[],
): ItemPredicate | null {
  const all = parts.filter((part) => part !== null);
  if (all.length !== parts.length) return null;
  const [a, b] = all;
  if (a && b && all.length === 2) {
    return kind === 'and' ? (item) => a(item) && b(item) : (item) => a(item) || b(item);
  }
  const decisive = kind === 'or';
  return (item) => {
    for (const part of all) if (part(item) === decisive) return decisive;
    return !decisive;
  };
}

function comparisonWith(op: ComparisonOperator, value: number): ItemPredicate {
  switch (op) {
    case '==':
      return (item) => item === value;
    case '!=':
      return (item) => item !== value;
    case '<':
      return (item) => item < value;
    case '<=':
      return (item) => item <= value;
    case '>':
      return (item) => item > value;
    case '>=':
      return (item) => item >= value;
  }
}
