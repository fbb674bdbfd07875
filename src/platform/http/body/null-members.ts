import 'reflect-metadata';
import { getMetadataStorage, IS_OPTIONAL } from 'class-validator';

type Members = Record<string, unknown>;
type Dto = new () => Members;

/** By class, the properties for which null means absent; null if the class is not a DTO. */
const omissibleByClass = new WeakMap<Dto, ReadonlySet<string> | null>();

/**
 * Treats null as absent in optional properties whose schema does not allow null, in a validated DTO and its nested DTOs:
 * many serialisers write null for a property without a value. The property gets the default of the DTO, as if it had
 * been left out. If the schema is `nullable`, null is a value and stays.
 */
export function omitNullMembers(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) omitNullMembers(item);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  // This does not read `value.constructor`: a map sent by the caller may have a key of that name.
  const dto = (Reflect.getPrototypeOf(value) as { readonly constructor: Dto } | null)?.constructor;
  const names = dto && (omissibleByClass.has(dto) ? omissibleByClass.get(dto) : omissibleNamesOf(dto));
  if (!names) return;
  const members = value as Members;
  let fresh: Members | undefined;
  for (const [name, member] of Object.entries(members)) {
    if (member !== null) omitNullMembers(member);
    else if (names.has(name)) members[name] = (fresh ??= new dto())[name];
  }
}

function omissibleNamesOf(dto: Dto): ReadonlySet<string> | null {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const optional = rules.filter(({ name }) => name === IS_OPTIONAL).map(({ propertyName }) => propertyName);
  const names = rules.length === 0 ? null : new Set(optional.filter((name) => !isNullable(dto, name)));
  omissibleByClass.set(dto, names);
  return names;
}

function isNullable(dto: Dto, name: string): boolean {
  const documentation = Reflect.getMetadata('swagger/apiModelProperties', dto.prototype as object, name) as
    { readonly nullable?: boolean } | undefined;
  return documentation?.nullable === true;
}
