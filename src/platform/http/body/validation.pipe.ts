import { table } from '../../kernel/table.js';
import {
  Inject,
  Injectable,
  ValidationPipe,
  type ArgumentMetadata,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { getMetadataStorage, type ValidationError } from 'class-validator';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { didYouMean } from '../../kernel/values/did-you-mean.js';
import { compileValidator, type DtoClass } from './compiled-validation.js';
import { declareName } from '../fields/contract-names.js';
import { joinPath, safeFieldName } from '../errors/field-name.js';
import { omitNullMembers } from './null-members.js';
import { findingOfConstraint } from './property-check.js';
import {
  createFault,
  MAX_VIOLATIONS,
  keepMostSpecific,
  NOT_AN_OBJECT,
  NOT_TEXT,
  withSuggestion,
  type ValidationFault,
  type Violation,
  type ViolationCode,
} from '../errors/violations.js';

// DTOs with a compiled validator; the global pipe skips them.
const compiledBodies = new WeakSet<object>();

/**
 * The pipe for a hot route: `@Body(compiledBody(IngestTransactionBody)) body: IngestTransactionBody`. It checks the
 * body with the compiled validator and returns it unchanged, a plain object of the DTO's shape. The global pipe skips
 * this DTO, so every route that takes it must use this pipe.
 */
export function compiledBody(dto: DtoClass): Type<PipeTransform> {
  const validate = compileValidator(dto);
  compiledBodies.add(dto);

  @Injectable()
  class CompiledValidationPipe implements PipeTransform {
    private readonly context: { readonly now: () => number };

    constructor(@Inject(Clock) clock: Clock) {
      this.context = { now: () => clock.now() };
    }

    transform(body: unknown): unknown {
      const violations = validate(body, this.context);
      if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
      return body;
    }
  }
  return CompiledValidationPipe;
}

/** The global pipe: class-validator for every DTO without a compiled validator. It refuses undeclared properties. */
export function validationPipe(): ValidationPipe {
  return new DtoValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    // Suggestions need the object and the value; no answer contains them.
    validationError: { target: true, value: true },
    exceptionFactory: (errors) => new DomainError('VALIDATION_FAILED', { details: toProblemDetails(errors) }),
  });
}

class DtoValidationPipe extends ValidationPipe {
  private readonly declaredDtos = new WeakSet<object>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Nest checks only the items of a list. So an empty list, or a list of valid items, would pass as an object without
    // members.
    if (metadata.type === 'body' && Array.isArray(value) && this.toValidate(metadata)) {
      const { code, message } = NOT_AN_OBJECT;
      throw new DomainError('VALIDATION_FAILED', { details: [{ path: '', code, message }] });
    }
    const dto: unknown = await super.transform(value, metadata);
    omitNullMembers(dto);
    return dto;
  }

  protected override toValidate(metadata: ArgumentMetadata): boolean {
    const { metatype } = metadata;
    if (metatype && !this.declaredDtos.has(metatype)) {
      this.declaredDtos.add(metatype);
      const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
      for (const { propertyName } of rules) declareName(propertyName);
    }
    return !(metatype && compiledBodies.has(metatype)) && super.toValidate(metadata);
  }
}

/** Converts the errors of class-validator to the violations that a compiled validator would return. */
export function toProblemDetails(errors: readonly ValidationError[]): readonly Violation[] {
  const violations: Violation[] = [];
  collectViolations(errors, '', violations);
  return violations.slice(0, MAX_VIOLATIONS);
}

function collectViolations(
  errors: readonly ValidationError[],
  parent: string,
  violations: Violation[],
): void {
  for (const error of errors) {
    const { property, constraints, children } = error;
    if (violations.length >= MAX_VIOLATIONS) return;
    const isUnknown = constraints !== undefined && 'whitelistValidation' in constraints;
    const path = pathTo(parent, property, isUnknown);
    const findings = keepMostSpecific(
      Object.entries(constraints ?? {}).map(([name, text]) => findingOf(error, name, text)),
    );
    for (const { at, code, message } of findings) {
      const meant = at === '' ? suggestionFor(error, code) : undefined;
      violations.push({ path: joinPath(path, at), code, message, ...withSuggestion(meant) });
    }
    // Reports nothing below a value that is not an object, although class-validator checks the items of an array.
    if (children && !findings.some(({ code }) => code === 'TYPE_INVALID')) {
      collectViolations(children, path, violations);
    }
  }
}

/** Returns the allowed name or value that was probably meant. */
function suggestionFor(
  { target, property, value }: ValidationError,
  code: ViolationCode,
): string | undefined {
  if ((code !== 'UNKNOWN_FIELD' && code !== 'VALUE_NOT_ALLOWED') || target === undefined) return undefined;
  const rules = rulesOf(target);
  if (code === 'UNKNOWN_FIELD') return didYouMean(property, new Set(rules.map((rule) => rule.propertyName)));
  const allowed = rules
    .filter((rule) => rule.propertyName === property && rule.name === 'isIn')
    .flatMap((rule) => (rule.constraints as [readonly unknown[]])[0])
    .filter((one): one is string => typeof one === 'string');
  return typeof value === 'string' ? didYouMean(value, allowed) : undefined;
}

function pathTo(parent: string, property: string | undefined, isUnknown: boolean): string {
  if (property === undefined) return parent;
  if (isUnknown) return joinPath(parent, safeFieldName(property));
  return parent !== '' && /^\d+$/.test(property) ? `${parent}[${property}]` : joinPath(parent, property);
}

const CODE_OF_CONSTRAINT: Readonly<Record<string, ViolationCode>> = table({
  isDefined: 'REQUIRED',
  isNotEmpty: 'REQUIRED',
  whitelistValidation: 'UNKNOWN_FIELD',
  unknownValue: 'TYPE_INVALID',
  nestedValidation: 'TYPE_INVALID',
  isObject: 'TYPE_INVALID',
  isString: 'TYPE_INVALID',
  isNumber: 'TYPE_INVALID',
  isInt: 'TYPE_INVALID',
  isBoolean: 'TYPE_INVALID',
  isArray: 'TYPE_INVALID',
  isDate: 'TYPE_INVALID',
  matches: 'PATTERN_MISMATCH',
  minLength: 'TOO_SHORT',
  maxLength: 'TOO_LONG',
  min: 'TOO_SMALL',
  isPositive: 'TOO_SMALL',
  max: 'TOO_LARGE',
  isIn: 'VALUE_NOT_ALLOWED',
  isEnum: 'VALUE_NOT_ALLOWED',
  arrayNotEmpty: 'TOO_FEW_ITEMS',
  arrayMinSize: 'TOO_FEW_ITEMS',
  arrayMaxSize: 'TOO_MANY_ITEMS',
  arrayUnique: 'ITEMS_NOT_UNIQUE',
});

const itemCountText = (count: unknown): string => `${String(count)} ${count === 1 ? 'item' : 'items'}`;

/** Messages by constraint. The texts of class-validator repeat the name of the field, which may be personal data. */
const TEXT_OF_CONSTRAINT: Readonly<Record<string, (...limits: readonly unknown[]) => string>> = table({
  isString: () => NOT_TEXT.message,
  isNumber: () => 'Must be a number.',
  isInt: () => 'Must be a whole number.',
  isBoolean: () => 'Must be true or false.',
  isArray: () => 'Must be a list.',
  isEmail: () => 'Must be an e-mail address.',
  isUrl: () => 'Must be a URL.',
  isBase64: () => 'Must be base64.',
  isIso8601: () => 'Must be a date or a date-time of ISO 8601.',
  min: (least) => `Must be at least ${String(least)}.`,
  max: (most) => `Must be at most ${String(most)}.`,
  isLength: (least, most) => `Must have from ${String(least)} to ${String(most)} characters.`,
  minLength: (least) => `Must have at least ${String(least)} characters.`,
  maxLength: (most) => `Must have at most ${String(most)} characters.`,
  isIn: (values) => `Must be one of: ${(values as readonly unknown[]).join(', ')}.`,
  arrayNotEmpty: () => `Must have at least ${itemCountText(1)}.`,
  arrayMinSize: (least) => `Must have at least ${itemCountText(least)}.`,
  arrayMaxSize: (most) => `Must have at most ${itemCountText(most)}.`,
});

const rulesOf = (
  target: object,
): ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']> =>
  getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);

function findingOf({ target, property }: ValidationError, constraint: string, text: string): ValidationFault {
  const ofCheck = findingOfConstraint(constraint, text);
  if (ofCheck) return ofCheck;
  if (constraint === 'isObject' || constraint === 'nestedValidation') return NOT_AN_OBJECT;
  const code = CODE_OF_CONSTRAINT[constraint] ?? 'VALUE_INVALID';
  const rule =
    target && rulesOf(target).find((one) => one.propertyName === property && one.name === constraint);
  return createFault(code, TEXT_OF_CONSTRAINT[constraint]?.(...((rule?.constraints ?? []) as unknown[])));
}
