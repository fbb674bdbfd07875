import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { execute, system, UnitOfWork, type Tx } from '../../platform/database/index.js';
import { Periodic } from '../../platform/schedule/index.js';
import {
  LoginThrottleEntity,
  OidcLoginEntity,
  OperatorDeviceEntity,
  PasskeyChallengeEntity,
} from './store/entities.js';
import { REMOVE_OLD_SESSIONS } from './store/login.statements.js';

const SWEEP_MS = 10 * 60_000;
const EXPIRED = Raw((at) => `${at} < now()`);

const REMOVALS: readonly ((tx: Tx) => Promise<unknown>)[] = [
  (tx) => execute(tx, REMOVE_OLD_SESSIONS, []),
  (tx) => tx.delete(OperatorDeviceEntity, { expiresAt: EXPIRED }),
  (tx) => tx.delete(OidcLoginEntity, { expiresAt: EXPIRED }),
  (tx) => tx.delete(PasskeyChallengeEntity, { expiresAt: EXPIRED }),
  (tx) =>
    tx.delete(LoginThrottleEntity, {
      lastFailureAt: Raw((at) => `${at} < now() - interval '2 days'`),
      blockedUntil: EXPIRED,
    }),
];

/** Deletes expired sessions, devices, challenges and counters. */
@Injectable()
export class OperatorsSweepService {
  constructor(private readonly uow: UnitOfWork) {}

  @Periodic({ everyMs: SWEEP_MS, otherwise: 'old logins stay', runsIn: 'workers' })
  async sweep(): Promise<void> {
    for (const remove of REMOVALS) await this.uow.run(system('operators.sweep'), remove);
  }
}
