import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { Provider } from 'oidc-provider';

export interface Claims {
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** Changes an ID token before the service sees it. */
export type Tamper = (token: IdToken) => IdToken;

export interface IdToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly key: KeyObject;
}

export const CLIENT_ID = 'vigia-operators';
export const CLIENT_SECRET = 'a-secret-between-provider-and-service-only';

/** How a client proves who it is at the token endpoint. */
type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post';

/** An OpenID Connect provider on a free port, whose people log in without being asked. */
export class IdentityProvider {
  /** Who logs in next, and what the provider says about that person. */
  person: { readonly sub: string; readonly claims: Claims } = { sub: 'nobody', claims: {} };
  tamper: Tamper | null = null;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly key: KeyObject,
  ) {}

  static async listen(
    redirectUri: string,
    authentication: ClientAuthMethod = 'client_secret_basic',
  ): Promise<IdentityProvider> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const idp = new IdentityProvider(server, issuer, privateKey);
    const provider = idp.provider(redirectUri, authentication);
    const answer = provider.callback();
    server.on('request', (request, response) => {
      const path = request.url ?? '';
      if (!path.startsWith('/interaction/')) {
        void answer(request, response);
        return;
      }
      const { sub } = idp.person;
      void provider.interactionFinished(request, response, { login: { accountId: sub, remember: false } });
    });
    return idp;
  }

  /** Goes from the service to the provider and back; returns the address of the service that a browser is sent to. */
  async sendBack(service: string, callback: string, browser: Browser, query = ''): Promise<URL> {
    let response = await browser.get(`${service}/operator/auth/oidc/login${query}`);
    expect(response.status).toBe(302);
    for (let hop = 0; hop < 6; hop += 1) {
      const location = new URL(response.headers.get('location') ?? '', this.issuer);
      if (location.href.startsWith(callback)) {
        return new URL(`${service}${location.pathname}${location.search}`);
      }
      response = await browser.get(location.href);
    }
    throw new Error('the provider did not send the browser back');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private provider(redirectUri: string, authentication: ClientAuthMethod): Provider {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          id_token_signed_response_alg: 'ES256',
          token_endpoint_auth_method: authentication,
        },
      ],
      // The document says so, and the provider takes nothing else.
      clientAuthMethods: [authentication],
      jwks: { keys: [{ ...this.key.export({ format: 'jwk' }), kid: 'idp', alg: 'ES256', use: 'sig' }] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      cookies: { keys: ['only-for-tests'] },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => Promise.resolve({ sub, ...this.person.claims }),
      }),
      // Nobody is asked for consent.
      loadExistingGrant: async (context) => {
        const { client, session } = context.oidc;
        if (!client || !session?.accountId) return undefined;
        const grant = new context.oidc.provider.Grant({
          clientId: client.clientId,
          accountId: session.accountId,
        });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path === '/token' && body?.id_token !== undefined && this.tamper) {
        body.id_token = this.tampered(body.id_token, this.tamper);
      }
    });
    return provider;
  }

  private tampered(token: string, tamper: Tamper): string {
    const [header = '', payload = ''] = token.split('.');
    const changed = tamper({ header: decoded(header), payload: decoded(payload), key: this.key });
    const input = [changed.header, changed.payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    if (changed.header['alg'] === 'none') return `${input}.`;
    const signature = sign('sha256', Buffer.from(input), { key: changed.key, dsaEncoding: 'ieee-p1363' });
    return `${input}.${signature.toString('base64url')}`;
  }
}

const decoded = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** A browser: keeps cookies and shows where it is sent. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  async get(url: string): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  forget(name: string): void {
    this.cookies.delete(name);
  }
}
