import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, Query } from '@nestjs/common';
import { AppRoleCheck } from '../../src/platform/database/connection/app-role-check.js';
import { envelope, forEverybody, PageQuery, Route } from '../../src/platform/http/index.js';
import { IngestService } from '../../src/features/kyt/ingest/ingest.service.js';
import { detailsOf, expectError, type Answer } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { send, sendBytes } from '../support/raw-http.js';
import { later } from '../support/needs.js';

@Controller('test')
class QueryController {
  @Route.get('one', forEverybody, {
    summary: 'Test',
    description: 'Of a test.',
  })
  one(@Query('id') id: string): unknown {
    return envelope({ id });
  }

  @Route.get('page', forEverybody, {
    summary: 'Test',
    description: 'Of a test.',
  })
  page(@Query() { limit }: PageQuery): unknown {
    return envelope({ limit });
  }

  @Route.get('none', forEverybody, {
    summary: 'Test',
    description: 'Of a test.',
  })
  none(): unknown {
    return envelope({});
  }
}

@Module({ controllers: [QueryController] })
class QueryModule {}

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({
    modules: [QueryModule],
    settings: { role: 'api', rateLimitPublicPerMinute: 1_000 },
  });
  client = await t.client();
});

afterAll(async () => {
  await t.close();
});

const INGEST = '/kyt/transactions/ingest';
const credentials = (of = client): Record<string, string> => ({
  'x-client-id': of.clientId,
  'x-client-secret': of.clientSecret,
});
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send(t.url + path, { method: 'GET', headers });
const ingest = (body: string, headers: Record<string, string> = {}, of = client): Promise<Answer> =>
  send(t.url + INGEST, {
    headers: { 'content-type': 'application/json', ...credentials(of), ...headers },
    body,
  });

describe('every answer carries the security headers', () => {
  const EXPECTED = {
    'content-security-policy': expect.stringMatching(
      /default-src 'self'.*base-uri 'none'.*frame-ancestors 'none'.*object-src 'none'/,
    ),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-request-id': expect.any(String),
    'x-correlation-id': expect.any(String),
  };
  const limited = async (): Promise<Answer> => {
    const tiny = await t.client({ perSecond: 1, burst: 1 });
    // A debt of minutes.
    await send(`${t.url}${INGEST}/batch`, {
      headers: { 'content-type': 'application/json', ...credentials(tiny) },
      body: JSON.stringify(Array.from({ length: 500 }, () => ({}))),
    });
    return ingest(JSON.stringify(aTransaction()), {}, tiny);
  };
  const failing = async (url: string): Promise<Answer> => {
    const service = t.app.get(IngestService);
    const accept = service.accept.bind(service);
    service.accept = () => Promise.reject(new Error('SELECT secret FROM src/inside.ts at /srv/inside.js'));
    try {
      return await send(url, {
        headers: { 'content-type': 'application/json', ...credentials() },
        body: JSON.stringify(aTransaction()),
      });
    } finally {
      service.accept = accept;
    }
  };

  it.each<[number, string, () => Promise<Answer>]>([
    [202, 'the lane', () => ingest(JSON.stringify(aTransaction()))],
    [
      202,
      'the controller',
      () => ingest(JSON.stringify(aTransaction()), { 'content-type': 'application/json; charset=utf-8' }),
    ],
    [200, 'a probe', () => get('/health/live')],
    [200, 'an expectation that nobody knows', () => get('/health/live', { expect: 'a-miracle' })],
    [200, 'the integrators’ document', () => get('/openapi.json')],
    [200, 'the operators’ document', () => get('/operator/openapi.json')],
    [200, 'Swagger UI', () => get('/docs')],
    [200, 'a file of Swagger UI', () => get('/docs/swagger-ui.css')],
    [400, 'a body that is none', () => ingest('{')],
    [400, 'what is no HTTP', () => sendBytes(t.url, 'GET / HTTP/9.9\r\n\r\n')],
    [400, 'a path that does not decode', () => get('/kyt/transactions/%zz', credentials())],
    [400, 'an unknown version', () => get('/health/live', { 'x-api-version': '1999-01-01' })],
    [401, 'a stranger', () => ingest('{}', { 'x-client-secret': 'x' })],
    [401, 'an operator route without a token', () => get('/operator/client-apps')],
    [
      403,
      'a missing scope',
      async () => get('/kyt/transactions/x', credentials(await t.client({ scopes: [] }))),
    ],
    [404, 'a route that does not exist', () => get('/nothing/here')],
    [404, 'a file that does not exist', () => get('/docs/nothing.js')],
    [405, 'another method', () => send(`${t.url}${INGEST}`, { method: 'DELETE' })],
    [413, 'a body that is too large', () => ingest(`"${'x'.repeat(70_000)}"`)],
    [415, 'another media type', () => ingest('x', { 'content-type': 'text/plain' })],
    [429, 'too many requests', limited],
    [431, 'headers that are too large', () => get('/health/live', { 'x-much': 'x'.repeat(20_000) })],
    [500, 'a fault, by the lane', () => failing(`${t.url}${INGEST}`)],
    [500, 'a fault, by the controller', () => failing(`${t.url}${INGEST}?`)],
  ])('%i: %s', async (status, _what, call) => {
    // ASVS 3.2.1, 3.4.3, 3.4.4, 3.4.5, 3.4.6, 4.1.1, 14.3.2, 16.5.1
    const answer = await call();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(EXPECTED);
    for (const name of ['x-powered-by', 'server', 'access-control-allow-origin']) {
      expect(answer.headers).not.toHaveProperty(name);
    }
    if (status >= 400) expect(answer.text).not.toMatch(/at .*\.[jt]s|SELECT|node_modules|src\//);
  });

  later('HTTPS is demanded for a year, where there is any', async () => {
    // ASVS 3.4.1
    expect((await get('/health/live')).headers).not.toHaveProperty('strict-transport-security');
    const production = await startTestApp({
      like: t,
      settings: { nodeEnv: 'production', trustProxy: ['192.0.2.0/24'], role: 'api' },
      override: (builder) => builder.overrideProvider(AppRoleCheck).useValue({}),
    });
    try {
      for (const answer of [
        await send(`${production.url}/health/live`, { method: 'GET' }),
        await send(`${production.url}/nothing`, { method: 'GET' }),
        await sendBytes(production.url, 'nonsense\r\n\r\n'),
      ]) {
        expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      }
    } finally {
      await production.close();
    }
  });
});

describe('methods', () => {
  it.each(['TRACE', 'TRACK', 'PROPFIND', 'LOCK', 'SEARCH'])(
    '%s is answered by no route and never echoes',
    async (method) => {
      for (const path of ['/', '/health/live', INGEST, '/operator/client-apps', '/docs']) {
        const answer = await sendBytes(
          t.url,
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nCookie: CANARY=1\r\nConnection: close\r\n\r\n`,
        );
        expect([400, 404, 405]).toContain(answer.status);
        expect(answer.text + JSON.stringify(answer.headers)).not.toContain('CANARY');
      }
    },
  );

  it('a method that the body names instead is not believed', async () => {
    // ASVS 3.5.3
    const answer = await send(`${t.url}/health/live`, {
      method: 'POST',
      headers: { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
    });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
  });

  it('a path with other methods names them', async () => {
    // ASVS 13.4.3, 13.4.4
    const answer = await send(`${t.url}/operator/client-apps`, { method: 'PUT' });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
  });
});

describe('query parameters', () => {
  it.each<[string, string, string[]]>([
    ['given twice', '/test/one?id=1&id=2', ['id DUPLICATE_PARAMETER']],
    ['given twice, the same', '/test/one?id=1&id=1', ['id DUPLICATE_PARAMETER']],
    ['given twice to a page', '/test/page?limit=1&limit=2', ['limit DUPLICATE_PARAMETER']],
    ['unknown', '/test/one?id=1&debug=true', ['debug UNKNOWN_FIELD']],
    ['unknown to a page', '/test/page?limit=1&sort=name', ['sort UNKNOWN_FIELD']],
    ['unknown where there are none', '/test/none?x', ['x UNKNOWN_FIELD']],
    ['as an array', '/test/one?id[]=1&id[]=2', ['id[] DUPLICATE_PARAMETER']],
    ['as an object', '/test/one?id[__proto__][x]=1', ['id[__proto__][x] UNKNOWN_FIELD']],
    [
      'named like what every object has',
      '/test/none?__proto__=1&constructor=2',
      ['__proto__ UNKNOWN_FIELD', 'constructor UNKNOWN_FIELD'],
    ],
    ['on the public page', '/client-apps/public/x?callback=alert', ['callback UNKNOWN_FIELD']],
  ])('%s: 400', async (_what, path, expected) => {
    // ASVS 15.3.7
    const details = detailsOf(expectError(await get(path), 400, 'VALIDATION_FAILED'));
    expect(details.map((detail) => detail.split(' ')[1])).toEqual(
      expected.map((detail) => detail.split(' ')[1]),
    );
  });

  it('on the ingest route too, which has none', async () => {
    const answer = await send(`${t.url}${INGEST}?x=1`, {
      headers: { 'content-type': 'application/json', ...credentials() },
      body: JSON.stringify(aTransaction()),
    });
    expect(detailsOf(expectError(answer, 400, 'VALIDATION_FAILED'))).toEqual(['x UNKNOWN_FIELD']);
  });

  it('those that a route knows are read', async () => {
    expect((await get('/test/one?id=7')).body).toMatchObject({ data: { id: '7' } });
    expect((await get('/test/page?limit=7')).body).toMatchObject({ data: { limit: 7 } });
    expect((await get('/test/none')).status).toBe(200);
  });

  it.each(['/operator/audit/events?subjectId=%00', '/operator/transactions?externalCustomerId=a%00'])(
    'U+0000 is refused before the database is asked about it: %s',
    async (path) => {
      const answer = await t.api.asOperator(await t.operator()).get(path);
      const error = expectError(answer, 400, 'VALIDATION_FAILED');
      expect(detailsOf(error)).toEqual([expect.stringMatching(/ NUL_CHARACTER$/)]);
    },
  );

  it('U+0000 in a path is an id that nobody has', async () => {
    const api = t.api.asOperator(await t.operator());
    expectError(await api.get('/operator/audit/trails/transaction/a%00'), 404, 'AUDIT_ENTRY_NOT_FOUND');
    expectError(await api.get('/operator/hits/%00'), 404, 'HIT_NOT_FOUND');
    expectError(await api.get('/operator/flows/%00'), 404, 'FLOW_NOT_FOUND');
    expectError(await api.get('/operator/flows/%00/versions'), 404, 'FLOW_NOT_FOUND');
    expectError(await api.get('/operator/flows/%00/funnel?version=1'), 404, 'FLOW_NOT_FOUND');
    const former = { version: 1, reason: 'The new version asks too much.' };
    expectError(await api.post('/operator/flows/%00/rollback').send(former), 404, 'FLOW_NOT_FOUND');
  });

  it('nothing was polluted by any of it', () => {
    // ASVS 15.3.6
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('framing of requests', () => {
  const body = '{}';
  it.each<[string, string]>([
    ['two lengths', `Content-Length: 2\r\nContent-Length: 3\r\n`],
    ['a length and chunks', `Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`],
    ['chunks, hidden', `Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n`],
    ['chunks after something else', `Transfer-Encoding: identity, chunked, identity\r\n`],
    ['a space before the colon', `Content-Length : 2\r\n`],
    ['a negative length', `Content-Length: -1\r\n`],
    ['a length in words', `Content-Length: 0x2\r\n`],
    ['a folded header', `X-A: b\r\n c\r\nContent-Length: 2\r\n`],
    ['a NUL in a header', `X-A: b\u0000c\r\nContent-Length: 2\r\n`],
  ])('%s: 400, and the connection ends', async (_what, headers) => {
    // ASVS 4.2.1
    const smuggled = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await sendBytes(
      t.url,
      `POST ${INGEST} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}${smuggled}`,
    );
    expect([answer.status, (answer.body as { error: { code: string } }).error.code]).toEqual([
      400,
      'MALFORMED_REQUEST',
    ]);
    expect(answer.text).not.toContain('"status":"ok"');
  });

  it('a request without a Host: 400', async () => {
    expect((await sendBytes(t.url, 'GET /health/live HTTP/1.1\r\n\r\n')).status).toBe(400);
  });
});
