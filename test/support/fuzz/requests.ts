import fc from 'fast-check';
import {
  exampleOf,
  resolved,
  type ApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from '../openapi.js';
import { kindOf, type Harvest } from './harvest.js';
import {
  anyOne,
  CANARY,
  FromAnswers,
  fromAnswers,
  hostileBody,
  hostileText,
  hostileValue,
  jsonOf,
  nearlyValid,
  prefixOf,
  Raw,
  revived,
  valid,
} from './values.js';

/** An operation of one of the documents, as it is served. */
export interface Target {
  readonly document: ApiDocument;
  readonly template: string;
  readonly method: string;
  readonly operation: Operation & { readonly security?: readonly Readonly<Record<string, unknown>>[] };
  /** Bodies that somebody sent with success. */
  readonly samples: readonly unknown[];
}

/** A colleague may call what the right one may, and approves what that one asks for. */
export type Caller = 'RIGHT' | 'COLLEAGUE' | 'NOBODY' | 'STRANGER' | 'NONSENSE';

/** A request as it is drawn; what comes from earlier answers is filled in when it is sent. */
export interface Draft {
  readonly caller: Caller;
  readonly trouble: Trouble;
  /** Which of the places that are there the path names; null for one that is put together. */
  readonly place: number | null;
  /** Already encoded where it is text. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [string, unknown])[];
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly type: string | null; readonly value: unknown } | null;
}

const RAW_URL = [
  '%00',
  '%zz',
  '%',
  '%ff%fe',
  '%ed%a0%80',
  '..%2f..%2f',
  '%2e%2e',
  '%252e',
  ';x',
  '%0d%0aX: y',
  '+',
  '*',
  '~',
];
const rawText = fc.constantFrom(...RAW_URL).map((text) => new Raw(text));

/** Where a request may be wrong; the other places are as the document asks. */
type Trouble = 'NONE' | 'CALLER' | 'PATH' | 'QUERY' | 'HEADERS' | 'BODY' | 'ALL';

const textLike = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function good(
  { document, template }: Target,
  { name, in: place, schema = {}, example }: Parameter,
): fc.Arbitrary<unknown> {
  // A cursor fits its own list only, and before the first page there is none.
  if (name === 'cursor') return fromAnswers(`cursor of ${template}`, fc.constant(undefined));
  const given: Schema = example === undefined ? schema : { ...schema, example };
  const plain = valid(document, given);
  const isNamed = (place === 'path' && prefixOf(given['example']) === null) || name === 'version';
  return isNamed ? fromAnswers(kindOf(template, name), plain) : plain;
}

function parameterValue(target: Target, parameter: Parameter, wrong: boolean): fc.Arbitrary<unknown> {
  const fitting = good(target, parameter);
  if (!wrong) return fitting;
  // Most are as they should be: what is refused for one parameter never reaches what stands behind the others.
  return fc.oneof(
    { weight: 3, arbitrary: fitting },
    { weight: 1, arbitrary: fc.oneof(hostileText, rawText, hostileValue.filter(textLike)) },
  );
}

function ofPlace(target: Target, place: Parameter['in']): readonly Parameter[] {
  return (target.operation.parameters ?? []).filter((parameter) => parameter.in === place);
}

const path = (target: Target, wrong: boolean): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.record(
    Object.fromEntries(ofPlace(target, 'path').map((one) => [one.name, parameterValue(target, one, wrong)])),
  );

const ODD_NAMES = [
  'a[__proto__][x]',
  '__proto__',
  'limit',
  'limit[]',
  '',
  'cursor',
  '$where',
  'x-client-id',
  'A'.repeat(70),
];

function query(target: Target, wrong: boolean): fc.Arbitrary<Draft['query']> {
  const known = ofPlace(target, 'query');
  const values = fc.record(
    Object.fromEntries(known.map((one) => [one.name, parameterValue(target, one, wrong)])),
    {
      requiredKeys: known.filter(({ required }) => required).map(({ name }) => name),
    },
  );
  const odd = fc.array(fc.tuple(fc.constantFrom(...ODD_NAMES), fc.oneof(hostileText, rawText)), {
    maxLength: 2,
  });
  return fc
    .tuple(values, wrong ? odd : fc.constant([]))
    .map(([named, others]) => [...Object.entries(named), ...(others as [string, unknown][])]);
}

// Node's client lets these through as a header: the server's parser refuses other bytes before any of our code.
const headerText = fc.oneof(
  hostileText.map((text) => text.replace(/[^\t\x20-\x7E\x80-\xFF]/g, '').slice(0, 2_000)),
  fc.constantFrom(
    '',
    ' ',
    CANARY,
    `${CANARY}"`,
    '\xFF\xFE',
    'a'.repeat(300),
    "' OR 1=1",
    '529982247' + '25x',
  ),
);

const identifiers = headerText.map((text) => text.replaceAll(CANARY, 'x'));

function headers(target: Target, wrong: boolean): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const own = ofPlace(target, 'header').map((one): [string, fc.Arbitrary<unknown>] => {
    const good = valid(target.document, one.schema ?? {});
    return [
      one.name.toLowerCase(),
      wrong ? fc.oneof(good, one.name.endsWith('-id') ? identifiers : headerText) : good,
    ];
  });
  const named = fc.record(Object.fromEntries(own), { requiredKeys: [] });
  if (!wrong) return named;
  const common: Record<string, fc.Arbitrary<unknown>> = {
    // These come back and are logged by contract, so they hold no canary.
    'x-request-id': identifiers,
    'x-correlation-id': identifiers,
    'x-api-version': fc.oneof(fc.constant('2026-11-01'), headerText),
    traceparent: fc.oneof(fc.constant(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`), headerText),
    accept: fc.oneof(
      fc.constantFrom('*/*', 'application/json', 'text/html', 'application/problem+json'),
      headerText,
    ),
    'idempotency-key': headerText,
    'x-forwarded-for': headerText,
    'x-http-method-override': fc.constantFrom('DELETE', 'TRACE'),
    origin: fc.constantFrom('https://evil.invalid', 'null', CANARY),
    cookie: fc.oneof(fc.constant(`vigia_refresh=${CANARY}; vigia_csrf=x`), headerText),
    'content-encoding': fc.constantFrom('gzip', 'br', 'identity', CANARY),
    range: fc.constant('bytes=0-1'),
    expect: fc.constant(CANARY),
  };
  return fc
    .tuple(named, fc.subarray(Object.keys(common), { minLength: 1, maxLength: 3 }))
    .chain(([mine, chosen]) =>
      fc
        .record(Object.fromEntries(chosen.map((name) => [name, common[name] ?? headerText])))
        .map((others) => ({ ...others, ...mine })),
    );
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
  '/',
  CANARY,
];

// Members that no second thing may have.
const UNIQUE = /^(key|email|transactionId)$/;

const likeIt = (value: string): fc.Arbitrary<string> =>
  fc
    .stringMatching(/^[a-z]{4}$/)
    .map((more) =>
      value.replace(/[a-z]+/i, (word) => word + (/[a-z]/.test(word) ? more : more.toUpperCase())),
    );

/** Draws some members anew of what was sent before with success. */
function varied(document: ApiDocument, schema: Schema, sample: unknown): fc.Arbitrary<unknown> {
  const known = anyOne.map((pick) => revived(sample, pick));
  const properties = (resolved(document, schema)['properties'] ?? {}) as Record<string, Schema>;
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return known;
  const unique = Object.entries(sample).flatMap(([name, value]) => {
    return UNIQUE.test(name) && typeof value === 'string' ? [[name, likeIt(value)] as const] : [];
  });
  const members = Object.keys(sample).flatMap((name) => {
    const property = properties[name];
    return property ? [[name, valid(document, property)] as const] : [];
  });
  const others = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const drawn = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: others });
  return fc
    .tuple(known, drawn, fc.record(Object.fromEntries(unique), { requiredKeys: [] }))
    .map((three) => Object.assign({}, ...(three as object[])) as object);
}

function body({ document, operation, method, samples }: Target, wrong: boolean): fc.Arbitrary<Draft['body']> {
  const kinds = Object.entries(operation.requestBody?.content ?? {});
  const odd = fc.record({ type: fc.constantFrom(...TYPES, 'application/json'), value: hostileBody });
  if (kinds.length === 0) return wrong && method !== 'get' ? odd : fc.constant(null);
  const ofKind = kinds.map(([type, { schema = {}, example }]) => {
    const drawn = valid(document, example === undefined ? schema : { ...schema, example });
    const shown = exampleOf(document, schema);
    const known = /^(application\/json|multipart\/form-data)$/.test(type) ? samples : [];
    const good = fc.oneof(
      { weight: 2, arbitrary: drawn },
      { weight: 1, arbitrary: anyOne.map((pick) => revived(shown, pick)) },
      {
        weight: known.length === 0 ? 0 : 4,
        arbitrary: fc.constantFrom(shown, ...known).chain((sample) => varied(document, schema, sample)),
      },
    );
    if (!wrong) {
      // Nobody draws a file that is one.
      const files = type === 'multipart/form-data' && known.length > 0;
      return (files ? fc.constantFrom(...known) : good).map((value) => ({ type, value }));
    }
    return fc.oneof(
      { weight: 5, arbitrary: nearlyValid(good).map((value) => ({ type, value })) },
      { weight: 2, arbitrary: hostileBody.map((value) => ({ type, value })) },
    );
  });
  const fitting = fc.oneof(...ofKind);
  return wrong ? fc.oneof({ weight: 12, arbitrary: fitting }, odd, fc.constant(null)) : fitting;
}

/** Draws a request such as the document asks for, or wrong in these places. */
export function draft(target: Target, trouble: Trouble): fc.Arbitrary<Draft> {
  const wrong = (place: Trouble): boolean => trouble === place || trouble === 'ALL';
  const strangers = fc.constantFrom<Caller>('NOBODY', 'STRANGER', 'NONSENSE');
  return fc.record({
    trouble: fc.constant(trouble),
    caller: wrong('CALLER') && trouble !== 'ALL' ? strangers : fc.constantFrom<Caller>('RIGHT', 'COLLEAGUE'),
    place: wrong('PATH') ? fc.constant(null) : fc.option(anyOne),
    path: path(target, wrong('PATH')),
    query: query(target, wrong('QUERY')),
    headers: headers(target, wrong('HEADERS')),
    body: body(target, wrong('BODY')),
  });
}

/** The same requests for the same seed, the first of them as the document asks. */
export function drafts(target: Target, seed: number, many: number): Draft[] {
  return [
    ...fc.sample(draft(target, 'NONE'), { seed, numRuns: 1 }),
    ...fc.sample(mixed(target), { seed, numRuns: many - 1 }),
  ];
}

/** Requests for an operation: such as its document asks for, wrong in one place, or wrong everywhere. */
function mixed(target: Target): fc.Arbitrary<Draft> {
  const places: { weight: number; arbitrary: fc.Arbitrary<Trouble> }[] = [
    { weight: 14, arbitrary: fc.constant('NONE') },
    { weight: 1, arbitrary: fc.constant('CALLER') },
    { weight: 3, arbitrary: fc.constant('HEADERS') },
    { weight: 3, arbitrary: fc.constant('QUERY') },
    { weight: target.template.includes('{') ? 4 : 0, arbitrary: fc.constant('PATH') },
    {
      weight: target.method === 'get' ? 1 : target.operation.requestBody ? 14 : 3,
      arbitrary: fc.constant('BODY'),
    },
    { weight: 1, arbitrary: fc.constant('ALL') },
  ];
  return fc.oneof(...places).chain((trouble) => draft(target, trouble));
}

/**
 * So many drawn requests as the document asks for, each once for every member of its body with null in that place, and
 * where a number stands with one that no integer column holds; and once for every value of its path with U+0000.
 */
export function atTheEdges(target: Target, seed: number, drawn: number): Draft[] {
  return fc.sample(draft(target, 'NONE'), { seed, numRuns: drawn }).flatMap((right): Draft[] => {
    const { body: sent } = right;
    const bodies = edgesOf(sent?.value).map((value) => ({ type: sent?.type ?? null, value }));
    return [
      ...bodies.map((odd): Draft => ({ ...right, trouble: 'BODY', body: odd })),
      ...Object.keys(right.path).map((name): Draft => ({
        ...right,
        trouble: 'PATH',
        place: null,
        path: { ...right.path, [name]: new Raw('%00') },
      })),
    ];
  });
}

const NO_INTEGER = 2 ** 31;

/** Copies of a value, each with another of its members at an edge, however deep. */
function edgesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => edgesOf(item).map((copy) => [copy]));
  if (typeof value !== 'object' || value === null || value instanceof FromAnswers || Buffer.isBuffer(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, member]) =>
    [null, ...(typeof member === 'number' ? [NO_INTEGER] : []), ...edgesOf(member)].map((copy) => ({
      ...value,
      [name]: copy,
    })),
  );
}

/** A request as it goes out. */
export interface Outgoing {
  readonly path: string;
  /** The values in the path. */
  readonly at: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Lone surrogates have no form in a URL. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

const encoded = (value: unknown): string => {
  if (value instanceof Raw) return value.text;
  const text = typeof value === 'string' ? value : jsonOf(value);
  return encodeURIComponent(wellFormed(text));
};

/** Puts the draft into the form in which HTTP carries it. */
export function outgoing(target: Target, draft: Draft, harvest: Harvest): Outgoing {
  const at = harvest.at(target.template, draft);
  const values = at.values();
  const place = target.template.replace(/\{[A-Za-z]+\}/g, () => encoded(values.next().value));
  const parts = draft.query
    .map(([name, value]) => [name, harvest.filled(value)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(wellFormed(name))}=${encoded(value)}`);
  const headers = Object.fromEntries(
    Object.entries(draft.headers).map(([name, value]) => [
      name,
      String(harvest.filled(value)).replace(/[^\t\x20-\x7E\x80-\xFF]/g, ''),
    ]),
  );
  const path = parts.length === 0 ? place : `${place}?${parts.join('&')}`;
  if (!draft.body) return { path, at, headers, body: null };
  const { type, value } = draft.body;
  const own = draft.trouble === 'NONE' ? harvest.bodyFor(at.at(-1), value) : harvest.filled(value);
  const payload = payloadOf(type ?? '', own);
  return {
    path,
    at,
    headers: { ...headers, ...(payload.type === '' ? {} : { 'content-type': payload.type }) },
    body: payload.bytes,
  };
}

const BOUNDARY = 'fuzz-4711';

function payloadOf(type: string, value: unknown): { type: string; bytes: Buffer } {
  if (Buffer.isBuffer(value)) return { type, bytes: value };
  if (type === 'multipart/form-data') {
    return { type: `${type}; boundary=${BOUNDARY}`, bytes: multipart(value) };
  }
  if (type === 'application/x-ndjson' && Array.isArray(value)) {
    return { type, bytes: Buffer.from(value.map((item) => jsonOf(item)).join('\n')) };
  }
  return { type, bytes: Buffer.from(jsonOf(value)) };
}

/** A form with a part for each member; what is meant as a file is one, with a name that no file has. */
function multipart(value: unknown): Buffer {
  const members =
    typeof value === 'object' && value !== null ? Object.entries(value) : [['file', value] as const];
  const parts = members.map(([name, member]) => {
    if (Buffer.isBuffer(member)) return filePart(name, member);
    const isForm = members.some(([, one]) => Buffer.isBuffer(one));
    const plain = name.replace(/[\r\n"]/g, '_');
    const file =
      !isForm && /file|document|image|selfie|content/i.test(name)
        ? `; filename="../${CANARY}.csv"\r\nContent-Type: text/csv`
        : '';
    const text = typeof member === 'string' ? member : jsonOf(member);
    return Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${plain}"${file}\r\n\r\n${text}\r\n`,
    );
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** A file as it was sent before with success. */
const filePart = (name: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="file"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    content,
    Buffer.from('\r\n'),
  ]);
