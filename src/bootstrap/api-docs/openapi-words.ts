import type { OpenAPIObject } from '@nestjs/swagger';
import { wordsAToE } from './words/words-a-to-e.js';
import { wordsFToO } from './words/words-f-to-o.js';
import { wordsPToZ } from './words/words-p-to-z.js';

const WORDS: Readonly<Record<string, string>> = { ...wordsAToE, ...wordsFToO, ...wordsPToZ };

interface Described {
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
interface Schema extends Described, Limits {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Parameter extends Described {
  readonly name?: string;
  readonly schema?: Limits;
}

/** Adds a description to every member and parameter that has none. */
export function withWords(document: OpenAPIObject): OpenAPIObject {
  for (const schema of Object.values(document.components?.schemas ?? {})) describeMembers(schema as Schema);
  for (const methods of Object.values(document.paths)) {
    for (const operation of [methods.get, methods.post, methods.put, methods.patch, methods.delete]) {
      for (const parameter of (operation?.parameters ?? []) as Parameter[]) {
        if (parameter.name === undefined) continue;
        describe(parameter, parameter.name);
        limit(parameter, parameter.schema ?? {});
      }
    }
  }
  return document;
}

function describeMembers(schema: Schema): void {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    describe(member, name);
    limit(member, member);
    describeMembers(member);
  }
  if (schema.items) describeMembers(schema.items);
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    describeMembers(part);
  }
}

function describe(what: Described, name: string): void {
  const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
  if (!what.description && word !== undefined) what.description = word;
}

/** Adds the limits of a member as text. */
function limit(
  what: Described,
  { minLength, maxLength, minItems, maxItems, minimum, maximum }: Limits,
): void {
  const limits = [
    inWords(minLength, maxLength, 'characters'),
    inWords(minItems, maxItems, 'items'),
    inWords(minimum, maximum, ''),
  ].filter((one) => one !== null);
  if (limits.length > 0) what.description = [what.description, ...limits].filter(Boolean).join(' ');
}

function inWords(least: number | undefined, most: number | undefined, unit: string): string | null {
  const figure = (value: number): string => [value.toLocaleString('en'), unit].filter(Boolean).join(' ');
  // Without an upper limit, a minimum of one only means "required", and a minimum of zero means nothing.
  if (most === undefined) return (least ?? 0) > 1 ? `At least ${figure(least ?? 0)}.` : null;
  if (!least) return unit === '' && least === 0 ? `From 0 to ${figure(most)}.` : `At most ${figure(most)}.`;
  return least === most
    ? `Exactly ${figure(most)}.`
    : `From ${least.toLocaleString('en')} to ${figure(most)}.`;
}
