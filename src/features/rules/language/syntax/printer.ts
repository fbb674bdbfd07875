import { table } from '../../../../platform/kernel/table.js';
import type { Expression } from './ast.js';

/** Returns the precedence of an expression. An expression below the precedence of its context gets parentheses. */
function strengthOf(node: Expression): number {
  switch (node.kind) {
    case 'conditional':
      return 0;
    case 'or':
      return 1;
    case 'and':
      return 2;
    case 'compare':
    case 'in':
      return 3;
    case 'arithmetic':
      return node.op === '+' || node.op === '-' ? 4 : 5;
    case 'not':
    case 'negate':
      return 6;
    case 'number':
      return node.value < 0 ? 6 : 7;
    case 'string':
    case 'bool':
    case 'list':
    case 'path':
    case 'param':
    case 'call':
    case 'quantifier':
    case 'lookup':
      return 7;
  }
}

/** Writes a tree as text; reading it gives the same tree again. */
export function printExpression(node: Expression): string {
  switch (node.kind) {
    case 'number':
      return printNumber(node.value);
    case 'string':
      return quoteText(node.value);
    case 'bool':
      return String(node.value);
    case 'list':
      return `[${node.items.map((item) => printExpression(item)).join(', ')}]`;
    case 'path':
      return node.name;
    case 'param':
      return `param.${node.name}`;
    case 'not':
      return `!${printAt(6, node.operand)}`;
    case 'negate':
      return `-${printAt(6, node.operand)}`;
    case 'and':
      return node.items.map((item) => printAt(3, item)).join(' && ');
    case 'or':
      return node.items.map((item) => printAt(2, item)).join(' || ');
    case 'compare':
      return `${printAt(4, node.left)} ${node.op} ${printAt(4, node.right)}`;
    case 'in':
      return `${printAt(4, node.left)} in ${printAt(4, node.right)}`;
    case 'arithmetic': {
      const strength = strengthOf(node);
      return `${printAt(strength, node.left)} ${node.op} ${printAt(strength + 1, node.right)}`;
    }
    case 'conditional':
      return `${printAt(1, node.test)} ? ${printAt(0, node.then)} : ${printAt(0, node.otherwise)}`;
    case 'call': {
      const receiver = node.receiver ? `${printAt(7, node.receiver)}.` : '';
      return `${receiver}${node.name}(${node.args.map((arg) => printExpression(arg)).join(', ')})`;
    }
    case 'quantifier':
      return `${printAt(7, node.list)}.${node.name}(${node.variable}, ${printExpression(node.body)})`;
    case 'lookup':
      return `list(${quoteText(node.list)}).has(${printExpression(node.value)})`;
  }
}

const printAt = (strength: number, node: Expression): string => {
  const text = printExpression(node);
  return strengthOf(node) < strength ? `(${text})` : text;
};

const ESCAPED: Readonly<Record<string, string>> = table({
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\t': '\\t',
});
const quoteText = (text: string): string =>
  `"${text.replace(/[\\"\n\t]/g, (char) => ESCAPED[char] ?? char)}"`;

/** Writes digits and a point where `String` would use an exponent. */
export function printNumber(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
