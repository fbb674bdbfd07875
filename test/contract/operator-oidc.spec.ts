import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { InvitationsService } from '../../src/features/operators/index.js';
import { uuidOf } from '../../src/platform/kernel/index.js';
import { expectError } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  Browser,
  CLIENT_ID,
  CLIENT_SECRET,
  IdentityProvider,
  type Tamper,
} from '../support/identity-provider.js';
import { later } from '../support/needs.js';

const PUBLIC_URL = 'http://operators.vigia.test';
const CALLBACK = `${PUBLIC_URL}/operator/auth/oidc/callback`;

let idp: IdentityProvider;
let t: TestApp;

const settingsFor = ({ issuer }: IdentityProvider) => ({
  publicUrl: PUBLIC_URL,
  oidcIssuer: issuer,
  oidcClientId: CLIENT_ID,
  oidcClientSecret: CLIENT_SECRET,
});

beforeAll(async () => {
  // The provider explains its defaults at length.
  for (const level of ['info', 'warn'] as const) {
    jest.spyOn(console, level).mockImplementation(() => undefined);
  }
  idp = await IdentityProvider.listen(CALLBACK);
  t = await startTestApp({
    settings: settingsFor(idp),
  });
});

afterAll(async () => {
  await t.close();
  await idp.close();
});

afterEach(() => {
  idp.tamper = null;
});

interface Invited {
  readonly key: string;
  readonly email: string;
  /** The token of the invitation. */
  readonly token: string;
}

/** Invites a person of the provider to an organisation of its own; nobody has accepted yet. */
async function invited(
  options: { email?: string; login?: 'PASSWORD' | 'IDENTITY_PROVIDER' } = {},
): Promise<Invited> {
  const name = `f-${randomBytes(5).toString('hex')}`;
  const email = options.email ?? `${name}@example.com`;
  const organisationId = await t.app.get(ClientAppsService).ensureOrganisation(name, name);
  const person = {
    email,
    name,
    roles: ['ANALYST'] as const,
    login: options.login ?? ('IDENTITY_PROVIDER' as const),
  };
  const token = await t.app.get(InvitationsService).inviteFromCommandLine(organisationId, person);
  idp.person = { sub: `sub-${name}`, claims: { email, email_verified: true } };
  return { key: name, email, token };
}

/** A person who has accepted by a first login. */
async function federated(): Promise<Invited & { readonly id: string }> {
  const person = await invited();
  const { body } = await logIn(new Browser(), `?invitation=${person.token}`);
  const { id } = (await me(body.data?.accessToken ?? '')).body.data as { id: string };
  return { ...person, id: uuidOf('opr', id) ?? '' };
}

const throughProvider = (browser: Browser, query = ''): Promise<URL> =>
  idp.sendBack(t.url, CALLBACK, browser, query);

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
    // ASVS 3.7.2, 10.5.1
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

  it('links an identity by the token of an invitation and knows it by issuer and subject from then on', async () => {
    // ASVS 6.8.1, 10.5.2
    const { token, email } = await invited();
    const first = await logIn(new Browser(), `?invitation=${token}`);
    expect([first.status, first.body.error]).toEqual([200, null]);
    const { data } = (await me(first.body.data?.accessToken ?? '')).body;
    expect(data).toMatchObject({ email, strong: false });
    await t.api
      .post('/operator/auth/refresh')
      .send({ refreshToken: first.body.data?.refreshToken })
      .expect(200);

    idp.person = { ...idp.person, claims: { email: 'renamed@example.com', email_verified: false } };
    expect((await logIn()).status).toBe(200);
    const { rows } = await t.owner.query(
      `SELECT convert_from(canonical, 'UTF8')::jsonb ->> 'action' AS action FROM audit_entries
       WHERE subject_id = $1 ORDER BY subject_seq`,
      [uuidOf('opr', data.id)],
    );
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'operator.created',
      'operator.logged_in',
      'operator.logged_in',
    ]);
    const again = await logIn(new Browser(), `?invitation=${token}`);
    expect([again.status, again.body.error?.code]).toEqual([404, 'INVITATION_INVALID']);
  });

  it('one person of two organisations names the one that is meant; without a key it is the first one', async () => {
    const first = await invited();
    await logIn(new Browser(), `?invitation=${first.token}`);
    const { person } = idp;
    const second = await invited({ email: first.email });
    idp.person = person;
    await logIn(new Browser(), `?invitation=${second.token}`);
    const into = async (query: string) => {
      const { status, body } = await logIn(new Browser(), query);
      if (body.data === null) return [status, body.error?.code];
      return (await me(body.data.accessToken)).body.data.organisation.key as string;
    };
    expect(await into('')).toBe(first.key);
    expect(await into(`?organisation=${second.key}`)).toBe(second.key);
    expect(await into(`?organisation=${first.key}`)).toBe(first.key);
    const foreign = await federated();
    idp.person = person;
    expect(await into(`?organisation=${foreign.key}`)).toEqual([401, 'CREDENTIALS_INVALID']);
    expect(await into('?organisation=no-such-organisation')).toEqual([401, 'CREDENTIALS_INVALID']);
  });

  it('is strong when the provider says that it asked for a second factor', async () => {
    // ASVS 6.3.4, 6.8.4
    await federated();
    idp.tamper = (token) => ({ ...token, payload: { ...token.payload, amr: ['pwd', 'otp'] } });
    const { body } = await logIn();
    expect((await me(body.data?.accessToken ?? '')).body.data.strong).toBe(true);
  });

  it.each([[['face']], [['fpt']], [['hwk']], [['swk']], [['pwd', 'user']]])(
    'is not strong when the provider speaks of %j alone',
    async (amr) => {
      await federated();
      idp.tamper = (token) => ({ ...token, payload: { ...token.payload, amr } });
      const { body } = await logIn();
      expect((await me(body.data?.accessToken ?? '')).body.data.strong).toBe(false);
    },
  );

  it('ends with cookies when it began in cookie mode', async () => {
    await federated();
    const { status, response } = await logIn(new Browser(), '?cookie=true');
    expect([status, response.headers.get('location')]).toEqual([303, '/console']);
    const cookies = response.headers.getSetCookie();
    expect(cookies.find((line) => line.startsWith('vigia_refresh='))).toMatch(/HttpOnly; SameSite=Strict/);
    expect(cookies.find((line) => line.startsWith('vigia_csrf='))).toBeDefined();
  });

  it('ends at the console with the code and the request when it is refused in cookie mode', async () => {
    idp.person = { sub: 'nobody', claims: { email: 'nobody@example.com', email_verified: true } };
    const browser = new Browser();
    const begun = (): Promise<URL> => throughProvider(browser, '?cookie=true');
    const denied = await begun();
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    denied.searchParams.set('error_description', 'a text of the provider');
    const byProvider = await browser.get(denied.href);
    const back = await begun();
    const unknownHere = await browser.get(back.href);
    const usedUp = await browser.get(back.href);
    const ofAnotherBrowser = await new Browser().get((await begun()).href);
    for (const answer of [byProvider, unknownHere, usedUp, ofAnotherBrowser]) {
      const requestId = answer.headers.get('x-request-id') ?? 'none';
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/console?refused=CREDENTIALS_INVALID&request=${requestId}`,
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('a disabled account is refused', async () => {
    const { id } = await federated();
    await t.owner.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [id]);
    const { status, body } = await logIn();
    expect([status, body.error?.code]).toEqual([403, 'OPERATOR_DISABLED']);
  });

  later('where none is configured it says so', async () => {
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

  it('an address links nothing, not even one that was invited and verified', async () => {
    // ASVS 6.8.2, 10.5.4
    await invited();
    await refused(logIn());
  });

  it('an address without an account', async () => {
    idp.person = { sub: 'stranger', claims: { email: 'stranger@example.com', email_verified: true } };
    await refused(logIn());
  });

  it('an invitation to choose a password is not accepted by the provider, nor the other way round', async () => {
    const byPassword = await invited({ login: 'PASSWORD' });
    expect((await logIn(new Browser(), `?invitation=${byPassword.token}`)).status).toBe(404);
    const byProvider = await invited();
    const body = { token: byProvider.token, password: 'jardim-cobre-7-planalto' };
    expectError(await t.api.post('/operator/auth/invitations/accept').send(body), 404, 'INVITATION_INVALID');
  });

  it('whoever follows a link with the invitation of somebody else gets no account by it', async () => {
    const { token } = await invited();
    const invitedPerson = idp.person;
    idp.person = { sub: 'followed-a-link', claims: { email: 'victim@example.com', email_verified: true } };
    const followed = await logIn(new Browser(), `?invitation=${token}`);
    expect([followed.status, followed.body.error?.code]).toEqual([404, 'INVITATION_INVALID']);
    const { rowCount } = await t.owner.query(
      `SELECT 1 FROM operators WHERE oidc_subject = 'followed-a-link'`,
    );
    expect(rowCount).toBe(0);
    // It is still good for whom it was made.
    idp.person = invitedPerson;
    expect((await logIn(new Browser(), `?invitation=${token}`)).status).toBe(200);
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
    // ASVS 10.2.1
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
    // ASVS 7.6.2, 10.1.2
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
    // ASVS 10.2.2, 10.5.3
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

describe('another provider', () => {
  const withProvider = async (own: IdentityProvider, work: () => Promise<void>): Promise<void> => {
    const before = { idp, t };
    idp = own;
    t = await startTestApp({ settings: settingsFor(own) });
    try {
      await work();
    } finally {
      await t.close();
      ({ idp, t } = before);
    }
  };

  it('that takes the secret in the body only is sent it there', async () => {
    const own = await IdentityProvider.listen(CALLBACK, 'client_secret_post');
    await withProvider(own, async () => {
      const { token } = await invited();
      expect((await logIn(new Browser(), `?invitation=${token}`)).status).toBe(200);
    });
    await own.close();
  });

  it('that is not there is named in the log with the cause', async () => {
    const own = await IdentityProvider.listen(CALLBACK);
    await own.close();
    await withProvider(own, async () => {
      expect((await new Browser().get(`${t.url}/operator/auth/oidc/login`)).status).toBe(503);
      expect(t.log.join('')).toMatch(
        /the document of the identity provider was not read: [\w, ]*ECONNREFUSED/,
      );
    });
  });
});
