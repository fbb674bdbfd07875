import { Injectable } from '@nestjs/common';
import { ArrayContains } from 'typeorm';
import { Settings } from '../../../platform/config/index.js';
import { lockRow, system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import {
  permissionsOf,
  strongPermissions,
  type OperatorPrincipal,
  type Permission,
  type Role,
} from '../../../platform/http/index.js';
import { conflict, DomainError, errorAt, invalid, newUuid, orThrow } from '../../../platform/kernel/index.js';
import {
  operatorActorContext,
  systemActorContext,
  type CallOrigin,
  type OperatorActorContext,
} from '../call-origin.js';
import { normaliseEmail } from '../domain/email.js';
import { hashMachineSecret, newMachineSecret } from '../domain/machine-secret.js';
import { KnownDevices } from '../login/known-devices.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import type { Approval } from '../../approvals/index.js';
import { recordLineage, recordRemoval, type ApprovalParties } from '../lineage.js';
import { AccessNotifierService } from './access-notifier.service.js';
import { OpenCaseRegistry } from '../open-case-registry.js';
import { OperatorAudit, type OperatorRef } from '../operator-audit.js';
import { SecondFactors } from '../login/second-factors.js';
import { OperatorEntity } from '../store/entities.js';

export interface NewPerson {
  readonly organisationId: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Argon2id in PHC form; absent when the person logs in at the identity provider. */
  readonly passwordHash?: string | null;
  /** The identity of the person at the identity provider. */
  readonly oidcIssuer?: string;
  readonly oidcSubject?: string;
}

export interface NewMachine {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

export interface OperatorChange {
  readonly name?: string | undefined;
  readonly roles?: readonly Role[] | undefined;
  readonly permissions?: readonly Permission[] | undefined;
}

/** A changed operator, with the number of cases that were unassigned. */
export interface ChangedOperator {
  readonly operator: OperatorEntity;
  readonly casesReturned: number;
}

/** True if a machine operator may have the permission: only people may have permissions that need a second factor. */
export const isMachinePermission = (permission: Permission): boolean => !strongPermissions.has(permission);

@Injectable()
export class OperatorsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
    private readonly sessions: OperatorSessionsService,
    private readonly devices: KnownDevices,
    private readonly factors: SecondFactors,
    private readonly audit: OperatorAudit,
    private readonly openCaseRegistry: OpenCaseRegistry,
    private readonly accessNotifier: AccessNotifierService,
  ) {}

  /** Adds a person and returns the id; null if the organisation already has the address or identity. */
  async addPerson(
    tx: Tx,
    person: NewPerson,
    cause: OperatorActorContext,
    parties: ApprovalParties | null = null,
  ): Promise<string | null> {
    const id = newUuid();
    const insertion = await tx
      .createQueryBuilder()
      .insert()
      .into(OperatorEntity)
      .values({
        id,
        organisationId: person.organisationId,
        kind: 'PERSON',
        email: normaliseEmail(person.email),
        name: person.name,
        roles: [...person.roles],
        passwordHash: person.passwordHash ?? null,
        passwordChangedAt: person.passwordHash ? () => 'now()' : null,
        oidcIssuer: person.oidcIssuer ?? null,
        oidcSubject: person.oidcSubject ?? null,
      })
      .orIgnore()
      .returning('id')
      .execute();
    if ((insertion.raw as unknown[]).length === 0) return null;
    const added = { id, organisationId: person.organisationId };
    await this.audit.record(tx, added, 'operator.created', cause, { kind: 'PERSON', roles: person.roles });
    if (parties) await recordLineage(tx, added, 'INVITED', parties);
    return id;
  }

  /** Throws VALIDATION_FAILED if no identity provider is configured. */
  requireIdentityProvider(): void {
    if (this.settings.oidcIssuer === null) throw notAllowed('identityProvider', 'OIDC_ISSUER is not set.');
  }

  /** Adds a machine operator and returns its secret, which no later call does. */
  async addMachine(
    by: OperatorPrincipal,
    machine: NewMachine,
    from: CallOrigin,
  ): Promise<{ operator: OperatorEntity; secret: string }> {
    if (!this.settings.machineOperators) {
      throw notAllowed('kind', 'Machine operators are off: MACHINE_OPERATORS.');
    }
    requireMachinePermissions(machine.permissions);
    const id = newUuid();
    const secret = newMachineSecret();
    const { organisationId } = by;
    await this.uow.run(organisationId, async (tx) => {
      await tx.insert(OperatorEntity, {
        id,
        organisationId,
        kind: 'MACHINE',
        name: machine.name,
        permissions: [...machine.permissions],
        secretHash: hashMachineSecret(secret, this.settings.clientSecretPepper),
      });
      await this.audit.record(
        tx,
        { id, organisationId },
        'operator.created',
        operatorActorContext(by, from),
        {
          kind: 'MACHINE',
          permissions: machine.permissions,
        },
      );
    });
    return { operator: await this.findOne(by, id), secret };
  }

  /** Replaces the secret of a machine operator, and ends its sessions. */
  async renewSecret(by: OperatorPrincipal, id: string, from: CallOrigin): Promise<string> {
    const secret = newMachineSecret();
    const secretHash = hashMachineSecret(secret, this.settings.clientSecretPepper);
    await this.changeLocked(by, id, async (tx, operator) => {
      if (operator.kind !== 'MACHINE') throw new DomainError('STATE_CONFLICT');
      await tx.update(OperatorEntity, { id }, { secretHash, updatedAt: () => 'now()' });
      await this.sessions.revokeAll(tx, operator, 'REVOKED_BY_ADMIN');
      await this.audit.record(tx, operator, 'operator.secret_renewed', operatorActorContext(by, from));
    });
    return secret;
  }

  /**
   * Changes the name, removes roles (of a person) or sets permissions (of a machine). Throws FOUR_EYES_REQUIRED for the
   * caller's own roles and for additional roles, which need an approval. The cases of an operator who may no longer
   * work on them are unassigned.
   */
  async update(
    by: OperatorPrincipal,
    id: string,
    change: OperatorChange,
    from: CallOrigin,
  ): Promise<ChangedOperator> {
    const { name, roles, permissions } = change;
    if (permissions) requireMachinePermissions(permissions);
    if (roles && id === by.id) throw new DomainError('FOUR_EYES_REQUIRED');
    let casesReturned = 0;
    await this.changeLocked(by, id, async (tx, operator) => {
      if (roles && operator.kind !== 'PERSON') {
        throw notAllowed('roles', 'A machine has permissions, not roles.');
      }
      if (permissions && operator.kind !== 'MACHINE') {
        throw notAllowed('permissions', 'What a person may do follows from the roles.');
      }
      if (roles?.some((role) => !operator.roles.includes(role))) throw rolesNeedApprovalError();
      if (roles && !roles.includes('ADMIN')) await this.requireOtherAdmin(tx, operator);
      await tx.update(
        OperatorEntity,
        { id },
        {
          ...(name === undefined ? {} : { name }),
          ...(roles ? { roles: [...roles] } : {}),
          ...(permissions ? { permissions: [...permissions] } : {}),
          updatedAt: () => 'now()',
        },
      );
      const removedRoles = roles ? operator.roles.filter((role) => !roles.includes(role as Role)) : [];
      if (removedRoles.length > 0) {
        await recordRemoval(tx, operator, by.id, removedRoles);
        await this.accessNotifier.notifyOfRemoval(tx, operator, `- ${removedRoles.join(', ')}`, by.id);
      }
      const cause = operatorActorContext(by, from);
      casesReturned = roles ? await this.unassignCases(tx, operator, roles, cause) : 0;
      await this.audit.record(tx, operator, 'operator.updated', cause, {
        renamed: name !== undefined,
        ...(casesReturned > 0 && { casesReturned }),
        ...(roles ? { rolesBefore: operator.roles, roles } : {}),
        ...(permissions ? { permissionsBefore: operator.permissions, permissions } : {}),
      });
    });
    return { operator: await this.findOne(by, id), casesReturned };
  }

  /**
   * Disables an operator: its tokens are invalid within 1 s, and its open cases are unassigned. Throws STATE_CONFLICT
   * for the last administrator.
   */
  async disable(by: OperatorPrincipal, id: string, from: CallOrigin): Promise<ChangedOperator> {
    if (id === by.id) throw new DomainError('FOUR_EYES_REQUIRED');
    let casesReturned = 0;
    await this.changeLocked(by, id, async (tx, operator) => {
      await this.requireOtherAdmin(tx, operator);
      casesReturned = await this.disableIn(tx, operator, operatorActorContext(by, from));
      if (operator.kind === 'PERSON') {
        await recordRemoval(tx, operator, by.id, operator.roles);
        await this.accessNotifier.notifyOfRemoval(tx, operator, 'DISABLED', by.id);
      }
    });
    return { operator: await this.findOne(by, id), casesReturned };
  }

  /** Disables an operator from the command line, even the last administrator: the account may be compromised. */
  async disableFromCommandLine(email: string, organisationId: string | null): Promise<number> {
    const found = await this.findForCommandLine(email, organisationId);
    let casesReturned = 0;
    await this.changeLocked(found, found.id, async (tx, operator) => {
      casesReturned = await this.disableIn(tx, operator, systemActorContext('cli'));
    });
    return casesReturned;
  }

  private async disableIn(tx: Tx, operator: OperatorEntity, cause: OperatorActorContext): Promise<number> {
    if (operator.status === 'DISABLED') throw new DomainError('STATE_CONFLICT');
    await tx.update(OperatorEntity, { id: operator.id }, { status: 'DISABLED', updatedAt: () => 'now()' });
    const sessionsEnded = await this.sessions.revokeAll(tx, operator, 'OPERATOR_DISABLED');
    await this.devices.forgetAll(tx, operator);
    const casesReturned = await this.unassignCases(tx, operator, [], cause);
    await this.audit.record(tx, operator, 'operator.disabled', cause, { sessionsEnded, casesReturned });
    return casesReturned;
  }

  /** Unassigns the cases of an operator who may not work on them with these roles; returns how many. */
  private async unassignCases(
    tx: Tx,
    { id, organisationId }: OperatorRef,
    roles: readonly Role[],
    cause: OperatorActorContext,
  ): Promise<number> {
    return permissionsOf(roles).has('reviews:work')
      ? 0
      : this.openCaseRegistry.unassignCases(tx, { organisationId, ...cause }, id);
  }

  /** Approval: grants the approved roles to a person. */
  async grantRoles(
    tx: Tx,
    approval: Approval,
    roles: readonly Role[],
    cause: OperatorActorContext,
  ): Promise<OperatorEntity> {
    const operator = await this.lock(tx, approval.organisationId, approval.subjectId);
    if (!roles.includes('ADMIN')) await this.requireOtherAdmin(tx, operator);
    await tx.update(OperatorEntity, { id: operator.id }, { roles: [...roles], updatedAt: () => 'now()' });
    const addedRoles = roles.filter((role) => !operator.roles.includes(role));
    if (addedRoles.length > 0) await recordLineage(tx, operator, 'EMPOWERED', approval, addedRoles);
    const casesReturned = await this.unassignCases(tx, operator, roles, cause);
    const returned = casesReturned > 0 && { casesReturned };
    const content = { renamed: false, rolesBefore: operator.roles, roles, ...returned };
    await this.audit.record(tx, operator, 'operator.updated', cause, content);
    return operator;
  }

  /** Approval: enables a disabled operator. */
  async enableApproved(tx: Tx, approval: Approval, cause: OperatorActorContext): Promise<OperatorEntity> {
    const operator = await this.lock(tx, approval.organisationId, approval.subjectId);
    await tx.update(OperatorEntity, { id: operator.id }, { status: 'ENABLED', updatedAt: () => 'now()' });
    await recordLineage(tx, operator, 'EMPOWERED', approval);
    await this.audit.record(tx, operator, 'operator.enabled', cause);
    return operator;
  }

  /** Approval: removes the second factors of an operator and ends all sessions. */
  async resetSecondFactors(tx: Tx, approval: Approval, cause: OperatorActorContext): Promise<OperatorEntity> {
    const operator = await this.lock(tx, approval.organisationId, approval.subjectId);
    await this.factors.reset(tx, operator);
    await this.sessions.revokeAll(tx, operator, 'TOTP_CHANGED');
    await this.devices.forgetAll(tx, operator);
    await recordLineage(tx, operator, 'RESET', approval);
    await this.audit.record(tx, operator, 'operator.totp_reset', cause);
    return operator;
  }

  async endSessions(by: OperatorPrincipal, id: string, from: CallOrigin): Promise<void> {
    await this.changeLocked(by, id, async (tx, operator) => {
      const sessionsEnded = await this.sessions.revokeAll(tx, operator, 'REVOKED_BY_ADMIN');
      await this.audit.record(tx, operator, 'operator.sessions_ended', operatorActorContext(by, from), {
        sessionsEnded,
      });
    });
  }

  /** Throws OPERATOR_NOT_FOUND also for an operator of another organisation. */
  async findOne(by: Pick<OperatorPrincipal, 'organisationId'>, id: string): Promise<OperatorEntity> {
    return orThrow(
      await this.uow.read(by.organisationId, (db) =>
        db.findOneBy(OperatorEntity, { id, organisationId: by.organisationId }),
      ),
      'OPERATOR_NOT_FOUND',
    );
  }

  async findByEmail(organisationId: string, email: string): Promise<OperatorEntity | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(OperatorEntity, { organisationId, email: normaliseEmail(email), kind: 'PERSON' }),
    );
  }

  /** Finds a person by address. Throws if several organisations have the address and `organisationId` is null. */
  async findForCommandLine(email: string, organisationId: string | null): Promise<OperatorEntity> {
    const where = { email: normaliseEmail(email), kind: 'PERSON' as const };
    const operators = await this.uow.read(system('operators.login'), (db) =>
      db.findBy(OperatorEntity, organisationId === null ? where : { ...where, organisationId }),
    );
    if (operators.length > 1) {
      throw new Error('This address belongs to several organisations: name one with --organisation.');
    }
    const [operator] = operators;
    if (!operator) throw new DomainError('OPERATOR_NOT_FOUND');
    return operator;
  }

  private async changeLocked(
    by: Pick<OperatorPrincipal, 'organisationId'>,
    id: string,
    work: (tx: Tx, operator: OperatorEntity) => Promise<void>,
  ): Promise<void> {
    const { organisationId } = by;
    await this.uow.run(organisationId, async (tx) => work(tx, await this.lock(tx, organisationId, id)));
  }

  private async lock(tx: Tx, organisationId: string, id: string): Promise<OperatorEntity> {
    return orThrow(
      await lockRow(tx, OperatorEntity, { id, organisationId }, 'pessimistic_write'),
      'OPERATOR_NOT_FOUND',
    );
  }

  /** Throws STATE_CONFLICT for the last administrator: otherwise only the command line could restore access. */
  private async requireOtherAdmin(
    tx: Tx,
    operator: OperatorRef & Pick<OperatorEntity, 'roles'>,
  ): Promise<void> {
    if (!operator.roles.includes('ADMIN')) return;
    // Locks in id order: if two administrators demote each other, only one succeeds.
    const admins = await tx.find(OperatorEntity, {
      select: { id: true },
      where: {
        organisationId: operator.organisationId,
        status: 'ENABLED',
        roles: ArrayContains(['ADMIN']),
      },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    if (!admins.some(({ id }) => id !== operator.id)) {
      throw conflict('', 'LAST_ADMIN', 'This is the last administrator of the organisation.');
    }
  }
}

function requireMachinePermissions(permissions: readonly Permission[]): void {
  const index = permissions.findIndex((permission) => !isMachinePermission(permission));
  if (index !== -1) throw notAllowed(`permissions[${index}]`, 'This permission is for people only.');
}

const notAllowed = (path: string, message: string): DomainError =>
  invalid(path, 'VALUE_NOT_ALLOWED', message);

const rolesNeedApprovalError = (): DomainError =>
  errorAt(
    'FOUR_EYES_REQUIRED',
    'roles',
    'ASK_FOR_IT',
    'More roles are asked for: POST /operator/operators/{id}/roles. Another administrator approves.',
  );

export const addressTakenError = (): DomainError =>
  conflict('email', 'ADDRESS_TAKEN', 'There is an operator with this address.');
