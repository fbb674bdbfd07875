/** Offsets in the text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type ArithmeticOperator = '+' | '-' | '*' | '/';
export const quantifierNames = ['exists', 'all', 'count', 'sum'] as const;
export type QuantifierName = (typeof quantifierNames)[number];

/**
 * The syntax tree. `and` and `or` hold all items of a chain: `a && b && c` is one node, `(a && b) && c` two, so that a
 * tree is the same as the condition builder's groups.
 */
export type Expression = Span &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'bool'; readonly value: boolean }
    | { readonly kind: 'list'; readonly items: readonly Expression[] }
    /** A feature, or the variable of the quantifier around it. */
    | { readonly kind: 'path'; readonly name: string }
    | { readonly kind: 'param'; readonly name: string }
    | { readonly kind: 'not'; readonly operand: Expression }
    | { readonly kind: 'negate'; readonly operand: Expression }
    | { readonly kind: 'and'; readonly items: readonly Expression[] }
    | { readonly kind: 'or'; readonly items: readonly Expression[] }
    | {
        readonly kind: 'compare';
        readonly op: ComparisonOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | { readonly kind: 'in'; readonly left: Expression; readonly right: Expression }
    | {
        readonly kind: 'arithmetic';
        readonly op: ArithmeticOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | {
        readonly kind: 'conditional';
        readonly test: Expression;
        readonly then: Expression;
        readonly otherwise: Expression;
      }
    /** `name(args)`, or `receiver.name(args)`. */
    | {
        readonly kind: 'call';
        readonly name: string;
        readonly nameSpan: Span;
        readonly receiver: Expression | null;
        readonly args: readonly Expression[];
      }
    | {
        readonly kind: 'quantifier';
        readonly name: QuantifierName;
        readonly list: Expression;
        readonly variable: string;
        readonly body: Expression;
      }
    /** `list('id').has(value)`. */
    | {
        readonly kind: 'lookup';
        readonly list: string;
        readonly listSpan: Span;
        readonly value: Expression;
      }
  );

export type ExpressionOf<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;

/** The direct parts of an expression, in order. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'number':
    case 'string':
    case 'bool':
    case 'path':
    case 'param':
      return [];
    case 'list':
    case 'and':
    case 'or':
      return node.items;
    case 'not':
    case 'negate':
      return [node.operand];
    case 'compare':
    case 'in':
    case 'arithmetic':
      return [node.left, node.right];
    case 'conditional':
      return [node.test, node.then, node.otherwise];
    case 'call':
      return node.receiver ? [node.receiver, ...node.args] : node.args;
    case 'quantifier':
      return [node.list, node.body];
    case 'lookup':
      return [node.value];
  }
}
