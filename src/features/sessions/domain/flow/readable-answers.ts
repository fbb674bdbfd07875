import { TaxId } from '../../../../platform/kernel/values/tax-id.js';
import { maskedEmail, maskedPhone } from '../../../customers/index.js';
import {
  requestedAnswers,
  textInLanguage,
  type StepAnswer,
  type Answers,
  type RequestedAnswer,
  type FlowStep,
  type GroupItem,
  type FlowOption,
} from './flow.js';
import { roleOf } from './roles.js';
import { ALWAYS_KNOWN } from './inputs.js';

export interface ReadableAnswer {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  /** Null if there is no answer. */
  readonly text: string | null;
  readonly masked: boolean;
}

const YES_NO = { true: 'Sim', false: 'Não' } as const;
const UNMASKED_TYPES = new Set([
  'DATE',
  'COUNTRY',
  'AMOUNT',
  'PERCENT',
  'SELECT',
  'BOOLEAN',
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
]);

const isName = (asked: RequestedAnswer): boolean => {
  const role = roleOf(asked);
  return role === 'PERSON_NAME' || role === 'COMPANY_NAME' || role === 'OWNER_NAME';
};

function readableItems(
  { id, label, fields }: Extract<RequestedAnswer, { type: 'ITEMS' }>,
  answer: StepAnswer | undefined,
  revealed: boolean,
): ReadableAnswer[] {
  const items = Array.isArray(answer) ? (answer as readonly GroupItem[]) : [];
  return items.flatMap((item, i) =>
    fields.map((field) => ({
      ...readableAnswer(field, item[field.id], revealed),
      id: `${id}[${i}].${field.id}`,
      label: `${textInLanguage(label, 'pt-BR')} ${i + 1}: ${textInLanguage(field.label, 'pt-BR')}`,
    })),
  );
}

const textOf = (answer: StepAnswer, options: readonly FlowOption[]): string => {
  if (typeof answer === 'boolean') return YES_NO[`${answer}`];
  const labelOf = (value: string): string => {
    const option = options.find((one) => one.value === value);
    return option ? textInLanguage(option.label, 'pt-BR') : value;
  };
  return typeof answer === 'string' ? labelOf(answer) : (answer as readonly string[]).map(labelOf).join(', ');
};

/** Masks an answer that only `reveal` shows. The mask of a text also hides its length. */
function maskOf(type: string, text: string): string {
  if (type === 'EMAIL') return maskedEmail(text) ?? '***';
  if (type === 'PHONE') return maskedPhone(text) ?? '***';
  if (type === 'CPF' || type === 'CNPJ') {
    const parsed = TaxId.parse(text);
    return parsed.ok ? parsed.id.maskedText : '***';
  }
  return '***';
}

/** Returns the answers to a step: in full with `revealed`, else masked as in customer records. */
export const readableAnswers = (
  step: FlowStep,
  answers: Answers,
  revealed: boolean,
): readonly ReadableAnswer[] =>
  requestedAnswers(step).flatMap((asked) =>
    asked.type === 'ITEMS'
      ? readableItems(asked, answers[asked.id], revealed)
      : readableAnswer(asked, answers[asked.id], revealed),
  );

/** Returns answers that every flow accepts although `steps` do not ask for them. `selfie_url` is not an answer. */
export function unrequestedAnswers(
  steps: readonly FlowStep[],
  answers: Answers,
  revealed: boolean,
): readonly ReadableAnswer[] {
  const answerIds = new Set(steps.flatMap((step) => requestedAnswers(step).map(({ id }) => id)));
  return ALWAYS_KNOWN.filter(
    (id) => id !== 'selfie_url' && !answerIds.has(id) && answers[id] !== undefined,
  ).map((id) => {
    const field = {
      id,
      type: id === 'cpf' ? 'CPF' : 'TEXT',
      label: { 'pt-BR': id },
      required: false,
    } as const;
    return readableAnswer(field, answers[id], revealed);
  });
}

function readableAnswer(
  asked: Exclude<RequestedAnswer, { type: 'ITEMS' }>,
  answer: StepAnswer | undefined,
  revealed: boolean,
): ReadableAnswer {
  // A consent and a verified code are shown as a yes.
  const type = asked.type === 'AGREEMENT' || asked.type === 'CODE' ? 'BOOLEAN' : asked.type;
  const text = answer === undefined ? null : textOf(answer, 'options' in asked ? (asked.options ?? []) : []);
  // Names are always shown, as in customer records, so that people can talk about a case.
  const isShown = revealed || text === null || UNMASKED_TYPES.has(type) || isName(asked);
  return {
    ...{ id: asked.id, label: textInLanguage(asked.label, 'pt-BR'), type },
    ...{ text: isShown ? text : maskOf(type, text), masked: !isShown },
  };
}
