import { assertNever } from '../../../../platform/kernel/exhaustive.js';
import type { ComparisonOperator, Expression, ExpressionOf } from '../syntax/ast.js';
import { formatValue } from './format.js';
import type { ParameterDefinition } from '../rule/rule-definition.js';
import type { FeatureSchema } from '../schema.js';
import type { FactValue, Language, Unit } from '../vocabulary.js';

export interface PlainLanguageContext {
  readonly schema: FeatureSchema;
  readonly parameters?: Readonly<Record<string, ParameterDefinition>>;
}

/** Describes a condition in a sentence, for dossiers and for people who do not write rules. */
export const printPlainLanguage = (
  node: Expression,
  language: Language,
  context: PlainLanguageContext,
): string => new Speaker(language, context).clause(node);

const PHRASES = {
  'pt-BR': {
    and: ' e ',
    or: ' ou ',
    not: (x: string) => `não é verdade que ${x}`,
    has: (x: string) => `há informação sobre ${x}`,
    oneOf: (x: string, list: string) => `${x} é um destes: ${list}`,
    among: (x: string, list: string) => `${x} está entre ${list}`,
    onList: (x: string, list: string) => `${x} consta na lista “${list}”`,
    starts: (x: string, y: string) => `${x} começa com ${y}`,
    ends: (x: string, y: string) => `${x} termina com ${y}`,
    contains: (x: string, y: string) => `${x} contém ${y}`,
    round: (x: string, y: string) => `${x} é múltiplo exato de ${y}`,
    digits: (x: string) => `os dígitos de ${x}`,
    size: (x: string) => `a quantidade de itens entre ${x}`,
    hour: (x: string, zone: string) => `a hora local (${zone}) de ${x}`,
    weekday: (x: string, zone: string) => `o dia da semana (1 é segunda-feira; ${zone}) de ${x}`,
    day: (x: string, zone: string) => `o dia do mês (${zone}) de ${x}`,
    bankDay: (x: string) => `${x} cai em dia útil bancário`,
    plain: (x: string) => `${x} sem acentos e maiúsculas`,
    distance: (from: string, to: string) => `a distância em quilômetros entre (${from}) e (${to})`,
    hours: (x: string, y: string) => `as horas entre ${x} e ${y}`,
    exists: (list: string, body: string) => `entre ${list} há um item tal que ${body}`,
    all: (list: string, body: string) => `para cada item entre ${list}, ${body}`,
    count: (list: string, body: string) => `a quantidade de itens entre ${list} tais que ${body}`,
    sum: (list: string, body: string) => `a soma dos itens entre ${list} tais que ${body}`,
    item: 'o item',
    choice: (test: string, a: string, b: string) => `${a}, se ${test}, ou, se não, ${b}`,
    minus: (x: string) => `menos ${x}`,
    arithmetic: { '+': 'mais', '-': 'menos', '*': 'vezes', '/': 'dividido por' },
    is: {
      '==': 'é igual a',
      '!=': 'é diferente de',
      '<': 'é menor que',
      '<=': 'é no máximo',
      '>': 'é maior que',
      '>=': 'é pelo menos',
    },
  },
  en: {
    and: ' and ',
    or: ' or ',
    not: (x: string) => `it is not true that ${x}`,
    has: (x: string) => `something is known about ${x}`,
    oneOf: (x: string, list: string) => `${x} is one of: ${list}`,
    among: (x: string, list: string) => `${x} is among ${list}`,
    onList: (x: string, list: string) => `${x} is on the list “${list}”`,
    starts: (x: string, y: string) => `${x} begins with ${y}`,
    ends: (x: string, y: string) => `${x} ends with ${y}`,
    contains: (x: string, y: string) => `${x} contains ${y}`,
    round: (x: string, y: string) => `${x} is an exact multiple of ${y}`,
    digits: (x: string) => `the digits of ${x}`,
    size: (x: string) => `the number of items among ${x}`,
    hour: (x: string, zone: string) => `the local hour (${zone}) of ${x}`,
    weekday: (x: string, zone: string) => `the day of the week (1 is Monday; ${zone}) of ${x}`,
    day: (x: string, zone: string) => `the day of the month (${zone}) of ${x}`,
    bankDay: (x: string) => `${x} is on a bank day`,
    plain: (x: string) => `${x} without accents and capitals`,
    distance: (from: string, to: string) => `the distance in kilometres between (${from}) and (${to})`,
    hours: (x: string, y: string) => `the hours between ${x} and ${y}`,
    exists: (list: string, body: string) => `among ${list} there is an item such that ${body}`,
    all: (list: string, body: string) => `for each item among ${list}, ${body}`,
    count: (list: string, body: string) => `the number of items among ${list} such that ${body}`,
    sum: (list: string, body: string) => `the sum of the items among ${list} such that ${body}`,
    item: 'the item',
    choice: (test: string, a: string, b: string) => `${a} if ${test}, or else ${b}`,
    minus: (x: string) => `minus ${x}`,
    arithmetic: { '+': 'plus', '-': 'minus', '*': 'times', '/': 'divided by' },
    is: {
      '==': 'is equal to',
      '!=': 'is different from',
      '<': 'is less than',
      '<=': 'is at most',
      '>': 'is more than',
      '>=': 'is at least',
    },
  },
} as const;

class Speaker {
  private readonly phrases: (typeof PHRASES)[Language];
  /** The variable of the current quantifier, with its unit. */
  private item: { readonly name: string; readonly unit: Unit | null } | null = null;

  constructor(
    private readonly language: Language,
    private readonly context: PlainLanguageContext,
  ) {
    this.phrases = PHRASES[language];
  }

  /** Describes a boolean expression. */
  clause(node: Expression): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return node.items.map((item) => this.groupedClause(item)).join(this.phrases[node.kind]);
      case 'not':
        return this.phrases.not(this.groupedClause(node.operand));
      case 'compare':
        return this.comparisonText(node.op, node.left, node.right);
      case 'in':
        return node.right.kind === 'list'
          ? this.phrases.oneOf(this.valueText(node.left), this.valueText(node.right, this.unitOf(node.left)))
          : this.phrases.among(this.valueText(node.left), this.valueText(node.right));
      case 'lookup':
        return this.phrases.onList(this.valueText(node.value), node.list);
      case 'conditional':
        return this.phrases.choice(
          this.clause(node.test),
          this.groupedClause(node.then),
          this.groupedClause(node.otherwise),
        );
      case 'number':
      case 'string':
      case 'bool':
      case 'list':
      case 'path':
      case 'param':
      case 'negate':
      case 'arithmetic':
      case 'call':
      case 'quantifier':
        return this.valueText(node);
    }
  }

  private groupedClause(node: Expression): string {
    const text = this.clause(node);
    return node.kind === 'and' || node.kind === 'or' || node.kind === 'conditional' ? `(${text})` : text;
  }

  private comparisonText(op: ComparisonOperator, left: Expression, right: Expression): string {
    const unit = this.unitOf(left) ?? this.unitOf(right);
    return `${this.valueText(left, unit)} ${this.phrases.is[op]} ${this.valueText(right, unit)}`;
  }

  /** Describes an expression that has a value; numbers without their own unit are in `unit`. */
  private valueText(node: Expression, unit: Unit | null = null): string {
    switch (node.kind) {
      case 'number':
      case 'bool':
        return this.formatIn(node.value, unit);
      case 'string':
        return `“${node.value}”`;
      case 'list':
        return node.items.map((item) => this.valueText(item, unit)).join(', ');
      case 'path':
        return this.fieldText(node.name);
      case 'param':
        return this.parameterText(node.name, unit);
      case 'negate':
        return this.phrases.minus(this.operandText(node.operand, unit));
      case 'arithmetic': {
        // A factor has no unit: `3 times the income`, not `BRL 3.00 times`.
        const scaled = node.op === '*' || node.op === '/';
        const [left, right] = [
          this.operandText(node.left, scaled ? null : unit),
          this.operandText(node.right, scaled ? null : unit),
        ];
        return `${left} ${this.phrases.arithmetic[node.op]} ${right}`;
      }
      case 'conditional':
        return `(${this.phrases.choice(this.clause(node.test), this.valueText(node.then, unit), this.valueText(node.otherwise, unit))})`;
      case 'call':
        return this.callText(node);
      case 'quantifier':
        return this.quantifierText(node);
      case 'not':
      case 'and':
      case 'or':
      case 'compare':
      case 'in':
      case 'lookup':
        return `(${this.clause(node)})`;
    }
  }

  /** Describes an operand, in parentheses if it is arithmetic. */
  private operandText(node: Expression, unit: Unit | null): string {
    const text = this.valueText(node, unit);
    return node.kind === 'arithmetic' ? `(${text})` : text;
  }

  private fieldText(name: string): string {
    if (this.item?.name === name) return this.phrases.item;
    return this.context.schema.find(name)?.label[this.language] ?? name;
  }

  private parameterText(name: string, unit: Unit | null): string {
    const definition = this.context.parameters?.[name];
    if (!definition) return `param.${name}`;
    return `${this.formatIn(definition.value, definition.unit ?? unit)} (${definition.label[this.language]})`;
  }

  private formatIn(value: FactValue, unit: Unit | null): string {
    return formatValue(value, this.language, unit);
  }

  private unitOf(node: Expression): Unit | null {
    if (node.kind === 'path') {
      if (this.item?.name === node.name) return this.item.unit;
      return this.context.schema.find(node.name)?.unit ?? null;
    }
    if (node.kind === 'quantifier') return node.name === 'sum' ? this.unitOf(node.list) : 'COUNT';
    if (node.kind === 'arithmetic') return this.unitOf(node.left) ?? this.unitOf(node.right);
    return null;
  }

  private callText({ name, receiver, args }: ExpressionOf<'call'>): string {
    const [first, second] = args.map((arg) => this.valueText(arg, receiver ? this.unitOf(receiver) : null));
    const receiverText = receiver ? this.valueText(receiver) : '';
    switch (name) {
      case 'has':
        return this.phrases.has(first ?? '');
      case 'hoursBetween':
        return this.phrases.hours(first ?? '', second ?? '');
      case 'startsWith':
        return this.phrases.starts(receiverText, first ?? '');
      case 'endsWith':
        return this.phrases.ends(receiverText, first ?? '');
      case 'contains':
        return this.phrases.contains(receiverText, first ?? '');
      case 'isRound':
        return this.phrases.round(receiverText, first ?? '');
      case 'localHour':
        return this.phrases.hour(receiverText, this.zoneText(args[0]));
      case 'localWeekday':
        return this.phrases.weekday(receiverText, this.zoneText(args[0]));
      case 'localDay':
        return this.phrases.day(receiverText, this.zoneText(args[0]));
      case 'isBankDay':
        return this.phrases.bankDay(receiverText);
      case 'plain':
        return this.phrases.plain(receiverText);
      case 'distanceKm': {
        const [a, b, c, d] = args.map((arg) => this.valueText(arg));
        return this.phrases.distance(`${a ?? ''}; ${b ?? ''}`, `${c ?? ''}; ${d ?? ''}`);
      }
      case 'digits':
        return this.phrases.digits(receiverText);
      case 'size':
        return this.phrases.size(receiverText);
      default:
        return `${name}(${args.map((arg) => this.valueText(arg)).join(', ')})`;
    }
  }

  private zoneText(node: Expression | undefined): string {
    if (node?.kind === 'string') return node.value;
    return node?.kind === 'param' ? String(this.context.parameters?.[node.name]?.value ?? node.name) : '';
  }

  private quantifierText(node: ExpressionOf<'quantifier'>): string {
    const list = this.valueText(node.list);
    this.item = { name: node.variable, unit: this.unitOf(node.list) };
    const body = this.clause(node.body);
    this.item = null;
    switch (node.name) {
      case 'exists':
      case 'all':
      case 'count':
      case 'sum':
        return this.phrases[node.name](list, body);
      default:
        return assertNever(node.name);
    }
  }
}
