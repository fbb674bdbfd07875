import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import type { Role } from '../http/index.js';
import { newUuid } from '../kernel/index.js';
import { OperatorEntity } from './store/operator.entity.js';
import { OperatorTrail, type Cause } from './operator-trail.js';

export interface NewPerson {
  readonly organisationId: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Argon2id in PHC form; null when the person logs in elsewhere. */
  readonly passwordHash: string | null;
}

/** Addresses are compared in this form. */
export const normalEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();

/** The operators of an organisation: who they are and what they may do. */
@Injectable()
export class OperatorsService {
  constructor(private readonly trail: OperatorTrail) {}

  /** Adds a person and returns the id, or null when the address is taken. */
  async addPerson(tx: Tx, person: NewPerson, cause: Cause): Promise<string | null> {
    const id = newUuid();
    const inserted = await tx
      .createQueryBuilder()
      .insert()
      .into(OperatorEntity)
      .values({
        id,
        organisationId: person.organisationId,
        kind: 'PERSON',
        email: normalEmail(person.email),
        name: person.name,
        status: 'ENABLED',
        roles: [...person.roles],
        permissions: [],
        passwordHash: person.passwordHash,
        passwordChangedAt: person.passwordHash === null ? null : () => 'now()',
      })
      .orIgnore()
      .returning('id')
      .execute();
    if ((inserted.raw as unknown[]).length === 0) return null;
    const about = { id, organisationId: person.organisationId };
    await this.trail.record(tx, about, 'operator.created', cause, { roles: person.roles });
    return id;
  }
}
