import {
  quantifierNames,
  type ArithmeticOperator,
  type ComparisonOperator,
  type Expression,
  type QuantifierName,
  type Span,
} from './ast.js';
import { FaultError } from './diagnostics.js';
import { tokenise, type Token } from './lexer.js';

const COMPARISONS: ReadonlySet<string> = new Set<ComparisonOperator>(['==', '!=', '<', '<=', '>', '>=']);
const QUANTIFIERS: ReadonlySet<string> = new Set(quantifierNames);
const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'in', 'null']);
/** Limits parentheses and unary operators, which keeps the stack small; the depth of the tree has a smaller bound. */
const MAX_NESTING = 60;

/** Parses an expression; throws a Fault at the first syntax error. */
export function parse(text: string): Expression {
  return new Parser(tokenise(text)).parseWhole();
}

const comparisonOf = (token: Token): ComparisonOperator | null =>
  token.kind === 'symbol' && COMPARISONS.has(token.value) ? (token.value as ComparisonOperator) : null;

const isQuantifier = (name: string): name is QuantifierName => QUANTIFIERS.has(name);

/** Recursive descent, one method per level of precedence. */
class Parser {
  private position = 0;
  private nesting = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parseWhole(): Expression {
    const expression = this.parseExpression();
    if (this.next.kind !== 'end') this.failExpecting('an operator or the end');
    return expression;
  }

  private get next(): Token {
    const token = this.tokens[this.position] ?? this.tokens.at(-1);
    if (!token) throw new Error('a text has at least its end');
    return token;
  }

  private take(): Token {
    const token = this.next;
    this.position += 1;
    return token;
  }

  private isSymbol(value: string): boolean {
    return this.next.kind === 'symbol' && this.next.value === value;
  }

  private isName(value: string): boolean {
    return this.next.kind === 'name' && this.next.value === value;
  }

  private skip(value: string): boolean {
    if (!this.isSymbol(value)) return false;
    this.position += 1;
    return true;
  }

  private expect(value: string): Token {
    if (!this.isSymbol(value)) this.failExpecting(`'${value}'`);
    return this.take();
  }

  private failExpecting(expected: string): never {
    const token = this.next;
    const message = token.kind === 'end' ? 'The expression ends too early.' : 'This does not belong here.';
    throw new FaultError('SYNTAX', token, message, { expected, found: foundOf(token) });
  }

  private parseNested<T>(work: () => T): T {
    this.nesting += 1;
    if (this.nesting > MAX_NESTING) {
      throw new FaultError('TOO_DEEP', this.next, 'The expression is nested too deeply.');
    }
    const result = work();
    this.nesting -= 1;
    return result;
  }

  private parseExpression(): Expression {
    return this.parseNested(() => {
      const test = this.parseDisjunction();
      if (!this.skip('?')) return test;
      const then = this.parseExpression();
      this.expect(':');
      const otherwise = this.parseExpression();
      return { kind: 'conditional', test, then, otherwise, start: test.start, end: otherwise.end };
    });
  }

  private parseDisjunction(): Expression {
    return this.parseChain('or', '||', () => this.parseChain('and', '&&', () => this.parseRelation()));
  }

  private parseChain(kind: 'and' | 'or', symbol: string, item: () => Expression): Expression {
    const first = item();
    const items = [first];
    while (this.skip(symbol)) items.push(item());
    const last = items.at(-1) ?? first;
    return items.length === 1 ? first : { kind, items, start: first.start, end: last.end };
  }

  private parseRelation(): Expression {
    const left = this.parseSum();
    const op = comparisonOf(this.next);
    if (op === null && !this.isName('in')) return left;
    this.take();
    const right = this.parseSum();
    if (comparisonOf(this.next) !== null || this.isName('in')) {
      throw new FaultError('SYNTAX', this.next, 'Comparisons cannot be chained.', {
        expected: '&& or || between two comparisons',
      });
    }
    const span = { start: left.start, end: right.end };
    return op === null ? { kind: 'in', left, right, ...span } : { kind: 'compare', op, left, right, ...span };
  }

  private parseSum(): Expression {
    return this.parseLeftward(['+', '-'], () => this.parseLeftward(['*', '/'], () => this.parseUnary()));
  }

  private parseLeftward(operators: readonly ArithmeticOperator[], item: () => Expression): Expression {
    let left = item();
    for (;;) {
      const op = operators.find((one) => this.skip(one));
      if (op === undefined) return left;
      const right = item();
      left = { kind: 'arithmetic', op, left, right, start: left.start, end: right.end };
    }
  }

  private parseUnary(): Expression {
    const { start } = this.next;
    if (this.skip('!')) {
      const operand = this.parseNested(() => this.parseUnary());
      return { kind: 'not', operand, start, end: operand.end };
    }
    if (this.skip('-')) {
      const operand = this.parseNested(() => this.parseUnary());
      // A minus and a number are one literal, so that it may be an item of a list or a parameter.
      if (operand.kind === 'number') {
        return { kind: 'number', value: operand.value === 0 ? 0 : -operand.value, start, end: operand.end };
      }
      return { kind: 'negate', operand, start, end: operand.end };
    }
    return this.parseMember(this.parsePrimary());
  }

  /** Parses the text after a point: the next part of a path, or a method call on the value. */
  private parseMember(receiver: Expression): Expression {
    let value = receiver;
    while (this.skip('.')) {
      const name = this.take();
      if (name.kind !== 'name') {
        this.position -= 1;
        this.failExpecting('a name');
      }
      if (this.isSymbol('(')) value = this.parseMethod(value, name.value, name);
      else if (value.kind === 'path') {
        value = pathOrParam(`${value.name}.${name.value}`, { start: value.start, end: name.end });
      } else {
        throw new FaultError('SYNTAX', name, 'Only fields have further fields.', {
          expected: 'a method call',
        });
      }
    }
    return value;
  }

  private parseMethod(receiver: Expression, name: string, nameSpan: Span): Expression {
    if (isQuantifier(name)) return this.parseQuantifier(receiver, name);
    const { args, end } = this.parseArguments();
    const isList = receiver.kind === 'call' && receiver.name === 'list' && receiver.receiver === null;
    if (isList && name === 'has') return lookupOf(receiver.args, args, { start: receiver.start, end });
    return {
      kind: 'call',
      name,
      nameSpan: { start: nameSpan.start, end: nameSpan.end },
      receiver,
      args,
      start: receiver.start,
      end,
    };
  }

  private parseQuantifier(list: Expression, name: QuantifierName): Expression {
    this.expect('(');
    const variable = this.take();
    if (variable.kind !== 'name' || RESERVED.has(variable.value)) {
      this.position -= 1;
      this.failExpecting('a name for the item');
    }
    this.expect(',');
    const body = this.parseExpression();
    const { end } = this.expect(')');
    return { kind: 'quantifier', name, list, variable: variable.value, body, start: list.start, end };
  }

  private parseArguments(): { readonly args: readonly Expression[]; readonly end: number } {
    this.expect('(');
    const args: Expression[] = [];
    if (!this.isSymbol(')')) {
      do args.push(this.parseExpression());
      while (this.skip(','));
    }
    return { args, end: this.expect(')').end };
  }

  private parsePrimary(): Expression {
    const token = this.next;
    switch (token.kind) {
      case 'number':
      case 'string':
        return this.take() as Expression;
      case 'name':
        return this.parseNamed(token.value);
      case 'symbol':
        if (this.skip('(')) {
          const inner = this.parseExpression();
          // The expression includes its parentheses, so that its source text is complete.
          return { ...inner, start: token.start, end: this.expect(')').end };
        }
        if (this.skip('[')) return this.parseList(token.start);
        return this.failExpecting('a value');
      case 'end':
        return this.failExpecting('a value');
    }
  }

  private parseNamed(name: string): Expression {
    const { start, end } = this.take();
    if (name === 'true' || name === 'false') return { kind: 'bool', value: name === 'true', start, end };
    if (name === 'null') {
      throw new FaultError('SYNTAX', { start, end }, 'There is no null.', { suggestion: 'has(field)' });
    }
    if (name === 'in') {
      this.position -= 1;
      this.failExpecting('a value');
    }
    if (!this.isSymbol('(')) return { kind: 'path', name, start, end };
    const call = this.parseArguments();
    return {
      kind: 'call',
      name,
      nameSpan: { start, end },
      receiver: null,
      args: call.args,
      start,
      end: call.end,
    };
  }

  private parseList(start: number): Expression {
    const items: Expression[] = [];
    do items.push(this.parseExpression());
    while (this.skip(','));
    return { kind: 'list', items, start, end: this.expect(']').end };
  }
}

const PARAM = 'param.';

const pathOrParam = (name: string, span: Span): Expression =>
  name.startsWith(PARAM)
    ? { kind: 'param', name: name.slice(PARAM.length), ...span }
    : { kind: 'path', name, ...span };

function lookupOf(ids: readonly Expression[], values: readonly Expression[], span: Span): Expression {
  const [id, ...moreIds] = ids;
  const [value, ...moreValues] = values;
  if (id?.kind !== 'string' || moreIds.length > 0) {
    throw new FaultError('WRONG_ARGUMENT', id ?? span, 'A list is named by one text in quotes.', {
      expected: "list('id')",
    });
  }
  if (!value || moreValues.length > 0) {
    throw new FaultError('WRONG_ARGUMENT', span, 'A list is asked for one value.', {
      expected: "list('id').has(value)",
    });
  }
  return {
    kind: 'lookup',
    list: id.value,
    listSpan: { start: id.start, end: id.end },
    value,
    ...span,
  };
}

function foundOf(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end';
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    case 'name':
    case 'symbol':
      return `'${token.value}'`;
  }
}
