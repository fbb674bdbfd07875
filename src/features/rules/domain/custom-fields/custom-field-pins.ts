import type { ErrorDetail } from '../../../../platform/kernel/domain-error.js';
import type { DampenerDefinition, CustomField, RuleDefinition } from '../../language/index.js';
import { customFieldOf, type CustomFieldDefinition } from './custom-field-schema.js';

type Definition = RuleDefinition | DampenerDefinition;

const CUSTOM_FIELD_NAME = /\bhouse\.([a-z][A-Za-z0-9]*)/g;

/** Returns the names of custom fields in the texts of a rule, whether the institution has such fields or not. */
function namesIn({ when, message, aggregates, ...rest }: Definition): ReadonlySet<string> {
  const texts = JSON.stringify([
    when,
    message,
    aggregates,
    'score' in rest ? [rest.score, rest.evidence] : [],
  ]);
  return new Set([...texts.matchAll(CUSTOM_FIELD_NAME)].map(([, name]) => name ?? ''));
}

/** Copies the custom fields that a rule reads into the rule, so that later changes of a field do not affect it. */
export function pinCustomFields<D extends Omit<Definition, 'version'>>(
  definition: D,
  fields: readonly CustomFieldDefinition[],
): D {
  const names = namesIn(definition as unknown as Definition);
  const pins = fields
    .filter(({ name }) => names.has(name))
    .map((field) => [field.name, customFieldOf(field)] as const);
  const ownMembers = Object.entries(definition).filter(([name]) => name !== 'customFields');
  if (pins.length > 0) ownMembers.push(['customFields', Object.fromEntries(pins)]);
  return Object.fromEntries(ownMembers) as D;
}

/** Adds all custom fields to a rule, so that the check can suggest a field for a misspelt name. */
export const withEveryField = <D extends object>(
  definition: D,
  fields: readonly CustomFieldDefinition[],
): D => ({
  ...definition,
  ...(fields.length > 0
    ? { customFields: Object.fromEntries(fields.map((field) => [field.name, customFieldOf(field)])) }
    : {}),
});

/** Reports pinned fields that the institution has changed or removed since. */
export function findOutdatedPins(
  { customFields = {} }: Pick<Definition, 'customFields'>,
  fields: readonly CustomFieldDefinition[],
  path: string,
): ErrorDetail[] {
  const now = new Map(fields.map((field) => [field.name, customFieldOf(field)]));
  return Object.values(customFields).flatMap((pin) =>
    isSame(pin, now.get(pin.name))
      ? []
      : [
          {
            path: `${path}customFields.${pin.name}`,
            code: 'CUSTOM_FIELD_CHANGED',
            message: 'This field was given up or typed otherwise since; write the rule again.',
          },
        ],
  );
}

const isSame = (pin: CustomField, now: CustomField | undefined): boolean =>
  now?.number === pin.number && (pin.history === 'NONE' || now.history !== 'NONE');
