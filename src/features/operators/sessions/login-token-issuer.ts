import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IndexKeys } from '../../../platform/privacy/index.js';
import { AccessTokens } from './access-tokens.js';
import type { OperatorRef } from '../operator-audit.js';

/** The tokens of a successful login. */
export interface LoginGrant {
  readonly operator: OperatorRef;
  readonly sessionId: string;
  readonly accessToken: string;
  /** The lifetime of the access token, in seconds. */
  readonly expiresIn: number;
  /** Null if the operator is a machine, which authenticates again instead. */
  readonly refreshToken: string | null;
  /** The token for a new device cookie; null if the device already has a cookie. */
  readonly deviceToken: string | null;
  /** For cookie mode; readable only by pages of this service. */
  readonly csrfToken: string;
}

@Injectable()
export class LoginTokenIssuer {
  private readonly csrfKey: Buffer;

  constructor(
    private readonly tokens: AccessTokens,
    keys: IndexKeys,
  ) {
    this.csrfKey = keys.newest.derive('operator-csrf');
  }

  async grant(
    operator: OperatorRef,
    session: { readonly sessionId: string; readonly refreshToken: string | null },
    deviceToken: string | null = null,
  ): Promise<LoginGrant> {
    const { sessionId, refreshToken } = session;
    return {
      operator,
      sessionId,
      accessToken: await this.tokens.issue({ operatorId: operator.id, sessionId }),
      expiresIn: this.tokens.lifetimeSeconds,
      refreshToken,
      deviceToken,
      csrfToken: this.csrfToken(sessionId),
    };
  }

  /** True if this is the CSRF token of the session (OWASP: signed double submit, bound to the session). */
  isCsrfToken(sessionId: string, token: string): boolean {
    const expected = Buffer.from(this.csrfToken(sessionId));
    const tokenBytes = Buffer.from(token);
    return tokenBytes.length === expected.length && timingSafeEqual(tokenBytes, expected);
  }

  private csrfToken(sessionId: string): string {
    return createHmac('sha256', this.csrfKey).update(sessionId).digest('base64url');
  }
}
