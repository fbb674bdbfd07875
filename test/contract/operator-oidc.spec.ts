import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ClientAppsService } from '../../src/auth/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { causedBySystem, COMMAND_LINE, OperatorsService, Passwords } from '../../src/operators/index.js';
import { expectError } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  Browser,
  CLIENT_ID,
  CLIENT_SECRET,
  IdentityProvider,
  type Tamper,
} from '../support/identity-provider.js';

const PUBLIC_URL = 'http://operators.vigia.test';
const CALLBACK = `${PUBLIC_URL}/operator/auth/oidc/callback`;

let idp: IdentityProvider;
let t: TestApp;

beforeAll(async () => {
  // The provider explains its defaults at length.
  for (const level of ['info', 'warn'] as const) {
    jest.spyOn(console, level).mockImplementation(() => undefined);
  }
  idp = await IdentityProvider.listen(CALLBACK);
  t = await startTestApp({
    settings: {
      publicUrl: PUBLIC_URL,
      oidcIssuer: idp.issuer,
      oidcClientId: CLIENT_ID,
      oidcClientSecret: CLIENT_SECRET,
    },
  });
});

afterAll(async () => {
  await t.close();
  await idp.close();
});

afterEach(() => {
  idp.tamper = null;
});

/** An account without a password, as an administrator makes it, and its person at the provider. */
async function federated(
  options: { verified?: boolean; password?: boolean } = {},
): Promise<{ id: string; email: string }> {
  const name = `f-${randomBytes(5).toString('hex')}`;
  const email = `${name}@example.com`;
  const organisationId = await t.app.get(ClientAppsService).ensureOrganisation(name, name);
  const passwordHash = options.password
    ? await t.app.get(Passwords).hash('jardim-cobre-7-planalto', COMMAND_LINE)
    : null;
  const person = { organisationId, email, name, roles: ['ANALYST'] as const, passwordHash };
  const id = await t.app
    .get(UnitOfWork)
    .run(organisationId, (tx) => t.app.get(OperatorsService).addPerson(tx, person, causedBySystem('test')));
  if (id === null) throw new Error('the address is taken');
  idp.person = { sub: `sub-${name}`, claims: { email, email_verified: options.verified ?? true } };
  return { id, email };
}

/** Goes from the service to the provider and back to the door; returns the address that the provider sent it to. */
async function throughProvider(browser: Browser, query = ''): Promise<URL> {
  let response = await browser.get(`${t.url}/operator/auth/oidc/login${query}`);
  expect(response.status).toBe(302);
  for (let hop = 0; hop < 6; hop += 1) {
    const location = new URL(response.headers.get('location') ?? '', idp.issuer);
    if (location.href.startsWith(CALLBACK)) return new URL(`${t.url}${location.pathname}${location.search}`);
    response = await browser.get(location.href);
  }
  throw new Error('the provider did not send the browser back');
}

async function logIn(
  browser = new Browser(),
  query = '',
): Promise<{ status: number; body: GrantAnswer; response: Response }> {
  const response = await browser.get((await throughProvider(browser, query)).href);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: (isJson ? JSON.parse(text) : {}) as GrantAnswer, response };
}

interface GrantAnswer {
  readonly data: { readonly accessToken: string; readonly refreshToken: string } | null;
  readonly error: { readonly code: string } | null;
}

const me = (token: string) => t.api.get('/operator/me').set('authorization', `Bearer ${token}`);

describe('login with an identity provider', () => {
  it('asks with PKCE, state and nonce', async () => {
    const response = await new Browser().get(`${t.url}/operator/auth/oidc/login`);
    const url = new URL(response.headers.get('location') ?? '');
    expect(url.origin).toBe(idp.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(response.headers.getSetCookie()[0]).toMatch(/^vigia_oidc=.*HttpOnly; SameSite=Lax$/);
  });

  it('links the account at the first login and knows it by issuer and subject from then on', async () => {
    const { id, email } = await federated();
    const first = await logIn();
    expect([first.status, first.body.error]).toEqual([200, null]);
    expect((await me(first.body.data?.accessToken ?? '')).body.data).toMatchObject({ email, strong: false });
    await t.api
      .post('/operator/auth/refresh')
      .send({ refreshToken: first.body.data?.refreshToken })
      .expect(200);

    idp.person = { ...idp.person, claims: { email: 'renamed@example.com', email_verified: false } };
    expect((await logIn()).status).toBe(200);
    const { rows } = await t.owner.query(
      `SELECT convert_from(canonical, 'UTF8')::jsonb ->> 'action' AS action FROM audit_entries
       WHERE subject_id = $1 ORDER BY subject_seq`,
      [id],
    );
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'operator.created',
      'operator.identity_linked',
      'operator.logged_in',
      'operator.logged_in',
    ]);
  });

  it('is strong when the provider says that it asked for a second factor', async () => {
    await federated();
    idp.tamper = (token) => ({ ...token, payload: { ...token.payload, amr: ['pwd', 'otp'] } });
    const { body } = await logIn();
    expect((await me(body.data?.accessToken ?? '')).body.data.strong).toBe(true);
  });

  it('ends with cookies when it began in cookie mode', async () => {
    await federated();
    const { status, response } = await logIn(new Browser(), '?cookie=true');
    expect([status, response.headers.get('location')]).toEqual([303, '/operator/docs']);
    const cookies = response.headers.getSetCookie();
    expect(cookies.find((line) => line.startsWith('vigia_refresh='))).toMatch(/HttpOnly; SameSite=Strict/);
    expect(cookies.find((line) => line.startsWith('vigia_csrf='))).toBeDefined();
  });

  it('a disabled account is refused', async () => {
    const { id } = await federated();
    await t.owner.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [id]);
    const { status, body } = await logIn();
    expect([status, body.error?.code]).toEqual([403, 'OPERATOR_DISABLED']);
  });

  it('where none is configured it says so', async () => {
    const without = await startTestApp({ like: t, settings: { oidcIssuer: null, role: 'api' } });
    try {
      for (const path of ['login', 'callback']) {
        const answer = await without.api.get(`/operator/auth/oidc/${path}`);
        expectError(answer, 404, 'IDENTITY_PROVIDER_NOT_CONFIGURED');
      }
    } finally {
      await without.close();
    }
  });
});

describe('who is not let in', () => {
  const refused = async (login: Promise<{ status: number; body: GrantAnswer }>): Promise<void> => {
    const { status, body } = await login;
    expect([status, body.error?.code]).toEqual([401, 'CREDENTIALS_INVALID']);
  };

  it('an address that the provider has not verified', async () => {
    await federated({ verified: false });
    await refused(logIn());
  });

  it('an address without an account', async () => {
    idp.person = { sub: 'stranger', claims: { email: 'stranger@example.com', email_verified: true } };
    await refused(logIn());
  });

  it('the address of an account with a password: nobody takes it over by an address', async () => {
    await federated({ password: true });
    await refused(logIn());
  });

  it('another subject with the address of a linked account', async () => {
    await federated();
    await logIn();
    idp.person = { ...idp.person, sub: 'another' };
    await refused(logIn());
  });

  const now = (): number => Math.floor(Date.now() / 1_000);
  const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const withPayload =
    (change: (payload: Readonly<Record<string, unknown>>) => object): Tamper =>
    (token) => ({
      ...token,
      payload: { ...token.payload, ...change(token.payload) },
    });
  const attacks: [string, Tamper][] = [
    ['wrong nonce', withPayload(() => ({ nonce: 'x'.repeat(43) }))],
    ['no nonce', withPayload(() => ({ nonce: undefined }))],
    ['wrong issuer', withPayload(({ iss }) => ({ iss: `${String(iss)}/evil` }))],
    ['wrong audience', withPayload(() => ({ aud: 'another-client' }))],
    [
      'two audiences without us as azp',
      withPayload(({ aud }) => ({ aud: [aud, 'another-client'], azp: 'another-client' })),
    ],
    ['expired', withPayload(() => ({ iat: now() - 7_200, exp: now() - 3_600 }))],
    [
      'issued in the future',
      withPayload(() => ({ iat: now() + 3_600, exp: now() + 7_200, nbf: now() + 3_600 })),
    ],
    ['signed by somebody else', (token) => ({ ...token, key: foreignKey })],
    ['not signed', (token) => ({ ...token, header: { ...token.header, alg: 'none' } })],
  ];

  it.each(attacks)('an ID token: %s', async (_, tamper) => {
    await federated();
    idp.tamper = tamper;
    await refused(logIn());
    idp.tamper = null;
    expect((await logIn()).status).toBe(200);
  });

  it('another state, none, and a state that was used', async () => {
    await federated();
    const browser = new Browser();
    const back = await throughProvider(browser);
    const changed = (state: string | null): string => {
      const url = new URL(back);
      if (state === null) url.searchParams.delete('state');
      else url.searchParams.set('state', state);
      return url.href;
    };
    for (const href of [changed('x'.repeat(43)), changed(null)]) {
      expect((await browser.get(href)).status).toBe(401);
    }
    expect((await browser.get(back.href)).status).toBe(200);
    expect((await browser.get(back.href)).status).toBe(401);
  });

  it('another browser than the one that began', async () => {
    await federated();
    const back = await throughProvider(new Browser());
    expect((await new Browser().get(back.href)).status).toBe(401);
  });

  it('a code that was used, in a login of its own', async () => {
    await federated();
    const [browser, thief] = [new Browser(), new Browser()];
    const back = await throughProvider(browser);
    expect((await browser.get(back.href)).status).toBe(200);
    const theirs = await throughProvider(thief);
    theirs.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect((await thief.get(theirs.href)).status).toBe(401);
  });

  it('a code that was begun in another login', async () => {
    await federated();
    const [victim, thief] = [new Browser(), new Browser()];
    const [theirs, mine] = [await throughProvider(victim), await throughProvider(thief)];
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    expect((await thief.get(mine.href)).status).toBe(401);
  });

  it('an answer in the name of another issuer', async () => {
    await federated();
    const browser = new Browser();
    const back = await throughProvider(browser);
    back.searchParams.set('iss', 'http://127.0.0.1:1');
    expect((await browser.get(back.href)).status).toBe(401);
  });

  it('an error of the provider', async () => {
    const browser = new Browser();
    const back = await throughProvider(browser);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    expect((await browser.get(back.href)).status).toBe(401);
  });
});
