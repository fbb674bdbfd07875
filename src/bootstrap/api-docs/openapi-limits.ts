import type { OpenAPIObject } from '@nestjs/swagger';

interface DescribedSchema {
  description?: string;
}
interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}
interface Schema extends DescribedSchema, Limits {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Parameter extends DescribedSchema {
  readonly schema?: Limits;
}

/** Adds the limits of properties and parameters to their descriptions, for readers who do not see the schema. */
export function withLimits(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    appendMemberLimits(schema as Schema);
  }
  for (const methods of Object.values(document.paths)) {
    for (const operation of [methods.get, methods.post, methods.put, methods.patch, methods.delete]) {
      for (const parameter of (operation?.parameters ?? []) as Parameter[]) {
        appendLimits(parameter, parameter.schema ?? {});
      }
    }
  }
  return document;
}

function appendMemberLimits(schema: Schema): void {
  for (const member of Object.values(schema.properties ?? {})) {
    appendLimits(member, member);
    appendMemberLimits(member);
  }
  if (schema.items) appendMemberLimits(schema.items);
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    appendMemberLimits(part);
  }
}

/** Appends the limits to a description as text. A missing description stays missing: a check of the documents finds it. */
function appendLimits(
  what: DescribedSchema,
  { minLength, maxLength, minItems, maxItems, minimum, maximum }: Limits,
): void {
  const limits = [
    rangeInWords(minLength, maxLength, 'characters'),
    rangeInWords(minItems, maxItems, 'items'),
    rangeInWords(minimum, maximum, ''),
  ]
    .filter((one) => one !== null)
    .join(' ');
  // All documents share the hand-written schemas, so the limits may have been appended already.
  if (what.description && !what.description.endsWith(limits)) what.description += ` ${limits}`;
}

function rangeInWords(least: number | undefined, most: number | undefined, unit: string): string | null {
  const figure = (value: number): string => [value.toLocaleString('en'), unit].filter(Boolean).join(' ');
  // Without an upper limit, a minimum of one only means "required", and a minimum of zero means nothing.
  if (most === undefined) return (least ?? 0) > 1 ? `At least ${figure(least ?? 0)}.` : null;
  if (!least) return unit === '' && least === 0 ? `From 0 to ${figure(most)}.` : `At most ${figure(most)}.`;
  return least === most
    ? `Exactly ${figure(most)}.`
    : `From ${least.toLocaleString('en')} to ${figure(most)}.`;
}
