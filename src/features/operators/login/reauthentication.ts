import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { DomainError, invalid } from '../../../platform/kernel/index.js';
import { operatorActorContext, type CallOrigin } from '../call-origin.js';
import { LoginThrottle } from './login-throttle.js';
import { OperatorAudit } from '../operator-audit.js';
import { Passwords } from './passwords.js';
import { SecondFactors, type MatchedFactor, type SecondFactorProof } from './second-factors.js';
import { OperatorSessionEntity, OperatorEntity } from '../store/entities.js';

export interface ReauthenticationProof extends SecondFactorProof {
  /** Absent for operators of the identity provider, who log in there again instead. */
  readonly password?: string | undefined;
}

export interface ReauthenticatedAccount {
  readonly operator: OperatorEntity;
  /** Call `use` in the transaction of the change that it permits; null when no second factor is set up. */
  readonly factor: MatchedFactor | null;
}

// Operators of the identity provider must have logged in within this time.
const FRESH_LOGIN_MS = 5 * 60_000;

/**
 * Requires password and second factor again before either is changed (ASVS 7.5.1): a session that was left open or
 * stolen must not be enough. Failures count per operator; only the operator's own sessions can cause them.
 */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly throttle: LoginThrottle,
    private readonly audit: OperatorAudit,
  ) {}

  /** Returns the account if the password is correct, and the second factor if one is set up. */
  async require(
    principal: OperatorPrincipal,
    proof: ReauthenticationProof,
    from: CallOrigin,
  ): Promise<ReauthenticatedAccount> {
    const operator = await this.readAccount(principal);
    if (operator.passwordHash === null) await this.requireFreshLogin(principal);
    await this.countAttempt(operator);
    if (
      operator.passwordHash !== null &&
      !(await this.passwords.verify(operator.passwordHash, proof.password ?? '', {
        ip: from.ip,
        account: operator.id,
        known: true,
      }))
    ) {
      throw await this.recordFailure(operator, 'password', from);
    }
    if (!(await this.factors.areSetUp(operator))) {
      await this.uow.run(operator.organisationId, (tx) => this.recordSuccess(tx, operator));
      return { operator, factor: null };
    }
    return { operator, factor: await this.matchFactor(operator, proof, from) };
  }

  /** Returns the second factor if it is correct; needs no password. */
  async requireFactor(
    operator: OperatorEntity,
    proof: SecondFactorProof,
    from: CallOrigin,
  ): Promise<MatchedFactor> {
    await this.countAttempt(operator);
    return this.matchFactor(operator, proof, from);
  }

  async readAccount(principal: OperatorPrincipal): Promise<OperatorEntity> {
    const operator = await this.uow.read(principal.organisationId, (db) =>
      db.findOneBy(OperatorEntity, { id: principal.id, kind: 'PERSON' }),
    );
    // A machine has neither a password nor a second factor.
    if (!operator) throw new DomainError('PERMISSION_DENIED');
    return operator;
  }

  /** Records a wrong password or code, which `countAttempt` has counted, and returns the error to send. */
  async recordFailure(
    operator: OperatorEntity,
    path: 'password' | 'totp' | 'passkey',
    from: CallOrigin,
  ): Promise<DomainError> {
    await this.uow.run(operator.organisationId, (tx) =>
      this.audit.record(
        tx,
        operator,
        'operator.reauthentication_failed',
        operatorActorContext(operator, from),
        {
          path,
        },
      ),
    );
    return invalid(path, 'VALUE_INVALID', 'Is not right.');
  }

  private async matchFactor(
    operator: OperatorEntity,
    proof: SecondFactorProof,
    from: CallOrigin,
  ): Promise<MatchedFactor> {
    const factor = await this.factors.matchProof(operator, proof);
    if (!factor) {
      throw await this.recordFailure(operator, proof.passkey === undefined ? 'totp' : 'passkey', from);
    }
    const use = async (tx: Tx): Promise<boolean> => {
      const isUsed = await factor.use(tx);
      if (isUsed) await this.recordSuccess(tx, operator);
      return isUsed;
    };
    return { kind: factor.kind, use };
  }

  async recordSuccess(tx: Tx, operator: OperatorEntity): Promise<void> {
    await this.throttle.clear(tx, [this.throttle.composeKey('reauthentication', operator.id)]);
  }

  /** Counts an attempt as a failure until it succeeds. Throws RATE_LIMITED during the delay after earlier failures. */
  async countAttempt(operator: OperatorEntity): Promise<void> {
    const counter = this.throttle.composeKey('reauthentication', operator.id);
    const { waitSeconds } = await this.throttle.countAttempt(operator.organisationId, counter);
    if (waitSeconds > 0) throw new DomainError('RATE_LIMITED', { retryAfterSeconds: waitSeconds });
  }

  private async requireFreshLogin(principal: OperatorPrincipal): Promise<void> {
    const session = await this.uow.read(principal.organisationId, (db) =>
      db.findOneBy(OperatorSessionEntity, { id: principal.sessionId }),
    );
    if (!session || Date.now() - session.createdAt.getTime() > FRESH_LOGIN_MS) {
      throw new DomainError('CREDENTIALS_INVALID');
    }
  }
}
