import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { ApprovalEntity, type Approval } from '../../approvals/index.js';
import { OrganisationEntity } from '../../auth/index.js';
import { AuditTrail, auditDraftOf, type AuditAction, type AuditContent } from '../../audit/index.js';
import { lockRow, system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal, Role } from '../../../platform/http/index.js';
import { Clock, DomainError, invalid, newUuid, required } from '../../../platform/kernel/index.js';
import {
  operatorActorContext,
  systemActorContext,
  type CallOrigin,
  type OperatorActorContext,
} from '../call-origin.js';
import { normaliseEmail } from '../domain/email.js';
import { hashOpaqueToken, newOpaqueToken } from '../domain/opaque-token.js';
import type { ApprovalParties } from '../lineage.js';
import { addressTakenError, OperatorsService } from './operators.service.js';
import { Passwords } from '../login/passwords.js';
import { OperatorInvitationEntity, OperatorEntity } from '../store/entities.js';
import { OPEN, UNUSED } from '../store/operator.queries.js';

export interface AcceptedInvitation {
  readonly token: string;
  readonly password: string;
  /** Required with a set-up token, because the token is not bound to an address. */
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** The identity of a person at the identity provider, from its ID token. */
export interface OidcIdentity {
  readonly oidcIssuer: string;
  readonly oidcSubject: string;
}

/** A person who accepts an invitation by logging in at the identity provider. */
export interface OidcInvitee extends OidcIdentity {
  /** The e-mail address; null unless the identity provider reports it as verified. */
  readonly verifiedEmail: string | null;
}

/** The credential of the new operator: a hashed password, or an identity at the provider. */
type Proof = { readonly passwordHash: string } | OidcIdentity;

interface InvitationValues {
  readonly organisationId: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly login: OperatorInvitationEntity['login'];
}

type InvitedBy = Pick<OperatorInvitationEntity, 'id' | 'invitedBy' | 'approvalId'>;

const VALID_HOURS = 72;
const SETUP_HOURS = 24;

/** Invitations (valid for 72 h) and set-up tokens for the first administrator (24 h). Each works once. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly operators: OperatorsService,
    private readonly passwords: Passwords,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Approval: creates the approved invitation and returns its token. */
  async create(
    tx: Tx,
    invited: InvitationValues,
    cause: OperatorActorContext,
    approval: Approval,
  ): Promise<string> {
    const by = { id: approval.subjectId, invitedBy: approval.requestedBy, approvalId: approval.id };
    return this.insert(tx, { ...invited, ...by }, cause);
  }

  async inviteFromCommandLine(
    organisationId: string,
    person: Omit<InvitationValues, 'organisationId'>,
  ): Promise<string> {
    if (await this.operators.findByEmail(organisationId, person.email)) throw addressTakenError();
    const invited = { ...person, organisationId, email: normaliseEmail(person.email) };
    const by = { id: newUuid(), invitedBy: null, approvalId: null };
    return this.uow.run(organisationId, (tx) =>
      this.insert(tx, { ...invited, ...by }, systemActorContext('cli')),
    );
  }

  /**
   * Creates the token for the account of an organisation's first administrator; null when it already has operators.
   * Revokes earlier unused tokens.
   */
  async createSetupToken(organisationId: string): Promise<string | null> {
    const { token, hash } = newOpaqueToken('vst');
    const id = newUuid();
    const isCreated = await this.uow.run(organisationId, async (tx) => {
      if (!(await hasNoOperator(tx, organisationId))) return false;
      await tx.update(
        OperatorInvitationEntity,
        { organisationId, email: IsNull(), ...UNUSED },
        { revokedAt: () => 'now()' },
      );
      const nobody = {
        email: null,
        name: null,
        invitedBy: null,
        approvalId: null,
        login: 'PASSWORD' as const,
      };
      await insert(tx, { id, organisationId, roles: ['ADMIN'], hash, ...nobody }, SETUP_HOURS);
      await this.record(tx, organisationId, id, 'operator_invitation.created', systemActorContext('cli'), {
        setup: true,
        roles: ['ADMIN'],
      });
      return true;
    });
    return isCreated ? token : null;
  }

  /** Creates the account of an invitation. Throws INVITATION_INVALID for an unknown, used, revoked or expired token. */
  async accept(acceptance: AcceptedInvitation, from: CallOrigin): Promise<OperatorEntity> {
    const hash = hashOpaqueToken('vit', acceptance.token) ?? hashOpaqueToken('vst', acceptance.token);
    const invitation = await this.find(hash, 'PASSWORD');
    const { email, name } = inviteeOf(invitation, acceptance);
    const asker = { ip: from.ip, account: `invitation ${invitation.id}`, known: true };
    await this.passwords.requireStrong(acceptance.password, [name, email], asker);
    const passwordHash = await this.passwords.hash(acceptance.password, asker);
    return this.createAccount(invitation, { email, name }, { passwordHash }, from);
  }

  /** Creates the account of an invited person who logs in at the identity provider, and links it to that identity. */
  async acceptWithIdentity(
    hash: Buffer,
    { verifiedEmail, ...identity }: OidcInvitee,
    from: CallOrigin,
  ): Promise<OperatorEntity> {
    const invitation = await this.find(hash, 'IDENTITY_PROVIDER');
    const [email, name] = [required(invitation.email, 'an address'), required(invitation.name, 'a name')];
    // Without this check, somebody who opens another person's link would get an account in that organisation.
    if (verifiedEmail !== null && normaliseEmail(verifiedEmail) !== email) {
      throw new DomainError('INVITATION_INVALID');
    }
    return this.createAccount(invitation, { email, name }, identity, from);
  }

  private async createAccount(
    found: OperatorInvitationEntity,
    { email, name }: { readonly email: string; readonly name: string },
    proof: Proof,
    from: CallOrigin,
  ): Promise<OperatorEntity> {
    const { organisationId, id: invitationId } = found;
    const operatorId = await this.uow.run(organisationId, async (tx) => {
      const update = await tx.update(
        OperatorInvitationEntity,
        { id: invitationId, organisationId, ...OPEN },
        { acceptedAt: () => 'now()' },
      );
      if (update.affected !== 1) throw new DomainError('INVITATION_INVALID');
      if (found.email === null && !(await hasNoOperator(tx, organisationId))) {
        throw new DomainError('INVITATION_INVALID');
      }
      const cause = found.invitedBy
        ? operatorActorContext({ id: found.invitedBy }, from)
        : systemActorContext('setup', from);
      const person = { organisationId, email, name, roles: found.roles as Role[], ...proof };
      const parties = await approvalPartiesOf(tx, found);
      const id = await this.operators.addPerson(tx, person, cause, parties);
      if (id === null) throw addressTakenError();
      await tx.update(OperatorInvitationEntity, { id: invitationId, organisationId }, { acceptedBy: id });
      const accepted = operatorActorContext({ id }, from);
      await this.record(tx, organisationId, invitationId, 'operator_invitation.accepted', accepted, {
        operatorId: id,
        issuer: 'oidcIssuer' in proof ? proof.oidcIssuer : null,
      });
      return id;
    });
    return this.operators.findOne({ organisationId }, operatorId);
  }

  /** Revokes an invitation. Throws INVITATION_NOT_FOUND also for an invitation that was used or revoked before. */
  async revoke(by: OperatorPrincipal, id: string, from: CallOrigin): Promise<void> {
    await this.uow.run(by.organisationId, async (tx) => {
      const revoked = await tx.update(
        OperatorInvitationEntity,
        { id, organisationId: by.organisationId, ...UNUSED },
        { revokedAt: () => 'now()' },
      );
      if (revoked.affected === 0) throw new DomainError('INVITATION_NOT_FOUND');
      await this.record(
        tx,
        by.organisationId,
        id,
        'operator_invitation.revoked',
        operatorActorContext(by, from),
        {},
      );
    });
  }

  private async insert(
    tx: Tx,
    { id, organisationId, email, name, roles, login, invitedBy, approvalId }: InvitationValues & InvitedBy,
    cause: OperatorActorContext,
  ): Promise<string> {
    const { token, hash } = newOpaqueToken('vit');
    const row = { id, organisationId, email, name, roles: [...roles], login, hash, invitedBy, approvalId };
    await insert(tx, row, VALID_HOURS);
    await this.record(tx, organisationId, id, 'operator_invitation.created', cause, { setup: false, roles });
    return token;
  }

  private async find(
    hash: Buffer | null,
    login: OperatorInvitationEntity['login'],
  ): Promise<OperatorInvitationEntity> {
    const invitation =
      hash &&
      (await this.uow.read(system('operators.login'), (db) =>
        db.findOneBy(OperatorInvitationEntity, { hash, login, ...OPEN }),
      ));
    if (!invitation) throw new DomainError('INVITATION_INVALID');
    return invitation;
  }

  private async record(
    tx: Tx,
    organisationId: string,
    id: string,
    action: Extract<AuditAction, `operator_invitation.${string}`>,
    cause: OperatorActorContext,
    content: AuditContent,
  ): Promise<void> {
    const ctx = { organisationId, ...cause };
    const now = new Date(this.clock.now());
    const fullContent = { ...content, ip: cause.ip };
    await this.audit.record(tx, auditDraftOf(ctx, 'operator_invitation', id, action, now, fullContent));
  }
}

type InsertedColumn =
  'id' | 'organisationId' | 'email' | 'name' | 'roles' | 'login' | 'hash' | 'invitedBy' | 'approvalId';

const insert = (
  tx: Tx,
  row: Pick<OperatorInvitationEntity, InsertedColumn>,
  validHours: number,
): Promise<unknown> =>
  tx.insert(OperatorInvitationEntity, {
    ...row,
    expiresAt: () => `now() + interval '${validHours} hours'`,
  });

/** The approval of an invitation; null if the invitation was created on the command line. */
const approvalPartiesOf = (
  tx: Tx,
  { organisationId, approvalId }: OperatorInvitationEntity,
): Promise<ApprovalParties | null> =>
  approvalId === null
    ? Promise.resolve(null)
    : tx.findOneByOrFail(ApprovalEntity, { organisationId, id: approvalId });

/** Locks the organisation, so that two set-up tokens cannot create two first administrators. */
async function hasNoOperator(tx: Tx, organisationId: string): Promise<boolean> {
  await lockRow(tx, OrganisationEntity, { id: organisationId }, 'pessimistic_write');
  return !(await tx.existsBy(OperatorEntity, { organisationId, kind: 'PERSON' }));
}

/** Returns name and address of the new operator: from the invitation or, with a set-up token, from the person. */
function inviteeOf(
  invitation: OperatorInvitationEntity,
  { email, name }: AcceptedInvitation,
): { email: string; name: string } {
  if (invitation.email !== null) {
    return { email: invitation.email, name: name ?? invitation.name ?? invitation.email };
  }
  if (email === undefined || name === undefined) {
    const path = email === undefined ? 'email' : 'name';
    throw invalid(path, 'REQUIRED', 'This field is required with a set-up token.');
  }
  return { email, name };
}
