import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import {
  AuditTrail,
  isAltered,
  auditDraftOf,
  stateTrailId,
  systemActor,
  type ActorContext,
  type AuditAction,
  type AuditContent,
} from '../audit/index.js';
import { sqlStateOf, system, UnitOfWork, type Tx } from '../../platform/database/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import {
  Clock,
  conflict,
  DomainError,
  errorAt,
  errorCodes,
  newUuid,
  required,
} from '../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../platform/privacy/index.js';
import { Registry } from '../../platform/registry/index.js';
import { Periodic } from '../../platform/schedule/index.js';
import {
  ApplyAct,
  CheckAct,
  CurrentValues,
  ReleaseAct,
  type Approval,
  type ApprovalEnding,
} from './approval-handlers.js';
import { type ApprovalAction, policyOf } from './domain/acts.js';
import {
  digestOfChange,
  openStatuses,
  areValuesEqual,
  type ApprovalStatus,
  type RequestedChange,
} from './domain/approval.js';
import { decryptApprovalReasons } from './approval-reader.service.js';
import { LONGEST_SESSION_MS } from './approval-contract.js';
import { mayReadApproval, requirePermission } from './approval-rights.js';
import { SecondPersonService, type ApprovalConsent } from './second-person.service.js';
import { ApprovalEntity } from './store/entities.js';

const LOCK_NOT_AVAILABLE = '55P03';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface ApprovalDraft extends RequestedChange {
  readonly act: ApprovalAction;
  readonly subjectId: string;
  readonly reason: string;
}

/**
 * Makes the changes that need two people: one person requests a change, another approves exactly that change. The
 * change is made in the commit of the approval, or after the waiting time of the act. Database triggers refuse such a
 * change without an approved request.
 */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly registry: Registry,
    private readonly secondPerson: SecondPersonService,
    private readonly vault: Vault,
  ) {}

  /** Stores a request in the caller's database transaction. Throws STATE_CONFLICT if the object has an open one. */
  async request(tx: Tx, ctx: ActorContext, wanted: ApprovalDraft): Promise<Approval> {
    const { act, subjectId, before, after, reason } = wanted;
    if (ctx.actor.type !== 'operator') throw new DomainError('FOUR_EYES_REQUIRED');
    const { organisationId } = ctx;
    await this.secondPerson.requirePerson(tx, organisationId, ctx.actor.id);
    const open = { organisationId, act, subjectId, status: In(openStatuses) };
    if (await tx.existsBy(ApprovalEntity, open)) throw alreadyAsked();
    const requestedAt = new Date(this.clock.now());
    const id = newUuid();
    const approval = {
      id,
      organisationId,
      act,
      subjectId,
      change: { before, after },
      digest: digestOfChange(act, subjectId, wanted),
      sealedReason: await this.seal(organisationId, id, reason),
      status: 'REQUESTED' as const,
      requestedBy: ctx.actor.id,
      requestedAt,
      expiresAt: new Date(requestedAt.getTime() + policyOf(act).livesDays * DAY),
      decidedBy: null,
      decidedAt: null,
      sealedDecisionReason: null,
      effectiveAt: null,
      appliedAt: null,
      appliedIn: null,
      singleControl: false,
    };
    await tx.insert(ApprovalEntity, approval);
    await this.record(tx, ctx, approval, 'approval.requested');
    return { ...approval, reason, decisionReason: null };
  }

  /** Approves another person's request. The change follows immediately, or by `sweep` after the act's waiting time. */
  async approve(
    operator: OperatorPrincipal,
    ctx: ActorContext,
    id: string,
    consent: ApprovalConsent,
  ): Promise<Approval> {
    const found = await this.find(ctx.organisationId, id);
    requirePermission(operator, policyOf(found.act).approve);
    if (found.status !== 'REQUESTED') throw notFromHere(found);
    await this.refuseAltered(found);
    await this.refuseAlteredPeople(operator, found.requestedBy);
    await this.registry.methodsOf(CheckAct).get(found.act)?.call(found);
    return this.uow.run(ctx.organisationId, async (tx) => {
      const now = new Date(this.clock.now());
      const approval = await this.lock(tx, ctx.organisationId, id, ['REQUESTED']);
      if (approval.expiresAt <= now) throw conflict('status', 'EXPIRED', 'The request is too old.');
      if (approval.digest.toString('hex') !== consent.digest) {
        throw conflict(
          'digest',
          'OTHER_CHANGE',
          'This is not the change that the request holds; read it again.',
        );
      }
      const singleControl = await this.secondPerson.checkIndependence(tx, approval, operator, consent);
      await this.requireUnchanged(tx, approval);
      const { waitsHours } = policyOf(approval.act);
      const effectiveAt = new Date(now.getTime() + waitsHours * HOUR);
      const decided = { decidedBy: operator.id, decidedAt: now, effectiveAt, singleControl };
      await tx.update(ApprovalEntity, { id }, { ...decided, status: 'APPROVED' });
      const approved: Approval = { ...approval, ...decided, status: 'APPROVED' };
      // The approval is judged later by these values, whatever happens to the person or the row meanwhile.
      const approver = { approverRoles: [...operator.roles], approverSession: operator.sessionId };
      await this.record(tx, ctx, approved, 'approval.approved', approver);
      return waitsHours === 0 ? this.apply(tx, ctx, approved, now) : approved;
    });
  }

  /** Refuses another person's request. */
  async refuse(
    operator: OperatorPrincipal,
    ctx: ActorContext,
    id: string,
    reason: string,
  ): Promise<Approval> {
    const approval = await this.find(ctx.organisationId, id);
    requirePermission(operator, policyOf(approval.act).approve);
    // The requester withdraws instead: REFUSED means that a second person has looked at the request.
    if (approval.requestedBy === operator.id) throw new DomainError('FOUR_EYES_REQUIRED');
    return this.endRequest(ctx, id, 'REFUSED', reason, ['REQUESTED']);
  }

  /** Withdraws a request. The requester may do so at any time before it is applied. */
  async withdraw(
    operator: OperatorPrincipal,
    ctx: ActorContext,
    id: string,
    reason: string,
  ): Promise<Approval> {
    const { requestedBy, act } = await this.find(ctx.organisationId, id);
    // Anybody who may approve the act may stop an approved change during its waiting time.
    if (requestedBy !== operator.id) requirePermission(operator, policyOf(act).approve);
    const from: ApprovalStatus[] = requestedBy === operator.id ? ['REQUESTED', 'APPROVED'] : ['APPROVED'];
    return this.endRequest(ctx, id, 'WITHDRAWN', reason, from);
  }

  /** Withdraws the undecided request about an object that the caller changes: the request shows outdated values. */
  async supersede(tx: Tx, ctx: ActorContext, act: ApprovalAction, subjectId: string): Promise<void> {
    const { organisationId } = ctx;
    const open = { organisationId, act, subjectId, status: 'REQUESTED' as const };
    const openRequest = await tx.findOneBy(ApprovalEntity, open);
    if (!openRequest) return;
    const approval = await this.lock(tx, organisationId, openRequest.id, ['REQUESTED']);
    const sealedDecisionReason = await this.seal(organisationId, approval.id, 'The object was changed.');
    const withdrawal = { status: 'WITHDRAWN' as const, decidedAt: new Date(this.clock.now()) };
    const decidedBy = ctx.actor.type === 'operator' ? ctx.actor.id : null;
    await tx.update(ApprovalEntity, { id: approval.id }, { ...withdrawal, decidedBy, sealedDecisionReason });
    await this.record(tx, ctx, { ...approval, ...withdrawal }, 'approval.withdrawn');
  }

  /**
   * Reads a request. Throws APPROVAL_NOT_FOUND if the operator may not read the request: its reasons may name people.
   */
  async readVisible(operator: OperatorPrincipal, id: string): Promise<Approval> {
    const approval = await this.find(operator.organisationId, id);
    if (approval.requestedBy === operator.id || mayReadApproval(operator, approval.act)) return approval;
    throw new DomainError('APPROVAL_NOT_FOUND');
  }

  private async find(organisationId: string, id: string): Promise<Approval> {
    const approval = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ApprovalEntity, { organisationId, id }),
    );
    if (!approval) throw new DomainError('APPROVAL_NOT_FOUND');
    return this.decryptReasons(approval);
  }

  /** Makes approved changes whose waiting time has ended, and expires requests that nobody decided in time. */
  @Periodic({ everyMs: 5_000, otherwise: 'approvals that are due wait', runsIn: 'workers' })
  async sweep(): Promise<void> {
    const now = new Date(this.clock.now());
    const due = await this.uow.read(system('approvals.sweep'), (db) =>
      db.find(ApprovalEntity, {
        where: [
          { status: 'APPROVED', effectiveAt: LessThan(now) },
          { status: 'REQUESTED', expiresAt: LessThan(now) },
        ],
        order: { id: 'ASC' },
        take: 100,
      }),
    );
    const failures: unknown[] = [];
    for (const { id, organisationId, status } of due) {
      const ctx = systemActor(organisationId, 'approvals');
      // A request that fails, for example because it does not decrypt, must not hold up the others.
      await (status === 'REQUESTED' ? this.expire(ctx, id) : this.applyDue(ctx, id)).catch((error: unknown) =>
        failures.push(error),
      );
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, 'requests that could not be ended or applied');
    }
  }

  private async expire(ctx: ActorContext, id: string): Promise<void> {
    await ignoreConflict(() => this.endRequest(ctx, id, 'EXPIRED', 'Nobody decided in time.', ['REQUESTED']));
  }

  private async applyDue(ctx: ActorContext, id: string): Promise<void> {
    try {
      await this.refuseAltered({ organisationId: ctx.organisationId, id });
      await this.uow.run(ctx.organisationId, async (tx) => {
        const approval = await this.lock(tx, ctx.organisationId, id, ['APPROVED']);
        await this.requireUnchanged(tx, approval);
        await this.apply(tx, ctx, approval, new Date(this.clock.now()));
      });
    } catch (error) {
      // A domain error means that the object has changed since the approval. The next sweep retries any other error.
      if (!(error instanceof DomainError) || errorCodes[error.code].retryable) throw error;
      // Another process has locked the request, or has ended it.
      if (error.details[0]?.path === 'status') return;
      await ignoreConflict(() => this.endRequest(ctx, id, 'FAILED', error.code, ['APPROVED']));
    }
  }

  private async apply(tx: Tx, ctx: ActorContext, approved: Approval, now: Date): Promise<Approval> {
    const apply = this.registry.methodsOf(ApplyAct).get(approved.act);
    if (!apply) throw new Error(`nothing applies ${approved.act}`);
    const applied: Approval = { ...approved, status: 'APPLIED', appliedAt: now };
    await tx.update(ApprovalEntity, { id: approved.id }, { status: 'APPLIED', appliedAt: now });
    await apply.call(tx, ctx, applied);
    await this.record(tx, ctx, applied, 'approval.applied');
    return applied;
  }

  private async endRequest(
    ctx: ActorContext,
    id: string,
    why: ApprovalEnding,
    reason: string,
    from: readonly ApprovalStatus[],
  ): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const approval = await this.lock(tx, ctx.organisationId, id, from);
      const by = ctx.actor.type === 'operator' ? ctx.actor.id : null;
      const endedApproval: Approval = {
        ...approval,
        status: why,
        decisionReason: reason,
        ...(approval.status === 'REQUESTED' && { decidedBy: by, decidedAt: new Date(this.clock.now()) }),
      };
      const sealedDecisionReason = await this.seal(ctx.organisationId, id, reason);
      const { status, decidedBy, decidedAt } = endedApproval;
      await tx.update(ApprovalEntity, { id }, { status, sealedDecisionReason, decidedBy, decidedAt });
      await this.registry.methodsOf(ReleaseAct).get(approval.act)?.call(tx, ctx, endedApproval, why, reason);
      await this.record(tx, ctx, endedApproval, ENDED[why]);
      return endedApproval;
    });
  }

  /** Throws if the stored request was altered. Ignores gaps of the log itself, which the request may repair. */
  private async refuseAltered({
    organisationId,
    id,
  }: Pick<Approval, 'organisationId' | 'id'>): Promise<void> {
    const { gaps } = await this.audit.trailStatus({ organisationId, type: 'approval', id });
    const ownGaps = gaps.filter(({ linked }) => linked !== true);
    if (isAltered({ gaps: ownGaps })) throw new DomainError('AUDIT_TRAIL_INCOMPLETE');
  }

  /**
   * Throws if somebody changed the account of the approver or the requester behind the service's back (role, status,
   * login), or if no recorded login of the approver has the session of this call.
   */
  private async refuseAlteredPeople(
    { organisationId, id, sessionId }: OperatorPrincipal,
    requestedBy: string,
  ): Promise<void> {
    const chains = [id, requestedBy].map((one) => stateTrailId({ type: 'operator', id: one }));
    const states = await this.audit.trailStatuses(organisationId, 'state', chains);
    const since = new Date(this.clock.now() - LONGEST_SESSION_MS);
    const requester = { organisationId, type: 'operator', id } as const;
    const logins = await this.audit.readEntries(requester, ['operator.logged_in'], since);
    if (!logins.some(({ content }) => content['session'] === sessionId)) {
      const message = 'No entry tells of the login of this session; log in again.';
      throw errorAt('AUDIT_TRAIL_INCOMPLETE', '', 'SESSION_WITHOUT_LOGIN', message);
    }
    if ([...states.values()].some(isAltered)) {
      const message =
        'Somebody changed the account of who asks or approves in the database; its trail says what.';
      throw errorAt('AUDIT_TRAIL_INCOMPLETE', '', 'ACCOUNT_ALTERED', message);
    }
  }

  private async requireUnchanged(tx: Tx, approval: Approval): Promise<void> {
    const current = this.registry.methodsOf(CurrentValues).get(approval.act);
    if (!current) throw new Error(`nobody tells the current values of ${approval.act}`);
    if (areValuesEqual(await current.call(tx, approval), approval.change.before)) return;
    throw conflict('change', 'CHANGED', 'The object was changed after the request; ask again.');
  }

  private async lock(
    tx: Tx,
    organisationId: string,
    id: string,
    from: readonly ApprovalStatus[],
  ): Promise<Approval> {
    // NOWAIT: callers waiting for the row lock would use up the connections that the owner of the lock still needs.
    const approval = await tx
      .findOne(ApprovalEntity, {
        where: { organisationId, id },
        lock: { mode: 'pessimistic_write', onLocked: 'nowait' },
      })
      .catch((error: unknown) => {
        if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
        throw conflict('status', 'BUSY', 'Somebody else decides about the request right now.');
      });
    if (!approval) throw new DomainError('APPROVAL_NOT_FOUND');
    if (!from.includes(approval.status)) {
      throw notFromHere(approval);
    }
    return this.decryptReasons(approval);
  }

  private async decryptReasons(row: ApprovalEntity): Promise<Approval> {
    return required((await decryptApprovalReasons(this.vault, [row]))[0], 'the request');
  }

  /** Encrypts a reason under the organisation's key, because reasons may name people. */
  private async seal(organisationId: string, id: string, reason: string): Promise<Buffer> {
    const subject = this.vault.organisationSubject(organisationId);
    return this.vault.sealOne(reason, subject, encryptionContextOf('approvals', id, organisationId));
  }

  private async record(
    tx: Tx,
    ctx: ActorContext,
    approval: Omit<Approval, 'reason' | 'decisionReason'>,
    action: AuditAction,
    more: AuditContent = {},
  ): Promise<void> {
    const { id, act, subjectId, digest, status, singleControl } = approval;
    const content = { act, of: subjectId, digest: digest.toString('hex'), status, singleControl, ...more };
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'approval', id, action, new Date(this.clock.now()), content),
    );
  }
}

const ENDED = {
  REFUSED: 'approval.refused',
  WITHDRAWN: 'approval.withdrawn',
  EXPIRED: 'approval.expired',
  FAILED: 'approval.failed',
} as const satisfies Record<ApprovalEnding, AuditAction>;

/** Runs work that another process may have done already: a STATE_CONFLICT is ignored. */
async function ignoreConflict(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'STATE_CONFLICT') throw error;
  }
}

const notFromHere = ({ status }: Pick<ApprovalEntity, 'status'>): DomainError =>
  conflict('status', 'NOT_FROM_HERE', `The request is ${status}.`);

const alreadyAsked = (): DomainError =>
  conflict('', 'ALREADY_REQUESTED', 'A request for this is open; approve, refuse or withdraw it first.');
