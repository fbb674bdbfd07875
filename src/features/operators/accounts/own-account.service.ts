import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { operatorActorContext, type CallOrigin } from '../call-origin.js';
import { totpUri } from '../domain/totp.js';
import { KnownDevices } from '../login/known-devices.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorAudit } from '../operator-audit.js';
import { Passwords } from '../login/passwords.js';
import { Reauthentication, type ReauthenticationProof } from '../login/reauthentication.js';
import { SecondFactors, type SecondFactorProof } from '../login/second-factors.js';
import { OperatorEntity } from '../store/entities.js';

/** Operators' changes to their own account: password, second factor, sessions. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly reauthentication: Reauthentication,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly sessions: OperatorSessionsService,
    private readonly devices: KnownDevices,
    private readonly audit: OperatorAudit,
  ) {}

  /** Changes the password, ends all other sessions and forgets all known devices. */
  async changePassword(
    me: OperatorPrincipal,
    proof: ReauthenticationProof,
    newPassword: string,
    from: CallOrigin,
  ): Promise<void> {
    const { operator, factor } = await this.reauthentication.require(me, proof, from);
    // Operators of the identity provider have no password. Somebody at an unattended browser must not set one.
    if (operator.passwordHash === null) throw new DomainError('STATE_CONFLICT');
    await this.passwords.requireStrong(newPassword, [operator.name, operator.email ?? ''], {
      ip: from.ip,
      known: true,
    });
    const passwordHash = await this.passwords.hash(newPassword, { ip: from.ip, known: true });
    await this.uow.run(me.organisationId, async (tx) => {
      if (factor && !(await factor.use(tx))) throw new DomainError('STATE_CONFLICT');
      await tx.update(
        OperatorEntity,
        { id: me.id },
        { passwordHash, passwordChangedAt: () => 'now()', updatedAt: () => 'now()' },
      );
      const endedCount = await this.sessions.revokeAll(tx, me, 'PASSWORD_CHANGED', me.sessionId);
      await this.devices.forgetAll(tx, me);
      await this.audit.record(tx, me, 'operator.password_changed', operatorActorContext(me, from), {
        sessionsEnded: endedCount,
      });
    });
  }

  /** Begins to set up or replace a TOTP factor; returns the seed, which no later call does. */
  async beginTotp(
    me: OperatorPrincipal,
    proof: ReauthenticationProof,
    from: CallOrigin,
  ): Promise<{ secret: string; uri: string }> {
    const { operator, factor } = await this.reauthentication.require(me, proof, from);
    const { seed, store } = await this.factors.beginTotpEnrolment(operator);
    await this.uow.run(me.organisationId, async (tx) => {
      if (factor && !(await factor.use(tx))) throw new DomainError('STATE_CONFLICT');
      await store(tx);
    });
    return { secret: seed, uri: totpUri(seed, this.settings.serviceName, operator.email ?? '') };
  }

  /** Activates the new TOTP factor with its first code; returns the recovery codes, which no later call does. */
  async confirmTotp(me: OperatorPrincipal, code: string, from: CallOrigin): Promise<string[]> {
    const operator = await this.reauthentication.readAccount(me);
    await this.reauthentication.countAttempt(operator);
    const step = await this.factors.verifyFirstCode(operator, code);
    if (step === null) throw await this.reauthentication.recordFailure(operator, 'totp', from);
    return this.uow.run(me.organisationId, async (tx) => {
      const codes = await this.factors.activateTotp(tx, operator, step);
      await this.reauthentication.recordSuccess(tx, operator);
      await this.sessions.revokeAll(tx, me, 'TOTP_CHANGED', me.sessionId);
      await this.sessions.markStrong(tx, me.sessionId);
      const content = { session: me.sessionId };
      await this.audit.record(tx, me, 'operator.totp_enrolled', operatorActorContext(me, from), content);
      return codes;
    });
  }

  /** Makes the session strong: the operator shows the second factor that the login did not ask for. */
  async stepUp(me: OperatorPrincipal, proof: SecondFactorProof, from: CallOrigin): Promise<void> {
    const operator = await this.reauthentication.readAccount(me);
    if (!(await this.factors.areSetUp(operator))) throw new DomainError('STATE_CONFLICT');
    const factor = await this.reauthentication.requireFactor(operator, proof, from);
    await this.uow.run(me.organisationId, async (tx) => {
      if (!(await factor.use(tx))) throw new DomainError('STATE_CONFLICT');
      await this.sessions.markStrong(tx, me.sessionId);
      await this.audit.record(tx, me, 'operator.stepped_up', operatorActorContext(me, from), {
        factor: factor.kind,
        session: me.sessionId,
      });
    });
  }

  /** Replaces the recovery codes and returns the new codes, which no later call does. */
  async renewRecoveryCodes(
    me: OperatorPrincipal,
    proof: ReauthenticationProof,
    from: CallOrigin,
  ): Promise<string[]> {
    const { operator, factor } = await this.reauthentication.require(me, proof, from);
    if (!factor) throw new DomainError('STATE_CONFLICT');
    return this.uow.run(me.organisationId, async (tx) => {
      if (!(await factor.use(tx))) throw new DomainError('STATE_CONFLICT');
      const codes = await this.factors.replaceRecoveryCodes(tx, operator);
      await this.audit.record(tx, me, 'operator.recovery_codes_renewed', operatorActorContext(me, from));
      return codes;
    });
  }

  async logOut(me: OperatorPrincipal, from: CallOrigin): Promise<void> {
    await this.uow.run(me.organisationId, async (tx) => {
      await this.sessions.revoke(tx, me, me.sessionId, 'LOGGED_OUT');
      await this.audit.record(tx, me, 'operator.logged_out', operatorActorContext(me, from), {
        everywhere: false,
      });
    });
  }

  /** Ends all sessions, including the caller's, and forgets all known devices. */
  async logOutEverywhere(me: OperatorPrincipal, from: CallOrigin): Promise<void> {
    await this.uow.run(me.organisationId, async (tx) => {
      const endedCount = await this.sessions.revokeAll(tx, me, 'LOGGED_OUT');
      await this.devices.forgetAll(tx, me);
      await this.audit.record(tx, me, 'operator.logged_out', operatorActorContext(me, from), {
        everywhere: true,
        sessionsEnded: endedCount,
      });
    });
  }

  /** Ends one of the operator's own sessions. Throws OPERATOR_SESSION_NOT_FOUND if it has ended. */
  async endSession(me: OperatorPrincipal, sessionId: string, from: CallOrigin): Promise<void> {
    const hasEnded = await this.uow.run(me.organisationId, async (tx) => {
      if (!(await this.sessions.revoke(tx, me, sessionId, 'REVOKED_BY_OWNER'))) return false;
      await this.audit.record(tx, me, 'operator.session_ended', operatorActorContext(me, from), {
        sessionId,
      });
      return true;
    });
    if (!hasEnded) throw new DomainError('OPERATOR_SESSION_NOT_FOUND');
  }
}
