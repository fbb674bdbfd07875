import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { OrganisationEntity } from '../../auth/index.js';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  SummarizeSubjects,
  summaryLine,
  type SubjectSummary,
  type SummaryWords,
  type ChangedValues,
} from '../../approvals/index.js';
import type { ActorContext } from '../../audit/index.js';
import { lockRow, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal, Role } from '../../../platform/http/index.js';
import { DomainError, newUuid, required, publicId } from '../../../platform/kernel/index.js';
import { Mailer } from '../../../platform/mail/index.js';
import { NO_CALL, type OperatorActorContext } from '../call-origin.js';
import { normaliseEmail } from '../domain/email.js';
import { SecondFactors } from '../login/second-factors.js';
import { OperatorEntity } from '../store/entities.js';
import { AccessNotifierService } from './access-notifier.service.js';
import { InvitationsService } from './invitations.service.js';
import { addressTakenError, OperatorsService } from './operators.service.js';

export interface InvitationRequest {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** True if the person logs in at the identity provider. */
  readonly identityProvider?: boolean;
  readonly reason: string;
}

/** The values of an invitation that the approval shows and fixes. */
interface InvitationValues {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly login: 'PASSWORD' | 'IDENTITY_PROVIDER';
}

/** The values of a change of access: `roles` or `status`; neither if the second factors are reset. */
interface AccessValues {
  readonly roles: readonly Role[];
  readonly status: 'ENABLED';
}

const PERSON: SummaryWords = { 'pt-BR': 'Pessoa', en: 'Person' };

/**
 * Four-eyes approval of access: invitations, additional roles, enabling, and the reset of second factors. Sends the
 * token of an invitation only to the invited person, and notifies all administrators of each change.
 */
@Injectable()
export class OperatorApprovalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly operators: OperatorsService,
    private readonly invitations: InvitationsService,
    private readonly mailer: Mailer,
    private readonly accessNotifier: AccessNotifierService,
    private readonly factors: SecondFactors,
  ) {}

  async requestInvitation(
    ctx: ActorContext,
    { email, name, roles, identityProvider, reason }: InvitationRequest,
  ): Promise<Approval> {
    if (identityProvider === true) this.operators.requireIdentityProvider();
    if (await this.operators.findByEmail(ctx.organisationId, email)) throw addressTakenError();
    const login = identityProvider === true ? 'IDENTITY_PROVIDER' : 'PASSWORD';
    const after = { email: normaliseEmail(email), name, roles: [...roles], login };
    return this.requestApproval(ctx, 'operator.invite', newUuid(), { taken: false }, after, reason);
  }

  /** Requests additional roles for a person. Removing roles needs no approval. */
  async requestRoles(
    ctx: ActorContext,
    id: string,
    roles: readonly Role[],
    reason: string,
  ): Promise<Approval> {
    const operator = await this.operators.findOne(ctx, id);
    if (operator.kind !== 'PERSON') throw new DomainError('STATE_CONFLICT');
    if (id === ctx.actor.id) throw new DomainError('FOUR_EYES_REQUIRED');
    return this.requestApproval(
      ctx,
      'operator.empower',
      id,
      await this.valuesOf(operator),
      { roles: [...roles] },
      reason,
    );
  }

  async requestEnabling(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    const operator = await this.operators.findOne(ctx, id);
    if (operator.status === 'ENABLED') throw new DomainError('STATE_CONFLICT');
    return this.requestApproval(
      ctx,
      'operator.empower',
      id,
      await this.valuesOf(operator),
      { status: 'ENABLED' },
      reason,
    );
  }

  async requestTotpReset(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    const operator = await this.operators.findOne(ctx, id);
    if (id === ctx.actor.id) throw new DomainError('FOUR_EYES_REQUIRED');
    const before = await this.valuesOf(operator);
    if (before['secondFactor'] === false) throw new DomainError('STATE_CONFLICT');
    return this.requestApproval(ctx, 'operator.empower', id, before, { secondFactor: false }, reason);
  }

  @CurrentValues('operator.invite')
  async currentAddress(tx: Tx, { organisationId, change }: Approval): Promise<ChangedValues> {
    const { email } = invitationValuesOf(change.after);
    return { taken: await tx.existsBy(OperatorEntity, { organisationId, email }) };
  }

  @CurrentValues('operator.empower')
  async currentValues(tx: Tx, { organisationId, subjectId: id }: Approval): Promise<ChangedValues> {
    const operator = await lockRow(tx, OperatorEntity, { organisationId, id }, 'pessimistic_write');
    if (!operator) throw new DomainError('OPERATOR_NOT_FOUND');
    return this.valuesOf(operator);
  }

  /** Names the person who gets roles, is let in again or loses a second factor. */
  @SummarizeSubjects('operator')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('operators:read')) return new Map();
    const ids = approvals.map(({ subjectId }) => subjectId);
    const people = await this.uow.read(organisationId, (db) =>
      db.findBy(OperatorEntity, { organisationId, id: In(ids) }),
    );
    const names = new Map(people.map(({ id, name, email }) => [id, `${name} <${email ?? '-'}>`]));
    return new Map(
      approvals.map(({ id, subjectId }) => [
        id,
        { lines: [summaryLine(PERSON, null, names.get(subjectId) ?? null)] },
      ]),
    );
  }

  @ApplyAct('operator.invite')
  async applyInvite(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId: id } = approval;
    const { email, name, roles, login } = invitationValuesOf(approval.change.after);
    const invited = { organisationId, email, name, roles, login };
    const token = await this.invitations.create(tx, invited, causeOf(ctx), approval);
    const { key } = await tx.findOneByOrFail(OrganisationEntity, { id: organisationId });
    const text = invitationText(id, token, key, login);
    this.mailer.sendWithCommit(tx, { to: [email], subject: 'Vigia', text });
    await this.tellAdministrators(tx, `${name} <${email}>: ${roles.join(', ')}`, approval);
  }

  @ApplyAct('operator.empower')
  async applyRoles(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { roles, status } = approval.change.after as unknown as Partial<AccessValues>;
    const cause = causeOf(ctx);
    const operator = roles
      ? await this.operators.grantRoles(tx, approval, roles, cause)
      : status
        ? await this.operators.enableApproved(tx, approval, cause)
        : await this.operators.resetSecondFactors(tx, approval, cause);
    const what = roles?.join(', ') ?? status ?? 'second factor taken away';
    const who = `${operator.name} <${operator.email ?? '-'}>: ${what}`;
    await this.tellAdministrators(tx, who, approval);
  }

  private requestApproval(
    ctx: ActorContext,
    act: Approval['act'],
    subjectId: string,
    before: ChangedValues,
    after: ChangedValues,
    reason: string,
  ): Promise<Approval> {
    return this.uow.run(ctx.organisationId, (tx) =>
      this.approvals.request(tx, ctx, { act, subjectId, before, after, reason }),
    );
  }

  private async valuesOf(operator: OperatorEntity): Promise<ChangedValues> {
    const { roles, status } = operator;
    return { roles: [...roles], status, secondFactor: await this.factors.areSetUp(operator) };
  }

  private tellAdministrators(
    tx: Tx,
    what: string,
    { organisationId, requestedBy, decidedBy }: Approval,
  ): Promise<void> {
    const people = [requestedBy, required(decidedBy, 'who approved')] as const;
    return this.accessNotifier.notifyOfApprovedChange(tx, organisationId, what, people);
  }
}

const invitationValuesOf = (after: ChangedValues): InvitationValues => after as unknown as InvitationValues;

const causeOf = ({ actor, requestId, correlationId }: ActorContext): OperatorActorContext => ({
  ...NO_CALL,
  actor,
  requestId,
  correlationId,
});

/**
 * Composes the mail of an invitation: short lines, and only ASCII around the token, which the encoding of the outbox
 * file would break otherwise.
 */
const invitationText = (
  id: string,
  token: string,
  organisation: string,
  login: InvitationValues['login'],
): string =>
  'Convite para o Vigia. O token abaixo vale uma vez, por 72 horas,\n' +
  'e somente para quem recebe esta mensagem.\n\n' +
  'You were invited to Vigia. This token is good once, for 72 hours,\n' +
  'and is yours alone.\n\n' +
  `${token}\n\n` +
  (login === 'PASSWORD'
    ? 'POST /operator/auth/invitations/accept {"token", "password"}\n'
    : 'GET /operator/auth/oidc/login?invitation=(token)\n') +
  `Organização / organisation: ${organisation}\n` +
  `${publicId('inv', id)}\n`;
