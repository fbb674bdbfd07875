import 'reflect-metadata';
import { getMetadataStorage, IS_OBJECT, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { didYouMean } from '../../kernel/values/did-you-mean.js';
import { declareName } from '../fields/contract-names.js';
import { joinPath, safeFieldName } from '../errors/field-name.js';
import { CheckRule, isJsonObject, type PropertyCheck, type ValidationContext } from './property-check.js';
import {
  createFault,
  MAX_VIOLATIONS,
  keepMostSpecific,
  NOT_AN_OBJECT,
  withSuggestion,
  type ValidationFault,
  type Violation,
} from '../errors/violations.js';

export type DtoClass<T extends object = object> = new (...args: never[]) => T;

/** Returns the violations in a value; empty if it conforms to the DTO. `path` is the path of the value in the body. */
export type CompiledValidator = (
  value: unknown,
  context: ValidationContext,
  path?: string,
) => readonly Violation[];

type StoredRule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
/** The metadata that class-validator stored for one decorator; `groups` and `constraints` may be absent. */
type Rule = Omit<StoredRule, 'groups' | 'constraints'> & {
  readonly groups?: readonly string[];
  readonly constraints?: readonly unknown[];
};
type Members = Readonly<Record<string, unknown>>;

/** One property of a DTO. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly checks: readonly PropertyCheck[];
  readonly nested: Shape | null;
}

interface Shape {
  readonly fields: readonly Field[];
  readonly names: ReadonlySet<string>;
}

const MISSING = createFault('REQUIRED');
const UNKNOWN = createFault('UNKNOWN_FIELD');
const NO_VIOLATIONS: readonly Violation[] = Object.freeze([]);

const compiledValidators = new WeakMap<DtoClass, CompiledValidator>();

/**
 * Compiles the class-validator decorators of a DTO, and of its nested DTOs, into closures. Its results equal those of
 * class-validator with whitelist and forbidNonWhitelisted, ten times faster (3 us for an ingest body instead of 30).
 * The DTO stays the single source. Throws for an unknown decorator, at the start and not at the first request.
 */
export function compileValidator(dto: DtoClass): CompiledValidator {
  const cachedValidator = compiledValidators.get(dto);
  if (cachedValidator) return cachedValidator;
  const shape = shapeOf(dto);
  const validate: CompiledValidator = (value, context, path = '') => {
    if (!isJsonObject(value)) return [{ path, code: NOT_AN_OBJECT.code, message: NOT_AN_OBJECT.message }];
    const report = new Report(context);
    report.validateObject(shape, value, path);
    return report.violations ?? NO_VIOLATIONS;
  };
  compiledValidators.set(dto, validate);
  return validate;
}

/** Collects the violations of one value. */
class Report {
  violations: Violation[] | null = null;

  constructor(private readonly context: ValidationContext) {}

  validateObject(shape: Shape, members: Members, path: string): void {
    for (const field of shape.fields) this.validateField(field, members, path);
    for (const name in members) {
      if (shape.names.has(name)) continue;
      if (this.isFull) return;
      this.add(joinPath(path, safeFieldName(name)), UNKNOWN, didYouMean(name, shape.names));
    }
  }

  private validateField(field: Field, members: Members, path: string): void {
    const value = members[field.name];
    if (value === undefined || value === null) {
      if (field.isOptional) return;
      if (field.isRequired) {
        this.add(joinPath(path, field.name), MISSING);
        return;
      }
    }
    let findings: ValidationFault[] | null = null;
    for (const check of field.checks) {
      const fault = check(value, members, this.context);
      if (fault !== null) (findings ??= []).push(fault);
    }
    if (findings !== null) {
      const place = joinPath(path, field.name);
      for (const fault of keepMostSpecific(findings)) {
        this.add(joinPath(place, fault.at), fault, fault.meant?.(value));
      }
    }
    if (field.nested !== null && isJsonObject(value)) {
      this.validateObject(field.nested, value, joinPath(path, field.name));
    }
  }

  private get isFull(): boolean {
    return this.violations !== null && this.violations.length >= MAX_VIOLATIONS;
  }

  private add(path: string, { code, message }: ValidationFault, meant?: string): void {
    if (!this.isFull) (this.violations ??= []).push({ path, code, message, ...withSuggestion(meant) });
  }
}

function shapeOf(dto: DtoClass): Shape {
  const metadatas: readonly Rule[] = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  if (metadatas.length === 0) throw new Error(`${dto.name} has no validation decorators`);
  const byName = new Map<string, Rule[]>();
  for (const metadata of metadatas) {
    const existing = byName.get(metadata.propertyName);
    if (existing) existing.push(metadata);
    else byName.set(metadata.propertyName, [metadata]);
    declareName(metadata.propertyName);
  }
  const fields = [...byName].map(([name, rules]) => fieldOf(dto, name, rules));
  return { fields, names: new Set(byName.keys()) };
}

function fieldOf(dto: DtoClass, name: string, rules: readonly Rule[]): Field {
  const checks: PropertyCheck[] = [];
  let isRequired = false;
  let isOptional = false;
  let nested: Shape | null = null;
  for (const rule of rules) {
    // These options change the meaning of a rule, and are not compiled.
    if (rule.each || rule.validateIf !== undefined || (rule.groups ?? []).length > 0) {
      throw unknownRuleError(dto, rule);
    }
    const [constraint] = rule.constraints ?? [];
    if (constraint instanceof CheckRule) checks.push(constraint.find);
    else if (rule.type === ValidationTypes.IS_DEFINED) isRequired = true;
    else if (rule.name === IS_OPTIONAL) isOptional = true;
    else if (rule.name === IS_OBJECT) checks.push(objectCheck);
    else if (rule.type === ValidationTypes.NESTED_VALIDATION) nested = shapeOf(nestedClass(dto, name));
    else throw unknownRuleError(dto, rule);
  }
  // Without @IsObject(), class-validator would accept an array here and validate its items.
  if (nested !== null && !checks.includes(objectCheck)) {
    throw new Error(`${dto.name}.${name} is nested and needs @IsObject() too`);
  }
  return { name, isRequired, isOptional, checks, nested };
}

const objectCheck: PropertyCheck = (value) => (isJsonObject(value) ? null : NOT_AN_OBJECT);

/** Returns the class of a nested property, from the metadata that TypeScript emits for decorators. */
function nestedClass(dto: DtoClass, name: string): DtoClass {
  const type: unknown = Reflect.getMetadata('design:type', dto.prototype as object, name);
  if (typeof type === 'function' && type !== Object && type !== Array) return type as DtoClass;
  throw new Error(`${dto.name}.${name} is nested but not declared as a class`);
}

const unknownRuleError = (dto: DtoClass, { propertyName, name, type }: Rule): Error =>
  new Error(`${dto.name}.${propertyName} has a rule that is not compiled: ${name ?? type}`);
