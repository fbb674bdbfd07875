import fc from 'fast-check';
import type { ApiDocument, Operation, Parameter, Schema } from '../openapi.js';
import {
  CANARY,
  FromAnswers,
  fromAnswers,
  hostileBody,
  hostileText,
  hostileValue,
  jsonOf,
  nearlyValid,
  prefixOf,
  valid,
} from './values.js';

/** An operation of one of the documents, as it is served. */
export interface Target {
  readonly document: ApiDocument;
  readonly template: string;
  readonly method: string;
  readonly operation: Operation & { readonly security?: readonly Readonly<Record<string, unknown>>[] };
}

export type Caller = 'RIGHT' | 'NOBODY' | 'STRANGER' | 'NONSENSE';

/** A request as it is drawn; what comes from earlier answers is filled in when it is sent. */
export interface Draft {
  readonly caller: Caller;
  readonly trouble: Trouble;
  /** Already encoded where it is text. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [string, unknown])[];
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly type: string | null; readonly value: unknown } | null;
}

/** A value that is put into the URL as it stands. */
export class Raw {
  constructor(readonly text: string) {}
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

/** The name of the collection that a path is about: its last part that is no parameter, up to a parameter. */
function collectionOf(template: string, parameter?: string): string {
  const parts = template.split('/');
  const end = parameter === undefined ? parts.length : parts.indexOf(`{${parameter}}`);
  return parts.slice(0, end).findLast((part) => !part.startsWith('{')) ?? '';
}

/** As what a member of an answer is kept, and a parameter of a path filled in; null when it names nothing. */
function keptAs(collection: string, name: string): string | null {
  if (/^id$|Id$/.test(name)) return `id of ${collection}`;
  if (/^(key|rule)$/.test(name)) return `key of ${collection}`;
  return name === 'version' ? name : null;
}

function good(
  { document, template }: Target,
  { name, in: place, schema = {}, example }: Parameter,
): fc.Arbitrary<unknown> {
  // A cursor fits its own list only, and before the first page there is none.
  if (name === 'cursor') return fromAnswers(`cursor of ${template}`, fc.constant(undefined));
  const given: Schema = example === undefined ? schema : { ...schema, example };
  const plain = valid(document, given);
  const kept =
    place === 'path' && prefixOf(given['example']) === null
      ? keptAs(collectionOf(template, name), name)
      : null;
  return kept === null ? plain : fromAnswers(kept, plain);
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

function body({ document, operation, method }: Target, wrong: boolean): fc.Arbitrary<Draft['body']> {
  const kinds = Object.entries(operation.requestBody?.content ?? {});
  const odd = fc.record({ type: fc.constantFrom(...TYPES, 'application/json'), value: hostileBody });
  if (kinds.length === 0) return wrong && method !== 'get' ? odd : fc.constant(null);
  const ofKind = kinds.map(([type, { schema = {}, example }]) => {
    const good = valid(document, example === undefined ? schema : { ...schema, example });
    if (!wrong) return good.map((value) => ({ type, value }));
    return fc.oneof(
      { weight: 5, arbitrary: nearlyValid(good).map((value) => ({ type, value })) },
      { weight: 2, arbitrary: hostileBody.map((value) => ({ type, value })) },
    );
  });
  const fitting = fc.oneof(...ofKind);
  return wrong ? fc.oneof({ weight: 12, arbitrary: fitting }, odd, fc.constant(null)) : fitting;
}

/** Requests for an operation: such as its document asks for, wrong in one place, or wrong everywhere. */
export function drafts(target: Target): fc.Arbitrary<Draft> {
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
  return fc.oneof(...places).chain((trouble) => {
    const wrong = (place: Trouble): boolean => trouble === place || trouble === 'ALL';
    const strangers = fc.constantFrom<Caller>('NOBODY', 'STRANGER', 'NONSENSE');
    return fc.record({
      trouble: fc.constant(trouble),
      caller: trouble === 'CALLER' ? strangers : fc.constant<Caller>('RIGHT'),
      path: path(target, wrong('PATH')),
      query: query(target, wrong('QUERY')),
      headers: headers(target, wrong('HEADERS')),
      body: body(target, wrong('BODY')),
    });
  });
}

/**
 * So many drawn requests as the document asks for, each once for every member of its body with null in that place, and
 * where a number stands with one that no integer column holds.
 */
export function atTheEdges(target: Target, seed: number, drawn: number): Draft[] {
  const right: fc.Arbitrary<Draft> = fc.record({
    trouble: fc.constant<Trouble>('BODY'),
    caller: fc.constant<Caller>('RIGHT'),
    path: path(target, false),
    query: query(target, false),
    headers: headers(target, false),
    body: body(target, false),
  });
  return fc.sample(right, { seed, numRuns: drawn }).flatMap((draft) => {
    const { body: sent } = draft;
    if (!sent) return [];
    return edgesOf(sent.value).map((value) => ({ ...draft, body: { ...sent, value } }));
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

const MAX_KEPT = 40;

/** Keeps values from answers by kind: ids by their prefix, other values by the name of their member. */
export class Harvest {
  private readonly kept = new Map<string, unknown[]>();

  /** Keeps what an answer to this path holds that a later request may name. */
  gather(template: string, value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 20)) this.gather(template, item, name);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) this.gather(template, member, key);
    } else if (typeof value === 'string' || typeof value === 'number') {
      const collection = collectionOf(template);
      const kinds = [
        prefixOf(value),
        name === 'nextCursor' ? `cursor of ${template}` : keptAs(collection, name),
        // The audit trail of anything that has an id is there to be read.
        name === 'id' ? 'id of trails' : null,
      ];
      for (const kind of kinds) if (kind !== null) this.keep(kind, value);
    }
  }

  keep(kind: string, value: unknown): void {
    const list = this.kept.get(kind) ?? [];
    if (list.includes(value)) return;
    list.push(value);
    if (list.length > MAX_KEPT) list.shift();
    this.kept.set(kind, list);
  }

  /** The value with what it takes from answers filled in. */
  filled(value: unknown): unknown {
    if (value instanceof FromAnswers) {
      const list = this.kept.get(value.kind) ?? [];
      return list.length === 0 ? value.otherwise : list[Math.floor(value.pick * list.length)];
    }
    if (Buffer.isBuffer(value) || value instanceof Raw || typeof value !== 'object' || value === null) {
      return value;
    }
    if (Array.isArray(value)) return value.map((item) => this.filled(item));
    return Object.entries(value).reduce<object>(
      // Defined, not assigned: a member may be called __proto__.
      (copy, [key, member]) =>
        Object.defineProperty(copy, key, {
          value: this.filled(member),
          enumerable: true,
          configurable: true,
          writable: true,
        }),
      {},
    );
  }
}

/** A request as it goes out. */
export interface Outgoing {
  readonly path: string;
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
  const place = target.template.replace(/\{([A-Za-z]+)\}/g, (_, name: string) =>
    encoded(harvest.filled(draft.path[name])),
  );
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
  if (!draft.body) return { path, headers, body: null };
  const { type, value } = draft.body;
  const payload = payloadOf(type ?? '', harvest.filled(value));
  return {
    path,
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

/** A form with a part for each member; what is meant as a file is one. */
function multipart(value: unknown): Buffer {
  const members =
    typeof value === 'object' && value !== null ? Object.entries(value) : [['file', value] as const];
  const parts = members.map(([name, member]) => {
    const plain = name.replace(/[\r\n"]/g, '_');
    const file = /file|document|image|selfie|content/i.test(name)
      ? `; filename="../${CANARY}.csv"\r\nContent-Type: text/csv`
      : '';
    const text = typeof member === 'string' ? member : jsonOf(member);
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${plain}"${file}\r\n\r\n${text}\r\n`;
  });
  return Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
}
