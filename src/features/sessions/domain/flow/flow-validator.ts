import { table } from '../../../../platform/kernel/table.js';
import { compileConditionOver, type ReadableField } from '../../../rules/index.js';
import { readableChecks, readableFieldsOf } from './conditions.js';
import {
  codeChannels,
  documentSides,
  fieldRoles,
  fieldTypes,
  languages,
  peopleRoles,
  questionTypes,
  type FlowStep,
} from './flow.js';
import { ALWAYS_KNOWN } from './inputs.js';

/** One problem of a flow: path, code and message, without any text of the flow. */
export interface FlowProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const ID = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const CODE = /^[A-Z][A-Z0-9_]{0,39}$/;
export const LIMITS = {
  steps: 20,
  inputs: 40,
  options: 60,
  documents: 20,
  label: 300,
  text: 5_000,
  problems: 50,
  groupItems: 20,
} as const;

const FIELD_MEMBERS = [
  'id',
  'type',
  'label',
  'help',
  'required',
  'minLength',
  'maxLength',
  'options',
  'role',
];

export type PlainObject = Readonly<Record<string, unknown>>;

/** Collects the problems of a flow, part by part. */
export class FlowValidator {
  readonly problems: FlowProblem[] = [];
  /** Answers to earlier inputs, with their kinds. */
  private readonly answers = new Map<string, 'boolean' | 'choice' | 'text'>();
  private readonly ids = new Set<string>();
  /** The fields that conditions of the rule language may read at the current place. */
  private readonly readable: ReadableField[] = [];

  validateField(input: unknown, at: string): void {
    const field = this.object(input, at);
    if (!field) return;
    this.refuseUnknownKeys(field, at, [...FIELD_MEMBERS, 'when']);
    this.validateId(field['id'], `${at}.id`, true);
    this.validateWhen(field['when'], `${at}.when`);
    this.validateFieldMembers(field, at);
  }

  private validateFieldMembers(field: PlainObject, at: string): void {
    this.localised(field['label'], `${at}.label`, LIMITS.label);
    if (field['help'] !== undefined) this.localised(field['help'], `${at}.help`, LIMITS.label);
    this.flag(field['required'], `${at}.required`);
    const type = this.oneOf(field['type'], `${at}.type`, fieldTypes);
    this.lengths(field, at);
    this.options(field['options'], `${at}.options`, type === 'SELECT');
    if (field['role'] !== undefined) this.oneOf(field['role'], `${at}.role`, fieldRoles);
    this.registerAnswer(field['id'], type === 'SELECT' ? 'choice' : 'text');
    // The specification names these ids and the checks read them, so their types are fixed.
    const fixed: Readonly<Record<string, string>> = table({
      name: 'TEXT',
      cpf: 'CPF',
      cnpj: 'CNPJ',
      birthDate: 'DATE',
    });
    const fixedRole = typeof field['id'] === 'string' ? fixed[field['id']] : undefined;
    if (fixedRole !== undefined && type !== null && type !== fixedRole) {
      this.add(`${at}.type`, 'VALUE_NOT_ALLOWED', `A field of this id has the type ${fixedRole}.`);
    }
  }

  validateQuestion(input: unknown, at: string): void {
    const question = this.object(input, at);
    if (!question) return;
    this.refuseUnknownKeys(question, at, [
      'id',
      'type',
      'label',
      'required',
      'options',
      'maxLength',
      'showIf',
      'when',
    ]);
    this.validateWhen(question['when'], `${at}.when`);
    this.validateId(question['id'], `${at}.id`);
    this.localised(question['label'], `${at}.label`, LIMITS.label);
    this.flag(question['required'], `${at}.required`);
    const type = this.oneOf(question['type'], `${at}.type`, questionTypes);
    this.lengths(question, at);
    this.validateCondition(question['showIf'], `${at}.showIf`);
    const chooses = type === 'SINGLE_CHOICE' || type === 'MULTIPLE_CHOICE';
    this.options(question['options'], `${at}.options`, chooses);
    this.registerAnswer(question['id'], type === 'BOOLEAN' ? 'boolean' : chooses ? 'choice' : 'text');
  }

  /** Validates a repeated group. Its fields have a namespace of their own, because each item is an object. */
  validateGroup(step: PlainObject, at: string): void {
    this.localised(step['itemTitle'], `${at}.itemTitle`, LIMITS.label);
    this.integer(step['min'], `${at}.min`, 0, LIMITS.groupItems);
    this.integer(step['max'], `${at}.max`, 1, LIMITS.groupItems);
    const { min, max, people } = step;
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      this.add(`${at}.min`, 'TOO_LARGE', 'Must not be larger than max.');
    }
    const ids = new Set<unknown>();
    this.each(step['fields'], `${at}.fields`, LIMITS.inputs, (one, path) => {
      const field = this.object(one, path);
      if (!field) return;
      this.refuseUnknownKeys(field, path, FIELD_MEMBERS);
      if (typeof field['id'] !== 'string' || !ID.test(field['id'])) {
        this.validateId(field['id'], `${path}.id`, true);
      } else if (ids.has(field['id'])) this.add(`${path}.id`, 'NOT_UNIQUE', 'Named twice in this group.');
      ids.add(field['id']);
      this.validateFieldMembers(field, path);
    });
    if (people === undefined) return;
    const peopleObject = this.object(people, `${at}.people`);
    if (!peopleObject) return;
    this.refuseUnknownKeys(peopleObject, `${at}.people`, ['as', 'session']);
    this.oneOf(peopleObject['as'], `${at}.people.as`, peopleRoles);
    if (peopleObject['session'] === undefined) return;
    const session = this.object(peopleObject['session'], `${at}.people.session`);
    if (!session) return;
    this.refuseUnknownKeys(session, `${at}.people.session`, ['flowKey', 'required']);
    this.text(session['flowKey'], `${at}.people.session.flowKey`, 63);
    this.flag(session['required'], `${at}.people.session.required`);
  }

  /** Validates a code step: the code can only be sent to an address that an earlier step asks for. */
  validateCodeStep(step: PlainObject, at: string): void {
    this.oneOf(step['channel'], `${at}.channel`, codeChannels);
    const to = this.text(step['to'], `${at}.to`, 40);
    if (to !== null && !this.readable.some(({ name }) => name === `answers.${to}`)) {
      this.add(`${at}.to`, 'NOT_ASKED_BEFORE', 'No field of this id is asked in a step before.');
    }
    if (step['required'] !== true) {
      this.add(`${at}.required`, 'VALUE_NOT_ALLOWED', 'A code that nobody has to give proves nothing.');
    }
  }

  /** Validates a condition of the rule language, which may read earlier steps and check results. */
  validateWhen(text: unknown, at: string): void {
    if (text === undefined || this.text(text, at, 2_000) === null) return;
    const condition = compileConditionOver([...readableChecks, ...this.readable], text as string, at);
    if (condition.ok) return;
    for (const { code, message, line, column, suggestion } of condition.diagnostics) {
      const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
      this.add(at, code, `${message} (line ${line}, column ${column})${hint}`);
    }
  }

  /** Allows the following conditions to read the answers of the step. */
  addReadableStep(step: PlainObject): void {
    try {
      for (const field of readableFieldsOf(step as unknown as FlowStep)) {
        if (!this.readable.some(({ name }) => name === field.name)) this.readable.push(field);
      }
    } catch {
      // The step is malformed; its problems are reported already.
    }
  }

  documents(input: unknown, at: string): void {
    const types = new Set<unknown>();
    this.each(input, at, LIMITS.documents, (one, path) => {
      const document = this.object(one, path);
      if (!document) return;
      this.refuseUnknownKeys(document, path, ['type', 'label', 'sides']);
      this.code(document['type'], `${path}.type`);
      if (types.has(document['type'])) this.add(`${path}.type`, 'NOT_UNIQUE', 'Named twice in this step.');
      types.add(document['type']);
      this.localised(document['label'], `${path}.label`, LIMITS.label);
      const sides = this.list(document['sides'], `${path}.sides`, 1, documentSides.length);
      sides.forEach((side, i) => {
        this.oneOf(side, `${path}.sides[${i}]`, documentSides);
      });
      if (new Set(sides).size !== sides.length) {
        this.add(`${path}.sides`, 'ITEMS_NOT_UNIQUE', 'The items must differ from each other.');
      }
    });
  }

  options(input: unknown, at: string, wanted: boolean): void {
    if (!wanted) {
      if (input !== undefined) this.add(at, 'UNKNOWN_FIELD', 'Only what is chosen from has options.');
      return;
    }
    const values = new Set<unknown>();
    this.each(input, at, LIMITS.options, (one, path) => {
      const option = this.object(one, path);
      if (!option) return;
      this.refuseUnknownKeys(option, path, ['value', 'label']);
      this.text(option['value'], `${path}.value`, 60);
      if (values.has(option['value'])) {
        this.add(`${path}.value`, 'NOT_UNIQUE', 'Named twice in these options.');
      }
      values.add(option['value']);
      this.localised(option['label'], `${path}.label`, LIMITS.label);
    });
  }

  /** Validates a condition. It may only read answers of earlier steps, which are known when the step is shown. */
  validateCondition(input: unknown, at: string): void {
    if (input === undefined) return;
    const condition = this.object(input, at);
    if (!condition) return;
    this.refuseUnknownKeys(condition, at, ['answer', 'equals', 'in']);
    const answer = this.text(condition['answer'], `${at}.answer`, 40);
    if (answer === null) return;
    const kind = this.answers.get(answer);
    if (!kind) {
      this.add(`${at}.answer`, 'NOT_ASKED_BEFORE', 'Nothing of this id is asked before this place.');
      return;
    }
    const { equals, in: among } = condition;
    if ((equals === undefined) === (among === undefined)) {
      this.add(at, 'EITHER_OR', 'A condition has either `equals` or `in`.');
    } else if (equals !== undefined && typeof equals !== (kind === 'boolean' ? 'boolean' : 'string')) {
      this.add(`${at}.equals`, 'TYPE_INVALID', `Must be a ${kind === 'boolean' ? 'boolean' : 'string'}.`);
    } else if (among !== undefined) {
      if (kind === 'boolean') this.add(`${at}.in`, 'VALUE_NOT_ALLOWED', 'Use `equals` for yes or no.');
      this.list(among, `${at}.in`, 1, LIMITS.options).forEach((one, i) => {
        this.text(one, `${at}.in[${i}]`, 60);
      });
    }
  }

  lengths(input: PlainObject, at: string): void {
    for (const name of ['minLength', 'maxLength']) {
      if (input[name] !== undefined) this.integer(input[name], `${at}.${name}`, 1, 500);
    }
    const { minLength, maxLength } = input;
    if (typeof minLength === 'number' && typeof maxLength === 'number' && minLength > maxLength) {
      this.add(`${at}.minLength`, 'TOO_LARGE', 'Must not be larger than maxLength.');
    }
  }

  registerAnswer(id: unknown, kind: 'boolean' | 'choice' | 'text'): void {
    if (typeof id === 'string') this.answers.set(id, kind);
  }

  /** Validates an id. Ids are unique over the whole flow, because all answers are sent in one object. */
  validateId(value: unknown, at: string, mayBeFixed = false): void {
    if (typeof value !== 'string' || !ID.test(value)) {
      this.add(
        at,
        'PATTERN_MISMATCH',
        'Must begin with a letter and have up to 40 letters, digits or underscores.',
      );
      return;
    }
    if (this.ids.has(value)) this.add(at, 'NOT_UNIQUE', 'Another step, field or question has this id.');
    if (!mayBeFixed && ALWAYS_KNOWN.some((known) => known === value)) {
      this.add(at, 'VALUE_NOT_ALLOWED', 'This id belongs to a field of the specification.');
    }
    this.ids.add(value);
  }

  code(value: unknown, at: string): void {
    if (typeof value !== 'string' || !CODE.test(value)) {
      this.add(at, 'PATTERN_MISMATCH', 'Must be capital letters, digits and underscores.');
    }
  }

  localised(value: unknown, at: string, max: number): void {
    const texts = this.object(value, at);
    if (!texts) return;
    this.refuseUnknownKeys(texts, at, languages);
    for (const language of languages) {
      if (language === 'pt-BR' || texts[language] !== undefined) {
        this.text(texts[language], `${at}.${language}`, max);
      }
    }
  }

  text(value: unknown, at: string, max: number): string | null {
    if (typeof value !== 'string') {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be a string.');
      return null;
    }
    if (value.trim() === '') this.add(at, 'TOO_SHORT', 'Must not be empty.');
    if (value.length > max) this.add(at, 'TOO_LONG', `Must have at most ${max} characters.`);
    return value;
  }

  flag(value: unknown, at: string): void {
    if (typeof value !== 'boolean') {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be true or false.');
    }
  }

  integer(value: unknown, at: string, min: number, max: number): void {
    if (!Number.isInteger(value)) {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be an integer.');
    } else if ((value as number) < min || (value as number) > max) {
      this.add(at, (value as number) < min ? 'TOO_SMALL' : 'TOO_LARGE', `Must be from ${min} to ${max}.`);
    }
  }

  oneOf<const T extends string>(value: unknown, at: string, allowed: readonly T[]): T | null {
    const found = allowed.find((one) => one === value);
    if (found === undefined) {
      this.add(
        at,
        value === undefined ? 'REQUIRED' : 'VALUE_NOT_ALLOWED',
        `Must be one of ${allowed.join(', ')}.`,
      );
    }
    return found ?? null;
  }

  list(value: unknown, at: string, min: number, max: number): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be a list.');
      return [];
    }
    if (value.length < min) this.add(at, 'TOO_FEW_ITEMS', `Must have at least ${min} items.`);
    if (value.length > max) this.add(at, 'TOO_MANY_ITEMS', `Must have at most ${max} items.`);
    return value.slice(0, max) as unknown[];
  }

  each(value: unknown, at: string, max: number, look: (one: unknown, path: string) => void): void {
    this.list(value, at, 1, max).forEach((one, i) => {
      look(one, `${at}[${i}]`);
    });
  }

  object(value: unknown, at: string): PlainObject | null {
    if (isPlain(value)) return value;
    this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be an object.');
    return null;
  }

  refuseUnknownKeys(value: PlainObject, at: string, names: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue;
      const safeName = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name) ? name : '?';
      this.add(
        at === '' ? safeName : `${at}.${safeName}`,
        'UNKNOWN_FIELD',
        'This field is not part of the contract.',
      );
    }
  }

  add(path: string, code: string, message: string): void {
    this.problems.push({ path, code, message });
  }
}

export const isPlain = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
