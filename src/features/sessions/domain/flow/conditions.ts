import {
  compileConditionOver,
  exactNumberOf,
  type FactValue,
  type ReadableField,
} from '../../../rules/index.js';
import type { EvidenceComponent } from '../checks/evidence.js';
import {
  requestedAnswers,
  checkNames,
  type StepAnswer,
  type Answers,
  type RequestedAnswer,
  type FlowField,
  type FlowDefinition,
  type FlowStep,
  type GroupItem,
} from './flow.js';

type Results = readonly Pick<EvidenceComponent, 'name' | 'state' | 'reason'>[];
type Values = Map<string, FactValue>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

const isNumber = ({ type }: Pick<FlowField, 'type'>): boolean => type === 'AMOUNT' || type === 'PERCENT';

/** Returns the names of an answer in conditions, with their types. A date can be read as a time and as numbers. */
function fieldsOf(asked: RequestedAnswer): readonly ReadableField[] {
  const name = `answers.${asked.id}`;
  switch (asked.type) {
    case 'AMOUNT':
    case 'PERCENT':
      return [{ name, type: 'number' }];
    case 'DATE':
      return [
        { name, type: 'time' },
        ...['years', 'days', 'date'].map((part) => ({ name: `${name}.${part}`, type: 'number' as const })),
      ];
    case 'AGREEMENT':
    case 'BOOLEAN':
      return [{ name, type: 'bool' }];
    case 'MULTIPLE_CHOICE':
      return [{ name, type: 'strings' }];
    case 'ITEMS':
      return [
        { name: `${name}.count`, type: 'number' },
        ...asked.fields
          .filter(({ type }) => type !== 'DATE')
          .map((field) => ({
            name: `${name}.${field.id}`,
            type: isNumber(field) ? ('numbers' as const) : ('strings' as const),
          })),
      ];
    case 'CODE':
      return [];
    case 'TEXT':
    case 'CPF':
    case 'CNPJ':
    case 'EMAIL':
    case 'PHONE':
    case 'CEP':
    case 'COUNTRY':
    case 'SELECT':
    case 'SINGLE_CHOICE':
      return [{ name, type: 'string' }];
    default:
      return asked satisfies never;
  }
}

/** Returns the fields of a step that later conditions may read. */
export const readableFieldsOf = (step: FlowStep): readonly ReadableField[] =>
  requestedAnswers(step).flatMap(fieldsOf);

/** Check results that a condition may read. They exist only after the submission, for a later round. */
export const readableChecks: readonly ReadableField[] = checkNames.flatMap((name) => [
  { name: `checks.${name}`, type: 'string' as const },
  { name: `checks.${name}.reason`, type: 'string' as const },
]);

function putAnswer(
  values: Values,
  asked: RequestedAnswer,
  answer: StepAnswer | undefined,
  today: string,
): void {
  const name = `answers.${asked.id}`;
  if (answer === undefined || asked.type === 'CODE') return;
  if (asked.type === 'ITEMS') putItems(values, asked, answer);
  else if (asked.type === 'AMOUNT' || asked.type === 'PERCENT') {
    const number = numberIn(answer);
    if (number !== null) values.set(name, number);
  } else if (asked.type === 'DATE') {
    if (typeof answer !== 'string' || !DATE.test(answer)) return;
    const at = Date.parse(`${answer}T00:00:00Z`);
    const years = Number(today.slice(0, 4)) - Number(answer.slice(0, 4));
    values.set(name, at);
    values.set(`${name}.years`, today.slice(5) < answer.slice(5) ? years - 1 : years);
    values.set(`${name}.days`, Math.round((Date.parse(`${today}T00:00:00Z`) - at) / DAY_MS));
    values.set(`${name}.date`, Number(answer.replaceAll('-', '')));
  } else values.set(name, answer as FactValue);
}

const numberIn = (answer: StepAnswer): number | null =>
  typeof answer === 'string' ? exactNumberOf(answer.replace(',', '.')) : null;

function valuesOf(flow: FlowDefinition, answers: Answers, results: Results, today: string): Values {
  const values: Values = new Map();
  for (const requestedAnswer of flow.steps.flatMap(requestedAnswers)) {
    putAnswer(values, requestedAnswer, answers[requestedAnswer.id], today);
  }
  for (const { name, state, reason } of results) {
    values.set(`checks.${name}`, state);
    if (reason !== null) values.set(`checks.${name}.reason`, reason);
  }
  return values;
}

function putItems(
  values: Values,
  { id, fields }: Extract<RequestedAnswer, { type: 'ITEMS' }>,
  answer: StepAnswer,
): void {
  if (!Array.isArray(answer)) return;
  const items = answer as readonly GroupItem[];
  values.set(`answers.${id}.count`, items.length);
  for (const field of fields) {
    const given = items.flatMap((item) => item[field.id] ?? []);
    const itemValues = isNumber(field) ? given.flatMap((text) => numberIn(text) ?? []) : given;
    values.set(`answers.${id}.${field.id}`, itemValues);
  }
}

/** A flow after its conditions were evaluated for one person. */
export interface ResolvedFlow {
  readonly flow: FlowDefinition;
  /** Ids of the steps and inputs that are not shown because their condition depends on a missing value. */
  readonly undecided: readonly string[];
}

/**
 * Evaluates the conditions (`when`), and removes the steps and inputs whose condition is not TRUE. A condition reads
 * only earlier steps. Check results are missing before the checks, so conditions on them are not TRUE.
 */
export function resolveConditions(
  flow: FlowDefinition,
  answers: Answers,
  results: Results,
  today: string,
): ResolvedFlow {
  if (!hasConditions(flow)) return { flow, undecided: [] };
  const values = valuesOf(flow, answers, results, today);
  const undecided: string[] = [];
  const fields: ReadableField[] = [...readableChecks];
  const isTrue = ({ id, when }: { readonly id: string; readonly when?: string }): boolean => {
    if (when === undefined) return true;
    const condition = compileConditionOver(fields, when, 'when');
    const truth = condition.ok ? condition.test(values) : 'UNKNOWN';
    if (truth === 'UNKNOWN') undecided.push(id);
    return truth === 'TRUE';
  };
  const steps = flow.steps.flatMap((step): FlowStep[] => {
    const shownSteps = isTrue(step) ? [withShownInputs(step, isTrue)] : [];
    fields.push(...readableFieldsOf(step));
    return shownSteps;
  });
  return { flow: { ...flow, steps }, undecided };
}

/** Removes inputs by their conditions; the inputs of a group have none. */
function withShownInputs(
  step: FlowStep,
  isTrue: (input: Pick<FlowField, 'id' | 'when'>) => boolean,
): FlowStep {
  if ('fields' in step) return { ...step, fields: step.fields.filter(isTrue) };
  if ('questions' in step) return { ...step, questions: step.questions.filter(isTrue) };
  return step;
}

const hasConditions = (flow: FlowDefinition): boolean =>
  flow.steps.some(
    (step) => step.when !== undefined || requestedAnswers(step).some((asked) => 'when' in asked),
  );
