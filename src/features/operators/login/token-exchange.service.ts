import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { DomainError, uuidOf } from '../../../platform/kernel/index.js';
import { AccessTokens } from '../sessions/access-tokens.js';
import { operatorActorContext, systemActorContext, type CallOrigin } from '../call-origin.js';
import { hashMachineSecret, matchesMachineSecret } from '../domain/machine-secret.js';
import { hashOpaqueToken } from '../domain/opaque-token.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorAudit } from '../operator-audit.js';
import { LoginTokenIssuer, type LoginGrant } from '../sessions/login-token-issuer.js';
import { OperatorEntity, OperatorSessionEntity, RefreshTokenEntity } from '../store/entities.js';

/** Exchanges a refresh token, or the secret of a machine, for an access token. */
@Injectable()
export class TokenExchangeService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly sessions: OperatorSessionsService,
    private readonly tokens: AccessTokens,
    private readonly loginTokenIssuer: LoginTokenIssuer,
    private readonly audit: OperatorAudit,
  ) {}

  /**
   * Exchanges a refresh token for new tokens. If the token was used before, somebody has copied it: the session ends
   * for both (RFC 9700, 4.14.2). `csrf` is checked before anything changes; null if the token came without a cookie.
   */
  async refresh(token: string, csrf: string | null, from: CallOrigin): Promise<LoginGrant> {
    const hash = hashOpaqueToken('vrt', token);
    const session =
      hash &&
      (await this.uow.read(system('operators.directory'), async (db) => {
        const storedToken = await db.findOneBy(RefreshTokenEntity, { hash });
        return storedToken && db.findOneBy(OperatorSessionEntity, { id: storedToken.sessionId });
      }));
    if (!session) throw new DomainError('CREDENTIALS_INVALID');
    const { id: sessionId, organisationId } = session;
    if (csrf !== null && !this.loginTokenIssuer.isCsrfToken(sessionId, csrf)) {
      throw new DomainError('CSRF_TOKEN_INVALID');
    }
    const operator = { id: session.operatorId, organisationId };
    const createdSession = await this.uow.run(organisationId, async (tx) => {
      const next = await this.sessions.rotate(tx, hash, organisationId);
      if (next) return next;
      if (await this.sessions.revoke(tx, operator, sessionId, 'REFRESH_REUSED')) {
        const cause = systemActorContext('token-exchange', from);
        await this.audit.record(tx, operator, 'operator.refresh_refused', cause, { sessionId });
      }
      return null;
    });
    if (!createdSession) throw new DomainError('CREDENTIALS_INVALID');
    return this.loginTokenIssuer.grant(operator, createdSession);
  }

  /** Throws CREDENTIALS_INVALID or OPERATOR_DISABLED. */
  async exchangeSecret(operatorId: string, secret: string, from: CallOrigin): Promise<LoginGrant> {
    const id = uuidOf('opr', operatorId);
    const machine = id
      ? await this.uow.read(system('operators.login'), (db) =>
          db.findOneBy(OperatorEntity, { id, kind: 'MACHINE' }),
        )
      : null;
    const hash = hashMachineSecret(secret, this.settings.clientSecretPepper);
    if (!matchesMachineSecret(hash, machine?.secretHash ?? null) || !machine) {
      throw new DomainError('CREDENTIALS_INVALID');
    }
    if (machine.status === 'DISABLED' || !this.settings.machineOperators) {
      throw new DomainError('OPERATOR_DISABLED');
    }
    const sessionId = await this.uow.run(machine.organisationId, async (tx) => {
      const opened = await this.sessions.createMachineSession(tx, machine, from, this.tokens.lifetimeSeconds);
      await tx.update(OperatorEntity, { id: machine.id }, { lastLoginAt: () => 'now()' });
      await this.audit.record(tx, machine, 'operator.logged_in', operatorActorContext(machine, from), {
        method: 'SECRET',
        session: opened,
      });
      return opened;
    });
    return this.loginTokenIssuer.grant(machine, { sessionId, refreshToken: null });
  }
}
