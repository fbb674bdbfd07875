import { Injectable } from '@nestjs/common';
import { Equal, IsNull, LessThan, Or } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../../platform/privacy/index.js';
import { hashRecoveryCode, newRecoveryCodes } from '../domain/recovery-codes.js';
import { newTotpSeed, timeStepOfCode } from '../domain/totp.js';
import type { OperatorRef } from '../operator-audit.js';
import { Passkeys, type Assertion } from '../passkeys/passkeys.js';
import { OperatorPasskeyEntity, OperatorEntity, RecoveryCodeEntity } from '../store/entities.js';

/** The second factor of a login or reauthentication; at most one field is set. */
export interface SecondFactorProof {
  readonly totp?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: Assertion | undefined;
}

/** A correct second factor, valid once: `use` marks it as used, and returns false if it was used before. */
export interface MatchedFactor {
  readonly kind: 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY';
  use(tx: Tx): Promise<boolean>;
}

// A new seed must be confirmed by a first code within this time.
const PENDING_MINUTES = 10;

const NO_TOTP = {
  sealedTotpSeed: null,
  totpEnrolledAt: null,
  totpLastStep: null,
  pendingTotpSeed: null,
  pendingTotpExpiresAt: null,
  updatedAt: () => 'now()',
};

/** Stores and checks second factors: encrypted TOTP seeds, hashes of recovery codes, and passkeys. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly passkeys: Passkeys,
  ) {}

  /** True if the operator has any second factor. */
  async areSetUp(operator: OperatorEntity): Promise<boolean> {
    return operator.sealedTotpSeed !== null || (await this.passkeys.listByOperator(operator)).length > 0;
  }

  /** Returns the factor if it is correct for this operator, or null. */
  async matchProof(operator: OperatorEntity, proof: SecondFactorProof): Promise<MatchedFactor | null> {
    if (proof.passkey !== undefined) {
      const matched = await this.passkeys.verifyAssertionOf(proof.passkey, operator.id);
      return matched && { kind: 'PASSKEY', use: (tx) => matched.use(tx) };
    }
    if (proof.totp !== undefined) {
      if (operator.sealedTotpSeed === null) return null;
      const seed = await this.decryptSeed(operator, operator.sealedTotpSeed);
      const step = timeStepOfCode(seed, proof.totp, this.clock.now());
      return step === null ? null : { kind: 'TOTP', use: (tx) => useStep(tx, operator.id, step) };
    }
    if (proof.recoveryCode === undefined || !(await this.areSetUp(operator))) return null;
    const hash = hashRecoveryCode(operator.id, proof.recoveryCode);
    return { kind: 'RECOVERY_CODE', use: (tx) => useCode(tx, operator.id, hash) };
  }

  /** Creates a TOTP seed, pending until its first code, and returns it, which no later call does. */
  async beginTotpEnrolment(
    operator: OperatorRef,
  ): Promise<{ seed: string; store: (tx: Tx) => Promise<void> }> {
    const seed = newTotpSeed();
    const owner = this.vault.organisationSubject(operator.organisationId);
    const sealed = await this.vault.sealOne(seed, owner, contextOf(operator));
    const store = async (tx: Tx): Promise<void> => {
      await tx.update(
        OperatorEntity,
        { id: operator.id },
        {
          pendingTotpSeed: sealed,
          pendingTotpExpiresAt: () => `now() + interval '${PENDING_MINUTES} minutes'`,
        },
      );
    };
    return { seed, store };
  }

  /** Returns the time step of the first code; null if it is wrong. Throws STATE_CONFLICT if no seed is pending. */
  async verifyFirstCode(operator: OperatorEntity, code: string): Promise<number | null> {
    const { pendingTotpSeed, pendingTotpExpiresAt } = operator;
    if (!pendingTotpSeed || (pendingTotpExpiresAt?.getTime() ?? 0) < this.clock.now()) {
      throw new DomainError('STATE_CONFLICT');
    }
    return timeStepOfCode(await this.decryptSeed(operator, pendingTotpSeed), code, this.clock.now());
  }

  /** Activates the pending seed, marks its first code as used, and returns new recovery codes. */
  async activateTotp(tx: Tx, operator: OperatorEntity, step: number): Promise<string[]> {
    const { id, pendingTotpSeed } = operator;
    if (pendingTotpSeed === null) throw new DomainError('STATE_CONFLICT');
    const confirmed = await tx.update(
      OperatorEntity,
      { id, pendingTotpSeed: Equal(pendingTotpSeed) },
      {
        ...NO_TOTP,
        sealedTotpSeed: pendingTotpSeed,
        totpEnrolledAt: () => 'now()',
        totpLastStep: String(step),
      },
    );
    if (confirmed.affected === 0) throw new DomainError('STATE_CONFLICT');
    return this.replaceRecoveryCodes(tx, operator);
  }

  async replaceRecoveryCodes(tx: Tx, operator: OperatorRef): Promise<string[]> {
    const { id: operatorId, organisationId } = operator;
    const codes = newRecoveryCodes();
    await tx.delete(RecoveryCodeEntity, { operatorId });
    await tx.insert(
      RecoveryCodeEntity,
      codes.map((code) => ({ operatorId, organisationId, hash: hashRecoveryCode(operatorId, code) })),
    );
    return codes;
  }

  /** Removes all second factors of an operator who lost them. */
  async reset(tx: Tx, operator: OperatorRef): Promise<void> {
    await tx.update(OperatorEntity, { id: operator.id }, NO_TOTP);
    await tx.delete(OperatorPasskeyEntity, { operatorId: operator.id });
    await tx.delete(RecoveryCodeEntity, { operatorId: operator.id });
  }

  private async decryptSeed(operator: OperatorRef, sealed: Buffer): Promise<string> {
    const [seed] = await this.vault.openMany([{ sealed, context: contextOf(operator) }]);
    if (!seed) throw new Error('the key of a TOTP seed was destroyed');
    return seed.toString('utf8');
  }
}

const contextOf = (operator: OperatorRef): string =>
  encryptionContextOf('operators.totp', operator.id, operator.organisationId);

/** Marks a recovery code as used; false if it was used before or does not exist. */
async function useCode(tx: Tx, operatorId: string, hash: Buffer): Promise<boolean> {
  const unused = { operatorId, hash, usedAt: IsNull() };
  const { affected } = await tx.update(RecoveryCodeEntity, unused, { usedAt: () => 'now()' });
  return affected === 1;
}

/** Marks a TOTP time step as used; false if this step or a later step was used before. */
async function useStep(tx: Tx, operatorId: string, step: number): Promise<boolean> {
  const totpLastStep = String(step);
  const update = await tx.update(
    OperatorEntity,
    { id: operatorId, totpLastStep: Or(IsNull(), LessThan(totpLastStep)) },
    { totpLastStep },
  );
  return update.affected === 1;
}
