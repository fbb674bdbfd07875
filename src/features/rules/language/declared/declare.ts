import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';
import { digestOf } from '../../../../platform/kernel/values/digest.js';
import { check } from '../check/check.js';
import type { Parameters } from '../check/types.js';
import { compileCondition } from '../compile/compiler.js';
import type { ParameterDefinition } from '../rule/rule-definition.js';
import { NO_NUMBER, type DeclaredFeature } from '../schema.js';
import { diagnosticOf, FaultError } from '../syntax/diagnostics.js';
import { printExpression } from '../syntax/printer.js';
import { LIMITS, type Diagnostic, type Language } from '../vocabulary.js';
import { describeAggregate } from '../words/aggregate-words.js';
import type { RatioAggregate, RowValue, WindowAggregate } from './aggregate.js';
import {
  aggregateFunctions,
  aggregateKeys,
  eventKeys,
  type AggregateDefinition,
  type DeclaringDefinition,
} from './aggregate-definition.js';
import { aggregateCost } from './aggregate-cost.js';
import { unitOf, type FunctionShape } from './aggregate-shape.js';
import {
  CUSTOM_PREFIX,
  customFieldFeature,
  type CustomFieldFeature,
  type CustomField,
} from './custom-field.js';
import { figureTypeOf, rowsOf, type CheckedFilter } from './aggregate-rows.js';
import { eventRowSchema, rowSchema } from './row-schema.js';
import { MAX_WINDOW_DAYS, parseSpan, parseWindow, maxReachMsOf } from './window.js';

/** The prefix of aggregates in the texts of the rule that declares them. */
export const AGGREGATE_PREFIX = 'aggregate.';
const NAME = /^[a-z][A-Za-z0-9]{0,39}$/;
const DAY_MS = 86_400_000;
const MEMBERS: readonly (keyof AggregateDefinition)[] = [
  'function',
  'of',
  'events',
  'percentile',
  'by',
  'window',
  'offset',
  'where',
  'current',
  'label',
];

/** The features that a rule declares, ready to be computed, and their faults. */
export interface Declarations {
  /** The declared features, under the names that the texts of the rule use. */
  readonly features: readonly DeclaredFeature[];
  readonly diagnostics: readonly Diagnostic[];
}

const NO_DECLARATIONS: Declarations = { features: [], diagnostics: [] };

interface Parametrised {
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
}

/** Reads the declarations of a rule or dampener. Filters may read its parameters. */
export function parseDeclarations(declaring: DeclaringDefinition & Parametrised): Declarations {
  if (!declaring.aggregates && !declaring.customFields) return NO_DECLARATIONS;
  const reader = new DeclarationReader(declaring);
  reader.read();
  return reader;
}

class DeclarationReader implements Declarations {
  readonly diagnostics: Diagnostic[] = [];
  readonly features: DeclaredFeature[] = [];
  private readonly customFieldFeatures: ReadonlyMap<string, CustomFieldFeature>;
  private readonly aggregates: ReadonlyMap<string, AggregateDefinition>;
  private readonly windows = new Map<string, WindowAggregate>();
  private readonly definitions: Parametrised['parameters'];
  private readonly parameters: Parameters;

  constructor({ aggregates = {}, customFields = {}, parameters }: DeclaringDefinition & Parametrised) {
    this.definitions = parameters;
    this.parameters = Object.fromEntries(
      Object.entries(parameters).map(([name, { value }]) => [name, value]),
    );
    this.aggregates = new Map(Object.entries(aggregates));
    this.customFieldFeatures = new Map(
      Object.values(customFields).map((field) => [CUSTOM_PREFIX + field.name, customFieldFeature(field)]),
    );
    this.features.push(...this.customFieldFeatures.values());
  }

  read(): void {
    if (this.aggregates.size > LIMITS.aggregates) {
      this.refuse('aggregates', 'A rule declares too many aggregates.', `at most ${LIMITS.aggregates}`);
      return;
    }
    // Ratios are declared last, because they refer to other aggregates.
    for (const [name, definition] of this.aggregates) {
      if (definition.function === 'ratio' || !this.isWellFormed(name, definition)) continue;
      const aggregate = this.parseWindowAggregate(name, definition, definition.function);
      if (!aggregate) continue;
      this.windows.set(name, aggregate);
      this.features.push(aggregate);
    }
    for (const [name, definition] of this.aggregates) {
      if (definition.function !== 'ratio' || !this.isWellFormed(name, definition)) continue;
      const ratio = this.parseRatio(name, definition);
      if (ratio) this.features.push(ratio);
    }
  }

  private refuse(path: string, message: string, expected: string, suggestion?: string): null {
    const fault = new FaultError('DEFINITION_INVALID', { start: 0, end: 0 }, message, {
      expected,
      suggestion,
    });
    this.diagnostics.push(diagnosticOf(fault, '', path));
    return null;
  }

  private isWellFormed(name: string, definition: AggregateDefinition): boolean {
    const path = `aggregates.${name.slice(0, 64)}`;
    if (!NAME.test(name)) {
      this.refuse(path, 'The name is not well formed.', 'a small letter, then letters and digits');
      return false;
    }
    const odd = Object.keys(definition).find((key) => !MEMBERS.some((member) => member === key));
    if (odd !== undefined) {
      const suggestion = didYouMean(odd, MEMBERS);
      this.refuse(`${path}.${odd.slice(0, 64)}`, 'There is no such member.', MEMBERS.join(', '), suggestion);
      return false;
    }
    if (aggregateFunctions.includes(definition.function)) return true;
    this.refuse(
      `${path}.function`,
      'There is no such function.',
      aggregateFunctions.join(', '),
      didYouMean(definition.function, aggregateFunctions),
    );
    return false;
  }

  private parseWindowAggregate(
    name: string,
    definition: AggregateDefinition,
    fn: WindowAggregate['function'],
  ): WindowAggregate | null {
    const path = `aggregates.${name}`;
    const before = this.diagnostics.length;
    const { events, shape, fault } = rowsOf(definition, fn);
    if (fault) this.refuse(`${path}.${fault.member}`, fault.message, fault.expected, fault.suggestion);
    const valueAt = shape && this.valueOf(path, definition, fn, shape);
    const by = this.keyOf(path, definition.by, events ? eventKeys : aggregateKeys);
    const window = this.windowOf(path, definition);
    const percentile = this.percentileOf(path, definition, fn);
    const where =
      definition.where === undefined ? null : this.filterOf(path, definition.where, events !== null);
    const words = (language: Language): string =>
      describeAggregate(definition, language, where?.ast ?? null, this.definitions);
    if (this.diagnostics.length > before || !shape || !by || !window) return null;
    const includesCurrent = events === null && (definition.current ?? true);
    const identityParts = {
      declares: 'AGGREGATE',
      function: fn,
      of: valueAt && (valueAt.field ? customFieldFeature(valueAt.field).identity : valueAt.name),
      percentile,
      by: by.key === 'custom' ? customFieldFeature(by.field).identity : by.key,
      window: definition.window,
      offset: definition.offset ?? null,
      where: where?.identityParts ?? null,
      current: includesCurrent,
      // Absent without events, so that older identities stay.
      ...(events && { events }),
    };
    const parts = { function: fn, of: valueAt, events, percentile, by, includesCurrent, ...window };
    const filter = where?.filter ?? null;
    return {
      kind: 'AGGREGATE',
      identity: identityOf(identityParts),
      ...parts,
      filter,
      cost: aggregateCost({ fn, of: valueAt, filter, filterCost: where?.cost ?? 0 }),
      definition: {
        number: NO_NUMBER,
        name: AGGREGATE_PREFIX + name,
        type: figureTypeOf(fn, valueAt),
        source: 'AGGREGATE',
        component: 'VELOCITY',
        window: definition.window ?? null,
        unit: unitOf(fn, valueAt?.field ? null : (valueAt?.name ?? null)),
        nullable: true,
        personal: false,
        // Values of custom fields may be negative, so rows that are missing may also lower their sum.
        capped: shape.grows && !(fn === 'sum' && valueAt?.field),
        includesCurrent,
        description: words('en'),
        label: definition.label ?? { 'pt-BR': words('pt-BR'), en: words('en') },
      },
    };
  }

  private parseRatio(name: string, definition: AggregateDefinition): RatioAggregate | null {
    const path = `aggregates.${name}`;
    const { of, label } = definition;
    const extra = MEMBERS.filter((member) => !['function', 'of', 'label'].includes(member)).find(
      (member) => definition[member] !== undefined,
    );
    if (extra) return this.refuse(`${path}.${extra}`, 'A ratio has no such member.', 'function, of, label');
    const names = Array.isArray(of) ? (of as readonly string[]) : [];
    const [a, b] = names.map((part) => this.windows.get(part));
    if (names.length !== 2 || !a || !b) {
      const unknown = names.find((part) => !this.windows.has(part));
      return this.refuse(
        `${path}.of`,
        'A ratio is of two other aggregates of the rule, none of them a ratio.',
        'the names of two aggregates',
        unknown === undefined ? undefined : didYouMean(unknown, this.windows.keys()),
      );
    }
    const numeric = [a, b].every((part) => part.definition.type === 'number');
    if (!numeric) return this.refuse(`${path}.of`, 'A ratio is of two numbers.', 'aggregates with numbers');
    const labels = {
      'pt-BR': `${a.definition.label['pt-BR']} sobre ${b.definition.label['pt-BR']}`,
      en: `${a.definition.label.en} over ${b.definition.label.en}`,
    };
    return {
      kind: 'AGGREGATE',
      identity: identityOf({ declares: 'AGGREGATE', function: 'ratio', of: [a.identity, b.identity] }),
      function: 'ratio',
      parts: [a.identity, b.identity],
      cost: 1,
      definition: {
        number: NO_NUMBER,
        name: AGGREGATE_PREFIX + name,
        type: 'number',
        source: 'AGGREGATE',
        component: 'VELOCITY',
        window: a.definition.window,
        unit: 'PERCENT',
        nullable: true,
        personal: false,
        capped: a.definition.capped,
        includesCurrent: a.includesCurrent || b.includesCurrent,
        description: labels.en,
        label: label ?? labels,
      },
    };
  }

  private valueOf(
    path: string,
    { of }: AggregateDefinition,
    fn: WindowAggregate['function'],
    shape: FunctionShape,
  ): RowValue | null {
    if (shape.of.length === 0) {
      return of === undefined ? null : this.refuse(`${path}.of`, 'A count is of nothing.', 'no `of`');
    }
    const name = of ?? (fn === 'distinct' ? undefined : shape.of[0]);
    if (typeof name !== 'string') {
      return this.refuse(`${path}.of`, 'Say of what.', `one of ${shape.of.join(', ')}`);
    }
    if (shape.of.includes(name)) return { name, field: null };
    const customField = this.customFieldFeatures.get(name);
    if (customField && !shape.custom.includes(customField.definition.type)) {
      return this.refuse(`${path}.of`, 'This is of the wrong type.', shape.custom.join(' or '));
    }
    if (customField) {
      return this.requireKept(`${path}.of`, customField) ? { name, field: customField.field } : null;
    }
    const near = didYouMean(name, [...shape.of, ...this.customFieldFeatures.keys()]);
    return this.refuse(`${path}.of`, `There is no ${fn} of that.`, `one of ${shape.of.join(', ')}`, near);
  }

  private keyOf(
    path: string,
    by: string | undefined,
    keys: typeof aggregateKeys | typeof eventKeys,
  ): WindowAggregate['by'] | null {
    const key = keys.find((one) => one === by);
    if (key) return { key };
    if (keys === eventKeys) {
      const fault = 'Say whose events.';
      return this.refuse(`${path}.by`, fault, `one of ${keys.join(', ')}`, didYouMean(by ?? '', keys));
    }
    const customField = by === undefined ? undefined : this.customFieldFeatures.get(by);
    if (customField?.field.history === 'KEY') return { key: 'custom', field: customField.field };
    if (customField) {
      return this.refuse(`${path}.by`, 'This field is not kept as a key.', 'history KEY');
    }
    const near =
      by === undefined ? undefined : didYouMean(by, [...aggregateKeys, ...this.customFieldFeatures.keys()]);
    return this.refuse(
      `${path}.by`,
      'Say whose transactions.',
      `one of ${aggregateKeys.join(', ')}, or a custom field`,
      near,
    );
  }

  private windowOf(
    path: string,
    { window: text, offset }: AggregateDefinition,
  ): Pick<WindowAggregate, 'window' | 'offsetMs'> | null {
    const window = typeof text === 'string' ? parseWindow(text) : null;
    if (!window) {
      return this.refuse(
        `${path}.window`,
        'This is no window.',
        '1m to 400d, such as 30m, 24h, 90d; 1bd to 60bd; or day',
      );
    }
    const offsetMs = offset === undefined ? 0 : typeof offset === 'string' ? parseSpan(offset) : null;
    if (offsetMs === null || (offsetMs > 0 && window.kind !== 'SPAN')) {
      return this.refuse(
        `${path}.offset`,
        'This is no offset.',
        'a time such as 1d, of a window such as 30d',
      );
    }
    if (maxReachMsOf(window, offsetMs) > MAX_WINDOW_DAYS * DAY_MS) {
      return this.refuse(`${path}.window`, 'The window is too long.', `at most ${MAX_WINDOW_DAYS} days`);
    }
    return { window, offsetMs };
  }

  private percentileOf(path: string, { percentile }: AggregateDefinition, fn: string): number | null {
    if (fn !== 'percentile') {
      if (percentile === undefined) return null;
      return this.refuse(`${path}.percentile`, 'Only a percentile has one.', 'no `percentile`');
    }
    const fits = typeof percentile === 'number' && percentile > 0 && percentile <= 100;
    return fits ? percentile : this.refuse(`${path}.percentile`, 'Say which.', 'above 0, up to 100');
  }

  private filterOf(path: string, text: string, isOfEvents: boolean): CheckedFilter | null {
    const readable = [...this.customFieldFeatures.values()].filter(({ field }) => isKept(field));
    const schema = isOfEvents ? eventRowSchema : rowSchema.withNames(readable);
    const checkedText = check(text, { schema, parameters: this.parameters, path: `${path}.where` });
    if (!checkedText.ok) {
      this.diagnostics.push(...checkedText.diagnostics);
      return null;
    }
    const [list] = checkedText.lists;
    if (list !== undefined) {
      return this.refuse(`${path}.where`, 'A filter asks no lists.', 'a list of values, or a parameter');
    }
    if (checkedText.cost > LIMITS.filterCost) {
      const hints = { expected: `a cost of at most ${LIMITS.filterCost}`, found: String(checkedText.cost) };
      const fault = new FaultError(
        'TOO_EXPENSIVE',
        checkedText.ast,
        'The filter may take too many steps.',
        hints,
      );
      this.diagnostics.push(diagnosticOf(fault, text, `${path}.where`));
      return null;
    }
    const { ast, cost } = checkedText;
    const parameters = this.parameters;
    // Filters are the same if their printed texts, parameter values and custom fields are the same.
    const identityParts = {
      text: printExpression(ast),
      parameters: Object.fromEntries(checkedText.parameters.map((name) => [name, parameters[name] ?? ''])),
      customFields: checkedText.features.flatMap((name) => schema.getKnown(name).declared?.identity ?? []),
    };
    return {
      ast,
      cost,
      filter: {
        identity: identityOf(identityParts),
        schema,
        columns: checkedText.features.map((name) => schema.getKnown(name)),
        condition: compileCondition(ast, { schema, parameters, minding: 'EXACT' }),
      },
      identityParts,
    };
  }

  /** True if the values of a custom field are stored for windows, else reports a fault. */
  private requireKept(path: string, { field }: CustomFieldFeature): boolean {
    if (isKept(field)) return true;
    this.refuse(
      path,
      'No values of this field are kept for windows.',
      'a field with history VALUE or KEY that is not personal',
    );
    return false;
  }
}

const isKept = ({ history, personal }: CustomField): boolean => history !== 'NONE' && !personal;

const identityOf = (declaration: object): string => digestOf(canonicalJson(declaration)).slice(0, 32);
