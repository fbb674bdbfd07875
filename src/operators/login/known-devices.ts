import { Injectable } from '@nestjs/common';
import { system, UnitOfWork, type Tx } from '../../database/index.js';
import { newUuid } from '../../kernel/index.js';
import { hashOpaqueToken, newOpaqueToken } from '../domain/opaque-token.js';
import type { OperatorRef } from '../operator-trail.js';
import { deviceByHash, forgetDevices, insertDevice, touchDevice } from '../store/login.statements.js';

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
    return this.uow.read(system('operators.login'), (db) => deviceByHash(db, hash));
  }

  /** Remembers a device and returns its token, which is shown this once. */
  async remember(tx: Tx, operator: OperatorRef): Promise<string> {
    const token = newOpaqueToken('vdt');
    const device = { id: newUuid(), operator, hash: hashOpaqueToken('vdt', token) };
    await insertDevice(tx, device, REMEMBERED_DAYS, MAX_DEVICES);
    return token;
  }

  /** Notes that a device was used again, which also prolongs its time. */
  async touch(tx: Tx, device: KnownDevice): Promise<void> {
    await touchDevice(tx, device.id, REMEMBERED_DAYS);
  }

  /** Forgets all devices of an operator, whose password or second factor may be in other hands. */
  async forgetAll(tx: Tx, operator: OperatorRef): Promise<void> {
    await forgetDevices(tx, operator.id);
  }
}
