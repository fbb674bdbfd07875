import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { conflict, DomainError, orThrow } from '../../../platform/kernel/index.js';
import { operatorActorContext, type CallOrigin } from '../call-origin.js';
import { Reauthentication, type ReauthenticationProof } from '../login/reauthentication.js';
import { SecondFactors } from '../login/second-factors.js';
import { OperatorAudit } from '../operator-audit.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorPasskeyEntity } from '../store/entities.js';
import { Passkeys, type Attestation, type CreationOptions, type RequestOptions } from './passkeys.js';

export interface AddedPasskey {
  readonly passkey: OperatorPasskeyEntity;
  /** Recovery codes, shown once: set if the passkey is the operator's first second factor. */
  readonly recoveryCodes: string[] | null;
}

// Maximum number of passkeys: enough for the phones, laptops and security keys of a person.
const MAX_PASSKEYS = 20;

/** Lets operators add, list and remove their own passkeys. */
@Injectable()
export class OwnPasskeysService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reauthentication: Reauthentication,
    private readonly factors: SecondFactors,
    private readonly passkeys: Passkeys,
    private readonly sessions: OperatorSessionsService,
    private readonly audit: OperatorAudit,
  ) {}

  /** Begins to add a passkey; requires password and second factor again. */
  async begin(
    me: OperatorPrincipal,
    proof: ReauthenticationProof,
    from: CallOrigin,
  ): Promise<CreationOptions> {
    const { operator, factor } = await this.reauthentication.require(me, proof, from);
    if ((await this.passkeys.listByOperator(me)).length >= MAX_PASSKEYS) {
      throw new DomainError('STATE_CONFLICT');
    }
    const { options, store } = await this.passkeys.createRegistrationOptions(operator);
    await this.uow.run(me.organisationId, async (tx) => {
      if (factor && !(await factor.use(tx))) throw new DomainError('STATE_CONFLICT');
      await store(tx);
    });
    return options;
  }

  /** Adds a passkey and makes the session strong. If it is the first second factor, all other sessions end. */
  async add(
    me: OperatorPrincipal,
    name: string,
    response: Attestation,
    from: CallOrigin,
  ): Promise<AddedPasskey> {
    const operator = await this.reauthentication.readAccount(me);
    await this.reauthentication.countAttempt(operator);
    const proved = await this.passkeys.verifyRegistration(me, response);
    if (!proved) throw await this.reauthentication.recordFailure(operator, 'passkey', from);
    const isFirst = !(await this.factors.areSetUp(operator));
    return this.uow.run(me.organisationId, async (tx) => {
      const passkey = orThrow(await proved.store(tx, name), 'STATE_CONFLICT');
      const recoveryCodes = isFirst ? await this.factors.replaceRecoveryCodes(tx, operator) : null;
      if (isFirst) await this.sessions.revokeAll(tx, me, 'SECOND_FACTOR_CHANGED', me.sessionId);
      await this.sessions.markStrong(tx, me.sessionId);
      await this.reauthentication.recordSuccess(tx, operator);
      await this.audit.record(tx, me, 'operator.passkey_added', operatorActorContext(me, from), {
        passkeyId: passkey.id,
        session: me.sessionId,
      });
      return { passkey, recoveryCodes };
    });
  }

  async stepUpOptions(me: OperatorPrincipal): Promise<RequestOptions> {
    await this.reauthentication.readAccount(me);
    return this.passkeys.createStepUpOptions(me);
  }

  list(me: OperatorPrincipal): Promise<OperatorPasskeyEntity[]> {
    return this.passkeys.listByOperator(me);
  }

  /** Removes a passkey, after reauthentication. The last factor cannot be removed, only reset by approval. */
  async remove(
    me: OperatorPrincipal,
    id: string,
    proof: ReauthenticationProof,
    from: CallOrigin,
  ): Promise<void> {
    const { operator, factor } = await this.reauthentication.require(me, proof, from);
    await this.uow.run(me.organisationId, async (tx) => {
      if (factor && !(await factor.use(tx))) throw new DomainError('STATE_CONFLICT');
      // The lock makes concurrent removals wait, so that they cannot remove the last two passkeys.
      const passkeys = await tx.find(OperatorPasskeyEntity, {
        where: { operatorId: me.id },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (!passkeys.some((passkey) => passkey.id === id)) throw new DomainError('PASSKEY_NOT_FOUND');
      if (passkeys.length === 1 && operator.sealedTotpSeed === null) throw lastFactorError();
      await tx.delete(OperatorPasskeyEntity, { id, operatorId: me.id });
      await this.audit.record(tx, me, 'operator.passkey_removed', operatorActorContext(me, from), {
        passkeyId: id,
      });
    });
  }
}

const lastFactorError = (): DomainError =>
  conflict('', 'LAST_FACTOR', 'Add another second factor before this one goes.');
