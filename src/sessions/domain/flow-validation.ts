import { ALWAYS_KNOWN } from './answers.js';
import {
  checkNames,
  documentSides,
  EXPIRY_MINUTES,
  fieldTypes,
  languages,
  questionTypes,
  stepTypes,
  type FlowDefinition,
} from './flow.js';

/** One thing wrong with a flow: where, a code, and in words. Never holds a text of the flow. */
export interface FlowProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

const ID = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const CODE = /^[A-Z][A-Z0-9_]{0,39}$/;
const LIMITS = {
  steps: 20,
  inputs: 40,
  options: 60,
  documents: 20,
  label: 300,
  text: 5_000,
  problems: 50,
} as const;

type Plain = Readonly<Record<string, unknown>>;

/** Judges a flow as it was sent; an empty list means that it is a `FlowDefinition`. */
export function judgeFlow(input: unknown): readonly FlowProblem[] {
  const judge = new FlowJudge();
  judge.flow(input);
  return judge.problems.slice(0, LIMITS.problems);
}

/** The flow, once `judgeFlow` has found nothing. */
export const asFlow = (input: unknown): FlowDefinition => input as FlowDefinition;

class FlowJudge {
  readonly problems: FlowProblem[] = [];
  /** Answers that exist before the place that is looked at, with what they can be. */
  private readonly answers = new Map<string, 'boolean' | 'choice' | 'text'>();
  private readonly ids = new Set<string>();

  flow(input: unknown): void {
    const flow = this.object(input, '');
    if (!flow) return;
    this.known(flow, '', ['name', 'expiresInMinutes', 'minimumAge', 'steps', 'requiredChecks']);
    this.localised(flow['name'], 'name', LIMITS.label);
    this.integer(flow['expiresInMinutes'], 'expiresInMinutes', EXPIRY_MINUTES.min, EXPIRY_MINUTES.max);
    this.integer(flow['minimumAge'], 'minimumAge', 0, 120);
    const steps = this.list(flow['steps'], 'steps', 1, LIMITS.steps);
    steps.forEach((step, i) => {
      this.step(step, `steps[${i}]`);
    });
    if (steps.length > 0 && !steps.some((step) => isPlain(step) && step['type'] !== 'INFO')) {
      this.add('steps', 'NOTHING_TO_DO', 'At least one step has to ask for something.');
    }
    const checks = this.list(flow['requiredChecks'], 'requiredChecks', 0, checkNames.length);
    checks.forEach((name, i) => {
      this.oneOf(name, `requiredChecks[${i}]`, checkNames);
    });
    if (new Set(checks).size !== checks.length) {
      this.add('requiredChecks', 'ITEMS_NOT_UNIQUE', 'The items must differ from each other.');
    }
  }

  private step(input: unknown, at: string): void {
    const step = this.object(input, at);
    if (!step) return;
    this.id(step['id'], `${at}.id`);
    this.localised(step['title'], `${at}.title`, LIMITS.label);
    this.flag(step['required'], `${at}.required`);
    this.condition(step['showIf'], `${at}.showIf`);
    const type = this.oneOf(step['type'], `${at}.type`, stepTypes);
    if (type === null) return;
    const common = ['id', 'type', 'title', 'required', 'showIf'];
    switch (type) {
      case 'INFO':
        this.known(step, at, [...common, 'text']);
        this.localised(step['text'], `${at}.text`, LIMITS.text);
        if (step['required'] === true) {
          this.add(
            `${at}.required`,
            'VALUE_NOT_ALLOWED',
            'An INFO step asks for nothing and cannot be required.',
          );
        }
        break;
      case 'CONSENT':
        this.known(step, at, [...common, 'text', 'noticeVersion']);
        this.localised(step['text'], `${at}.text`, LIMITS.text);
        this.text(step['noticeVersion'], `${at}.noticeVersion`, 40);
        this.declare(step['id'], 'boolean');
        break;
      case 'DATA_FORM':
        this.known(step, at, [...common, 'fields']);
        this.each(step['fields'], `${at}.fields`, LIMITS.inputs, (field, path) => {
          this.field(field, path);
        });
        break;
      case 'QUESTIONNAIRE':
        this.known(step, at, [...common, 'questions']);
        this.each(step['questions'], `${at}.questions`, LIMITS.inputs, (question, path) => {
          this.question(question, path);
        });
        break;
      case 'DOCUMENT_CAPTURE':
      case 'PROOF_OF_ADDRESS':
        this.known(step, at, [...common, 'acceptedDocuments']);
        this.documents(step['acceptedDocuments'], `${at}.acceptedDocuments`);
        break;
      case 'SELFIE':
        this.known(step, at, common);
        break;
      default:
        return type satisfies never;
    }
  }

  private field(input: unknown, at: string): void {
    const field = this.object(input, at);
    if (!field) return;
    this.known(field, at, ['id', 'type', 'label', 'help', 'required', 'minLength', 'maxLength', 'options']);
    this.id(field['id'], `${at}.id`, true);
    this.localised(field['label'], `${at}.label`, LIMITS.label);
    if (field['help'] !== undefined) this.localised(field['help'], `${at}.help`, LIMITS.label);
    this.flag(field['required'], `${at}.required`);
    const type = this.oneOf(field['type'], `${at}.type`, fieldTypes);
    this.lengths(field, at);
    this.options(field['options'], `${at}.options`, type === 'SELECT');
    this.declare(field['id'], type === 'SELECT' ? 'choice' : 'text');
    // The specification names them and the checks read them, so they cannot mean anything else.
    const fixed: Readonly<Record<string, string>> = {
      name: 'TEXT',
      cpf: 'CPF',
      cnpj: 'CNPJ',
      birthDate: 'DATE',
    };
    const wanted =
      typeof field['id'] === 'string' && Object.hasOwn(fixed, field['id']) ? fixed[field['id']] : undefined;
    if (wanted !== undefined && type !== null && type !== wanted) {
      this.add(`${at}.type`, 'VALUE_NOT_ALLOWED', `A field of this id has the type ${wanted}.`);
    }
  }

  private question(input: unknown, at: string): void {
    const question = this.object(input, at);
    if (!question) return;
    this.known(question, at, ['id', 'type', 'label', 'required', 'options', 'maxLength', 'showIf']);
    this.id(question['id'], `${at}.id`);
    this.localised(question['label'], `${at}.label`, LIMITS.label);
    this.flag(question['required'], `${at}.required`);
    const type = this.oneOf(question['type'], `${at}.type`, questionTypes);
    this.lengths(question, at);
    this.condition(question['showIf'], `${at}.showIf`);
    const chooses = type === 'SINGLE_CHOICE' || type === 'MULTIPLE_CHOICE';
    this.options(question['options'], `${at}.options`, chooses);
    this.declare(question['id'], type === 'BOOLEAN' ? 'boolean' : chooses ? 'choice' : 'text');
  }

  private documents(input: unknown, at: string): void {
    const types = new Set<unknown>();
    this.each(input, at, LIMITS.documents, (one, path) => {
      const document = this.object(one, path);
      if (!document) return;
      this.known(document, path, ['type', 'label', 'sides']);
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

  private options(input: unknown, at: string, wanted: boolean): void {
    if (!wanted) {
      if (input !== undefined) this.add(at, 'UNKNOWN_FIELD', 'Only what is chosen from has options.');
      return;
    }
    const values = new Set<unknown>();
    this.each(input, at, LIMITS.options, (one, path) => {
      const option = this.object(one, path);
      if (!option) return;
      this.known(option, path, ['value', 'label']);
      this.text(option['value'], `${path}.value`, 60);
      if (values.has(option['value'])) {
        this.add(`${path}.value`, 'NOT_UNIQUE', 'Named twice in these options.');
      }
      values.add(option['value']);
      this.localised(option['label'], `${path}.label`, LIMITS.label);
    });
  }

  /** Looks back only: what is asked later cannot decide what is asked now. */
  private condition(input: unknown, at: string): void {
    if (input === undefined) return;
    const condition = this.object(input, at);
    if (!condition) return;
    this.known(condition, at, ['answer', 'equals', 'in']);
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

  private lengths(input: Plain, at: string): void {
    for (const name of ['minLength', 'maxLength']) {
      if (input[name] !== undefined) this.integer(input[name], `${at}.${name}`, 1, 500);
    }
    const { minLength, maxLength } = input;
    if (typeof minLength === 'number' && typeof maxLength === 'number' && minLength > maxLength) {
      this.add(`${at}.minLength`, 'TOO_LARGE', 'Must not be larger than maxLength.');
    }
  }

  private declare(id: unknown, kind: 'boolean' | 'choice' | 'text'): void {
    if (typeof id === 'string') this.answers.set(id, kind);
  }

  /** Ids are unique over the whole flow, because answers come in one object. */
  private id(value: unknown, at: string, mayBeFixed = false): void {
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

  private code(value: unknown, at: string): void {
    if (typeof value !== 'string' || !CODE.test(value)) {
      this.add(at, 'PATTERN_MISMATCH', 'Must be capital letters, digits and underscores.');
    }
  }

  private localised(value: unknown, at: string, max: number): void {
    const texts = this.object(value, at);
    if (!texts) return;
    this.known(texts, at, languages);
    for (const language of languages) {
      if (language === 'pt-BR' || texts[language] !== undefined) {
        this.text(texts[language], `${at}.${language}`, max);
      }
    }
  }

  private text(value: unknown, at: string, max: number): string | null {
    if (typeof value !== 'string') {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be a string.');
      return null;
    }
    if (value.trim() === '') this.add(at, 'TOO_SHORT', 'Must not be empty.');
    if (value.length > max) this.add(at, 'TOO_LONG', `Must have at most ${max} characters.`);
    return value;
  }

  private flag(value: unknown, at: string): void {
    if (typeof value !== 'boolean') {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be true or false.');
    }
  }

  private integer(value: unknown, at: string, min: number, max: number): void {
    if (!Number.isInteger(value)) {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be an integer.');
    } else if ((value as number) < min || (value as number) > max) {
      this.add(at, (value as number) < min ? 'TOO_SMALL' : 'TOO_LARGE', `Must be from ${min} to ${max}.`);
    }
  }

  private oneOf<const T extends string>(value: unknown, at: string, allowed: readonly T[]): T | null {
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

  private list(value: unknown, at: string, min: number, max: number): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be a list.');
      return [];
    }
    if (value.length < min) this.add(at, 'TOO_FEW_ITEMS', `Must have at least ${min} items.`);
    if (value.length > max) this.add(at, 'TOO_MANY_ITEMS', `Must have at most ${max} items.`);
    return value.slice(0, max) as unknown[];
  }

  private each(value: unknown, at: string, max: number, look: (one: unknown, path: string) => void): void {
    this.list(value, at, 1, max).forEach((one, i) => {
      look(one, `${at}[${i}]`);
    });
  }

  private object(value: unknown, at: string): Plain | null {
    if (isPlain(value)) return value;
    this.add(at, value === undefined ? 'REQUIRED' : 'TYPE_INVALID', 'Must be an object.');
    return null;
  }

  private known(value: Plain, at: string, names: readonly string[]): void {
    for (const name of Object.keys(value)) {
      if (names.includes(name)) continue;
      const shown = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name) ? name : '?';
      this.add(
        at === '' ? shown : `${at}.${shown}`,
        'UNKNOWN_FIELD',
        'This field is not part of the contract.',
      );
    }
  }

  private add(path: string, code: string, message: string): void {
    this.problems.push({ path, code, message });
  }
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
