import { Injectable } from '@nestjs/common';
import { system, UnitOfWork, type Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import { hashOpaqueToken, newOpaqueToken } from './domain/opaque-token.js';
import type { OperatorRef } from './operator-trail.js';

export interface KnownDevice {
  readonly id: string;
  readonly operatorId: string;
}

const REMEMBERED_DAYS = 180;
// The oldest goes when there are more: a person has a handful.
const MAX_DEVICES = 20;

/**
 * Devices from which an operator has logged in (OWASP: "Slow Down Online Guessing Attacks with Device Cookies"). Whoever
 * guesses passwords has none, and so cannot lock out whoever has one.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly uow: UnitOfWork) {}

  async find(token: string | undefined): Promise<KnownDevice | null> {
    const hash = token === undefined ? null : hashOpaqueToken('vdt', token);
    if (!hash) return null;
    const rows: { id: string; operator_id: string }[] = await this.uow.read(system('operators.login'), (db) =>
      db.query(`SELECT id, operator_id FROM operator_devices WHERE hash = $1 AND expires_at > now()`, [hash]),
    );
    return rows[0] ? { id: rows[0].id, operatorId: rows[0].operator_id } : null;
  }

  /** Remembers a device and returns its token, which is shown this once. */
  async remember(tx: Tx, operator: OperatorRef): Promise<string> {
    const token = newOpaqueToken('vdt');
    await tx.query(
      `INSERT INTO operator_devices (id, organisation_id, operator_id, hash, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(days => $5))`,
      [newUuid(), operator.organisationId, operator.id, hashOpaqueToken('vdt', token), REMEMBERED_DAYS],
    );
    await tx.query(
      `DELETE FROM operator_devices WHERE operator_id = $1 AND id NOT IN (
         SELECT id FROM operator_devices WHERE operator_id = $1 ORDER BY last_used_at DESC LIMIT $2)`,
      [operator.id, MAX_DEVICES],
    );
    return token;
  }

  /** Notes that a device was used again, which also prolongs its time. */
  async touch(tx: Tx, device: KnownDevice): Promise<void> {
    await tx.query(
      `UPDATE operator_devices SET last_used_at = now(), expires_at = now() + make_interval(days => $2) WHERE id = $1`,
      [device.id, REMEMBERED_DAYS],
    );
  }

  /** Forgets all devices of an operator, whose password or second factor may be in other hands. */
  async forgetAll(tx: Tx, operator: OperatorRef): Promise<void> {
    await tx.query(`DELETE FROM operator_devices WHERE operator_id = $1`, [operator.id]);
  }
}
