import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { Clock, DomainError } from '../kernel/index.js';
import { sealContext, Vault } from '../privacy/index.js';
import { hashRecoveryCode, newRecoveryCodes } from './domain/recovery-codes.js';
import { newTotpSeed, stepOfCode } from './domain/totp.js';
import type { OperatorRef } from './operator-trail.js';
import { OperatorEntity } from './store/operator.entity.js';

/** What somebody shows beside the password. */
export interface ShownFactor {
  readonly totp?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** A factor that fits, and is good once: `use` takes it and says whether nobody had taken it before. */
export interface FittingFactor {
  readonly kind: 'TOTP' | 'RECOVERY_CODE';
  use(tx: Tx): Promise<boolean>;
}

// A seed that was shown has to be confirmed by a first code within this time.
const PENDING_MINUTES = 10;

/** Second factors: TOTP seeds, sealed under the key ring, and recovery codes, stored as hashes. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** The factor that was shown, when it fits this operator; null when none does. */
  async fitting(operator: OperatorEntity, shown: ShownFactor): Promise<FittingFactor | null> {
    if (operator.sealedTotpSeed === null) return null;
    if (shown.totp !== undefined) {
      const seed = await this.open(operator, operator.sealedTotpSeed);
      const step = stepOfCode(seed, shown.totp, this.clock.now());
      return step === null ? null : { kind: 'TOTP', use: (tx) => useStep(tx, operator.id, step) };
    }
    if (shown.recoveryCode === undefined) return null;
    const hash = hashRecoveryCode(operator.id, shown.recoveryCode);
    return { kind: 'RECOVERY_CODE', use: (tx) => useRecoveryCode(tx, operator.id, hash) };
  }

  /** Makes a seed that waits for its first code; returns it, to be shown this once. */
  async begin(operator: OperatorRef): Promise<{ seed: string; store: (tx: Tx) => Promise<void> }> {
    const seed = newTotpSeed();
    const owner = this.vault.organisationSubject(operator.organisationId);
    const sealed = await this.vault.sealOne(seed, owner, contextOf(operator));
    const store = async (tx: Tx): Promise<void> => {
      await tx.query(
        `UPDATE operators SET pending_totp_seed = $2,
           pending_totp_expires_at = now() + make_interval(mins => $3) WHERE id = $1`,
        [operator.id, sealed, PENDING_MINUTES],
      );
    };
    return { seed, store };
  }

  /** The step of a first code under the seed that waits for it; null when it is wrong or none waits. */
  async firstStep(operator: OperatorEntity, code: string): Promise<number | null> {
    const { pendingTotpSeed, pendingTotpExpiresAt } = operator;
    if (!pendingTotpSeed || (pendingTotpExpiresAt?.getTime() ?? 0) < this.clock.now()) {
      throw new DomainError('STATE_CONFLICT');
    }
    return stepOfCode(await this.open(operator, pendingTotpSeed), code, this.clock.now());
  }

  /** Takes the waiting seed into use, with its first code used up, and returns new recovery codes. */
  async confirm(tx: Tx, operator: OperatorEntity, step: number): Promise<string[]> {
    const rows: unknown[] = await tx.query(
      `WITH confirmed AS (
         UPDATE operators SET sealed_totp_seed = pending_totp_seed, totp_enrolled_at = now(), totp_last_step = $3,
           pending_totp_seed = NULL, pending_totp_expires_at = NULL, updated_at = now()
         WHERE id = $1 AND pending_totp_seed = $2 RETURNING 1)
       SELECT 1 FROM confirmed`,
      [operator.id, operator.pendingTotpSeed, step],
    );
    if (rows.length === 0) throw new DomainError('STATE_CONFLICT');
    return this.replaceRecoveryCodes(tx, operator);
  }

  /** Makes new recovery codes in place of all old ones. */
  async replaceRecoveryCodes(tx: Tx, operator: OperatorRef): Promise<string[]> {
    const codes = newRecoveryCodes();
    await tx.query(`DELETE FROM operator_recovery_codes WHERE operator_id = $1`, [operator.id]);
    await tx.query(
      `INSERT INTO operator_recovery_codes (operator_id, organisation_id, hash) SELECT $1, $2, unnest($3::bytea[])`,
      [operator.id, operator.organisationId, codes.map((code) => hashRecoveryCode(operator.id, code))],
    );
    return codes;
  }

  /** Takes the second factor away, for an operator who lost it. */
  async reset(tx: Tx, operator: OperatorRef): Promise<void> {
    await tx.query(
      `UPDATE operators SET sealed_totp_seed = NULL, totp_enrolled_at = NULL, totp_last_step = NULL,
         pending_totp_seed = NULL, pending_totp_expires_at = NULL, updated_at = now() WHERE id = $1`,
      [operator.id],
    );
    await tx.query(`DELETE FROM operator_recovery_codes WHERE operator_id = $1`, [operator.id]);
  }

  private async open(operator: OperatorRef, sealed: Buffer): Promise<string> {
    const [seed] = await this.vault.openMany([{ sealed, context: contextOf(operator) }]);
    if (!seed) throw new Error('the key of a TOTP seed was destroyed');
    return seed.toString('utf8');
  }
}

const contextOf = (operator: OperatorRef): string =>
  sealContext('operators.totp', operator.id, operator.organisationId);

/** A step is used once, and no earlier one after it. */
async function useStep(tx: Tx, operatorId: string, step: number): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `WITH used AS (
       UPDATE operators SET totp_last_step = $2
       WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2) RETURNING 1)
     SELECT 1 FROM used`,
    [operatorId, step],
  );
  return rows.length === 1;
}

async function useRecoveryCode(tx: Tx, operatorId: string, hash: Buffer): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `WITH used AS (
       UPDATE operator_recovery_codes SET used_at = now()
       WHERE operator_id = $1 AND hash = $2 AND used_at IS NULL RETURNING 1)
     SELECT 1 FROM used`,
    [operatorId, hash],
  );
  return rows.length === 1;
}
