import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ClientDirectoryService } from '../../src/features/auth/index.js';
import { Settings } from '../../src/platform/config/index.js';
import { AppRoleCheck } from '../../src/platform/database/connection/app-role-check.js';
import { openProbeServer } from '../../src/bootstrap/probes.js';
import { detailsOf, expectError, keysOf, type Answer, type ErrorBody } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, without } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { laterBlock, promised } from '../support/needs.js';
import { send } from '../support/raw-http.js';
import { expectWithin } from '../support/timing.js';

// The ingest route has two ways in; whichever a request takes, it must not notice.
describe.each<[string, boolean]>([
  ['with the ingest lane', true],
  ['without the ingest lane', false],
])('%s', (_way, ingestLane) => {
  // Starts or waits long, and takes the same way in both: once is enough for the first stage.
  const blockInOneWay = ingestLane ? describe : laterBlock;
  let t: TestApp;

  beforeAll(async () => {
    t = await startTestApp({ settings: { ingestLane } });
  });

  afterAll(async () => {
    await t.close();
  });

  type Credentials = Partial<Pick<TestClient, 'clientId' | 'clientSecret'>>;

  const headersOf = ({ clientId, clientSecret }: Credentials): Record<string, string> => ({
    ...(clientId === undefined ? {} : { 'x-client-id': clientId }),
    ...(clientSecret === undefined ? {} : { 'x-client-secret': clientSecret }),
  });

  function ingest(
    credentials: Credentials,
    options: { body?: object | string; url?: string; path?: string } = {},
  ): Promise<Answer> {
    const { body = aTransaction(), url = t.url, path = '/kyt/transactions/ingest' } = options;
    return send(url + path, {
      headers: { 'content-type': 'application/json', ...headersOf(credentials) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Leaves the bucket with a debt of minutes: one item is accepted, the others only cost. */
  const overdraw = (client: TestClient): Promise<Answer> =>
    ingest(client, {
      path: '/kyt/transactions/ingest/batch',
      body: [aTransaction(), ...Array.from({ length: 499 }, () => ({}))],
    });

  /** Calls until it is refused, not before the burst is spent; returns the refusal. Tokens come back meanwhile. */
  async function untilRefused(
    call: () => Promise<Answer>,
    { burst, perSecond, status }: { burst: number; perSecond: number; status: number },
  ): Promise<Answer> {
    const begunAt = performance.now();
    const most = (): number => burst + 1 + (perSecond * (performance.now() - begunAt)) / 1_000;
    for (let allowed = 0; ; allowed += 1) {
      const answer = await call();
      expect(allowed).toBeLessThanOrEqual(most());
      if (answer.status !== status) {
        expect(answer.status).toBe(429);
        expect(allowed).toBeGreaterThanOrEqual(burst);
        return answer;
      }
    }
  }

  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send(t.url + path, { method: 'GET', headers });

  /** Changes an application as an operator would, behind the service's back. */
  const change = (client: TestClient, assignment: string, value: unknown): Promise<unknown> =>
    t.owner.query(`UPDATE client_apps SET ${assignment} = $2 WHERE id = $1`, [client.id, value]);

  /** The first answer of this status; one that begins a second after the change is promised it. */
  async function answerWithinASecond(client: TestClient, status: number): Promise<Answer> {
    const changedAt = performance.now();
    for (;;) {
      const begunAt = performance.now();
      const answer = await ingest(client);
      if (answer.status === status) return answer;
      expectWithin(1_000, changedAt, begunAt);
    }
  }

  const otherSecret = `vsk_${'A'.repeat(43)}`;
  const wrong = (client: TestClient): Credentials => ({
    clientId: client.clientId,
    clientSecret: otherSecret,
  });
  const unknown = { clientId: 'app-nobody', clientSecret: otherSecret };

  describe('Authentication: "client credentials sent in two headers on every request"', () => {
    it.each<[string, (client: TestClient) => Credentials]>([
      ['neither header', () => ({})],
      ['x-client-id alone', ({ clientId }) => ({ clientId })],
      ['x-client-secret alone', ({ clientSecret }) => ({ clientSecret })],
      ['empty headers', () => ({ clientId: '', clientSecret: '' })],
    ])('%s: 401 CREDENTIALS_MISSING', async (_what, credentials) => {
      const answer = await ingest(credentials(await t.client()));
      expectError(answer, 401, 'CREDENTIALS_MISSING');
      expect(answer.headers['www-authenticate']).toContain('x-client-id');
    });

    it('both headers let the application in', async () => {
      expect((await ingest(await t.client())).status).toBe(202);
    });

    it('the credentials of one application do not fit another', async () => {
      const [one, other] = [await t.client(), await t.client()];
      expectError(
        await ingest({ clientId: one.clientId, clientSecret: other.clientSecret }),
        401,
        'CREDENTIALS_INVALID',
      );
    });

    it.each(['Basic', 'Bearer'])('%s credentials open no route', async (scheme) => {
      const { clientId, clientSecret } = await t.client();
      const token = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
      expectError(
        await get('/kyt/transactions/x', { authorization: `${scheme} ${token}` }),
        401,
        'CREDENTIALS_MISSING',
      );
    });

    it('credentials in the query open no route', async () => {
      // ASVS 14.2.1
      const { clientId, clientSecret } = await t.client();
      const query = `x-client-id=${clientId}&x-client-secret=${clientSecret}`;
      expectError(await get(`/kyt/transactions/x?${query}`), 401, 'CREDENTIALS_MISSING');
    });
  });

  describe('Failure codes: "401 for invalid client id or secret"', () => {
    it('an unknown id and a wrong secret get the same bytes, but for the ids', async () => {
      const client = await t.client();
      const texts = (await Promise.all([ingest(unknown), ingest(wrong(client))])).map((answer) => {
        expectError(answer, 401, 'CREDENTIALS_INVALID');
        const headers = without(answer.headers, 'x-request-id', 'x-correlation-id', 'date');
        const { requestId, correlationId } = (answer.body as { error: ErrorBody }).error;
        return JSON.stringify({
          headers,
          text: answer.text.replaceAll(requestId, '').replaceAll(correlationId, ''),
        });
      });
      expect(texts[0]).toBe(texts[1]);
    });

    // How long they take is measured by client-timing.spec.ts.
    it('an unknown id and a wrong secret cost the same hashes', async () => {
      const client = await t.client();
      const hash = jest.spyOn(ClientDirectoryService.prototype as unknown as { hash: () => Buffer }, 'hash');
      try {
        expectError(await ingest(unknown, { body: '{}' }), 401, 'CREDENTIALS_INVALID');
        const ofUnknown = hash.mock.calls.length;
        expect(ofUnknown).toBeGreaterThan(0);
        expectError(await ingest(wrong(client), { body: '{}' }), 401, 'CREDENTIALS_INVALID');
        expect(hash).toHaveBeenCalledTimes(2 * ofUnknown);
      } finally {
        hash.mockRestore();
      }
    });

    it.each([
      [
        'a secret of another case',
        ({ clientId, clientSecret }: TestClient) => ({ clientId, clientSecret: clientSecret.toUpperCase() }),
      ],
      [
        'a secret with more behind it',
        ({ clientId, clientSecret }: TestClient) => ({ clientId, clientSecret: `${clientSecret}x` }),
      ],
      ['a secret of 8 KB', ({ clientId }: TestClient) => ({ clientId, clientSecret: 'x'.repeat(8_000) })],
      [
        'an id of another case',
        ({ clientId, clientSecret }: TestClient) => ({ clientId: clientId.toUpperCase(), clientSecret }),
      ],
      ['an id that is no id', ({ clientSecret }: TestClient) => ({ clientId: `' OR 1=1 --`, clientSecret })],
    ])('%s: 401 CREDENTIALS_INVALID', async (_what, credentials) => {
      expectError(await ingest(credentials(await t.client())), 401, 'CREDENTIALS_INVALID');
    });

    promised('a revoked secret and one that expired: 401, within a second', async () => {
      for (const ending of ['revoked_at', 'expires_at']) {
        const client = await t.client();
        expect((await ingest(client)).status).toBe(202);
        await t.owner.query(`UPDATE client_secrets SET ${ending} = now() WHERE client_app_id = $1`, [
          client.id,
        ]);
        const refused = await answerWithinASecond(client, 401);
        expectError(refused, 401, 'CREDENTIALS_INVALID');
      }
    });
  });

  describe('Failure codes: "403 when the application is disabled or its scope is insufficient"', () => {
    promised(
      'a disabled application: 403 APP_DISABLED within a second, and 202 again when it is enabled',
      async () => {
        const client = await t.client();
        expect((await ingest(client)).status).toBe(202);
        await change(client, 'status', 'DISABLED');
        expectError(await answerWithinASecond(client, 403), 403, 'APP_DISABLED');
        await change(client, 'status', 'ENABLED');
        await answerWithinASecond(client, 202);
      },
    );

    it.each<[string, string, string]>([
      ['kyt:ingest', 'POST', '/kyt/transactions/ingest'],
      ['kyt:ingest', 'POST', '/kyt/transactions/ingest/batch'],
      ['transactions:write', 'POST', '/transactions'],
      ['kyt:read', 'GET', '/kyt/transactions/x'],
    ])(
      'without the scope %s, %s %s: 403 SCOPE_INSUFFICIENT, naming the scope',
      async (scope, method, path) => {
        const scopes = (['kyt:ingest', 'transactions:write', 'kyt:read'] as const).filter(
          (other) => other !== scope,
        );
        const client = await t.client({ scopes });
        const headers = { 'content-type': 'application/json', ...headersOf(client) };
        const body = method === 'POST' ? { body: '{}' } : {};
        const error = expectError(
          await send(t.url + path, { method, headers, ...body }),
          403,
          'SCOPE_INSUFFICIENT',
        );
        expect(error.details).toEqual([
          { path: 'x-client-id', code: 'SCOPE_MISSING', message: `The scope ${scope} is needed.` },
        ]);
      },
    );

    promised('an address that is not on the allow-list: 403 IP_NOT_ALLOWED', async () => {
      const client = await t.client();
      await change(client, 'ip_allow_list', ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
      expectError(await ingest(client), 403, 'IP_NOT_ALLOWED');
      await change(client, 'ip_allow_list', ['10.0.0.0/8', '127.0.0.0/30']);
      await answerWithinASecond(client, 202);
    });

    it('what the caller writes into X-Forwarded-For is not its address', async () => {
      const client = await t.client();
      await change(client, 'ip_allow_list', ['192.0.2.7']);
      const headers = { ...headersOf(client), 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7' };
      expectError(await get('/kyt/transactions/x', headers), 403, 'IP_NOT_ALLOWED');
    });

    it('403 is told only to those who proved the secret: 401 comes first', async () => {
      const [enabled, disabled, scopeless] = [
        await t.client(),
        await t.client(),
        await t.client({ scopes: ['kyt:read'] }),
      ];
      await change(disabled, 'status', 'DISABLED');
      const callers = [
        unknown,
        wrong(enabled),
        wrong(disabled),
        disabled,
        wrong(scopeless),
        scopeless,
        enabled,
      ];
      const answers = [];
      for (const caller of callers) answers.push((await ingest(caller)).status);
      expect(answers).toEqual([401, 401, 401, 403, 401, 403, 202]);
    });

    it('whoever is not let in is told nothing about the body, nor is it read', async () => {
      const client = await t.client();
      expectError(await ingest(wrong(client), { body: '{' }), 401, 'CREDENTIALS_INVALID');
      expectError(await ingest(wrong(client), { body: ' '.repeat(10_000_000) }), 401, 'CREDENTIALS_INVALID');
      const scopeless = await t.client({ scopes: [] });
      expectError(await ingest(scopeless, { body: '{' }), 403, 'SCOPE_INSUFFICIENT');
    });
  });

  describe('Failure codes: "429 when the rate limit is exceeded"', () => {
    it('refuses what exceeds the burst and says when to come back', async () => {
      const client = await t.client({ perSecond: 1, burst: 5 });
      const begunAt = performance.now();
      const answers = await Promise.all(Array.from({ length: 60 }, () => ingest(client)));
      const returned = Math.ceil((performance.now() - begunAt) / 1_000);
      const accepted = answers.filter(({ status }) => status === 202).length;
      expect(accepted).toBeGreaterThanOrEqual(5);
      expect(accepted).toBeLessThanOrEqual(5 + returned);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(60 - accepted);
      expect(expectError(refused[0]!, 429, 'RATE_LIMITED').details).toEqual([]);
      expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    });

    it('lets the application in again when its tokens have come back', async () => {
      const client = await t.client({ perSecond: 5, burst: 1 });
      await eventually('it is refused', async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ingest(client)));
        return answers.some(({ status }) => status === 429);
      });
      await eventually('a token has come back', async () => (await ingest(client)).status === 202);
    });

    it('every answer tells where the bucket stands', async () => {
      const client = await t.client({ perSecond: 2, burst: 10 });
      const { headers } = await ingest(client);
      expect(headers).toMatchObject({
        'ratelimit-policy': '"client";q=10;w=5',
        ratelimit: expect.stringMatching(/^"client";r=9;t=1$/),
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '9',
        'x-ratelimit-reset': '1',
      });
    });

    it('one application uses up nobody else’s limit', async () => {
      const [busy, quiet] = [
        await t.client({ perSecond: 1, burst: 1 }),
        await t.client({ perSecond: 1, burst: 1 }),
      ];
      expect([(await overdraw(busy)).status, (await ingest(busy)).status]).toEqual([207, 429]);
      expect((await ingest(quiet)).status).toBe(202);
    });

    it('a refusal costs no token and stores nothing', async () => {
      const client = await t.client({ perSecond: 1, burst: 1 });
      await overdraw(client);
      for (let i = 0; i < 3; i += 1) {
        expect((await ingest(client)).headers['x-ratelimit-remaining']).toBe('0');
      }
      const { rows } = await t.owner.query(
        'SELECT count(*)::int AS count FROM kyt_transactions WHERE client_app_id = $1',
        [client.id],
      );
      expect(rows).toEqual([{ count: 1 }]);
    });
  });

  blockInOneWay('Failure codes: the buckets of failures and of public routes', () => {
    // Ten a minute.
    const FAILURES = { burst: 10, perSecond: 1 / 6, status: 401 };
    let strict: TestApp;

    beforeAll(async () => {
      strict = await startTestApp({
        like: t,
        settings: { rateLimitFailuresPerMinute: 10, rateLimitPublicPerMinute: 20, role: 'api' },
      });
    });

    afterAll(async () => {
      await strict.close();
    });

    it('the eleventh failure within a minute is 429, whatever id or X-Forwarded-For it names; valid credentials are never blocked', async () => {
      const client = await t.client();
      const ids = [wrong(client), wrong(await t.client()), unknown];
      let calls = 0;
      const refused = await untilRefused(() => {
        calls += 1;
        const headers = {
          ...headersOf(ids[calls % ids.length]!),
          'x-forwarded-for': `192.0.2.${calls}`,
        };
        return send(`${strict.url}/kyt/transactions/x`, { method: 'GET', headers });
      }, FAILURES);
      expectError(refused, 429, 'RATE_LIMITED');
      expect(refused.headers).toMatchObject({
        'ratelimit-policy': '"failed-credentials";q=10;w=60',
        'retry-after': expect.stringMatching(/^[1-6]$/),
      });
      expect((await ingest(client, { url: strict.url })).status).toBe(202);
    });

    it('public routes are limited per address', async () => {
      const { clientId } = await t.client();
      let first: Answer | undefined;
      const refused = await untilRefused(
        async () => {
          const answer = await send(`${strict.url}/client-apps/public/${clientId}`, { method: 'GET' });
          first ??= answer;
          return answer;
        },
        { burst: 20, perSecond: 1 / 3, status: 200 },
      );
      expect(first?.headers['ratelimit-policy']).toBe('"public";q=20;w=60');
      expectError(refused, 429, 'RATE_LIMITED');
      expect((await send(`${strict.url}/health/live`, { method: 'GET' })).status).toBe(200);
    });
  });

  blockInOneWay('Endpoints: "All requests use HTTPS"', () => {
    let production: TestApp;
    let behindProxy: TestApp;

    const startInProduction = (trustProxy: string[], more: Partial<Settings> = {}): Promise<TestApp> =>
      startTestApp({
        like: t,
        settings: { nodeEnv: 'production', trustProxy, role: 'api', ingestLane, ...more },
        // It refuses the database of the tests, which does not wait for the disk.
        override: (builder) => builder.overrideProvider(AppRoleCheck).useValue({}),
      });

    beforeAll(async () => {
      production = await startInProduction(['192.0.2.0/24']);
      behindProxy = await startInProduction(['127.0.0.0/8'], { environment: 'production' });
    });

    afterAll(async () => {
      await behindProxy.close();
      await production.close();
    });

    it('in production plain HTTP is 403 HTTPS_REQUIRED, before anything else is looked at', async () => {
      // ASVS 4.1.2, 12.2.1
      const client = await t.client();
      for (const credentials of [client, wrong(client), {}]) {
        const answer = await ingest(credentials, { url: production.url });
        expectError(answer, 403, 'HTTPS_REQUIRED');
        expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      }
    });

    it('whoever is no trusted proxy cannot say that it was HTTPS', async () => {
      // ASVS 4.1.3
      const client = await t.client();
      // The first one is recognised from the directory, the second one from memory.
      for (let i = 0; i < 2; i += 1) {
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-proto': 'https',
          ...headersOf(client),
        };
        const body = JSON.stringify(aTransaction());
        const answer = await send(`${production.url}/kyt/transactions/ingest`, { headers, body });
        expectError(answer, 403, 'HTTPS_REQUIRED');
      }
    });

    it('an allow list holds the address that a trusted proxy names, whatever stands around it', async () => {
      const client = await behindProxy.client();
      await change(client, 'ip_allow_list', ['203.0.113.7/32', '2001:db8::/32']);
      const from = async (address: string): Promise<number> => {
        const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': address, ...headersOf(client) };
        const url = `${behindProxy.url}/kyt/transactions/x`;
        return (await send(url, { method: 'GET', headers })).status;
      };
      for (const address of [
        ...['203.0.113.7', '203.0.113.7:51234', '::ffff:203.0.113.7', '[2001:db8::5]:443'],
        ...['"[2001:DB8::5]:443"', '192.0.2.1, 203.0.113.7:80', 'unknown, 203.0.113.7'],
      ]) {
        expect([address, await from(address)]).toEqual([address, 404]);
      }
      for (const address of ['203.0.113.8:51234', '[2001:db9::5]:443', 'unknown', '203.0.113.7, unknown']) {
        expect([address, await from(address)]).toEqual([address, 403]);
      }
    });

    it('a trusted proxy can', async () => {
      const client = await behindProxy.client();
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-proto': 'https',
        ...headersOf(client),
      };
      const body = JSON.stringify(aTransaction());
      const proxied = (): Promise<Answer> =>
        send(`${behindProxy.url}/kyt/transactions/ingest`, { headers, body });
      expect([(await proxied()).status, (await proxied()).status]).toEqual([202, 200]);
      expectError(await ingest(client, { url: behindProxy.url }), 403, 'HTTPS_REQUIRED');
    });

    it('"Credentials differ between sandbox, staging and production": those of another environment are 401', async () => {
      const byProxy = (client: TestClient): Promise<Answer> =>
        send(`${behindProxy.url}/kyt/transactions/ingest`, {
          headers: {
            'content-type': 'application/json',
            'x-forwarded-proto': 'https',
            ...headersOf(client),
          },
          body: JSON.stringify(aTransaction()),
        });
      expectError(await byProxy(await t.client()), 401, 'CREDENTIALS_INVALID');
      const own = await behindProxy.client();
      expect((await byProxy(own)).status).toBe(202);
      expectError(await ingest(own), 401, 'CREDENTIALS_INVALID');
      expectError(await get(`/client-apps/public/${own.clientId}`), 404, 'APP_NOT_FOUND');
    });

    it('probes reach the process without it, at a port of their own that answers nothing else', async () => {
      const door = await openProbeServer(
        production.app,
        Settings.of({ ...production.settings, probesPort: 0 }),
      );
      try {
        for (const path of ['/health/live', '/health/ready', '/metrics']) {
          expect((await send(door.url + path, { method: 'GET' })).status).toBe(200);
          expectError(await send(production.url + path, { method: 'GET' }), 404, 'ROUTE_NOT_FOUND');
        }
        for (const path of ['/docs', '/operator/me', '/nothing']) {
          expectError(await send(door.url + path, { method: 'GET' }), 404, 'ROUTE_NOT_FOUND');
        }
        expect([404, 405]).toContain((await ingest(await t.client(), { url: door.url })).status);
      } finally {
        await door.close();
      }
    });

    it('in production the documents of the API are served where that is switched on, and nowhere else', async () => {
      // ASVS 13.4.5
      const https = { 'x-forwarded-proto': 'https' };
      const paths = [
        '/docs',
        '/openapi.json',
        '/openapi.yaml',
        '/operator/docs',
        '/operator/openapi.json',
        ...['/docs/errors', '/developers', '/developers/search.json', '/llms.txt'],
        // Where there are no pages for developers it leads to the console.
        '/',
      ];
      const answers = async ({ url }: TestApp): Promise<number[]> => {
        const all = paths.map((path) => send(url + path, { method: 'GET', headers: https }));
        return (await Promise.all(all)).map(({ status }) => status);
      };
      expect(behindProxy.settings.apiDocs).toBe('development');
      const off = await answers(behindProxy);
      expect([off.pop(), new Set(off)]).toEqual([302, new Set([404])]);
      const documented = await startInProduction(['127.0.0.0/8'], { apiDocs: 'on' });
      try {
        const on = await answers(documented);
        expect([on.pop(), on.every((status) => status < 400)]).toEqual([200, true]);
      } finally {
        await documented.close();
      }
    });
  });

  describe('3. GET /client-apps/public/{clientId}', () => {
    it('"No secret required. Returns the public app configuration object", without the envelope and with no more', async () => {
      const { clientId } = await t.client();
      const answer = await get(`/client-apps/public/${clientId}`);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          name: 'test',
          publicName: 'Loja Exemplo',
          branding: { logoUrl: 'https://loja.example/logo.svg', primaryColor: '#0B5FFF' },
          clientId,
        },
      ]);
    });

    it.each(['name', 'publicName', 'branding', 'clientId'])('Public app configuration: %s', async (field) => {
      const { clientId } = await t.client();
      const answer = await get(`/client-apps/public/${clientId}`);
      expect(keysOf(answer.body)).toContain(field);
    });

    it('branding without a logo and a colour says null', async () => {
      const client = await t.client();
      await t.owner.query('UPDATE client_apps SET logo_url = NULL, primary_color = NULL WHERE id = $1', [
        client.id,
      ]);
      expect((await get(`/client-apps/public/${client.clientId}`)).body).toMatchObject({
        branding: { logoUrl: null, primaryColor: null },
      });
    });

    it.each(['app-nobody', 'x'.repeat(500), '%27%20OR%201=1', 'a%2fb'])(
      'unknown clientId %s: 404 APP_NOT_FOUND',
      async (id) => {
        expect(detailsOf(expectError(await get(`/client-apps/public/${id}`), 404, 'APP_NOT_FOUND'))).toEqual(
          [],
        );
      },
    );

    it('a disabled application is not shown', async () => {
      const client = await t.client();
      await change(client, 'status', 'DISABLED');
      expectError(await get(`/client-apps/public/${client.clientId}`), 404, 'APP_NOT_FOUND');
    });
  });
});
