import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { detailsOf, expectError, type Answer } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aMinimalTransaction, without } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';
import { send, sendBytes, type RawRequest } from '../support/raw-http.js';

// The ingest route has two ways in; whichever a request takes, it must not notice.
describe.each<[string, boolean]>([
  ['with the ingest lane', true],
  ['without the ingest lane', false],
])('%s', (_way, ingestLane) => {
  // Starts or waits long, and takes the same way in both: once is enough for the first stage.
  const inOneWay = ingestLane ? it : later;
  let t: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    t = await startTestApp({ settings: { ingestLane } });
    client = await t.client();
  });

  afterAll(async () => {
    await t.close();
  });

  const INGEST = '/kyt/transactions/ingest';

  /** How many submissions were answered with 202. */
  let accepted = 0;

  async function call(path: string, { headers, ...rest }: RawRequest = {}): Promise<Answer> {
    const credentials = { 'x-client-id': client.clientId, 'x-client-secret': client.clientSecret };
    const all = { 'content-type': 'application/json', ...credentials, ...headers };
    const answer = await send(t.url + path, { ...rest, headers: all });
    if (answer.status === 202) accepted += 1;
    return answer;
  }

  const ingest = (body: RawRequest['body'], headers: Record<string, string> = {}): Promise<Answer> =>
    call(INGEST, { headers, ...(body === undefined ? {} : { body }) });

  // Values that no answer may repeat; the log canary of the test support looks for them as well.
  const CANARY = 'CANARY-5e1f';
  const aBody = (fields: Record<string, unknown> = {}): Record<string, unknown> =>
    aMinimalTransaction({ externalCustomerId: CANARY, metadata: { note: CANARY }, ...fields });
  /** A body whose JSON is edited as text, for what no serialiser writes. */
  const edited = (from: string, to: string): string => {
    const text = JSON.stringify(aBody());
    expect(text).toContain(from);
    return text.replace(from, to);
  };

  async function refuses(
    body: RawRequest['body'],
    status: number,
    code: string,
    ...details: string[]
  ): Promise<void> {
    const answer = await ingest(body);
    const error = expectError(answer, status, code);
    expect(detailsOf(error)).toEqual(details.sort());
    expect(answer.text).not.toContain(CANARY);
  }

  const nested = (levels: number): unknown =>
    JSON.parse('{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1));
  const wide = (keys: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i]));

  describe('Errors: "Status and body for invalid request payloads": JSON that is none', () => {
    it.each<[string, () => RawRequest['body'], string]>([
      ['nothing', () => '', 'SYNTAX'],
      ['half an object', () => '{', 'SYNTAX'],
      ['a cut-off body', () => JSON.stringify(aBody()).slice(0, -1), 'SYNTAX'],
      ['a comma too many', () => edited('"amount":10', '"amount":10,'), 'SYNTAX'],
      ['single quotes', () => `{'transactionId': '${CANARY}'}`, 'SYNTAX'],
      ['two values', () => '{} {}', 'SYNTAX'],
      ['NaN', () => edited('"amount":10', '"amount":NaN'), 'SYNTAX'],
      ['XML', () => `<transaction>${CANARY}</transaction>`, 'SYNTAX'],
    ])('%s: 400 MALFORMED_JSON', async (_what, body, reason) => {
      await refuses(body(), 400, 'MALFORMED_JSON', reason);
    });

    it('bytes that are no UTF-8: 400 MALFORMED_JSON with the path of the field', async () => {
      const [before, after] = edited(`"note":"${CANARY}"`, `"note":"${CANARY}|"`).split('|') as [
        string,
        string,
      ];
      const body = Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28]), Buffer.from(after)]);
      await refuses(body, 400, 'MALFORMED_JSON', 'metadata.note INVALID_UTF8');
    });
  });

  describe('Errors: invalid request payloads: JSON that nothing should see', () => {
    it.each<[string, () => RawRequest['body'], string]>([
      [
        '10,000 levels deep',
        () => edited('"origin":{}', `"origin":${'['.repeat(10_000)}${']'.repeat(10_000)}`),
        'DEPTH_EXCEEDED',
      ],
      ['10,000 levels deep and never closed', () => '['.repeat(10_000), 'DEPTH_EXCEEDED'],
      ['33 levels deep', () => JSON.stringify(nested(33)), 'DEPTH_EXCEEDED'],
      ['a raw U+0000', () => edited(`"note":"${CANARY}"`, `"note":"${CANARY}\u0000"`), 'NUL_CHARACTER'],
      ['an escaped U+0000', () => edited(`"note":"${CANARY}"`, `"note":"${CANARY}\\u0000"`), 'NUL_CHARACTER'],
      ['a lone surrogate', () => edited(`"note":"${CANARY}"`, `"note":"${CANARY}\\ud800"`), 'LONE_SURROGATE'],
      [
        'surrogates the wrong way round',
        () => edited(`"note":"${CANARY}"`, `"note":"\\udc00\\ud800"`),
        'LONE_SURROGATE',
      ],
      ['1e400', () => edited('"amount":10', '"amount":1e400'), 'NUMBER_OUT_OF_RANGE'],
      ['-1e400000', () => edited('"amount":10', '"amount":-1e400000'), 'NUMBER_OUT_OF_RANGE'],
      ['1e-400', () => edited('"amount":10', '"amount":1e-400'), 'NUMBER_OUT_OF_RANGE'],
      [
        'more digits than can be kept',
        () => edited('"amount":10', '"amount":0.123456789012345678901'),
        'NUMBER_TOO_PRECISE',
      ],
      [
        '__proto__ at the top',
        () => edited('"amount":10', '"amount":10,"__proto__":{"polluted":1}'),
        'FORBIDDEN_KEY',
      ],
      [
        '__proto__ in the metadata',
        () => edited('{"note"', '{"__proto__":{"polluted":1},"note"'),
        'FORBIDDEN_KEY',
      ],
      [
        'an escaped __proto__',
        () => edited('{"note"', '{"\\u005f_proto__":{"polluted":1},"note"'),
        'FORBIDDEN_KEY',
      ],
      [
        'constructor.prototype',
        () => edited('"origin":{}', '"origin":{"constructor":{"prototype":{}}}'),
        'FORBIDDEN_KEY',
      ],
      ['the same key twice', () => edited('"amount":10', '"amount":10,"amount":99'), 'DUPLICATE_KEY'],
      ['1,001 keys', () => JSON.stringify(wide(1_001)), 'TOO_MANY_KEYS'],
      ['a text of 8,193 bytes', () => edited(CANARY, 'x'.repeat(8_193)), 'STRING_TOO_LONG'],
    ])('%s: 400 VALIDATION_FAILED', async (_what, body, reason) => {
      const answer = await ingest(body());
      const error = expectError(answer, 400, 'VALIDATION_FAILED');
      expect(error.details.map(({ code }) => code)).toEqual([reason]);
      expect(answer.text).not.toContain(CANARY);
    });

    it.each<[string, () => string, string]>([
      [
        'U+0000',
        () => edited(`"note":"${CANARY}"`, `"note":["a",{"b":"\\u0000"}]`),
        'metadata.note[1].b NUL_CHARACTER',
      ],
      ['1e400', () => edited('"amount":10', '"amount":1e400'), 'amount NUMBER_OUT_OF_RANGE'],
      ['__proto__', () => edited('{"note"', '{"__proto__":1,"note"'), 'metadata.__proto__ FORBIDDEN_KEY'],
      [
        'the same key twice',
        () => edited('"origin":{}', '"origin":{"name":"a","name":"b"}'),
        'origin.name DUPLICATE_KEY',
      ],
      [
        'a CPF for a key',
        () => edited('{"note"', '{"529.982.247-25":"\\u0000","note"'),
        'metadata.* NUL_CHARACTER',
      ],
      [
        'a name for a key',
        () => edited('{"note"', '{"Maria Exemplo":"\\u0000","note"'),
        'metadata.? NUL_CHARACTER',
      ],
    ])('%s is named by its path, which shows no data', async (_what, body, detail) => {
      await refuses(body(), 400, 'VALIDATION_FAILED', detail);
    });

    it('leaves the prototype of every object as it was', () => {
      // ASVS 1.5.2, 15.3.6
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  describe('Errors: invalid request payloads: fields', () => {
    it.each([
      'transactionId',
      'type',
      'channel',
      'amount',
      'currency',
      'occurredAt',
      'origin',
      'destination',
    ])('missing %s: REQUIRED with its path', async (name) => {
      // ASVS 15.3.3, 15.3.5
      await refuses(JSON.stringify(without(aBody(), name)), 400, 'VALIDATION_FAILED', `${name} REQUIRED`);
    });

    it.each<[Record<string, unknown>, ...string[]]>([
      [{ origin: null }, 'origin REQUIRED'],
      [{ destination: null }, 'destination REQUIRED'],
      [{ origin: [] }, 'origin TYPE_INVALID'],
      [{ origin: [{ name: CANARY }] }, 'origin TYPE_INVALID'],
      [{ destination: CANARY }, 'destination TYPE_INVALID'],
      [{ origin: 0, destination: true }, 'origin TYPE_INVALID', 'destination TYPE_INVALID'],
      [{ cpfCnpj: '529.982.247-26' }, 'cpfCnpj TAX_ID_INVALID'],
      [{ cpfCnpj: '11111111111' }, 'cpfCnpj TAX_ID_INVALID'],
      [{ cpfCnpj: '11222333000182' }, 'cpfCnpj TAX_ID_INVALID'],
      [{ cpfCnpj: '***.982.247-**9' }, 'cpfCnpj TAX_ID_INVALID'],
      [{ cpfCnpj: CANARY }, 'cpfCnpj TAX_ID_INVALID'],
      [{ origin: { cpfCnpj: '52998224726' } }, 'origin.cpfCnpj TAX_ID_INVALID'],
      [{ amount: -10 }, 'amount AMOUNT_NOT_POSITIVE'],
      [{ amount: 0 }, 'amount AMOUNT_NOT_POSITIVE'],
      [{ amount: 10.005 }, 'amount AMOUNT_TOO_PRECISE'],
      [{ amount: 10.5, currency: 'JPY' }, 'amount AMOUNT_TOO_PRECISE'],
      [{ amount: 0.0001, currency: 'KWD' }, 'amount AMOUNT_TOO_PRECISE'],
      [{ amount: 1_000_000_000_000 }, 'amount AMOUNT_TOO_LARGE'],
      [{ amount: '10' }, 'amount TYPE_INVALID'],
      [{ currency: 'ZZZ' }, 'currency CURRENCY_UNKNOWN'],
      [{ currency: 'brl' }, 'currency CURRENCY_UNKNOWN'],
      [{ currency: 'XXX' }, 'currency CURRENCY_UNKNOWN'],
      [{ currency: CANARY }, 'currency CURRENCY_UNKNOWN'],
      [{ occurredAt: '2026-11-20T10:00:00' }, 'occurredAt DATETIME_INVALID'],
      [{ occurredAt: '2026-11-20' }, 'occurredAt DATETIME_INVALID'],
      [{ occurredAt: '2026-02-30T10:00:00Z' }, 'occurredAt DATETIME_INVALID'],
      [{ occurredAt: '20/11/2026 10:00' }, 'occurredAt DATETIME_INVALID'],
      [{ occurredAt: new Date(Date.now() + 24 * 3_600_000).toISOString() }, 'occurredAt DATETIME_IN_FUTURE'],
      [{ occurredAt: '9999-12-31T23:59:59Z' }, 'occurredAt DATETIME_IN_FUTURE'],
      [{ transactionId: '' }, 'transactionId TOO_SHORT'],
      [{ transactionId: 'x'.repeat(129) }, 'transactionId TOO_LONG'],
      [{ transactionId: `${CANARY} /` }, 'transactionId PATTERN_MISMATCH'],
      [{ type: 'pix' }, 'type PATTERN_MISMATCH'],
      [{ channel: 'APP MÓVEL' }, 'channel PATTERN_MISMATCH'],
      [{ externalCustomerId: 'x'.repeat(257) }, 'externalCustomerId TOO_LONG'],
      [{ destination: { country: 'BRA' } }, 'destination.country COUNTRY_UNKNOWN'],
      [{ destination: { country: 'XX' } }, 'destination.country COUNTRY_UNKNOWN'],
      [{ metadata: [CANARY] }, 'metadata TYPE_INVALID'],
      [{ metadata: nested(6) }, 'metadata METADATA_TOO_DEEP'],
      [{ metadata: wide(101) }, 'metadata METADATA_TOO_MANY_KEYS'],
      [
        { metadata: { a: ['x'.repeat(8_000), 'x'.repeat(8_000), 'x'.repeat(400)] } },
        'metadata METADATA_TOO_LARGE',
      ],
      [{ metadata: { direction: CANARY } }, 'metadata.direction VALUE_NOT_ALLOWED'],
      [{ origin: { metadata: nested(6) } }, 'origin.metadata METADATA_TOO_DEEP'],
      [{ surprise: CANARY }, 'surprise UNKNOWN_FIELD'],
      [{ origin: { surprise: { a: CANARY } } }, 'origin.surprise UNKNOWN_FIELD'],
      [{ [CANARY]: 1 }, `${CANARY} UNKNOWN_FIELD`],
      [{ '529.982.247-25': 1, 'Maria Exemplo': 2 }, '* UNKNOWN_FIELD', '? UNKNOWN_FIELD'],
      [
        { id: 1, status: 'COMPLETED', riskScore: 0, organisationId: 'x', createdAt: 'x' },
        'id UNKNOWN_FIELD',
        'status UNKNOWN_FIELD',
        'riskScore UNKNOWN_FIELD',
        'organisationId UNKNOWN_FIELD',
        'createdAt UNKNOWN_FIELD',
      ],
    ])('%j', async (fields, ...details) => {
      const answer = await ingest(JSON.stringify(aBody(fields)));
      expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual(details.sort());
      // The name of an unknown field is told, when it looks like a name; a value never is.
      if (!(CANARY in fields)) expect(answer.text).not.toContain(CANARY);
    });

    it.each([['[]'], ['null'], ['"text"'], ['7'], ['[{}]']])('%s for a body: TYPE_INVALID', async (body) => {
      await refuses(body, 400, 'VALIDATION_FAILED', 'TYPE_INVALID');
    });

    it('names at most 50 details, whatever is wrong', async () => {
      const fields = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x${i}`, i]));
      const error = expectError(await ingest(JSON.stringify(aBody(fields))), 400, 'VALIDATION_FAILED');
      expect(error.details).toHaveLength(50);
    });

    it('a body of any shape is refused or accepted, and never breaks the service', async () => {
      // ASVS 2.2.1
      const value = fc.jsonValue({ maxDepth: 4 });
      const mutated = fc
        .tuple(fc.constantFrom(...Object.keys(aBody())), value)
        .map(([name, other]) => JSON.stringify({ ...aBody(), [name]: other }));
      const cut = fc.nat(400).map((length) => JSON.stringify(aBody()).slice(0, length));
      const anything = fc.oneof(
        mutated,
        value.map((any) => JSON.stringify(any)),
        cut,
        fc.string({ unit: 'binary' }),
      );
      await fc.assert(
        fc.asyncProperty(anything, async (body) => {
          const answer = await ingest(body);
          if (answer.status === 202) return;
          expectError(answer, 400, (answer.body as { error: { code: string } }).error.code);
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('Limits: "Maximum sizes of request bodies"', () => {
    const padded = (bytes: number): Buffer => {
      const text = JSON.stringify(aMinimalTransaction());
      return Buffer.concat([Buffer.from(text), Buffer.alloc(bytes - text.length, ' ')]);
    };

    it('64 KiB to the byte is accepted, one more is 413', async () => {
      expect((await ingest(padded(65_536))).status).toBe(202);
      expectError(await ingest(padded(65_537)), 413, 'BODY_TOO_LARGE');
    });

    it('10 MB is 413 before it is read', async () => {
      expectError(await ingest(padded(10_000_000)), 413, 'BODY_TOO_LARGE');
    });

    it('10 MB is 413 for a client that reads only when it has written, and so is what nobody may send', async () => {
      const body = Buffer.alloc(10_000_000, ' ');
      const credentials = `x-client-id: ${client.clientId}\r\nx-client-secret: ${client.clientSecret}\r\n`;
      for (const [headers, status] of [
        [credentials, 413],
        ['', 401],
      ] as const) {
        const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
        socket.pause();
        const head = `POST ${INGEST} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}`;
        const write = (piece: Buffer | string): Promise<void> =>
          new Promise((resolve, reject) => {
            socket.write(piece, (error) => {
              if (error) reject(error);
              else resolve();
            });
          });
        await write(`${head}content-length: ${body.length}\r\n\r\n`);
        for (let from = 0; from < body.length; from += 100_000) {
          await write(body.subarray(from, from + 100_000));
        }
        expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      }
    });

    it('is logged as the refusal that a client hung up on while it could still write', async () => {
      const statuses = (): number[] =>
        t.log
          .map((line) => JSON.parse(line) as { route?: string; status?: number })
          .flatMap(({ route, status }) => (route === INGEST ? [status!] : []));
      const before = statuses().length;
      const sent = request(t.url + INGEST, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': '10000000',
          'x-client-id': client.clientId,
          'x-client-secret': client.clientSecret,
        },
      });
      sent.on('error', () => undefined);
      sent.write(' ');
      const [{ statusCode }] = (await once(sent, 'response')) as [{ statusCode: number }];
      sent.destroy();
      await eventually('it is in the log', () => statuses().length > before);
      expect([statusCode, statuses().at(-1)]).toEqual([413, 413]);
    });

    it('10 MB without a Content-Length is 413 as soon as it is too large', async () => {
      const chunks = Array.from({ length: 160 }, () => Buffer.alloc(65_536, ' '));
      expectError(await ingest(chunks), 413, 'BODY_TOO_LARGE');
    });

    it('a batch may have 8 MiB, and an item of it 64 KiB', async () => {
      const large = aMinimalTransaction({ metadata: { pad: 'x' } });
      const line = Buffer.concat([Buffer.from(JSON.stringify(large)), Buffer.alloc(66_000, ' ')]);
      const body = Buffer.concat([
        line,
        Buffer.from('\n'),
        Buffer.from(JSON.stringify(aMinimalTransaction())),
      ]);
      const answer = await call(`${INGEST}/batch`, {
        headers: { 'content-type': 'application/x-ndjson' },
        body,
      });
      expect(answer.body).toMatchObject({
        data: { results: [{ status: 413, error: { code: 'BODY_TOO_LARGE' } }, { status: 202 }] },
      });
      accepted += 1;
      expectError(
        await call(`${INGEST}/batch`, { body: Buffer.alloc(8_388_609, ' ') }),
        413,
        'BODY_TOO_LARGE',
      );
    });
  });

  describe('Endpoints: "JSON bodies use Content-Type application/json"', () => {
    it.each([
      ['text/plain', {}, 'content-type TYPE'],
      ['application/x-www-form-urlencoded', {}, 'content-type TYPE'],
      ['multipart/form-data; boundary=x', {}, 'content-type TYPE'],
      ['application/jsonp', {}, 'content-type TYPE'],
      ['application/json; charset=utf-16', {}, 'content-type CHARSET'],
      ["application/json; charset='latin1'", {}, 'content-type CHARSET'],
      ['application/x-ndjson', {}, 'content-type TYPE'],
      ['json', {}, 'content-type TYPE'],
      ['', {}, 'content-type TYPE'],
      ['application/json', { 'content-encoding': 'gzip' }, 'content-encoding ENCODING'],
    ])(
      '%j %j: 415 MEDIA_TYPE_UNSUPPORTED, with the reason and what is accepted',
      async (type, headers, why) => {
        const answer = await ingest(JSON.stringify(aBody()), { 'content-type': type, ...headers });
        expect(detailsOf(expectError(answer, 415, 'MEDIA_TYPE_UNSUPPORTED'))).toEqual([why]);
        expect(answer.headers['accept']).toBe('application/json');
      },
    );
  });

  describe('Errors: routes, methods and HTTP itself', () => {
    it.each(['/nope', '/kyt', '/kyt/transactions', '/operator/nothing', '//nope', '/kyt/transactions/a/b'])(
      'GET %s: 404 ROUTE_NOT_FOUND',
      async (path) => {
        expectError(await call(path, { method: 'GET' }), 404, 'ROUTE_NOT_FOUND');
      },
    );

    it.each([
      ['DELETE', INGEST, 'GET, HEAD, POST'],
      ['PUT', '/kyt/transactions/t-1', 'GET, HEAD'],
      ['GET', '/transactions', 'POST'],
      ['PATCH', '/TRANSACTIONS/', 'POST'],
      ['OPTIONS', '/transactions', 'POST'],
      ['POST', '/client-apps/public/x', 'GET, HEAD'],
      ['POST', '/health/live', 'GET, HEAD'],
    ])('%s %s: 405 METHOD_NOT_ALLOWED with Allow: %s', async (method, path, allow) => {
      const answer = await call(path, { method });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toBe(allow);
    });

    it.each([
      'application/json;',
      "application/json; charset='utf-8'",
      'Application/JSON ; charset="UTF-8"; v=1',
    ])('%s is JSON as well', async (type) => {
      expect((await ingest(JSON.stringify(aBody()), { 'content-type': type })).status).toBe(202);
    });

    it('a probe may carry what keeps caches from answering', async () => {
      for (const method of ['HEAD', 'GET']) {
        expect((await call('/health/live?_=1', { method })).status).toBe(200);
      }
    });

    it('a + that became a space in a query is named as that', async () => {
      const reader = await t.client({ scopes: ['events:read'], rules: false });
      const headers = { 'x-client-id': reader.clientId, 'x-client-secret': reader.clientSecret };
      const answer = await call('/events?since=2026-11-26T10:00:00+00:00', { method: 'GET', headers });
      const error = expectError(answer, 400, 'VALIDATION_FAILED');
      expect(error.details).toEqual([
        expect.objectContaining({
          path: 'since',
          code: 'DATETIME_INVALID',
          message: expect.stringContaining('%2B'),
        }),
      ]);
    });

    it('Expect: 100-continue is answered with "continue" where the body is wanted, and else with the end', async () => {
      const body = JSON.stringify(aBody());
      const asked = async (clientSecret: string): Promise<string> => {
        const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
        const head = [
          `POST ${INGEST} HTTP/1.1`,
          'host: localhost',
          'content-type: application/json',
          `content-length: ${Buffer.byteLength(body)}`,
          `x-client-id: ${client.clientId}`,
          `x-client-secret: ${clientSecret}`,
          'expect: 100-continue',
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        const [first] = (await once(socket, 'data')) as [Buffer];
        if (!first.toString().startsWith('HTTP/1.1 100')) {
          socket.destroy();
          return first.toString().slice(9, 12);
        }
        socket.write(body);
        const [last] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return `100 ${last.toString().slice(9, 12)}`;
      };
      expect(await asked(client.clientSecret)).toBe('100 202');
      accepted += 1;
      expect(await asked('vsk_wrong')).toBe('401');
    });

    it('HEAD answers as GET does, without a body', async () => {
      const [found, absent] = [
        await call('/health/live', { method: 'HEAD' }),
        await call('/nope', { method: 'HEAD' }),
      ];
      expect([found.status, found.text, absent.status, absent.text]).toEqual([200, '', 404, '']);
    });

    it('no origin is allowed to call from a browser', async () => {
      // ASVS 3.4.2
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      for (const method of ['OPTIONS', 'POST']) {
        const answer = await call(INGEST, { method, headers, body: '{}' });
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    });

    it.each(['/client-apps/public/%00', '/kyt/transactions/%00', '/kyt/transactions/t%00-1'])(
      'U+0000 in the path %s: 404',
      async (path) => {
        const code = path.startsWith('/client') ? 'APP_NOT_FOUND' : 'TRANSACTION_NOT_FOUND';
        expectError(await call(path, { method: 'GET' }), 404, code);
      },
    );

    it.each(['/client-apps/public/%ff', '/kyt/transactions/%e0%a4%a', '/kyt/transactions/%'])(
      'a path that does not decode, %s: 400 MALFORMED_REQUEST',
      async (path) => {
        expectError(await call(path, { method: 'GET' }), 400, 'MALFORMED_REQUEST');
      },
    );

    it.each([
      ['an unknown version', 'UNSUPPORTED_VERSION', 400, { 'x-api-version': '2025-01-01' }],
      ['a version that is none', 'UNSUPPORTED_VERSION', 400, { 'x-api-version': 'latest' }],
    ])('%s in X-API-Version: %s', async (_what, code, status, headers) => {
      expectError(await call(INGEST, { headers, body: '{}' }), status, code);
    });

    it.each<[string, string, number, string]>([
      ['no HTTP', 'HELLO\r\n\r\n', 400, 'MALFORMED_REQUEST'],
      [
        'two lengths',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
        400,
        'MALFORMED_REQUEST',
      ],
      [
        'a length and chunks',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        400,
        'MALFORMED_REQUEST',
      ],
      [
        'headers of 20 KB',
        `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
        'HEADERS_TOO_LARGE',
      ],
    ])('%s: in the envelope like every other error', async (_what, bytes, status, code) => {
      expectError(await sendBytes(t.url, bytes), status, code);
    });

    it('Accept: application/problem+json gets the same facts as RFC 9457 problem details', async () => {
      const body = JSON.stringify(aBody({ amount: 0 }));
      const plain = expectError(await ingest(body), 400, 'VALIDATION_FAILED');
      const answer = await ingest(body, { accept: 'application/problem+json' });
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.body).toEqual({
        type: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors#VALIDATION_FAILED$/),
        title: plain.message,
        status: 400,
        code: 'VALIDATION_FAILED',
        details: plain.details,
        requestId: answer.headers['x-request-id'],
        correlationId: answer.headers['x-correlation-id'],
        retryable: false,
      });
    });

    it('every answer carries the security headers, refusals too, and none says what it runs on', async () => {
      const answers = [
        await call('/health/live', { method: 'GET' }),
        await call('/nope', { method: 'GET' }),
        await ingest('{'),
        await ingest(JSON.stringify(aMinimalTransaction())),
        await call(INGEST, { headers: { 'x-api-version': 'x' }, body: '{}' }),
        await call(INGEST, { headers: { 'x-client-secret': 'wrong' }, body: '{}' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 202, 400, 401]);
      for (const { headers } of answers) {
        expect(headers).toMatchObject({
          'content-security-policy': expect.stringContaining(`frame-ancestors 'none'`),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
          'x-request-id': expect.any(String),
        });
        expect(headers).not.toHaveProperty('x-powered-by');
        expect(headers).not.toHaveProperty('server');
      }
    });

    it('a refusal without a body to discard leaves the connection open', async () => {
      expect((await call('/nope', { method: 'GET' })).headers['connection']).not.toBe('close');
      expect((await ingest(Buffer.alloc(2_000_000, ' '))).headers['connection']).toBe('close');
    });

    inOneWay('when too many wait for the database: 503 OVERLOADED, which a retry may change', async () => {
      // ASVS 2.4.1, 15.2.2
      const busy = await startTestApp({
        like: t,
        settings: { ingestLane, ingestQueueLimit: 1, role: 'api' },
      });
      const holder = await t.owner.connect();
      const bodies = Array.from({ length: 12 }, () => JSON.stringify(aMinimalTransaction()));
      const headers = {
        'content-type': 'application/json',
        'x-client-id': client.clientId,
        'x-client-secret': client.clientSecret,
      };
      const submit = (body: string): Promise<Answer> => send(`${busy.url}${INGEST}`, { headers, body });
      try {
        await holder.query('BEGIN');
        await holder.query('LOCK TABLE kyt_transactions IN SHARE MODE');
        const answers = bodies.map((body) => submit(body));
        const refused = await Promise.any(
          answers.map(async (answer) => {
            const { status } = await answer;
            if (status === 202) throw new Error('accepted while nothing can be stored');
            return answer;
          }),
        );
        expectError(refused, 503, 'OVERLOADED');
        expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        await holder.query('COMMIT');
        const statuses = (await Promise.all(answers)).map(({ status }) => status);
        expect(new Set(statuses)).toEqual(new Set([202, 503]));
        const refusals = busy.log.filter((line) => line.includes('"status":503'));
        expect(refusals).toHaveLength(statuses.filter((status) => status === 503).length);
        for (const body of bodies) expect([200, 202]).toContain((await submit(body)).status);
        accepted += bodies.length;
      } finally {
        holder.release();
        await busy.close();
      }
    });

    later(
      'behind one that has waited long: 503 OVERLOADED at once, and the log tells refused from hung up',
      async () => {
        const hung = await startTestApp({ like: t, settings: { ingestLane, role: 'api' } });
        const holder = await t.owner.connect();
        const headers = {
          'content-type': 'application/json',
          'x-client-id': client.clientId,
          'x-client-secret': client.clientSecret,
        };
        const submit = (): Promise<Answer> =>
          send(`${hung.url}${INGEST}`, { headers, body: JSON.stringify(aMinimalTransaction()) });
        const answered: number[] = [];
        try {
          await holder.query('BEGIN');
          await holder.query('LOCK TABLE kyt_transactions IN SHARE MODE');
          const waiting: Promise<void>[] = [];
          // Two flushes are under way, and one submission waits behind them: until it has waited long, more may.
          const refused = await eventually('a submission is refused while others wait', async () => {
            const one = submit();
            waiting.push(one.then(({ status }) => void answered.push(status)));
            const soon = await Promise.race([one, setTimeout(300, null)]);
            return soon ?? false;
          });
          expectError(refused, 503, 'OVERLOADED');
          expect(answered).toEqual([503]);
          const gone = request(`${hung.url}/kyt/transactions/ingest/batch`, { method: 'POST', headers });
          gone.on('error', () => undefined);
          await new Promise((written) => gone.write('[', written));
          gone.destroy();
          await holder.query('COMMIT');
          await Promise.all(waiting);
          accepted += answered.filter((status) => status === 202).length;
          const logged = await eventually('every request is in the log', async () => {
            const lines = hung.log.map((line) => JSON.parse(line) as { route?: string; status?: number });
            const statuses = lines.flatMap(({ route, status }) =>
              route?.startsWith(INGEST) ? [status!] : [],
            );
            return statuses.length > answered.length && statuses;
          });
          expect(logged.sort()).toEqual([...answered, 499].sort());
        } finally {
          holder.release();
          await hung.close();
        }
      },
    );

    it('says what was probably meant by a field and by a code', async () => {
      const wrong = { ...aBody({ currency: 'brl' }), ocurredAt: '2026-11-20T12:00:00Z', zzz: 1 };
      const { details } = expectError(await ingest(JSON.stringify(wrong)), 400, 'VALIDATION_FAILED');
      expect(details.map(({ path, suggestion }) => [path, suggestion])).toEqual(
        expect.arrayContaining([
          ['currency', 'BRL'],
          ['ocurredAt', 'occurredAt'],
          ['zzz', undefined],
        ]),
      );
      const body = JSON.stringify({ naem: 'x' });
      const operator = await t.operator({ roles: ['ADMIN'] });
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${operator.token}` };
      const answer = await send(`${t.url}/operator/client-apps`, { method: 'POST', headers, body });
      expect(expectError(answer, 400, 'VALIDATION_FAILED').details).toContainEqual(
        expect.objectContaining({ path: 'naem', suggestion: 'name' }),
      );
    });

    it('names the line and the column at which a body stops being JSON', async () => {
      const { details } = expectError(
        await ingest('{\n  "amount": 10,\n  "currency" "BRL"\n}'),
        400,
        'MALFORMED_JSON',
      );
      expect(details[0]).toMatchObject({ code: 'SYNTAX', position: { line: 3, column: 14 } });
    });

    it('names the headers that are missing, the versions that there are and the limits', async () => {
      const bare = expectError(await send(t.url + INGEST, { method: 'POST' }), 401, 'CREDENTIALS_MISSING');
      expect(bare.details.map(({ path }) => path)).toEqual(['x-client-id', 'x-client-secret']);
      const version = expectError(
        await ingest('{}', { 'x-api-version': '2000-01-01' }),
        400,
        'UNSUPPORTED_VERSION',
      );
      expect(version.details).toMatchObject([{ path: 'x-api-version', expected: '2026-11-01' }]);
      const large = expectError(await ingest(' '.repeat(65_537)), 413, 'BODY_TOO_LARGE');
      expect(large.details).toMatchObject([{ code: 'TOO_LARGE', expected: '65536' }]);
    });

    it('a reserved word is no id: 405 with the methods that there are', async () => {
      const answer = await call(INGEST, { method: 'GET' });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toBe('POST');
    });

    it('nothing that was refused was stored, queued or announced', async () => {
      // ASVS 2.2.2
      const { rows } = await t.owner.query(
        `SELECT (SELECT count(*)::int FROM kyt_transactions) AS stored,
              (SELECT count(*)::int FROM events WHERE type = 'kyt.transaction.queued') AS announced,
              (SELECT count(*)::int FROM audit_entries WHERE action = 'transaction.received') AS recorded`,
      );
      expect(rows).toEqual([{ stored: accepted, announced: accepted, recorded: accepted }]);
    });
  });
});
