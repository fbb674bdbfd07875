import { table } from '../../../../platform/kernel/table.js';
import { TaxId } from '../../../../platform/kernel/values/tax-id.js';
import type {
  StepAnswer,
  Answers,
  FlowField,
  FieldRole,
  FlowDefinition,
  FlowStep,
  GroupItem,
  PeopleRole,
} from './flow.js';

/** The default roles by field id. A flow that uses another id sets the role. */
const DEFAULT_ROLES: Readonly<Record<string, FieldRole>> = table({
  name: 'PERSON_NAME',
  companyName: 'COMPANY_NAME',
  cpf: 'DOCUMENT',
  cnpj: 'DOCUMENT',
  birthDate: 'BIRTH_DATE',
  monthlyIncome: 'INCOME',
  monthlyRevenue: 'REVENUE',
  occupation: 'OCCUPATION',
  email: 'EMAIL',
  phone: 'PHONE',
  cep: 'POSTAL_CODE',
  address: 'ADDRESS',
  share: 'SHARE',
  documentNumber: 'DOCUMENT_NUMBER',
  documentExpiry: 'DOCUMENT_EXPIRY',
});

export const roleOf = ({ id, role }: Pick<FlowField, 'id' | 'role'>): FieldRole | null =>
  role ?? DEFAULT_ROLES[id] ?? null;

/** A person or company as the answers describe them; `texts` is keyed by the role of the field. */
export interface DescribedPerson {
  readonly name: string | null;
  /** The tax id as given, and parsed if its check digits are right. */
  readonly givenTaxId: string | null;
  readonly taxId: TaxId | null;
  readonly birthDate: string | null;
  readonly texts: Readonly<Partial<Record<FieldRole, string>>>;
}

export interface DeclaredSubject extends DescribedPerson {
  readonly isCompany: boolean;
  readonly pepSelf: boolean | null;
  readonly pepRelated: boolean | null;
}

/** An owner or representative, as the session of the company names them. */
export interface NamedPerson extends DescribedPerson {
  readonly stepId: string;
  readonly index: number;
  readonly as: PeopleRole;
  /** Share of the company in percent; null if it was not given. */
  readonly share: number | null;
}

type GroupStep = Extract<FlowStep, { type: 'REPEATED_GROUP' }>;

const textOf = (answer: StepAnswer | undefined): string | null =>
  typeof answer === 'string' && answer.trim() !== '' ? answer.trim() : null;

const formFields = (flow: FlowDefinition): readonly FlowField[] =>
  flow.steps.flatMap((step) => (step.type === 'DATA_FORM' ? step.fields : []));

function describePerson(
  fields: readonly FlowField[],
  answers: Answers,
  nameRole: FieldRole,
): DescribedPerson {
  const texts: Partial<Record<FieldRole, string>> = {};
  for (const field of fields) {
    const role = roleOf(field);
    const text = textOf(answers[field.id]);
    if (role !== null && text !== null) texts[role] ??= text;
  }
  const givenTaxId = texts.DOCUMENT ?? null;
  const parsed = givenTaxId === null ? null : TaxId.parse(givenTaxId);
  return {
    name: texts[nameRole] ?? null,
    givenTaxId,
    taxId: parsed?.ok === true && !parsed.id.isMasked ? parsed.id : null,
    birthDate: texts.BIRTH_DATE ?? null,
    texts,
  };
}

/** Keys that every flow accepts, used if the flow has no field with that role. */
const ALWAYS_ACCEPTED: readonly FlowField[] = (['name', 'cpf', 'cnpj', 'birthDate'] as const).map((id) => ({
  ...{ id, type: 'TEXT', label: { 'pt-BR': id }, required: false },
}));

/** Returns the person or company that the answers describe. */
export function declaredSubject(flow: FlowDefinition, answers: Answers): DeclaredSubject {
  const isCompany = flow.subject === 'COMPANY';
  const fields = [...formFields(flow), ...ALWAYS_ACCEPTED];
  const flag = (key: string): boolean | null => {
    const answer = answers[key];
    return typeof answer === 'boolean' ? answer : null;
  };
  return {
    ...describePerson(fields, answers, isCompany ? 'COMPANY_NAME' : 'PERSON_NAME'),
    isCompany,
    pepSelf: flag('pepSelf'),
    pepRelated: flag('pepRelated'),
  };
}

/** Returns the owners and representatives that a session names, in the order of the flow. */
export const namedPeople = (flow: FlowDefinition, answers: Answers): readonly NamedPerson[] =>
  flow.steps.flatMap((step) =>
    step.type === 'REPEATED_GROUP' && step.people
      ? peopleInGroup(step, step.people.as, answers[step.id])
      : [],
  );

function peopleInGroup(step: GroupStep, as: PeopleRole, answer: StepAnswer | undefined): NamedPerson[] {
  if (!Array.isArray(answer)) return [];
  return (answer as readonly GroupItem[]).map((item, index) => {
    const person = describePerson(step.fields, item, 'PERSON_NAME');
    const name = person.texts.OWNER_NAME ?? person.name;
    const share = Number((person.texts.SHARE ?? '').replace(',', '.'));
    return {
      ...person,
      ...{ name, stepId: step.id, index, as },
      share: person.texts.SHARE === undefined || Number.isNaN(share) ? null : share,
    };
  });
}

/** True if a flow has a field of the role outside of groups. */
export const requestsRole = (flow: FlowDefinition, role: FieldRole): boolean =>
  formFields(flow).some((field) => roleOf(field) === role);
