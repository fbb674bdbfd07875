import { createHash, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type IDToken,
} from 'openid-client';
import { IsNull, Raw } from 'typeorm';
import { Settings } from '../../config/index.js';
import { noOrganisation, system, UnitOfWork } from '../../database/index.js';
import { DomainError } from '../../kernel/index.js';
import { causedBy, causedBySystem, type CallOrigin } from '../call-origin.js';
import { normalEmail } from '../domain/email.js';
import { OperatorSessions } from '../sessions/operator-sessions.service.js';
import { OperatorTrail } from '../operator-trail.js';
import { SessionGrants, type Grant } from '../sessions/session-grants.service.js';
import { OidcLoginEntity } from '../store/entities/oidc-login.entity.js';
import { OperatorEntity } from '../store/entities/operator.entity.js';

export const OIDC_CALLBACK = '/operator/auth/oidc/callback';
/** How long somebody may take at the identity provider. */
export const OIDC_LOGIN_MINUTES = 10;
const PROVIDER_TIMEOUT_SECONDS = 5;
// A provider that changed its keys or addresses is asked again after this time.
const CONFIGURATION_MS = 60 * 60_000;
// RFC 8176: values of `amr` that mean more than a password.
const STRONG_METHODS: readonly string[] = ['mfa', 'otp', 'hwk', 'swk', 'fpt', 'face'];

export interface StartedLogin {
  /** Where the browser goes now. */
  readonly url: string;
  /** Binds the login to this browser; comes back as a cookie. */
  readonly browserToken: string;
}

/**
 * Login with an OpenID Connect provider: authorization code with PKCE, state and nonce (RFC 9700). Who it is follows
 * from issuer and subject. An address counts once: it links the account that an administrator made for it, and only
 * when the provider says that it verified the address.
 */
@Injectable()
export class OidcLogin {
  private readonly logger = new Logger('Oidc');
  private configured: { readonly at: number; readonly config: Promise<Configuration> } | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly sessions: OperatorSessions,
    private readonly grants: SessionGrants,
    private readonly trail: OperatorTrail,
  ) {}

  /** Begins a login; throws IDENTITY_PROVIDER_NOT_CONFIGURED when none is configured. */
  async start(cookieMode: boolean): Promise<StartedLogin> {
    const config = await this.configuration();
    const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const browserToken = randomBytes(32).toString('base64url');
    await this.uow.run(noOrganisation, (tx) =>
      tx.insert(OidcLoginEntity, {
        stateHash: sha256(state),
        browserHash: sha256(browserToken),
        nonce,
        codeVerifier,
        cookieMode,
        expiresAt: () => `now() + interval '${OIDC_LOGIN_MINUTES} minutes'`,
      }),
    );
    const url = buildAuthorizationUrl(config, {
      redirect_uri: this.redirectUri,
      scope: this.settings.oidcScopes,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, browserToken };
  }

  /** Ends a login that came back with these parameters; each state is good once, and only in the browser it began in. */
  async finish(
    parameters: URLSearchParams,
    browserToken: string | undefined,
    from: CallOrigin,
  ): Promise<{ grant: Grant; cookieMode: boolean }> {
    const config = await this.configuration();
    const state = parameters.get('state') ?? '';
    const pending = await this.take(state, browserToken ?? '');
    if (!pending) throw new DomainError('CREDENTIALS_INVALID');
    const claims = await this.exchange(config, parameters, state, pending);
    const operator = await this.operatorOf(claims, from);
    const grant = await this.open(operator, claims, from);
    return { grant, cookieMode: pending.cookieMode };
  }

  private async exchange(
    config: Configuration,
    parameters: URLSearchParams,
    state: string,
    pending: OidcLoginEntity,
  ): Promise<IDToken> {
    const url = new URL(this.redirectUri);
    url.search = parameters.toString();
    try {
      const tokens = await authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new DomainError('CREDENTIALS_INVALID');
      return claims;
    } catch (error) {
      // Why is for the log of whoever runs the service: the codes of the library, never what was sent.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
      this.logger.warn(`a login with the identity provider was refused: ${code}`);
      throw new DomainError('CREDENTIALS_INVALID', { cause: error });
    }
  }

  /** Takes the login that this state began, in the browser that it began in; nobody can take it twice. */
  private async take(state: string, browserToken: string): Promise<OidcLoginEntity | null> {
    const stateHash = sha256(state);
    const live = { stateHash, expiresAt: Raw((at) => `${at} > now()`) };
    const pending = await this.uow.run(noOrganisation, async (tx) => {
      const found = await tx.findOneBy(OidcLoginEntity, live);
      return (await tx.delete(OidcLoginEntity, live)).affected === 1 ? found : null;
    });
    return pending?.browserHash.equals(sha256(browserToken)) ? pending : null;
  }

  private async operatorOf(claims: IDToken, from: CallOrigin): Promise<OperatorEntity> {
    const identity = { oidcIssuer: claims.iss, oidcSubject: claims.sub };
    const known = await this.uow.read(system('operators.login'), (db) =>
      db.findOneBy(OperatorEntity, identity),
    );
    const operator = known ?? (await this.link(claims, from));
    if (!operator) throw new DomainError('CREDENTIALS_INVALID');
    if (operator.status === 'DISABLED') throw new DomainError('OPERATOR_DISABLED');
    return operator;
  }

  /** Links the account that was made for this address, at its first login. */
  private async link(claims: IDToken, from: CallOrigin): Promise<OperatorEntity | null> {
    const { email, email_verified: verified } = claims as { email?: unknown; email_verified?: unknown };
    if (verified !== true || typeof email !== 'string') return null;
    const account = await this.uow.read(system('operators.login'), (db) =>
      db.findOneBy(OperatorEntity, { email: normalEmail(email), kind: 'PERSON' }),
    );
    // An account with a password is nobody's to take over by an address.
    if (account?.passwordHash !== null || account.oidcSubject !== null) return null;
    await this.uow.run(account.organisationId, async (tx) => {
      const linked = await tx.update(
        OperatorEntity,
        { id: account.id, oidcSubject: IsNull() },
        { oidcIssuer: claims.iss, oidcSubject: claims.sub, updatedAt: () => 'now()' },
      );
      if (linked.affected === 0) throw new DomainError('STATE_CONFLICT');
      await this.trail.record(tx, account, 'operator.identity_linked', causedBySystem('oidc', from), {
        issuer: claims.iss,
      });
    });
    return account;
  }

  private async open(operator: OperatorEntity, claims: IDToken, from: CallOrigin): Promise<Grant> {
    const methods = Array.isArray(claims['amr']) ? (claims['amr'] as unknown[]) : [];
    const strong = methods.some((method) => typeof method === 'string' && STRONG_METHODS.includes(method));
    const session = await this.uow.run(operator.organisationId, async (tx) => {
      const opened = await this.sessions.open(tx, { operator, method: 'OIDC', strong, from });
      await tx.update(OperatorEntity, { id: operator.id }, { lastLoginAt: () => 'now()' });
      await this.trail.record(tx, operator, 'operator.logged_in', causedBy(operator, from), {
        method: 'OIDC',
        factor: strong ? 'PROVIDER' : null,
      });
      return opened;
    });
    return this.grants.grant(operator, session);
  }

  private get redirectUri(): string {
    const base = this.settings.publicUrl ?? `http://${this.settings.host}:${this.settings.port}`;
    return new URL(OIDC_CALLBACK, base).href;
  }

  private async configuration(): Promise<Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.settings;
    if (oidcIssuer === null || oidcClientId === null || oidcClientSecret === null) {
      throw new DomainError('IDENTITY_PROVIDER_NOT_CONFIGURED');
    }
    if (!this.configured || performance.now() - this.configured.at > CONFIGURATION_MS) {
      this.configured = {
        at: performance.now(),
        config: this.discover(oidcIssuer, oidcClientId, oidcClientSecret),
      };
    }
    try {
      return await this.configured.config;
    } catch (error) {
      this.configured = undefined;
      throw new DomainError('NOT_READY', { cause: error, retryAfterSeconds: 5 });
    }
  }

  private discover(issuer: string, clientId: string, clientSecret: string): Promise<Configuration> {
    const insecure = this.settings.nodeEnv !== 'production' && issuer.startsWith('http:');
    return discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret), {
      // The signature of the ID token is checked although it came over TLS from the provider itself.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated by its authors only to stand out; never in production
      execute: insecure ? [allowInsecureRequests, enableNonRepudiationChecks] : [enableNonRepudiationChecks],
      timeout: PROVIDER_TIMEOUT_SECONDS,
    });
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
