import { Injectable } from '@nestjs/common';
import { OrganisationEntity } from '../../auth/index.js';
import { column, execute, properties, statement, system, UnitOfWork } from '../../database/index.js';
import { OperatorLookup, permissionsOf, type OperatorSummary } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import { OperatorInvitationEntity } from './entities/operator-invitation.entity.js';
import type { OperatorSessionEntity } from './entities/operator-session.entity.js';
import { OperatorEntity } from './entities/operator.entity.js';
import { HELD } from './session.statements.js';

/** An operator's view of its own account and organisation. */
export interface OwnAccount {
  readonly email: string | null;
  readonly name: string;
  readonly totpEnrolled: boolean;
  readonly organisation: { readonly id: string; readonly key: string; readonly name: string };
}

/** The columns for views; of a hash or a seed they say only whether there is one. */
export type OperatorRow = Pick<
  OperatorEntity,
  | 'id'
  | 'kind'
  | 'email'
  | 'name'
  | 'status'
  | 'roles'
  | 'permissions'
  | 'sealedTotpSeed'
  | 'passwordHash'
  | 'createdAt'
  | 'lastLoginAt'
>;
export type InvitationRow = Omit<OperatorInvitationEntity, 'invitedBy'>;
export type SessionRow = OperatorSessionEntity;

export interface OperatorFilter {
  readonly limit: number;
  readonly after: string | null;
  readonly kind: 'PERSON' | 'MACHINE' | undefined;
  readonly status: 'ENABLED' | 'DISABLED' | undefined;
}

const ENABLED = statement(
  'operators.enabled',
  `SELECT id, kind, name, roles, permissions FROM operators
   WHERE organisation_id = $1 AND status = 'ENABLED' ORDER BY id`,
  { ...properties(OperatorEntity, 'id', 'kind', 'name'), ...HELD },
);

const OWN = statement(
  'operators.own-account',
  `SELECT o.email, o.name, o.sealed_totp_seed IS NOT NULL AS "totpEnrolled", g.key, g.name AS organisation
   FROM operators o JOIN organisations g ON g.id = o.organisation_id
   WHERE o.organisation_id = $1 AND o.id = $2`,
  {
    ...properties(OperatorEntity, 'email', 'name'),
    ...properties(OrganisationEntity, 'key'),
    totpEnrolled: 'boolean',
    organisation: column(OrganisationEntity, 'name'),
  },
);

/** Reading projections of operators. */
@Injectable()
export class OperatorQueries extends OperatorLookup {
  constructor(private readonly uow: UnitOfWork) {
    super();
  }

  async enabled(organisationId: string): Promise<OperatorSummary[]> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, ENABLED, [organisationId]));
    return rows.map(({ id, kind, name, roles, permissions }) => ({
      id,
      kind,
      name,
      permissions: kind === 'MACHINE' ? new Set(permissions) : permissionsOf(roles),
    }));
  }

  /** The account of an operator of this organisation. */
  async own(organisationId: string, operatorId: string): Promise<OwnAccount | null> {
    const [row] = await this.uow.read(organisationId, (db) => execute(db, OWN, [organisationId, operatorId]));
    if (!row) return null;
    const { key, organisation, ...own } = row;
    return { ...own, organisation: { id: publicId('org', organisationId), key, name: organisation } };
  }

  /** Up to `limit` operators of an organisation, oldest first. */
  async list(organisationId: string, filter: OperatorFilter): Promise<OperatorEntity[]> {
    return this.uow.read(organisationId, (db) => {
      const query = db
        .createQueryBuilder(OperatorEntity, 'o')
        .where('o.organisation_id = :organisationId', { organisationId })
        .orderBy('o.id')
        .limit(filter.limit);
      if (filter.kind) query.andWhere('o.kind = :kind', { kind: filter.kind });
      if (filter.status) query.andWhere('o.status = :status', { status: filter.status });
      if (filter.after !== null) query.andWhere('o.id > :after', { after: filter.after });
      return query.getMany();
    });
  }

  /** Up to `limit` invitations that can still be accepted, oldest first. */
  async openInvitations(
    organisationId: string,
    after: string | null,
    limit: number,
  ): Promise<OperatorInvitationEntity[]> {
    return this.uow.read(organisationId, (db) => {
      const query = db
        .createQueryBuilder(OperatorInvitationEntity, 'i')
        .where('i.organisation_id = :organisationId', { organisationId })
        .andWhere('i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()')
        .orderBy('i.id')
        .limit(limit);
      if (after !== null) query.andWhere('i.id > :after', { after });
      return query.getMany();
    });
  }

  /** Whether there is any person at all; a first start asks. */
  async noneYet(): Promise<boolean> {
    return this.uow.read(
      system('operators.login'),
      async (db) => !(await db.existsBy(OperatorEntity, { kind: 'PERSON' })),
    );
  }
}
