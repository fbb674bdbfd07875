import {
  requestedAnswers,
  type StepAnswer,
  type Answers,
  type RequestedAnswer,
  type FlowDefinition,
  type GroupItem,
} from '../flow/flow.js';

const firstOf = (asked: RequestedAnswer): string =>
  'options' in asked ? (asked.options[0]?.value ?? '') : '';

/** Makes up an answer of each type. */
const SAMPLES: Readonly<Record<RequestedAnswer['type'], (asked: RequestedAnswer) => StepAnswer>> = {
  TEXT: () => 'Exemplo',
  CPF: () => '529.982.247-25',
  CNPJ: () => '11.222.333/0001-81',
  DATE: () => '1985-03-27',
  EMAIL: () => 'pessoa@exemplo.com',
  PHONE: () => '(11) 91234-5678',
  CEP: () => '01310-100',
  COUNTRY: () => 'BR',
  AMOUNT: () => '2500.00',
  PERCENT: () => '60',
  SELECT: firstOf,
  BOOLEAN: () => false,
  SINGLE_CHOICE: firstOf,
  MULTIPLE_CHOICE: (asked) => [firstOf(asked)],
  // A preview also shows the steps that follow a consent.
  AGREEMENT: () => true,
  CODE: () => true,
  ITEMS: (asked) => ('fields' in asked ? [samplesOf(asked.fields) as GroupItem] : []),
};

const samplesOf = (asked: readonly RequestedAnswer[]): Readonly<Record<string, StepAnswer>> =>
  Object.fromEntries(asked.map((one) => [one.id, SAMPLES[one.type](one)]));

/** Returns answers for the preview of a draft: made up for all inputs, or taken from `chosen`. */
export const sampleAnswers = (flow: FlowDefinition, chosen: Answers): Answers => ({
  ...samplesOf(flow.steps.flatMap(requestedAnswers)),
  ...chosen,
});
