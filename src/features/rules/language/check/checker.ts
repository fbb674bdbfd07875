import { childrenOf, type Expression, type ExpressionOf, type Span } from '../syntax/ast.js';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';
import { FaultError } from '../syntax/diagnostics.js';
import { isTimeZone } from '../local-time.js';
import { LIMITS, type ParameterValue } from '../vocabulary.js';
import {
  type Type,
  type CheckedType,
  typeInWords,
  LOCAL_PARTS,
  METHODS,
  LOOKUP_COST,
  typeOfValue,
  METHOD_NAMES,
  FUNCTION_NAMES,
  type MethodSignature,
  itemTypeOf,
} from './types.js';
import { expressionSizeOf, findBoundFaults } from './bounds.js';
import type { CheckContext, CheckResult } from './check-result.js';

interface Variable {
  readonly name: string;
  readonly type: CheckedType;
}

/**
 * Checks types, names and bounds before anything is evaluated, and collects every fault. The cost is an upper bound of
 * the steps of an evaluation: one for each operator and feature read, times the longest list in a quantifier.
 */
export function checkExpression(
  node: Expression,
  context: CheckContext,
  wanted: Type | 'ANY' = 'bool',
): CheckResult {
  const size = expressionSizeOf(node);
  const tooLarge = findBoundFaults(node, size);
  if (tooLarge.length > 0) return { ok: false, faults: tooLarge };
  const checker = new Checker(context);
  const type = checker.typeOf(node);
  if (type !== 'wrong' && wanted !== 'ANY' && type !== wanted) checker.refuseType(node, wanted, type);
  const cost = type === 'wrong' ? 0 : checker.costOf(node);
  if (cost > LIMITS.cost) {
    checker.refuse('TOO_EXPENSIVE', node, 'The expression may take too many steps.', {
      expected: `a cost of at most ${LIMITS.cost}`,
      found: String(cost),
    });
  }
  if (checker.faults.length > 0 || type === 'wrong') return { ok: false, faults: checker.faults };
  return {
    ok: true,
    type,
    cost,
    ...size,
    features: [...checker.features].sort(),
    lists: [...checker.lists].sort(),
    parameters: [...checker.parameters].sort(),
  };
}

class Checker {
  readonly faults: FaultError[] = [];
  readonly features = new Set<string>();
  readonly lists = new Set<string>();
  readonly parameters = new Set<string>();
  private variable: Variable | null = null;

  constructor(private readonly context: CheckContext) {}

  refuse(...[code, span, message, hints]: ConstructorParameters<typeof FaultError>): 'wrong' {
    this.faults.push(new FaultError(code, span, message, hints));
    return 'wrong';
  }

  refuseType(node: Span, expected: string, found: Type): 'wrong' {
    return this.refuse('WRONG_TYPE', node, 'This is of the wrong type.', {
      expected: typeInWords(expected),
      found: typeInWords(found),
    });
  }

  typeOf(node: Expression): CheckedType {
    switch (node.kind) {
      case 'number':
      case 'string':
      case 'bool':
        return node.kind;
      case 'list':
        return this.typeOfList(node);
      case 'path':
        return this.typeOfPath(node);
      case 'param':
        return this.typeOfParameter(node);
      case 'not':
        return this.requireType(node.operand, 'bool', 'bool');
      case 'negate':
        return this.requireType(node.operand, 'number', 'number');
      case 'and':
      case 'or':
        return node.items.map((item) => this.requireType(item, 'bool', 'bool')).includes('wrong')
          ? 'wrong'
          : 'bool';
      case 'arithmetic': {
        const [left, right] = [
          this.requireType(node.left, 'number', 'number'),
          this.requireType(node.right, 'number', 'number'),
        ];
        return left === 'wrong' || right === 'wrong' ? 'wrong' : 'number';
      }
      case 'compare':
        return this.typeOfComparison(node);
      case 'in':
        return this.typeOfMembership(node);
      case 'conditional':
        return this.typeOfConditional(node);
      case 'call':
        return this.typeOfCall(node);
      case 'quantifier':
        return this.typeOfQuantifier(node);
      case 'lookup':
        return this.typeOfLookup(node);
    }
  }

  costOf(node: Expression): number {
    if (node.kind === 'quantifier') {
      return this.costOf(node.list) + 1 + this.lengthOf(node.list) * (1 + this.costOf(node.body));
    }
    const parts = childrenOf(node).reduce((sum, part) => sum + this.costOf(part), 0);
    switch (node.kind) {
      case 'number':
      case 'string':
      case 'bool':
      case 'list':
      case 'param':
        return parts;
      case 'path':
        return this.context.schema.find(node.name) ? 1 : 0;
      case 'and':
      case 'or':
        return parts + node.items.length - 1;
      case 'in':
        return parts + this.lengthOf(node.right);
      case 'call':
        return parts + (Object.hasOwn(METHODS, node.name) ? (METHODS[node.name]?.cost ?? 1) : 1);
      case 'lookup':
        return parts + LOOKUP_COST;
      case 'not':
      case 'negate':
      case 'compare':
      case 'arithmetic':
      case 'conditional':
        return parts + 1;
    }
  }

  private lengthOf(list: Expression): number {
    if (list.kind === 'list') return list.items.length;
    if (list.kind === 'param') {
      const value = this.findParameter(list.name);
      return Array.isArray(value) ? value.length : 1;
    }
    return LIMITS.list;
  }

  /** True if the value does not depend on a transaction. */
  private isConstant(node: Expression): boolean {
    return node.kind === 'param' || node.kind === 'number' || node.kind === 'string' || node.kind === 'bool';
  }

  private findParameter(name: string): ParameterValue | undefined {
    const { parameters = {} } = this.context;
    return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  }

  /** Returns `result` when the node has the wanted type, else reports a fault. */
  private requireType(node: Expression, wanted: Type, result: Type): CheckedType {
    const checkedType = this.typeOf(node);
    if (checkedType === 'wrong') return 'wrong';
    return checkedType === wanted ? result : this.refuseType(node, wanted, checkedType);
  }

  private refuseLength(node: Span, length: number): 'wrong' {
    return this.refuse('LIST_TOO_LONG', node, 'The list is too long.', {
      expected: `at most ${LIMITS.list} items`,
      found: String(length),
      suggestion: "list('id').has(value)",
    });
  }

  private typeOfList(node: ExpressionOf<'list'>): CheckedType {
    if (node.items.length > LIMITS.list) {
      return this.refuseLength(node, node.items.length);
    }
    const types = node.items.map((item) => {
      if (this.isConstant(item)) return this.typeOf(item);
      return this.refuse('WRONG_TYPE', item, 'A list holds texts or numbers only.', {
        expected: 'a text in quotes, a number or a parameter',
      });
    });
    const [first] = types;
    if (first === undefined || types.includes('wrong')) return 'wrong';
    if (first !== 'number' && first !== 'string') {
      return this.refuse('WRONG_TYPE', node, 'A list holds texts or numbers only.', {
        found: typeInWords(first),
      });
    }
    const odd = types.findIndex((type) => type !== first);
    const item = node.items[odd];
    if (item) return this.refuseType(item, first, types[odd] as Type);
    return first === 'number' ? 'numbers' : 'strings';
  }

  private typeOfPath(node: ExpressionOf<'path'>): CheckedType {
    if (this.variable?.name === node.name) return this.variable.type;
    const feature = this.context.schema.find(node.name);
    if (feature) {
      this.features.add(node.name);
      return feature.type;
    }
    const names = [...(this.variable ? [this.variable.name] : []), ...this.context.schema.names()];
    return this.refuse('UNKNOWN_FIELD', node, 'There is no such field.', {
      found: node.name,
      suggestion: didYouMean(node.name, names),
    });
  }

  private typeOfParameter(node: ExpressionOf<'param'>): CheckedType {
    const value = this.findParameter(node.name);
    if (value !== undefined) {
      this.parameters.add(node.name);
      return Array.isArray(value) && value.length > LIMITS.list
        ? this.refuseLength(node, value.length)
        : typeOfValue(value);
    }
    const near = didYouMean(node.name, Object.keys(this.context.parameters ?? {}));
    return this.refuse('UNKNOWN_PARAMETER', node, 'The rule has no such parameter.', {
      found: `param.${node.name}`,
      suggestion: near === undefined ? undefined : `param.${near}`,
    });
  }

  private typeOfComparison({ op, left, right }: ExpressionOf<'compare'>): CheckedType {
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    if (a === 'wrong' || b === 'wrong') return 'wrong';
    if (a === 'numbers' || a === 'strings') return this.refuseType(left, 'a single value', a);
    if (a !== b) return this.refuseType(right, a, b);
    if (op === '==' || op === '!=') return 'bool';
    return a === 'number' || a === 'time' ? 'bool' : this.refuseType(left, 'number or time', a);
  }

  private typeOfMembership({ left, right }: ExpressionOf<'in'>): CheckedType {
    const [value, list] = [this.typeOf(left), this.typeOf(right)];
    if (value === 'wrong' || list === 'wrong') return 'wrong';
    if (value !== 'number' && value !== 'string') return this.refuseType(left, 'number or text', value);
    const listType = value === 'number' ? 'numbers' : 'strings';
    return list === listType ? 'bool' : this.refuseType(right, listType, list);
  }

  private typeOfConditional({ test, then, otherwise }: ExpressionOf<'conditional'>): CheckedType {
    const [condition, a, b] = [
      this.requireType(test, 'bool', 'bool'),
      this.typeOf(then),
      this.typeOf(otherwise),
    ];
    if (condition === 'wrong' || a === 'wrong' || b === 'wrong') return 'wrong';
    if (a === 'numbers' || a === 'strings') return this.refuseType(then, 'a single value', a);
    return a === b ? a : this.refuseType(otherwise, a, b);
  }

  private typeOfCall(node: ExpressionOf<'call'>): CheckedType {
    if (node.receiver === null) return this.typeOfFunction(node);
    const method = Object.hasOwn(METHODS, node.name) ? METHODS[node.name] : undefined;
    if (!method) return this.refuseCall(node, METHOD_NAMES);
    const receiver = this.typeOf(node.receiver);
    if (receiver === 'wrong') return 'wrong';
    if (!method.receiver.includes(receiver)) {
      return this.refuseType(node.receiver, method.receiver.map(typeInWords).join(' or '), receiver);
    }
    if (!this.argumentsFit(node, method.args, method.usage)) return 'wrong';
    return this.constantsFit(node, method) ? method.result : 'wrong';
  }

  private typeOfFunction(node: ExpressionOf<'call'>): CheckedType {
    const [first] = node.args;
    switch (node.name) {
      case 'has':
        if (node.args.length === 1 && first?.kind === 'path' && this.variable?.name !== first.name) {
          return this.typeOfPath(first) === 'wrong' ? 'wrong' : 'bool';
        }
        return this.refuse(
          'WRONG_ARGUMENT',
          first ?? node,
          'Only a field can be asked whether it is there.',
          {
            expected: 'has(field)',
          },
        );
      case 'hoursBetween':
        return this.argumentsFit(node, ['time', 'time'], 'hoursBetween(from, to)') ? 'number' : 'wrong';
      case 'distanceKm':
        return this.argumentsFit(
          node,
          ['number', 'number', 'number', 'number'],
          'distanceKm(latitude, longitude, latitude, longitude)',
        )
          ? 'number'
          : 'wrong';
      case 'list':
        return this.refuse('WRONG_ARGUMENT', node, 'A list can only be asked whether it has a value.', {
          expected: "list('id').has(value)",
        });
      default:
        return this.refuseCall(node, FUNCTION_NAMES);
    }
  }

  private refuseCall(node: ExpressionOf<'call'>, names: readonly string[]): 'wrong' {
    const other = names === METHOD_NAMES ? FUNCTION_NAMES : METHOD_NAMES;
    const suggestion = didYouMean(node.name, names) ?? other.find((name) => name === node.name);
    return this.refuse('UNKNOWN_FUNCTION', node.nameSpan, 'There is no such function.', {
      found: node.name,
      suggestion: suggestion === undefined ? undefined : (METHODS[suggestion]?.usage ?? suggestion),
      expected: `one of ${names.join(', ')}`,
    });
  }

  private argumentsFit(node: ExpressionOf<'call'>, types: readonly Type[], usage: string): boolean {
    if (node.args.length !== types.length) {
      this.refuse('WRONG_ARGUMENT', node, 'The number of arguments is wrong.', {
        expected: usage,
        found: String(node.args.length),
      });
      return false;
    }
    const fits = node.args.map((arg, i) => this.requireType(arg, types[i] ?? 'string', 'bool') !== 'wrong');
    return !fits.includes(false);
  }

  /**
   * True if the time zone or step of a call is a valid constant, else reports a fault: both are prepared when a rule is
   * compiled.
   */
  private constantsFit(node: ExpressionOf<'call'>, { usage }: MethodSignature): boolean {
    const [arg] = node.args;
    if ((node.name !== 'isRound' && !Object.hasOwn(LOCAL_PARTS, node.name)) || !arg) return true;
    const value = this.constantOf(arg);
    const fits =
      node.name === 'isRound'
        ? typeof value === 'number' && value > 0
        : typeof value === 'string' && isTimeZone(value);
    if (!fits) {
      const message =
        node.name === 'isRound' ? 'The step is a number above 0.' : 'This is not the name of a time zone.';
      this.refuse('WRONG_ARGUMENT', arg, message, { expected: usage });
    }
    return fits;
  }

  private constantOf(node: Expression): ParameterValue | undefined {
    if (node.kind === 'number' || node.kind === 'string') return node.value;
    return node.kind === 'param' ? this.findParameter(node.name) : undefined;
  }

  private typeOfQuantifier(node: ExpressionOf<'quantifier'>): CheckedType {
    if (this.variable) {
      return this.refuse('NESTED_QUANTIFIER', node, 'A quantifier cannot stand within another.', {
        expected: 'one quantifier over one list',
      });
    }
    const list = this.typeOf(node.list);
    if (list === 'wrong') return 'wrong';
    if (list !== 'numbers' && list !== 'strings') return this.refuseType(node.list, 'a list', list);
    if (node.name === 'sum' && list !== 'numbers') return this.refuseType(node.list, 'numbers', list);
    if (this.context.schema.find(node.variable)) {
      return this.refuse('SYNTAX', node, 'The name of the item is that of a field.', {
        found: node.variable,
      });
    }
    this.variable = { name: node.variable, type: itemTypeOf(list) };
    const body = this.requireType(node.body, 'bool', 'bool');
    this.variable = null;
    if (body === 'wrong') return 'wrong';
    return node.name === 'exists' || node.name === 'all' ? 'bool' : 'number';
  }

  private typeOfLookup(node: ExpressionOf<'lookup'>): CheckedType {
    const { lists } = this.context;
    const value = this.requireType(node.value, 'string', 'bool');
    if (lists && !lists.has(node.list)) {
      return this.refuse('UNKNOWN_LIST', node.listSpan, 'There is no such list.', {
        found: node.list,
        suggestion: didYouMean(node.list, lists),
      });
    }
    this.lists.add(node.list);
    return value;
  }
}
