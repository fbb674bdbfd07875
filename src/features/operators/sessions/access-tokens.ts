import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose';
import { Settings } from '../../../platform/config/index.js';
import { Clock, publicId, uuidOf } from '../../../platform/kernel/index.js';
import { TokenKeys } from './token-keys.js';

export interface TokenSubject {
  readonly operatorId: string;
  readonly sessionId: string;
}

const ALGORITHM = 'EdDSA';
// The `typ` of access tokens, so that no other kind of JWT is accepted as one (RFC 9068).
const TYPE = 'at+jwt';
// Tokens of this service have exactly these headers. A token with any other header (jku, jwk, x5u, crit …) is refused.
const HEADER = ['alg', 'kid', 'typ'];
// Longer tokens are refused before decoding: no token of this service is nearly as long.
const MAX_LENGTH = 2_048;

/** Issues and verifies the short-lived access tokens of operators: JWTs signed with Ed25519. */
@Injectable()
export class AccessTokens {
  private readonly issuer: string;
  private readonly audience: string;

  constructor(
    private readonly settings: Settings,
    private readonly keys: TokenKeys,
    private readonly clock: Clock,
  ) {
    // Issuer and audience contain the environment, so that a token of one environment is invalid in another.
    this.issuer = `urn:vigia:${settings.environment}`;
    this.audience = `${this.issuer}:operator-api`;
  }

  get lifetimeSeconds(): number {
    return this.settings.operatorTokenSeconds;
  }

  async issue(subject: TokenSubject): Promise<string> {
    const { kid, privateKey } = this.keys.current;
    const now = Math.floor(this.clock.now() / 1_000);
    return new SignJWT({ sid: publicId('ops', subject.sessionId) })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
      .setIssuer(this.issuer)
      .setAudience(this.audience)
      .setSubject(publicId('opr', subject.operatorId))
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + this.lifetimeSeconds)
      .setJti(randomUUID())
      .sign(privateKey);
  }

  /** Returns the subject of a token; EXPIRED if only its time is invalid, null if it is invalid otherwise. */
  async verify(token: string): Promise<TokenSubject | 'EXPIRED' | null> {
    if (token.length > MAX_LENGTH) return null;
    try {
      const { payload } = await jwtVerify(token, (header) => this.keyFor(header), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: this.issuer,
        audience: this.audience,
        requiredClaims: ['sub', 'sid', 'jti', 'iat', 'nbf', 'exp'],
        currentDate: new Date(this.clock.now()),
        // Clocks of several machines differ, and an attacker gains nothing from 5 s.
        clockTolerance: 5,
      });
      const operatorId = uuidOf('opr', payload.sub ?? '');
      const sessionId = typeof payload['sid'] === 'string' ? uuidOf('ops', payload['sid']) : null;
      return operatorId !== null && sessionId !== null ? { operatorId, sessionId } : null;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return 'EXPIRED';
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  private keyFor(header: JWTHeaderParameters): CryptoKeyLike {
    const names = Object.keys(header).sort();
    const isOurs = names.length === HEADER.length && HEADER.every((name, i) => names[i] === name);
    const key = isOurs && header.kid !== undefined ? this.keys.publicKey(header.kid) : undefined;
    if (!key) throw new errors.JWSInvalid('no key of ours');
    return key;
  }
}

type CryptoKeyLike = NonNullable<ReturnType<TokenKeys['publicKey']>>;
