import { createHash, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type Configuration,
  type IDToken,
} from 'openid-client';
import { Raw } from 'typeorm';
import { OrganisationEntity } from '../../auth/index.js';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';
import { noOrganisation, system, UnitOfWork } from '../../../platform/database/index.js';
import { DomainError, orThrow } from '../../../platform/kernel/index.js';
import { OutboundProxy } from '../../../platform/outbound/index.js';
import { InvitationsService } from '../accounts/invitations.service.js';
import { operatorActorContext, type CallOrigin } from '../call-origin.js';
import { includesSecondFactor } from '../domain/authentication-methods.js';
import { hashOpaqueToken } from '../domain/opaque-token.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorAudit } from '../operator-audit.js';
import { LoginTokenIssuer, type LoginGrant } from '../sessions/login-token-issuer.js';
import { OidcLoginEntity, OperatorEntity } from '../store/entities.js';

export const OIDC_CALLBACK = '/operator/auth/oidc/callback';
/** Maximum time that a login at the identity provider may take. */
export const OIDC_LOGIN_MINUTES = 10;
const PROVIDER_TIMEOUT_SECONDS = 5;
const COOKIE_MODE_MARK = '.cookie';

/**
 * True if the login of this state began in cookie mode. The state itself says so: the row of the login may be used,
 * expired or of another browser.
 */
export const isCookieModeState = (state: string | null): boolean =>
  state?.endsWith(COOKIE_MODE_MARK) === true;

// Cache time of the discovery document: a provider may change its keys or URLs.
const CONFIGURATION_MS = 60 * 60_000;

export interface StartedLogin {
  /** The URL at the provider to redirect to. */
  readonly url: string;
  /** A cookie that binds the login to this browser. */
  readonly browserToken: string;
}

export interface OidcStart {
  readonly cookieMode: boolean;
  /** The key of the organisation. Default: the organisation of the oldest account with this identity. */
  readonly organisation?: string | undefined;
  /** The token of the invitation to accept with this login. */
  readonly invitation?: string | undefined;
}

/**
 * Logs people in with an OpenID Connect provider: authorization code with PKCE, state and nonce (RFC 9700). Issuer,
 * subject and organisation identify the operator. Only an invitation token links an identity to an account. The e-mail
 * address of the provider links nothing; if the provider has verified it, it must equal the invited address.
 */
@Injectable()
export class OidcLoginService {
  private readonly logger = new Logger('Oidc');
  private cachedConfiguration: { readonly at: number; readonly config: Promise<Configuration> } | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly sessions: OperatorSessionsService,
    private readonly loginTokenIssuer: LoginTokenIssuer,
    private readonly invitations: InvitationsService,
    private readonly audit: OperatorAudit,
    private readonly proxy: OutboundProxy,
  ) {}

  /** Reads the document of the provider anew. Throws NOT_READY with its cause. */
  async readProvider(): Promise<void> {
    this.cachedConfiguration = undefined;
    await this.readConfiguration();
  }

  /** Begins a login. Throws IDENTITY_PROVIDER_NOT_CONFIGURED, and INVITATION_INVALID for a malformed token. */
  async start({ cookieMode, organisation, invitation }: OidcStart): Promise<StartedLogin> {
    const config = await this.readConfiguration();
    const invitationHash = invitation === undefined ? null : hashOpaqueToken('vit', invitation);
    if (invitation !== undefined && !invitationHash) throw new DomainError('INVITATION_INVALID');
    const state = `${randomState()}${cookieMode ? COOKIE_MODE_MARK : ''}`;
    const [nonce, codeVerifier] = [randomNonce(), randomPKCECodeVerifier()];
    const browserToken = randomBytes(32).toString('base64url');
    await this.uow.run(noOrganisation, (tx) =>
      tx.insert(OidcLoginEntity, {
        stateHash: sha256(state),
        browserHash: sha256(browserToken),
        nonce,
        codeVerifier,
        cookieMode,
        organisationKey: organisation ?? null,
        invitationHash,
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

  /** Completes a login with the parameters of the callback. Each state is valid once, in the browser that began. */
  async finish(
    parameters: URLSearchParams,
    browserToken: string | undefined,
    from: CallOrigin,
  ): Promise<{ grant: LoginGrant; cookieMode: boolean }> {
    const config = await this.readConfiguration();
    const state = parameters.get('state') ?? '';
    const pending = orThrow(await this.takePending(state, browserToken ?? ''), 'CREDENTIALS_INVALID');
    const claims = await this.exchangeCode(config, parameters, state, pending);
    const operator = await this.resolveOperator(claims, pending, from);
    const grant = await this.openSession(operator, claims, from);
    return { grant, cookieMode: pending.cookieMode };
  }

  private async exchangeCode(
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
      this.logger.warn(`a login with the identity provider was refused: ${codesOf(error)}`);
      throw new DomainError('CREDENTIALS_INVALID', { cause: error });
    }
  }

  /** Deletes and returns the pending login of this state and browser, so that each is used once. */
  private async takePending(state: string, browserToken: string): Promise<OidcLoginEntity | null> {
    const stateHash = sha256(state);
    const loginFilter = { stateHash, expiresAt: Raw((at) => `${at} > now()`) };
    const pending = await this.uow.run(noOrganisation, async (tx) => {
      const found = await tx.findOneBy(OidcLoginEntity, loginFilter);
      return (await tx.delete(OidcLoginEntity, loginFilter)).affected === 1 ? found : null;
    });
    return pending?.browserHash.equals(sha256(browserToken)) ? pending : null;
  }

  private async resolveOperator(
    { iss, sub, email, email_verified: isVerified }: IDToken,
    { organisationKey: key, invitationHash }: OidcLoginEntity,
    from: CallOrigin,
  ): Promise<OperatorEntity> {
    const identity = { oidcIssuer: iss, oidcSubject: sub };
    if (invitationHash) {
      const verifiedEmail = typeof email === 'string' && isVerified === true ? email : null;
      return this.invitations.acceptWithIdentity(invitationHash, { ...identity, verifiedEmail }, from);
    }
    const operator = await this.uow.read(system('operators.login'), async (db) => {
      const namedOrganisation = key === null ? null : await db.findOneBy(OrganisationEntity, { key });
      if (key !== null && !namedOrganisation) return null;
      return db.findOne(OperatorEntity, {
        where: { ...identity, ...(namedOrganisation ? { organisationId: namedOrganisation.id } : {}) },
        order: { createdAt: 'ASC', id: 'ASC' },
      });
    });
    if (!operator) throw new DomainError('CREDENTIALS_INVALID');
    if (operator.status === 'DISABLED') throw new DomainError('OPERATOR_DISABLED');
    return operator;
  }

  private async openSession(
    operator: OperatorEntity,
    claims: IDToken,
    from: CallOrigin,
  ): Promise<LoginGrant> {
    const strong = includesSecondFactor(claims['amr']);
    const session = await this.uow.run(operator.organisationId, async (tx) => {
      const createdSession = await this.sessions.createSession(tx, {
        operator,
        method: 'OIDC',
        strong,
        from,
      });
      await tx.update(OperatorEntity, { id: operator.id }, { lastLoginAt: () => 'now()' });
      await this.audit.record(tx, operator, 'operator.logged_in', operatorActorContext(operator, from), {
        method: 'OIDC',
        factor: strong ? 'PROVIDER' : null,
        session: createdSession.sessionId,
      });
      return createdSession;
    });
    return this.loginTokenIssuer.grant(operator, session);
  }

  private get redirectUri(): string {
    return new URL(OIDC_CALLBACK, baseUrlOf(this.settings)).href;
  }

  private async readConfiguration(): Promise<Configuration> {
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.settings;
    if (oidcIssuer === null || oidcClientId === null || oidcClientSecret === null) {
      throw new DomainError('IDENTITY_PROVIDER_NOT_CONFIGURED');
    }
    if (!this.cachedConfiguration || performance.now() - this.cachedConfiguration.at > CONFIGURATION_MS) {
      this.cachedConfiguration = {
        at: performance.now(),
        config: this.discover(oidcIssuer, oidcClientId, oidcClientSecret),
      };
    }
    try {
      return await this.cachedConfiguration.config;
    } catch (error) {
      this.cachedConfiguration = undefined;
      this.logger.warn(`the document of the identity provider was not read: ${codesOf(error)}`);
      throw new DomainError('NOT_READY', { cause: error, retryAfterSeconds: 5 });
    }
  }

  private discover(issuer: string, clientId: string, clientSecret: string): Promise<Configuration> {
    const insecure = this.settings.nodeEnv !== 'production' && issuer.startsWith('http:');
    return discovery(new URL(issuer), clientId, undefined, authenticationWith(clientSecret), {
      // Checks the signature of the ID token although it was received over TLS from the provider itself.
      // oxlint-disable-next-line typescript/no-deprecated -- deprecated by its authors only to stand out; never in production
      execute: insecure ? [allowInsecureRequests, enableNonRepudiationChecks] : [enableNonRepudiationChecks],
      timeout: PROVIDER_TIMEOUT_SECONDS,
      // The two RequestInit types differ in whether a body may be undefined.
      [customFetch]: (at, init) => this.proxy.fetch(at, init as RequestInit),
    });
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Sends the secret as the provider's document asks; a document that says nothing means HTTP Basic (RFC 8414). */
function authenticationWith(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}

/** Returns the codes and names of an error and its causes. Messages may contain parameters of the login. */
function codesOf(error: unknown): string {
  const codes: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    codes.push('code' in cause ? String(cause.code) : cause.name);
  }
  return codes.join(', ');
}
