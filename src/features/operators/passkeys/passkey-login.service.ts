import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OPERATIONS } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { operatorActorContext, systemActorContext, type CallOrigin } from '../call-origin.js';
import { OperatorAudit, unknownAccountSubject, type OperatorRef } from '../operator-audit.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { LoginTokenIssuer, type LoginGrant } from '../sessions/login-token-issuer.js';
import { OperatorEntity } from '../store/entities.js';
import { Passkeys, type Assertion, type RequestOptions } from './passkeys.js';

type FailureReason = 'PASSKEY' | 'USER_VERIFICATION' | 'IDENTITY_PROVIDER' | 'DISABLED';

/**
 * Logs people in with a passkey alone. With user verification a passkey counts as two factors (possession, and
 * knowledge or inherence), so the session is strong; without it, the login is refused. Operators of an identity
 * provider cannot log in this way: an account that was closed there must not work here.
 */
@Injectable()
export class PasskeyLoginService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly passkeys: Passkeys,
    private readonly sessions: OperatorSessionsService,
    private readonly loginTokenIssuer: LoginTokenIssuer,
    private readonly audit: OperatorAudit,
  ) {}

  start(userVerification: 'required' | 'preferred'): Promise<RequestOptions> {
    return this.passkeys.createLoginOptions(userVerification);
  }

  /** Throws CREDENTIALS_INVALID or OPERATOR_DISABLED. */
  async logIn(assertion: Assertion, from: CallOrigin): Promise<LoginGrant> {
    const matched = await this.passkeys.verifyAssertionOf(assertion, null);
    if (!matched) {
      throw await this.recordFailure(unknownAccountSubject(digestOf(assertion.id)), 'PASSKEY', from);
    }
    const { passkey, userVerified } = matched;
    const operator = await this.uow.read(passkey.organisationId, (db) =>
      db.findOneBy(OperatorEntity, { id: passkey.operatorId }),
    );
    if (!operator) throw new Error('a passkey without its operator');
    if (!userVerified) throw await this.recordFailure(operator, 'USER_VERIFICATION', from);
    if (operator.passwordHash === null) throw await this.recordFailure(operator, 'IDENTITY_PROVIDER', from);
    if (operator.status === 'DISABLED') {
      await this.recordFailure(operator, 'DISABLED', from);
      throw new DomainError('OPERATOR_DISABLED');
    }
    const session = await this.uow.run(operator.organisationId, async (tx) => {
      if (!(await matched.use(tx))) return null;
      const createdSession = await this.sessions.createSession(tx, {
        operator,
        method: 'PASSKEY',
        strong: true,
        from,
      });
      await tx.update(OperatorEntity, { id: operator.id }, { lastLoginAt: () => 'now()' });
      await this.audit.record(tx, operator, 'operator.logged_in', operatorActorContext(operator, from), {
        method: 'PASSKEY',
        factor: 'PASSKEY',
        session: createdSession.sessionId,
      });
      return createdSession;
    });
    if (!session) throw await this.recordFailure(operator, 'PASSKEY', from);
    return this.loginTokenIssuer.grant(operator, session);
  }

  /** Records a failure and returns the error to send, the same for every reason. */
  private async recordFailure(
    about: OperatorRef,
    reason: FailureReason,
    from: CallOrigin,
  ): Promise<DomainError> {
    const isKnownAccount = about.organisationId !== OPERATIONS;
    await this.uow.run(isKnownAccount ? about.organisationId : OPERATIONS, (tx) =>
      this.audit.record(tx, about, 'operator.login_failed', systemActorContext('login', from), {
        reason,
      }),
    );
    return new DomainError('CREDENTIALS_INVALID');
  }
}

const digestOf = (credentialId: string): Buffer => createHash('sha256').update(credentialId).digest();
