import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Body, Controller, Module } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiTags } from '@nestjs/swagger';
import { buildOpenApi } from '../../src/bootstrap/api-docs/index.js';
import { Settings } from '../../src/platform/config/index.js';
import {
  envelope,
  Field,
  forEverybody,
  isForIntegrators,
  pathTemplate,
  Route,
  RouteTable,
} from '../../src/platform/http/index.js';
import { eventTypes } from '../../src/features/webhooks/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, aTransaction } from '../support/builders.js';
import { findingsOf, type JudgedDocument } from '../support/openapi-rules.js';
import { send } from '../support/raw-http.js';
import { sandboxClient } from '../support/sandbox.js';
import { closed, schemaJudge } from '../support/schema-judge.js';

type Schema = Readonly<Record<string, unknown>>;
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly headers?: Readonly<Record<string, object>>;
        readonly content?: Readonly<Record<string, Media>>;
      }
    >
  >;
}
interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The operators' document has none. */
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: object;
  };
}

const INTEGRATORS = '/openapi.json';
const OPERATORS = '/operator/openapi.json';
const ADDRESSES = [INTEGRATORS, OPERATORS] as const;
const ajv = schemaJudge();

/** A route as it is when its author forgets every text. */
class BareBody {
  @Field.text({ maxLength: 10 }) amount: string;
}

@ApiTags('Bare')
@Controller()
class BareController {
  @Route.post('bare', forEverybody, { summary: 'A bare route', description: '', data: [BareBody, ''] })
  bare(@Body() body: BareBody) {
    return envelope(body);
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

let t: TestApp;
let client: TestClient;
let api: TestApi;
let document: Document;
let documents: Readonly<Record<string, Document>>;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client();
  api = t.api.as(client);
  const read = async (address: string): Promise<Document> =>
    (await t.api.get(address).expect(200)).body as Document;
  document = await read(INTEGRATORS);
  documents = { [INTEGRATORS]: document, [OPERATORS]: await read(OPERATORS) };
  for (const address of ADDRESSES) ajv.addSchema(documents[address]!, address);
});

afterAll(async () => {
  await t.close();
});

/** Escapes a key for a JSON pointer in a URI fragment. */
const pointer = (...keys: string[]): string =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

function validatorAt(address: string, ...keys: string[]): ValidateFunction {
  return ajv.compile({ $ref: `${address}#${pointer(...keys)}` });
}

/** Returns the faults of a value, in lines; empty when it conforms. */
function problems(validate: ValidateFunction, value: unknown): string[] {
  return validate(value)
    ? []
    : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ''} ${JSON.stringify(e.params)}`);
}

/** Every operation of paths and webhooks with where it stands in the document. */
const operations = ({ paths, webhooks = {} }: Document = document): [string[], Operation][] => [
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string[], Operation] => [
      ['paths', path, method],
      operation,
    ]),
  ),
  ...Object.entries(webhooks).map(([name, { post }]): [string[], Operation] => [
    ['webhooks', name, 'post'],
    post,
  ]),
];

/** Every media type object with where it stands. */
const media = (of: Document): [string[], Media][] =>
  operations(of).flatMap(([at, { requestBody, responses }]) => [
    ...Object.entries(requestBody?.content ?? {}).map(([type, one]): [string[], Media] => [
      [...at, 'requestBody', 'content', type],
      one,
    ]),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, one]): [string[], Media] => [
        [...at, 'responses', status, 'content', type],
        one,
      ]),
    ),
  ]);

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 with what the format requires', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: 'Vigia integrator API', version: '2026-11-01' });
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [at, { responses }] of operations()) {
      expect([at, Object.keys(responses).length > 0]).toEqual([at, true]);
      for (const response of Object.values(responses)) {
        expect(response.description).toEqual(expect.any(String));
      }
    }
  });

  it('uses no word of OpenAPI 3.0 that 3.1 dropped', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"nullable":/);
    expect(text).not.toMatch(/"exclusive(?:Minimum|Maximum)":(?:true|false)/);
  });

  it('every path parameter is declared, and no other', () => {
    for (const [[kind, path = ''], { parameters = [] }] of operations()) {
      if (kind !== 'paths') continue;
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([path, parameters.filter((p) => p.in === 'path').map((p) => p.name)]).toEqual([path, inPath]);
    }
  });

  it('is served as YAML and as a page too', async () => {
    expect((await t.api.get('/openapi.yaml').expect(200)).text).toMatch(/^openapi: 3\.1\.0$/m);
    expect((await t.api.get('/docs').redirects(1).expect(200)).text).toMatch(/<title>Vigia API<\/title>/);
    expect((await t.api.get('/docs/errors').expect(200)).text).toContain('TRANSACTION_ID_CONFLICT');
    // A submission that is tried there twice is two.
    const fresh = async (path: string): Promise<boolean> =>
      /"pix-\w{8}"/.test((await t.api.get(path).buffer().expect(200)).text);
    expect([await fresh('/docs/swagger-ui-init.js'), await fresh('/openapi.json')]).toEqual([true, false]);
  });

  it('holds no secret and no real document number', () => {
    expect(JSON.stringify(document)).not.toMatch(/vsk_[A-Za-z0-9_-]{20}|whsec_[A-Za-z0-9+/=]{20}/);
  });
});

describe.each(ADDRESSES)('the schemas of %s', (address) => {
  it('compile with formats that are known, and every reference leads somewhere', () => {
    // ASVS 2.1.1
    const of = documents[address]!;
    const { schemas } = of.components;
    for (const name of Object.keys(schemas)) validatorAt(address, 'components', 'schemas', name);
    for (const [at, { schema }] of media(of)) if (schema) validatorAt(address, ...at, 'schema');
    for (const [at, { parameters = [] }] of operations(of)) {
      parameters.forEach((_, i) => validatorAt(address, ...at, 'parameters', String(i), 'schema'));
    }
    const references = [...JSON.stringify(of).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    const missing = references.map(([, name]) => name!).filter((name) => !(name in schemas));
    expect([references.length > 20, missing]).toEqual([true, []]);
  });
});

describe('what is said of everything', () => {
  it.each([
    ['date', '2026-02-28', ['2026-02-30', '2026-2-28', '2026-02-28T12:00:00Z', 'example']],
    ['date-time', '2026-02-28T23:59:59.000Z', ['2026-02-28', '2026-02-30T12:00:00Z', '2026-02-28T24:00:00Z']],
    ['uri', 'https://loja.example/a?b=c', ['loja.example', '/a', 'https://loja.example/a b']],
    ['email', 'ana@example.com', ['ana', 'ana@', 'a b@example.com']],
  ])('the checks of this file hold the format %s', (format, good, bad) => {
    const validate = ajv.compile({ type: 'string', format });
    expect([good, ...bad].filter((text) => validate(text))).toEqual([good]);
    expect(() => ajv.compile({ type: 'string', format: `${format}s` })).toThrow(/unknown format/);
  });

  it('two classes of the documents never share a name, so that neither takes the place of the other', () => {
    const folder = path.join(import.meta.dirname, '../../src');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.dto.ts'))
      .flatMap((file) => [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^export class (\w+)/gm)])
      .map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(300);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it.each(['/openapi.json', '/operator/openapi.json'])('%s describes whatever it names', async (address) => {
    expect(findingsOf((await t.api.get(address).expect(200)).body as JudgedDocument)).toEqual([]);
  });

  it('a route without a text of its own is found: nothing that is added to it hides that', async () => {
    const app = await NestFactory.create<NestExpressApplication>(BareModule, {
      preview: true,
      logger: false,
    });
    const discovery = new DiscoveryService(app.get(ModulesContainer));
    const routes = new RouteTable(discovery, new MetadataScanner(), new Reflector()).routes();
    const bare = buildOpenApi(app, t.app.get(Settings), routes) as unknown as JudgedDocument;
    expect(findingsOf(bare)).toEqual([
      'post /bare has no description',
      'the tag Bare is not described',
      'post /bare: the answer 200 is not described',
      'BareBody.amount is not described',
    ]);
  });

  it('an event is one of several schemas, and its type says which', () => {
    const { FeedView, TransactionQueuedEvent } = document.components.schemas;
    const { items } = (FeedView as unknown as { properties: { data: { items: Schema } } }).properties.data;
    const { mapping } = items['discriminator'] as { mapping: Record<string, string> };
    expect(items).toMatchObject({ discriminator: { propertyName: 'type' } });
    expect(items['oneOf']).toEqual(Object.values(mapping).map(($ref) => ({ $ref })));
    expect(Object.keys(mapping)).toEqual([...eventTypes]);
    expect(TransactionQueuedEvent).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/WebhookEnvelope' }, {}],
    });
    const valid = validatorAt(
      INTEGRATORS,
      'components',
      'schemas',
      'FeedView',
      'properties',
      'data',
      'items',
    );
    for (const type of eventTypes) {
      const { example } = document.webhooks![type]!.post.requestBody!.content['application/json']!;
      expect([type, problems(valid, example)]).toEqual([type, []]);
    }
    const { example } = document.webhooks!['session.created']!.post.requestBody!.content['application/json']!;
    expect(valid({ ...(example as object), type: 'session.completed' })).toBe(false);
  });

  it('an answer has the headers that the document says it has', async () => {
    const answers = [
      ['/kyt/transactions/ingest', 'post', await api.ingest(aTransaction())],
      ['/kyt/transactions/ingest', 'post', await t.api.ingest(aTransaction())],
      ['/transactions', 'post', await api.legacy({ transactionId: 'headers-1', customer: {}, amount: 1 })],
      ['/client-apps/public/{clientId}', 'get', await t.api.get('/client-apps/public/nobody')],
      ['/health/live', 'get', await t.api.get('/health/live')],
    ] as const;
    for (const [route, method, answer] of answers) {
      const { headers = {} } = document.paths[route]![method]!.responses[String(answer.status)]!;
      const always = Object.keys(headers).filter(
        (name) => !/^(Idempotency-Replayed|Preference-Applied)$/.test(name),
      );
      expect([route, answer.status, always.length >= 3]).toEqual([route, answer.status, true]);
      const missing = always.filter((name) => answer.headers[name.toLowerCase()] === undefined);
      expect([route, answer.status, missing]).toEqual([route, answer.status, []]);
    }
  });
});

describe('routes and document', () => {
  it('every route of the service is in its document, and nothing else is', async () => {
    // ASVS 6.4.2
    const operators = (await t.api.get('/operator/openapi.json').expect(200)).body as Document;
    const routes = t.app.get(RouteTable).routes();
    for (const [{ paths }, ofOperators] of [
      [document, false],
      [operators, true],
    ] as const) {
      const served = routes
        .filter((route) => isForIntegrators(route) !== ofOperators)
        .map(({ method, path }) => `${method} ${pathTemplate(path)}`);
      const documented = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(documented.sort()).toEqual(served.sort());
    }
  });

  it('a route that takes no body takes an empty one, whatever its type is said to be', async () => {
    const bodiless = operations(documents[OPERATORS]).filter(
      ([[, , method], { requestBody }]) => method === 'post' && requestBody === undefined,
    );
    expect(bodiless.length).toBeGreaterThanOrEqual(15);
    for (const [[, path = '']] of bodiless) {
      // Anew each time: logging out is among them.
      const { token } = await t.operator({ roles: ['ADMIN', 'COMPLIANCE_OFFICER', 'ANALYST', 'DEVELOPER'] });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const { body } = await send(t.url + path.replaceAll(/\{\w+\}/g, 'x'), { headers });
      const { error } = body as { error: { code: string } | null };
      expect([path, error?.code]).not.toEqual([path, 'MALFORMED_JSON']);
      if (/log-?out/.test(path)) expect([path, error]).toEqual([path, null]);
    }
  });

  it('begins with what people do first: the submission that is answered with 202', () => {
    const tags = (document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name);
    const [first] = operations().filter(([, { tags: own = [] }]) => own.includes(tags[0]!));
    expect([first![0][1], Object.keys(first![1].responses)]).toEqual([
      '/kyt/transactions/ingest',
      expect.arrayContaining(['202']),
    ]);
    expect(tags.slice(0, 3)).toEqual(['KYT', 'Events', 'Webhook endpoints']);
  });

  it('what is no API of integrators is not in their document: pages, their files, metrics', () => {
    const paths = Object.keys(document.paths);
    expect(paths.filter((path) => /^\/(verify|console|metrics|$)/.test(path))).toEqual([]);
    expect(Object.keys(documents[OPERATORS]!.paths)).toEqual(
      expect.arrayContaining(['/metrics', '/verify/{sessionId}']),
    );
  });

  it('the types of events that are asked for are a list', () => {
    const { parameters = [] } = document.paths['/events']!['get']!;
    expect(parameters.find(({ name }) => name === 'types')?.schema).toMatchObject({
      type: 'array',
      items: { enum: [...eventTypes] },
    });
  });

  it('the paths of the specification are there, on exactly those paths', () => {
    expect(document.paths).toMatchObject({
      '/kyt/transactions/ingest': { post: expect.anything() },
      '/transactions': { post: { deprecated: true } },
      '/client-apps/public/{clientId}': { get: expect.anything() },
    });
  });

  it('a route needs the credentials in the document if and only if it needs them', () => {
    const access = new Map(
      t.app
        .get(RouteTable)
        .routes()
        .map((route) => [`${route.method} ${pathTemplate(route.path)}`, route.access?.kind]),
    );
    for (const [[kind, path, method], { security, responses }] of operations()) {
      if (kind !== 'paths') continue;
      const guarded = access.get(`${method!.toUpperCase()} ${path!}`) === 'client';
      expect([path, security ?? []]).toEqual([
        path,
        guarded ? [{ 'client-id': [], 'client-secret': [] }] : [],
      ]);
      if (guarded) {
        expect([path, Object.keys(responses)]).toEqual([
          path,
          expect.arrayContaining(['400', '401', '403', '429', '503']),
        ]);
      }
    }
  });
});

describe('examples', () => {
  it.each(ADDRESSES)('%s: every example of a body conforms to its schema', (address) => {
    let seen = 0;
    for (const [at, { schema, example, examples = {} }] of media(documents[address]!)) {
      const all = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      if (all.length === 0) continue;
      expect([at, schema === undefined]).toEqual([at, false]);
      const validate = validatorAt(address, ...at, 'schema');
      for (const value of all) expect([at, problems(validate, value)]).toEqual([at, []]);
      seen += all.length;
    }
    expect(seen).toBeGreaterThan(20);
  });

  it.each(ADDRESSES)(
    '%s: every example and default of a schema, parameter or header conforms to its own',
    (address) => {
      const of = documents[address]!;
      let seen = 0;
      const conforms = (value: unknown, at: string[], schema = at): void => {
        expect([at, problems(validatorAt(address, ...schema), value)]).toEqual([at, []]);
        seen += 1;
      };
      const visit = (schema: Schema, at: string[]): void => {
        for (const word of ['example', 'default']) if (word in schema) conforms(schema[word], at);
        for (const one of (schema['examples'] ?? []) as unknown[]) conforms(one, at);
        for (const word of ['items', 'additionalProperties', 'not']) {
          if (typeof schema[word] === 'object') visit(schema[word] as Schema, [...at, word]);
        }
        for (const word of ['properties', 'patternProperties', 'allOf', 'anyOf', 'oneOf']) {
          const members = Object.entries((schema[word] ?? {}) as Record<string, Schema>);
          for (const [name, member] of members) visit(member, [...at, word, name]);
        }
      };
      const named = ({ example, schema }: Media, at: string[]): void => {
        if (example !== undefined) conforms(example, at, [...at, 'schema']);
        if (schema) visit(schema, [...at, 'schema']);
      };
      for (const [name, schema] of Object.entries(of.components.schemas)) {
        visit(schema, ['components', 'schemas', name]);
      }
      for (const [at, { schema }] of media(of)) if (schema) visit(schema, [...at, 'schema']);
      for (const [at, { parameters = [], responses }] of operations(of)) {
        parameters.forEach((parameter, i) => {
          named(parameter, [...at, 'parameters', String(i)]);
        });
        for (const [status, { headers = {} }] of Object.entries(responses)) {
          for (const [name, header] of Object.entries(headers)) {
            named(header, [...at, 'responses', status, 'headers', name]);
          }
        }
      }
      expect(seen).toBeGreaterThan(60);
    },
  );

  it('a body made of the examples of its fields is accepted by the service, and released', async () => {
    const exampleOf = (name: string): Record<string, unknown> => {
      const { properties } = document.components.schemas[name] as { properties: Record<string, Schema> };
      return Object.fromEntries(
        Object.entries(properties).map(([field, schema]) => {
          if ('example' in schema) return [field, schema['example']];
          const reference = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(schema))?.[1];
          if (reference === undefined) return [field, undefined];
          return [field, 'items' in schema ? [exampleOf(reference)] : exampleOf(reference)];
        }),
      );
    };
    const now = { occurredAt: new Date().toISOString() };
    const sample = exampleOf('IngestTransactionBody');
    const sandbox = t.api.as(await sandboxClient(t));
    await sandbox.ingest({ ...sample, ...now }).expect(202);
    const { verdict, nonDefensibleReasons, reasons } = await sandbox.settled(String(sample['transactionId']));
    expect([verdict, nonDefensibleReasons, reasons]).toEqual(['RELEASE', [], []]);
    await api.legacy(exampleOf('LegacyTransactionBody')).expect(202);
  });
});

describe('answers conform to the document', () => {
  const answersOf = async (): Promise<
    [string, string, string, { status: number; body: unknown; headers: Record<string, string> }][]
  > => {
    const body = aTransaction();
    const partial = aMinimalTransaction();
    const outsider = t.api.as(await t.client({ scopes: [] }));
    const limited = t.api.as(await t.client({ perSecond: 1, burst: 1 }));
    // A debt of minutes.
    await limited.ingestBatch(Array.from({ length: 500 }, () => ({})));
    const ingest = ['/kyt/transactions/ingest', 'post'] as const;
    const waited = (submission: object, ms = 10_000) =>
      api.post(`/kyt/transactions/ingest?wait=${ms}`).send(submission);
    const read = ['/kyt/transactions/{transactionId}', 'get'] as const;
    const batch = ['/kyt/transactions/ingest/batch', 'post'] as const;
    const app = ['/client-apps/public/{clientId}', 'get'] as const;
    return [
      ['202', ...ingest, await api.ingest(body)],
      ['202 with a warning', ...ingest, await api.ingest(aTransaction({ type: 'NEW_TYPE' }))],
      ['202 partial', ...ingest, await api.ingest(partial)],
      ['200', ...ingest, await api.ingest(body)],
      ['200 decided', ...ingest, (await api.settled(body.transactionId), await waited(body))],
      ['202 not decided', ...ingest, await waited(aTransaction(), 1)],
      ['400 wait', ...ingest, await waited(body, 0)],
      ['409', ...ingest, await api.ingest({ ...body, amount: 1 })],
      ['400', ...ingest, await api.ingest({})],
      ['400 malformed', ...ingest, await api.ingest('{')],
      ['400 version', ...ingest, await api.ingest(body).set('x-api-version', '1')],
      ['401', ...ingest, await t.api.ingest(body)],
      ['403', ...ingest, await outsider.ingest(body)],
      ['413', ...ingest, await api.ingest(' '.repeat(70_000))],
      [
        '415',
        ...ingest,
        await api.post('/kyt/transactions/ingest').set('content-type', 'text/plain').send('x'),
      ],
      ['429', ...ingest, await limited.ingest(body)],
      [
        '200 whole',
        ...read,
        (await api.settled(body.transactionId), await api.transaction(body.transactionId)),
      ],
      [
        '200 partial',
        ...read,
        (await api.settled(partial.transactionId), await api.transaction(partial.transactionId)),
      ],
      ['404', ...read, await api.transaction('never')],
      ['403', ...read, await outsider.transaction('never')],
      ['207', ...batch, await api.ingestBatch([aTransaction(), {}, body, { ...body, amount: 2 }])],
      [
        '207 decided',
        ...batch,
        await api.post('/kyt/transactions/ingest/batch?wait=10000').send([body, {}, aTransaction()]),
      ],
      ['400', ...batch, await api.ingestBatch([])],
      [
        '415',
        ...batch,
        await api.post('/kyt/transactions/ingest/batch').set('content-type', 'text/plain').send('x'),
      ],
      [
        '202',
        '/transactions',
        'post',
        await api.legacy({ transactionId: 'legacy-1', customer: {}, amount: 1 }),
      ],
      [
        '200',
        '/transactions',
        'post',
        await api.legacy({ transactionId: 'legacy-1', customer: {}, amount: 1 }),
      ],
      ['400', '/transactions', 'post', await api.legacy({})],
      ['200', ...app, await t.api.get(`/client-apps/public/${client.clientId}`)],
      ['404', ...app, await t.api.get('/client-apps/public/nobody')],
      ['200', '/health/live', 'get', await t.api.get('/health/live')],
      ['200', '/health/ready', 'get', await t.api.get('/health/ready')],
    ];
  };

  it('every status is documented, and every body conforms to its schema without one field more', async () => {
    // ASVS 8.1.2, 15.3.1
    const strict = schemaJudge().addSchema(closed(document), INTEGRATORS);
    const answers = await answersOf();
    for (const [what, path, method, answer] of answers) {
      const name = `${method} ${path} ${what}`;
      const status = String(answer.status);
      expect([name, Object.keys(document.paths[path]?.[method]?.responses ?? {})]).toEqual([
        name,
        expect.arrayContaining([status]),
      ]);
      expect([name, status]).toEqual([name, what.slice(0, 3)]);
      const at = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      const validate = strict.compile({ $ref: `${INTEGRATORS}#${pointer(...at)}` });
      expect([name, problems(validate, answer.body)]).toEqual([name, []]);
    }
    expect(answers).toHaveLength(31);
  });
});

describe('webhooks section', () => {
  it('has exactly the six event types of the specification, and the one of a session that is reopened', () => {
    expect(Object.keys(document.webhooks ?? {}).sort()).toEqual([...eventTypes].sort());
    expect([...eventTypes].sort()).toEqual([
      'customer.identified',
      'kyt.transaction.dead_lettered',
      'kyt.transaction.pipeline.completed',
      'kyt.transaction.queued',
      'session.completed',
      'session.created',
      'session.reopened',
    ]);
  });

  it.each([...eventTypes])('%s has a signed request, a schema and an example', (type) => {
    const { post } = document.webhooks![type]!;
    expect(post.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['X-Vigia-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']),
    );
    const { schema, example } = post.requestBody!.content['application/json']!;
    expect([schema, example]).toEqual([expect.anything(), expect.objectContaining({ type })]);
  });

  it('the schema of one event does not accept another', () => {
    const validate = validatorAt(
      INTEGRATORS,
      'webhooks',
      'kyt.transaction.queued',
      'post',
      'requestBody',
      'content',
      'application/json',
      'schema',
    );
    const { example } = document.webhooks!['session.created']!.post.requestBody!.content['application/json']!;
    expect(problems(validate, example)).not.toEqual([]);
  });
});
