import { In, IsNull } from 'typeorm';
import { execute, properties, statement, type Reader, type Rows, type Tx } from '../../database/index.js';
import type { OperatorRef } from '../operator-trail.js';
import { LoginThrottleEntity } from './entities/login-throttle.entity.js';
import { OidcLoginEntity } from './entities/oidc-login.entity.js';
import { OperatorDeviceEntity } from './entities/operator-device.entity.js';
import { RecoveryCodeEntity } from './entities/recovery-code.entity.js';

const WAITS = statement(
  'operators.throttle-waits',
  `SELECT key, greatest(0, extract(epoch FROM blocked_until - now()))::float8 AS wait
   FROM operator_login_throttles WHERE key = ANY ($1)`,
  { ...properties(LoginThrottleEntity, 'key'), wait: 'float8' },
);

const COUNT_FAILURE = statement(
  'operators.count-failure',
  `INSERT INTO operator_login_throttles AS t (key, failures, last_failure_at, blocked_until)
   VALUES ($1, 1, now(), now())
   ON CONFLICT (key) DO UPDATE SET
     failures = CASE WHEN t.last_failure_at < now() - make_interval(secs => $2) THEN 1 ELSE t.failures + 1 END,
     last_failure_at = now()
   RETURNING failures`,
  properties(LoginThrottleEntity, 'failures'),
);

const BLOCK = statement(
  'operators.block',
  `UPDATE operator_login_throttles SET blocked_until = now() + make_interval(secs => $2) WHERE key = $1`,
);

const DEVICE_BY_HASH = statement(
  'operators.device-by-hash',
  `SELECT id, operator_id AS "operatorId" FROM operator_devices WHERE hash = $1 AND expires_at > now()`,
  properties(OperatorDeviceEntity, 'id', 'operatorId'),
);

const INSERT_DEVICE = statement(
  'operators.insert-device',
  `INSERT INTO operator_devices (id, organisation_id, operator_id, hash, expires_at)
   VALUES ($1, $2, $3, $4, now() + make_interval(days => $5))`,
);

const FORGET_OLDEST_DEVICES = statement(
  'operators.forget-oldest-devices',
  `DELETE FROM operator_devices WHERE operator_id = $1 AND id NOT IN (
     SELECT id FROM operator_devices WHERE operator_id = $1 ORDER BY last_used_at DESC LIMIT $2)`,
);

const TOUCH_DEVICE = statement(
  'operators.touch-device',
  `UPDATE operator_devices SET last_used_at = now(), expires_at = now() + make_interval(days => $2) WHERE id = $1`,
);

const INSERT_PENDING_LOGIN = statement(
  'operators.insert-pending-login',
  `INSERT INTO operator_oidc_logins (state_hash, browser_hash, nonce, code_verifier, cookie_mode, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + make_interval(mins => $6))`,
);

const TAKE_PENDING_LOGIN = statement(
  'operators.take-pending-login',
  `DELETE FROM operator_oidc_logins WHERE state_hash = $1 AND expires_at > now()
   RETURNING browser_hash AS "browserHash", nonce, code_verifier AS "codeVerifier", cookie_mode AS "cookieMode"`,
  properties(OidcLoginEntity, 'browserHash', 'nonce', 'codeVerifier', 'cookieMode'),
);

const LOCK_ORGANISATION = statement(
  'operators.lock-organisation',
  'SELECT FROM organisations WHERE id = $1 FOR UPDATE',
);

/** A login at the identity provider that has begun and not come back. */
export type PendingLogin = Rows<typeof TAKE_PENDING_LOGIN>;

/** Seconds that each counter still has to wait; a counter that is not stored is left out. */
export const throttleWaits = (db: Reader, keys: readonly Buffer[]): Promise<Rows<typeof WAITS>[]> =>
  execute(db, WAITS, [keys]);

/** Counts one failure and returns how many there are now; the count begins again after `forgetSeconds` without one. */
export async function countFailure(tx: Tx, key: Buffer, forgetSeconds: number): Promise<number> {
  const [row] = await execute(tx, COUNT_FAILURE, [key, forgetSeconds]);
  if (!row) throw new Error('a failed login was not counted');
  return row.failures;
}

export const block = (tx: Tx, key: Buffer, seconds: number): Promise<unknown> =>
  execute(tx, BLOCK, [key, seconds]);

export const clearThrottles = (tx: Tx, keys: readonly Buffer[]): Promise<unknown> =>
  tx.delete(LoginThrottleEntity, { key: In(keys) });

/** The device that holds this token, while it is remembered. */
export const deviceByHash = async (db: Reader, hash: Buffer): Promise<Rows<typeof DEVICE_BY_HASH> | null> =>
  (await execute(db, DEVICE_BY_HASH, [hash]))[0] ?? null;

/** Remembers a device for `days`; of more than `most` of one operator the oldest is forgotten. */
export async function insertDevice(
  tx: Tx,
  { id, operator, hash }: { id: string; operator: OperatorRef; hash: Buffer | null },
  days: number,
  most: number,
): Promise<void> {
  await execute(tx, INSERT_DEVICE, [id, operator.organisationId, operator.id, hash, days]);
  await execute(tx, FORGET_OLDEST_DEVICES, [operator.id, most]);
}

export const touchDevice = (tx: Tx, id: string, days: number): Promise<unknown> =>
  execute(tx, TOUCH_DEVICE, [id, days]);

export const forgetDevices = (tx: Tx, operatorId: string): Promise<unknown> =>
  tx.delete(OperatorDeviceEntity, { operatorId });

export const insertPendingLogin = (
  tx: Tx,
  stateHash: Buffer,
  { browserHash, nonce, codeVerifier, cookieMode }: PendingLogin,
  minutes: number,
): Promise<unknown> =>
  execute(tx, INSERT_PENDING_LOGIN, [stateHash, browserHash, nonce, codeVerifier, cookieMode, minutes]);

/** Takes the pending login away, so that its state is good once. */
export const takePendingLogin = async (tx: Tx, stateHash: Buffer): Promise<PendingLogin | null> =>
  (await execute(tx, TAKE_PENDING_LOGIN, [stateHash]))[0] ?? null;

export async function replaceRecoveryCodes(
  tx: Tx,
  operator: OperatorRef,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(tx, operator);
  const { id: operatorId, organisationId } = operator;
  await tx.insert(
    RecoveryCodeEntity,
    hashes.map((hash) => ({ operatorId, organisationId, hash })),
  );
}

export const deleteRecoveryCodes = (tx: Tx, { id }: OperatorRef): Promise<unknown> =>
  tx.delete(RecoveryCodeEntity, { operatorId: id });

/** False when the code was used before, or is none. */
export async function useRecoveryCode(tx: Tx, operatorId: string, hash: Buffer): Promise<boolean> {
  const unused = { operatorId, hash, usedAt: IsNull() };
  const { affected } = await tx.update(RecoveryCodeEntity, unused, { usedAt: () => 'now()' });
  return affected === 1;
}

/**
 * Removes logins that nobody needs any more. An ended session stays for a month, in case somebody asks when an account
 * was used; the trail keeps it for good.
 */
export const REMOVE_OLD_LOGINS = [
  statement(
    'operators.remove-old-sessions',
    `DELETE FROM operator_sessions WHERE id IN (
       SELECT id FROM operator_sessions WHERE expires_at < now() - interval '30 days' LIMIT 5000)`,
  ),
  statement('operators.remove-old-devices', 'DELETE FROM operator_devices WHERE expires_at < now()'),
  statement('operators.remove-old-oidc-logins', 'DELETE FROM operator_oidc_logins WHERE expires_at < now()'),
  statement(
    'operators.remove-old-throttles',
    `DELETE FROM operator_login_throttles
     WHERE last_failure_at < now() - interval '2 days' AND blocked_until < now()`,
  ),
] as const;

/** Locks the organisation until the transaction ends. */
export const lockOrganisation = (tx: Tx, id: string): Promise<unknown> =>
  execute(tx, LOCK_ORGANISATION, [id]);
