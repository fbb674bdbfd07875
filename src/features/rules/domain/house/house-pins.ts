import type { ErrorDetail } from '../../../../platform/kernel/domain-error.js';
import type { DampenerDefinition, HouseField, RuleDefinition } from '../../language/index.js';
import { houseFieldOf, type HouseFieldDefinition } from './house-schema.js';

type Definition = RuleDefinition | DampenerDefinition;

const HOUSE_NAME = /\bhouse\.([a-z][A-Za-z0-9]*)/g;

/** Returns the names of house fields in the texts of a rule, whether the house has such fields or not. */
function namesIn({ when, message, aggregates, ...rest }: Definition): ReadonlySet<string> {
  const texts = JSON.stringify([
    when,
    message,
    aggregates,
    'score' in rest ? [rest.score, rest.evidence] : [],
  ]);
  return new Set([...texts.matchAll(HOUSE_NAME)].map(([, name]) => name ?? ''));
}

/** Copies the house fields that a rule reads into the rule, so that later changes of a field do not affect it. */
export function pinHouseFields<D extends Omit<Definition, 'version'>>(
  definition: D,
  fields: readonly HouseFieldDefinition[],
): D {
  const names = namesIn(definition as unknown as Definition);
  const pins = fields
    .filter(({ name }) => names.has(name))
    .map((field) => [field.name, houseFieldOf(field)] as const);
  const own = Object.entries(definition).filter(([name]) => name !== 'house');
  if (pins.length > 0) own.push(['house', Object.fromEntries(pins)]);
  return Object.fromEntries(own) as D;
}

/** Adds all house fields to a rule, so that the check can suggest a field for a misspelt name. */
export const withEveryField = <D extends object>(
  definition: D,
  fields: readonly HouseFieldDefinition[],
): D => ({
  ...definition,
  ...(fields.length > 0
    ? { house: Object.fromEntries(fields.map((field) => [field.name, houseFieldOf(field)])) }
    : {}),
});

/** Reports pinned fields that the house has changed or removed since. */
export function findOutdatedPins(
  { house = {} }: Pick<Definition, 'house'>,
  fields: readonly HouseFieldDefinition[],
  path: string,
): ErrorDetail[] {
  const now = new Map(fields.map((field) => [field.name, houseFieldOf(field)]));
  return Object.values(house).flatMap((pin) =>
    isSame(pin, now.get(pin.name))
      ? []
      : [
          {
            path: `${path}house.${pin.name}`,
            code: 'HOUSE_FIELD_CHANGED',
            message: 'The house has given up this field or typed it otherwise since; write the rule again.',
          },
        ],
  );
}

const isSame = (pin: HouseField, now: HouseField | undefined): boolean =>
  now?.number === pin.number && (pin.history === 'NONE' || now.history !== 'NONE');
