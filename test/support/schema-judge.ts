import { Ajv2020 } from 'ajv/dist/2020.js';

const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // A day that no month has is taken for one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

const TIME = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The formats of the documents (RFC 3339, 3986, 5321); what only says how a form shows a field fits any text. */
const FORMATS: Readonly<Record<string, true | ((text: string) => boolean)>> = {
  date: isDate,
  'date-time': (text) => isDate(text.slice(0, 10)) && TIME.test(text.slice(10)),
  uri: (text) => /^[a-z][a-z0-9+.-]*:[\x21-\x7E]+$/i.test(text) && URL.canParse(text),
  email: (text) => text.length <= 254 && /^[^\s@]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text),
  password: true,
  binary: true,
  decimal: true,
};

/** Judges by the schemas of OpenAPI documents and holds formats; throws at a schema with one that it does not know. */
export function schemaJudge(): Ajv2020 {
  const warn = (message: unknown): never => {
    throw new Error(String(message));
  };
  return new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    formats: FORMATS,
    // Most validators judge one value: half of the time of compiling them went into making them faster.
    code: { optimize: false },
    // Without the strict mode, which knows no word of OpenAPI, an unknown format is a warning.
    logger: { log: warn, warn, error: warn },
  });
}

/** The same document, in which an object has no members but those that are named. */
export function closed<T>(value: T): T;
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => closed(item));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, closed(member)]),
  );
  // A part names some of the members; the others are named, and closed, by the parts beside it.
  const parts = (copy['allOf'] ?? []) as Record<string, unknown>[];
  for (const part of parts) delete part['additionalProperties'];
  const isObject = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isObject ? { ...copy, additionalProperties: false } : copy;
}
