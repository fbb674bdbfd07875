import { TaxId } from '../../../kernel/values/tax-id.js';
import { maskedEmail, maskedPhone } from '../../../customers/index.js';
import { textIn, type Answer, type Answers, type FlowStep, type Option } from './flow.js';
import { ALWAYS_KNOWN } from './inputs.js';

/** An answer as a person can read it. */
export interface GivenAnswer {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  /** Null while it was not answered. */
  readonly text: string | null;
  readonly masked: boolean;
}

interface Asked {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly options: readonly Option[];
}

const YES_NO = { true: 'Sim', false: 'Não' } as const;
const SHOWN = new Set(['DATE', 'COUNTRY', 'AMOUNT', 'SELECT', 'BOOLEAN', 'SINGLE_CHOICE', 'MULTIPLE_CHOICE']);

/** The inputs of a step, in the order of the page. */
function askedIn(step: FlowStep): readonly Asked[] {
  if (step.type === 'CONSENT') {
    return [{ id: step.id, type: 'BOOLEAN', label: textIn(step.title, 'pt-BR'), options: [] }];
  }
  const inputs =
    step.type === 'DATA_FORM' ? step.fields : step.type === 'QUESTIONNAIRE' ? step.questions : [];
  return inputs.map(({ id, type, label, options }) => ({
    ...{ id, type, label: textIn(label, 'pt-BR') },
    options: options ?? [],
  }));
}

const textOf = (answer: Answer, options: readonly Option[]): string => {
  if (typeof answer === 'boolean') return YES_NO[`${answer}`];
  const labelOf = (value: string): string => {
    const option = options.find((one) => one.value === value);
    return option ? textIn(option.label, 'pt-BR') : value;
  };
  return typeof answer === 'string' ? labelOf(answer) : answer.map(labelOf).join(', ');
};

/** Stands in the place of an answer that only `reveal` shows; of a text not even the words are counted. */
function maskOf(type: string, text: string): string {
  if (type === 'EMAIL') return maskedEmail(text) ?? '***';
  if (type === 'PHONE') return maskedPhone(text) ?? '***';
  if (type === 'CPF' || type === 'CNPJ') {
    const parsed = TaxId.parse(text);
    return parsed.ok ? parsed.id.maskedText : '***';
  }
  return '***';
}

/** The answers to a step: as they were given with `revealed`, and else masked as customers are. */
export function givenIn(step: FlowStep, answers: Answers, revealed: boolean): readonly GivenAnswer[] {
  return askedIn(step).map((asked) => given(asked, answers[asked.id], revealed));
}

/** Answers that every flow takes and this one does not ask for. A selfie by its file is no answer. */
export function unaskedIn(
  steps: readonly FlowStep[],
  answers: Answers,
  revealed: boolean,
): readonly GivenAnswer[] {
  const asked = new Set(steps.flatMap((step) => askedIn(step).map(({ id }) => id)));
  return ALWAYS_KNOWN.filter((id) => id !== 'selfie_url' && !asked.has(id) && answers[id] !== undefined).map(
    (id) => given({ id, label: id, type: id === 'cpf' ? 'CPF' : 'TEXT', options: [] }, answers[id], revealed),
  );
}

function given(
  { id, label, type, options }: Asked,
  answer: Answer | undefined,
  revealed: boolean,
): GivenAnswer {
  const text = answer === undefined ? null : textOf(answer, options);
  // A name is shown wherever customers are; so that a case can be spoken about.
  const shown = revealed || text === null || SHOWN.has(type) || id === 'name';
  return { id, label, type, text: shown ? text : maskOf(type, text), masked: !shown };
}
