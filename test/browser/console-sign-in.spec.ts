import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { InvitationsService } from '../../src/features/operators/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { buildPage, openBrowser, visit } from '../support/browser.js';
import { DESK } from '../support/console-person.js';
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../support/identity-provider.js';
import { needs } from '../support/needs.js';

needs('chromium').describe('the sign-in with an identity provider', () => {
  let way: Server;
  /** Another site than the provider, as it is in truth. */
  let origin: string;
  let idp: IdentityProvider;
  let t: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    await buildPage();
    // The provider explains its defaults at length.
    for (const level of ['info', 'warn'] as const) {
      jest.spyOn(console, level).mockImplementation(() => undefined);
    }
    // The provider has to be told where it sends people before the service has an address: a way leads on to it.
    way = createServer((socket) => {
      const onward = connect(Number(new URL(t.url).port), '127.0.0.1');
      const end = (): void => {
        socket.destroy();
        onward.destroy();
      };
      socket.on('error', end).on('close', end).pipe(onward);
      onward.on('error', end).on('close', end).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    origin = `http://localhost:${(way.address() as AddressInfo).port}`;
    idp = await IdentityProvider.listen(`${origin}/operator/auth/oidc/callback`);
    const settings = {
      ...{ publicUrl: origin, oidcIssuer: idp.issuer },
      ...{ oidcClientId: CLIENT_ID, oidcClientSecret: CLIENT_SECRET },
    };
    [t, browser] = await Promise.all([startTestApp({ settings }), openBrowser()]);
  });

  afterAll(async () => {
    await browser.close();
    await t.close();
    await idp.close();
    way.close();
  });

  interface Opened {
    readonly page: Page;
    readonly context: BrowserContext;
    readonly complaints: readonly string[];
  }

  async function opens(at = origin): Promise<Opened> {
    const opened = await visit(browser, at, { viewport: DESK, locale: 'en-US' });
    opened.page.setDefaultTimeout(60_000);
    return opened;
  }

  /** Invites whom the provider signs in next; returns the token of the invitation. */
  async function invited(): Promise<string> {
    const key = `f-${randomBytes(5).toString('hex')}`;
    const email = `${key}@example.com`;
    idp.person = { sub: `sub-${key}`, claims: { email, email_verified: true } };
    const organisationId = await t.app.get(ClientAppsService).ensureOrganisation(key, key);
    const person = { email, name: 'Frida Federada', roles: ['ANALYST'] as const };
    return t.app
      .get(InvitationsService)
      .inviteFromCommandLine(organisationId, { ...person, login: 'IDENTITY_PROVIDER' });
  }

  const PROVIDER = 'Sign in with the identity provider';
  const account = (page: Page) => page.getByRole('button', { name: /^Account: Frida Federada/ });
  /** The browser leaves for the provider, which is all that it asks of another origin. */
  const others = ({ complaints }: Opened): string[] =>
    complaints.filter((one) => one !== `request to ${idp.issuer}`);

  it('lets in whoever was invited, knows them again, and keeps nothing of it', async () => {
    const token = await invited();
    const opened = await opens();
    const { page, context } = opened;
    await page.goto(`/operator/auth/oidc/login?cookie=true&invitation=${token}`);
    await account(page).waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, location.href, history.state, document.title])',
    );
    expect(kept).toContain(`${origin}/console`);
    expect(kept).not.toMatch(/vit_|vrt_|eyJ|code=|state=|Frida|example\.com/);

    await account(page).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByText('You have signed out, in the other tabs too.').waitFor();
    await page.getByRole('button', { name: PROVIDER }).click();
    await account(page).waitFor();
    // It goes on after a reload: the cookie is of the same kind as that of a password.
    await page.reload();
    await account(page).waitFor();
    const { rows } = await t.owner.query<{ method: string }>('SELECT method FROM operator_sessions');
    expect(rows.map(({ method }) => method)).toEqual(['OIDC', 'OIDC']);
    expect(others(opened)).toEqual([]);
    await context.close();
  });

  it('tells whom the provider knows and the service does not that nobody was let in, in both languages', async () => {
    idp.person = { sub: 'stranger', claims: { email: 'stranger@example.com', email_verified: true } };
    const opened = await opens();
    const { page, context } = opened;
    await page.goto('/console');
    const answering = page.waitForResponse((one) => one.url().includes('/oidc/callback?'));
    await page.getByRole('button', { name: PROVIDER }).click();
    const requestId = (await (await answering).allHeaders())['x-request-id'] ?? 'none';
    const alert = page.getByRole('alert');
    await alert.getByText('The sign-in with the identity provider was not accepted.').waitFor();
    await alert.getByText(requestId).waitFor();
    await page.getByRole('button', { name: 'Português' }).click();
    await alert.getByText('A entrada pelo provedor de identidade não foi aceita.').waitFor();
    expect(page.url()).toBe(`${origin}/console`);
    expect((await context.cookies()).filter(({ name }) => /refresh|csrf/.test(name))).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Entrar' }).waitFor();
    expect(await alert.count()).toBe(0);
    expect(others(opened)).toEqual([]);
    await context.close();
  });

  it('shows a sentence of its own for each refusal, and nothing that an address or the provider says', async () => {
    const opened = await opens();
    const { page, context } = opened;
    const alert = page.getByRole('alert');
    const sentences: Readonly<Record<string, string>> = {
      OPERATOR_DISABLED: 'This account is disabled.',
      INVITATION_INVALID: 'The invitation is not valid, or no longer.',
      STATE_CONFLICT: 'The address of the invitation has an account in this organisation already.',
      NOT_READY: 'The service is starting, or lacks one of its parts.',
      toString: 'The sign-in with the identity provider was not accepted.',
      'Call 0800 123': 'The sign-in with the identity provider was not accepted.',
    };
    for (const [code, sentence] of Object.entries(sentences)) {
      await page.goto(
        `/console?${new URLSearchParams({ refused: code, request: 'Call 0800 123' }).toString()}`,
      );
      await alert.getByText(sentence).waitFor();
      expect(await page.locator('body').innerText()).not.toMatch(/0800|Request id/);
    }
    // The answer of the provider to a login whose time is over, or that was used.
    const late = { state: 'x.cookie', error: 'access_denied', error_description: 'Call 0800 123' };
    await page.goto(`/operator/auth/oidc/callback?${new URLSearchParams(late).toString()}`);
    await alert.getByText('The sign-in with the identity provider was not accepted.').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('0800');
    expect(others(opened)).toEqual([]);
    await context.close();
  });

  it('says that there is no provider where none is set up, and stays where it is', async () => {
    const without = await startTestApp({ like: t, settings: { oidcIssuer: null, role: 'api' } });
    const { page, context, complaints } = await opens(without.url);
    try {
      await page.goto('/console');
      await page.getByRole('button', { name: PROVIDER }).click();
      await page
        .getByRole('alert')
        .getByText('Sign in with e-mail and password here: there is no identity provider.')
        .waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/console\/?$/);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
      await without.close();
    }
  });
});
