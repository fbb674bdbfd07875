import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Settings } from '../../config/index.js';
import { noOrganisation, UnitOfWork, type Tx } from '../../database/index.js';
import { throttleRules, waitAfter, type ThrottleKind } from '../domain/login-throttle.js';
import { LoginThrottleEntity } from '../store/entities/login-throttle.entity.js';
import { countFailure, throttleWaits } from '../store/login.statements.js';

/** One counter of failures. */
export interface ThrottleKey {
  readonly kind: ThrottleKind;
  readonly hash: Buffer;
}

/**
 * Counts failed logins, in PostgreSQL so that every process counts the same. An account that does not exist is counted
 * like one that does. Keys are hashes: who tried to log in as whom is not to be read from this table.
 */
@Injectable()
export class LoginThrottle {
  private readonly hmacKey: Buffer;

  constructor(
    private readonly uow: UnitOfWork,
    settings: Settings,
  ) {
    this.hmacKey = Buffer.from(hkdfSync('sha256', settings.indexKey, '', 'vigia:login-throttle', 32));
  }

  key(kind: ThrottleKind, ...parts: readonly string[]): ThrottleKey {
    const hash = createHmac('sha256', this.hmacKey)
      .update(JSON.stringify([kind, ...parts]))
      .digest();
    return { kind, hash };
  }

  /** Seconds that each of these counters still has to wait; 0 when it need not. */
  async waits(keys: readonly ThrottleKey[]): Promise<number[]> {
    const hashes = keys.map(({ hash }) => hash);
    const rows = await this.uow.read(noOrganisation, (db) => throttleWaits(db, hashes));
    return keys.map(({ hash }) => rows.find((row) => row.key.equals(hash))?.wait ?? 0);
  }

  /** Counts a failure; returns the longest wait that follows from it and whether this failure began a lock. */
  async fail(tx: Tx, keys: readonly ThrottleKey[]): Promise<{ waitSeconds: number; locked: boolean }> {
    let waitSeconds = 0;
    let locked = false;
    for (const { kind, hash } of keys) {
      const rule = throttleRules[kind];
      const failures = await countFailure(tx, hash, rule.forgetSeconds);
      const wait = waitAfter(failures, rule);
      if (wait === 0) continue;
      await tx.update(
        LoginThrottleEntity,
        { key: hash },
        { blockedUntil: () => `now() + interval '${wait} seconds'` },
      );
      waitSeconds = Math.max(waitSeconds, wait);
      locked ||= failures === rule.free + 1;
    }
    return { waitSeconds, locked };
  }

  /** Forgets failures after a success. */
  async clear(tx: Tx, keys: readonly ThrottleKey[]): Promise<void> {
    await tx.delete(LoginThrottleEntity, { key: In(keys.map(({ hash }) => hash)) });
  }
}
