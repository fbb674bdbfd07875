import { Injectable } from '@nestjs/common';
import { In, Raw } from 'typeorm';
import { system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import { hashOpaqueToken, newOpaqueToken } from '../domain/opaque-token.js';
import type { OperatorRef } from '../operator-audit.js';
import { OperatorDeviceEntity } from '../store/entities.js';

export type KnownDevice = Readonly<Pick<OperatorDeviceEntity, 'id' | 'operatorId'>>;

const expiryExpression = (): string => `now() + interval '180 days'`;
// Maximum number of known devices; beyond it the least recently used device is forgotten.
const MAX_DEVICES = 20;

/**
 * Device cookies (OWASP: "Slow Down Online Guessing Attacks with Device Cookies"): remembers the browsers in which an
 * operator has logged in. An attacker has no such cookie, and so cannot lock out an operator who has one.
 */
@Injectable()
export class KnownDevices {
  constructor(private readonly uow: UnitOfWork) {}

  async find(token: string | undefined): Promise<KnownDevice | null> {
    const hash = token === undefined ? null : hashOpaqueToken('vdt', token);
    if (!hash) return null;
    return this.uow.read(system('operators.login'), (db) =>
      db.findOneBy(OperatorDeviceEntity, { hash, expiresAt: Raw((at) => `${at} > now()`) }),
    );
  }

  /** Remembers a device for 180 days and returns its token, which no later call does. */
  async remember(tx: Tx, operator: OperatorRef): Promise<string> {
    const { token, hash } = newOpaqueToken('vdt');
    const { id: operatorId, organisationId } = operator;
    await tx.insert(OperatorDeviceEntity, {
      id: newUuid(),
      organisationId,
      operatorId,
      hash,
      expiresAt: expiryExpression,
    });
    const oldest = await tx.find(OperatorDeviceEntity, {
      where: { operatorId },
      order: { lastUsedAt: 'DESC' },
      skip: MAX_DEVICES,
    });
    await tx.delete(OperatorDeviceEntity, { id: In(oldest.map(({ id }) => id)) });
    return token;
  }

  /** Extends the 180 days of a device that was used. */
  async extendDevice(tx: Tx, device: KnownDevice): Promise<void> {
    const usedColumns = { lastUsedAt: () => 'now()', expiresAt: expiryExpression };
    await tx.update(OperatorDeviceEntity, { id: device.id }, usedColumns);
  }

  /** Forgets all devices of an operator whose password or second factor may be compromised. */
  async forgetAll(tx: Tx, operator: OperatorRef): Promise<void> {
    await tx.delete(OperatorDeviceEntity, { operatorId: operator.id });
  }
}
