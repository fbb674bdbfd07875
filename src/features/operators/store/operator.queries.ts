import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Raw } from 'typeorm';
import { OrganisationEntity } from '../../auth/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import {
  OperatorLookup,
  permissionsOf,
  type OperatorSummary,
  type Permission,
  type Role,
} from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import {
  OperatorInvitationEntity,
  OperatorPasskeyEntity,
  type OperatorSessionEntity,
  OperatorEntity,
} from './entities.js';

export const UNUSED = { acceptedAt: IsNull(), revokedAt: IsNull() };
/** The condition for an invitation that can still be accepted. */
export const OPEN = { ...UNUSED, expiresAt: Raw((at) => `${at} > now()`) };

export type OperatorRow = OperatorEntity;
export type InvitationRow = OperatorInvitationEntity;
export type OperatorSessionRow = OperatorSessionEntity;
export type PasskeyRow = OperatorPasskeyEntity;

/** The account and organisation of an operator, as the operator sees them. */
export interface OwnAccount {
  readonly email: string | null;
  readonly name: string;
  readonly totpEnrolled: boolean;
  readonly passkeys: number;
  readonly organisation: { readonly id: string; readonly key: string; readonly name: string };
}

export interface OperatorFilter {
  readonly limit: number;
  readonly after: string | null;
  readonly kind: 'PERSON' | 'MACHINE' | undefined;
  readonly status: 'ENABLED' | 'DISABLED' | undefined;
}

@Injectable()
export class OperatorQueries extends OperatorLookup {
  constructor(private readonly uow: UnitOfWork) {
    super();
  }

  async listEnabled(organisationId: string): Promise<OperatorSummary[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(OperatorEntity, {
        select: { id: true, organisationId: true, kind: true, name: true, roles: true, permissions: true },
        where: { organisationId, status: 'ENABLED' },
        order: { id: 'ASC' },
      }),
    );
    return rows.map(({ id, kind, name, roles, permissions }) => ({
      id,
      kind,
      name,
      permissions: kind === 'MACHINE' ? new Set(permissions as Permission[]) : permissionsOf(roles as Role[]),
    }));
  }

  async listOperators(
    organisationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly name: string; readonly roles: readonly string[] }>> {
    const distinctIds = [...new Set(ids)];
    if (distinctIds.length === 0) return new Map();
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(OperatorEntity, {
        select: { id: true, name: true, roles: true },
        where: { organisationId, id: In(distinctIds) },
      }),
    );
    return new Map(rows.map(({ id, name, roles }) => [id, { name, roles }]));
  }

  async readNames(organisationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const people = await this.listOperators(organisationId, ids);
    return new Map([...people].map(([id, { name }]) => [id, name]));
  }

  async readOwnAccount(organisationId: string, operatorId: string): Promise<OwnAccount | null> {
    return this.uow.read(organisationId, async (db) => {
      const account = await db.findOne(OperatorEntity, {
        select: { id: true, email: true, name: true, totpEnrolledAt: true },
        where: { id: operatorId, organisationId },
      });
      const organisation = await db.findOneBy(OrganisationEntity, { id: organisationId });
      if (!account || !organisation) return null;
      const { email, name, totpEnrolledAt } = account;
      const ownOrganisation = {
        id: publicId('org', organisationId),
        key: organisation.key,
        name: organisation.name,
      };
      const passkeys = await db.countBy(OperatorPasskeyEntity, { operatorId });
      return { email, name, totpEnrolled: totpEnrolledAt !== null, passkeys, organisation: ownOrganisation };
    });
  }

  /** Up to `limit` operators of an organisation, oldest first. */
  async list(
    organisationId: string,
    { limit, after, kind, status }: OperatorFilter,
  ): Promise<OperatorEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(OperatorEntity, {
        where: {
          organisationId,
          ...(kind && { kind }),
          ...(status && { status }),
          ...(after !== null && { id: MoreThan(after) }),
        },
        order: { id: 'ASC' },
        take: limit,
      }),
    );
  }

  /** Up to `limit` invitations that can still be accepted, oldest first. */
  async listOpenInvitations(
    organisationId: string,
    after: string | null,
    limit: number,
  ): Promise<OperatorInvitationEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(OperatorInvitationEntity, {
        where: { organisationId, ...OPEN, ...(after !== null && { id: MoreThan(after) }) },
        order: { id: 'ASC' },
        take: limit,
      }),
    );
  }

  /** True if no organisation has an operator yet: the service starts for the first time. */
  async hasNoOperator(): Promise<boolean> {
    return this.uow.read(
      system('operators.login'),
      async (db) => !(await db.existsBy(OperatorEntity, { kind: 'PERSON' })),
    );
  }
}
