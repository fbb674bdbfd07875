import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { noOrganisation, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { IndexKeys } from '../../../platform/privacy/index.js';
import { throttleRules, delayAfterFailures, type ThrottleKind } from '../domain/login-throttle.js';
import { LoginThrottleEntity } from '../store/entities.js';
import { countFailure, countAttempt, readThrottleDelays } from '../store/login.statements.js';

/** The key of a failure counter. */
export interface ThrottleKey {
  readonly kind: ThrottleKind;
  readonly hash: Buffer;
}

/** The result of counting an attempt. */
export interface CountedAttempt {
  /** The remaining delay in seconds; 0 if the attempt may be checked now. */
  readonly waitSeconds: number;
  /** True if a failure of this attempt starts a lock. */
  readonly begins: boolean;
}

/**
 * Counts failed logins in PostgreSQL, so that all processes share the counters, even for unknown accounts. Keys
 * are hashes: the table must not reveal who tried to log in as whom.
 */
@Injectable()
export class LoginThrottle {
  private readonly hmacKey: Buffer;

  constructor(
    private readonly uow: UnitOfWork,
    keys: IndexKeys,
  ) {
    this.hmacKey = keys.newest.derive('login-throttle');
  }

  composeKey(kind: ThrottleKind, ...parts: readonly string[]): ThrottleKey {
    const hash = createHmac('sha256', this.hmacKey)
      .update(JSON.stringify([kind, ...parts]))
      .digest();
    return { kind, hash };
  }

  /** Returns the remaining delay of each counter in seconds, 0 if there is no delay. */
  async readDelays(keys: readonly ThrottleKey[]): Promise<number[]> {
    const hashes = keys.map(({ hash }) => hash);
    const rows = await this.uow.read(noOrganisation, (db) => readThrottleDelays(db, hashes));
    return keys.map(({ hash }) => rows.find((row) => row.key.equals(hash))?.wait ?? 0);
  }

  /**
   * Counts an attempt as a failure before it is checked, unless the counter is still locked: concurrent attempts get no
   * more checks than sequential attempts. A success clears the counter.
   */
  countAttempt(organisationId: string, { kind, hash }: ThrottleKey): Promise<CountedAttempt> {
    const rule = throttleRules[kind];
    return this.uow.run(organisationId, async (tx) => {
      const failures = await countAttempt(tx, hash, rule.forgetSeconds);
      if (failures === null) {
        const [row] = await readThrottleDelays(tx, [hash]);
        return { waitSeconds: Math.max(1, row?.wait ?? 0), begins: false };
      }
      await this.block(tx, hash, delayAfterFailures(failures, rule));
      return { waitSeconds: 0, begins: failures === rule.free + 1 };
    });
  }

  /** Counts a failure; returns the longest delay that it causes, and `locked` if it started a lock. */
  async recordFailure(
    tx: Tx,
    keys: readonly ThrottleKey[],
  ): Promise<{ waitSeconds: number; locked: boolean }> {
    let waitSeconds = 0;
    let isLocked = false;
    for (const { kind, hash } of keys) {
      const rule = throttleRules[kind];
      const failures = await countFailure(tx, hash, rule.forgetSeconds);
      const wait = delayAfterFailures(failures, rule);
      if (wait === 0) continue;
      await this.block(tx, hash, wait);
      waitSeconds = Math.max(waitSeconds, wait);
      isLocked ||= failures === rule.free + 1;
    }
    return { waitSeconds, locked: isLocked };
  }

  private async block(tx: Tx, key: Buffer, seconds: number): Promise<void> {
    if (seconds === 0) return;
    const blockedUntil = (): string => `now() + interval '${seconds} seconds'`;
    await tx.update(LoginThrottleEntity, { key }, { blockedUntil });
  }

  /** Clears counters after a success. */
  async clear(tx: Tx, keys: readonly ThrottleKey[]): Promise<void> {
    await tx.delete(LoginThrottleEntity, { key: In(keys.map(({ hash }) => hash)) });
  }
}
