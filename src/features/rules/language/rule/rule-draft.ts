import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../platform/kernel/values/canonical-json.js';
import { compileApplicability, isPattern } from './applicability.js';
import { check, type CheckInput } from '../check/check.js';
import type { Parameters } from '../check/types.js';
import type { BoolClosure, TernaryValue } from '../compile/closures.js';
import { compileCondition } from '../compile/compiler.js';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';
import { AGGREGATE_PREFIX, parseDeclarations, type Declarations } from '../declared/declare.js';
import { diagnosticOf, FaultError } from '../syntax/diagnostics.js';
import { comparisonsOf, type RuleComparison } from './explanation.js';
import type { FactSheet } from '../fact-sheet.js';
import { compileMessage, type CompiledMessage } from './message.js';
import type { DampenerDefinition, ParameterDefinition, RuleDefinition } from './rule-definition.js';
import type { FeatureSchema, TextApplies } from '../schema.js';
import type { Diagnostic, Language } from '../vocabulary.js';

/** The name and version of the language, stored with compiled rules. */
export const DIALECT = 'vigia-rules/1';

export interface CompiledText {
  readonly dialect: string;
  readonly schemaVersion: number;
  /** Features that are read by the condition, its tiers, the message and the evidence, sorted by name. */
  readonly features: readonly string[];
  /** Steps that an evaluation takes at most. */
  readonly cost: number;
  /** SHA-256 over dialect, schema version and definition, in hexadecimal. */
  readonly sha256: string;
}

export interface RuleContext {
  readonly schema: FeatureSchema;
  /** Ids of lists that exist; without it any id is accepted. */
  readonly lists?: ReadonlySet<string>;
}

/** A condition in two forms. Only `careful` respects lower bounds; it is slower, and lower bounds are rare. */
export interface ConditionPair {
  readonly exact: BoolClosure;
  readonly careful: BoolClosure;
  readonly leaves: readonly RuleComparison[];
}

/** The program that a definition is compiled to. */
export interface CompiledParts {
  /**
   * All features that the definition can read, named as in its texts: those of the service, and those that it declares.
   */
  readonly schema: FeatureSchema;
  readonly applies: TextApplies;
  readonly condition: ConditionPair;
  readonly message: (sheet: FactSheet, language: Language) => string;
}

export const runCondition = ({ exact, careful }: ConditionPair, sheet: FactSheet): TernaryValue =>
  sheet.saturated === null ? exact(sheet) : careful(sheet);

const KEY = /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$/;
const PARAMETER_NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const DURATION = /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?)?$/;
const MAX_KEY = 40;

/** Collects the faults of a definition, the features that it reads, and its cost, text by text. */
export class RuleCompilation {
  readonly diagnostics: Diagnostic[] = [];
  private readonly features = new Set<string>();
  private readonly lists = new Set<string>();
  private readonly parameters: Parameters;
  private readonly context: RuleContext;
  private readonly declarations: Declarations;
  private cost = 0;

  constructor(
    private readonly definition: RuleDefinition | DampenerDefinition,
    context: RuleContext,
  ) {
    this.declarations = parseDeclarations(definition);
    this.diagnostics.push(...this.declarations.diagnostics);
    this.context = { ...context, schema: context.schema.withNames(this.declarations.features) };
    this.parameters = Object.fromEntries(
      Object.entries(definition.parameters).map(([name, parameter]) => [name, parameter.value]),
    );
    if (!KEY.test(definition.key) || definition.key.length > MAX_KEY) {
      this.refuse(
        'key',
        'The key is not well formed.',
        'capital letters, digits and hyphens, such as BR-PIX-15',
      );
    }
    this.checkParameters(definition.parameters);
    this.checkPatterns();
  }

  refuse(path: string, message: string, expected: string, suggestion?: string): void {
    const fault = new FaultError('DEFINITION_INVALID', { start: 0, end: 0 }, message, {
      expected,
      suggestion,
    });
    this.diagnostics.push(diagnosticOf(fault, '', path));
  }

  /** Checks the fields that only rules have. */
  checkRule({ score, evidence, lists, cooldown }: RuleDefinition): void {
    const points = [score.points, ...(score.tiers ?? []).map((tier) => tier.points)];
    if (!points.every((one) => Number.isInteger(one) && one >= 0 && one <= 100)) {
      this.refuse('score', 'Points are whole numbers.', 'from 0 to 100');
    }
    evidence.forEach(({ feature }, i) => {
      if (this.context.schema.find(feature)) {
        this.addFeatures([feature]);
        return;
      }
      const suggestion = didYouMean(feature, this.context.schema.names());
      this.refuse(`evidence.${i}.feature`, 'There is no such field.', 'a field of the schema', suggestion);
    });
    if (cooldown !== null && !DURATION.test(cooldown)) {
      this.refuse('cooldown', 'The cooldown is not well formed.', 'an ISO 8601 duration such as PT24H');
    }
    this.declaredLists = lists;
  }

  private declaredLists: readonly string[] | null = null;

  condition(text: string, path: string): ConditionPair | null {
    const checkedText = check(text, this.checkInput(path));
    if (!checkedText.ok) {
      this.diagnostics.push(...checkedText.diagnostics.filter((one) => !this.isAnnounced(one)));
      return null;
    }
    this.addFeatures(checkedText.features);
    this.cost += checkedText.cost;
    for (const list of checkedText.lists) this.lists.add(list);
    const { schema } = this.context;
    return {
      exact: compileCondition(checkedText.ast, { schema, parameters: this.parameters, minding: 'EXACT' }),
      careful: compileCondition(checkedText.ast, {
        schema,
        parameters: this.parameters,
        minding: 'SATURATED',
      }),
      leaves: comparisonsOf(checkedText.ast, text, schema, this.parameters),
    };
  }

  /** Compiles the fields that every definition has; null if there is a fault. */
  finish(when: string, texts: RuleDefinition['message']): CompiledParts | null {
    const condition = this.condition(when, 'when');
    const messages = (['pt-BR', 'en'] as const).map((language) =>
      this.compileText(texts[language], language),
    );
    if (
      condition &&
      this.declaredLists &&
      String([...this.declaredLists].sort()) !== String([...this.lists].sort())
    ) {
      this.refuse('lists', 'These are not the lists that the rule asks.', [...this.lists].sort().join(', '));
    }
    const [portuguese, english] = messages;
    if (this.diagnostics.length > 0 || !condition || !portuguese || !english) return null;
    return {
      schema: this.context.schema,
      applies: compileApplicability(this.definition.appliesTo, this.context.schema),
      condition,
      message: (sheet, language) => (language === 'en' ? english : portuguese)(sheet),
    };
  }

  compiledText(): CompiledText {
    const { version: schemaVersion } = this.context.schema;
    const pinned = canonicalJson({ dialect: DIALECT, schemaVersion, definition: this.definition });
    return {
      dialect: DIALECT,
      schemaVersion,
      features: [...this.features].sort(),
      cost: this.cost,
      sha256: createHash('sha256').update(pinned).digest('hex'),
    };
  }

  /** True if a field is unknown only because its own declaration has a fault, which is reported already. */
  private isAnnounced({ code, found }: Diagnostic): boolean {
    const name = found?.startsWith(AGGREGATE_PREFIX) === true ? found.slice(AGGREGATE_PREFIX.length) : '';
    return (
      code === 'UNKNOWN_FIELD' &&
      this.declarations.diagnostics.length > 0 &&
      Object.hasOwn(this.definition.aggregates ?? {}, name)
    );
  }

  private compileText(text: string, language: Language): CompiledMessage | null {
    const messageResult = compileMessage(
      text,
      language,
      this.definition.parameters,
      this.checkInput(`message.${language}`),
    );
    if (messageResult.ok) {
      this.addFeatures(messageResult.features);
      return messageResult.message;
    }
    this.diagnostics.push(...messageResult.diagnostics.filter((one) => !this.isAnnounced(one)));
    return null;
  }

  private checkInput(path: string): CheckInput {
    const { schema, lists } = this.context;
    return { schema, parameters: this.parameters, path, ...(lists ? { lists } : {}) };
  }

  private addFeatures(features: readonly string[]): void {
    for (const feature of features) this.features.add(feature);
  }

  private checkParameters(parameters: Readonly<Record<string, ParameterDefinition>>): void {
    for (const [name, { value }] of Object.entries(parameters)) {
      const path = `parameters.${name}`;
      if (!PARAMETER_NAME.test(name)) this.refuse(path, 'The name is not well formed.', 'letters and digits');
      const items: readonly unknown[] = Array.isArray(value) ? value : [value];
      const [first] = items;
      const isUniform = items.every(
        (item) => typeof item === typeof first && (typeof item !== 'number' || Number.isFinite(item)),
      );
      if (first === undefined || !isUniform || typeof first === 'object') {
        this.refuse(path, 'The value is not one.', 'a number, a text, true, false, or a list of one kind');
      }
    }
  }

  private checkPatterns(): void {
    const { types, channels, currencies, directions } = this.definition.appliesTo;
    const patterns = { types, channels, currencies, directions };
    for (const [name, list] of Object.entries(patterns)) {
      if (list.length === 0 || !list.every(isPattern)) {
        this.refuse(
          `appliesTo.${name}`,
          'The rule would apply to nothing.',
          'codes such as PIX_TRANSFER, PIX_* or *',
        );
      }
    }
  }
}
