import { ValidateBy, type ValidationArguments } from 'class-validator';
import { epochMillisOf } from '../../kernel/values/instant.js';
import { createFault, NOT_AN_OBJECT, NOT_TEXT, type ValidationFault } from '../errors/violations.js';

/** Data that a check may use in addition to the body. */
export interface ValidationContext {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Checks one value; returns its fault, or null. `siblings` is the object that has the value. */
export type PropertyCheck = (
  value: unknown,
  siblings: Readonly<Record<string, unknown>>,
  context: ValidationContext,
) => ValidationFault | null;

export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Holds a check in the metadata of class-validator, where `compileValidator` finds it. */
export class CheckRule {
  constructor(readonly find: PropertyCheck) {}
}

const CHECK_PREFIX = 'check:';
// class-validator cannot pass a context to a constraint, so there a check gets the system time.
const SYSTEM_CONTEXT: ValidationContext = { now: () => Date.now() };

/**
 * Adds a check to a DTO property as an ordinary class-validator constraint. `name` is unique among the checks of the
 * property.
 */
export function Check(name: string, find: PropertyCheck): PropertyDecorator {
  const findFault = (value: unknown, args?: ValidationArguments): ValidationFault | null =>
    find(value, (args?.object ?? {}) as Readonly<Record<string, unknown>>, SYSTEM_CONTEXT);
  return ValidateBy({
    name: CHECK_PREFIX + name,
    constraints: [new CheckRule(find)],
    validator: {
      validate: (value, args) => findFault(value, args) === null,
      // class-validator passes on only the message, so the message contains the finding as JSON.
      defaultMessage: (args) => JSON.stringify(findFault(args?.value, args)),
    },
  });
}

/** Parses the finding of a constraint that class-validator reports; null if `Check` did not add the constraint. */
export const findingOfConstraint = (name: string, message: string): ValidationFault | null =>
  name.startsWith(CHECK_PREFIX) ? (JSON.parse(message) as ValidationFault) : null;

const EMPTY = createFault('TOO_SHORT', 'Must not be empty.');

export interface TextRule {
  /** In code points, as JSON Schema and PostgreSQL count. */
  readonly max: number;
  readonly pattern?: RegExp;
  /** The pattern in words. */
  readonly form?: string;
}

/** Requires a string that is not empty and has at most `max` code points. */
export function IsText({ max, pattern, form }: TextRule): PropertyDecorator {
  const tooLong = createFault('TOO_LONG', `Must have at most ${max} characters.`);
  const mismatch = createFault('PATTERN_MISMATCH', form === undefined ? undefined : `Must be ${form}.`);
  return Check('text', (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (value.length === 0) return EMPTY;
    if (value.length > max && hasMoreCodePoints(value, max)) return tooLong;
    return pattern === undefined || pattern.test(value) ? null : mismatch;
  });
}

const NOT_AN_INSTANT = createFault('DATETIME_INVALID');

/** Requires an RFC 3339 date-time with seconds and offset. */
export const IsInstant = (): PropertyDecorator =>
  Check('instant', (value) =>
    typeof value === 'string' && !Number.isNaN(epochMillisOf(value)) ? null : NOT_AN_INSTANT,
  );

/** Requires that each item of a list is an object. `@ValidateNested` alone accepts a list and validates its items. */
export const OfObjects = (): PropertyDecorator =>
  Check('objects', (value) => {
    const at = Array.isArray(value) ? value.findIndex((item) => !isJsonObject(item)) : -1;
    return at < 0 ? null : { ...NOT_AN_OBJECT, at: `[${at}]` };
  });

/** Requires a number with at most `most` digits after the point. */
export function HasDecimals(most: number): PropertyDecorator {
  const tooMany = createFault('VALUE_INVALID', `Must have at most ${most} decimals.`);
  return Check('decimals', (value) =>
    typeof value !== 'number' || Number(value.toFixed(most)) === value ? null : tooMany,
  );
}

const hasMoreCodePoints = (text: string, max: number): boolean =>
  text.length > 2 * max || Array.from(text).length > max;
