import { Injectable } from '@nestjs/common';
import { In, LessThan, Not, type FindOptionsWhere } from 'typeorm';
import { AuditTrail, stepOf, systemActor, type ActorContext, type AuditAction } from '../audit/index.js';
import { system, UnitOfWork, type Reader, type Tx } from '../database/index.js';
import { OperatorLookup, type OperatorPrincipal } from '../http/index.js';
import { Clock, DomainError, errorCodes, newUuid } from '../kernel/index.js';
import { Registry } from '../registry/index.js';
import { Periodic } from '../schedule/index.js';
import {
  ApplyAct,
  BeforeApproval,
  CurrentValues,
  EndAct,
  type Approval,
  type Ending,
} from './approval-handlers.js';
import { actNames, policyOf, type Act } from './domain/acts.js';
import { digestOfChange, sameValues, type ApprovalStatus, type Change } from './domain/approval.js';
import { independentOf } from './store/approval.statements.js';
import { ApprovalEntity } from './store/entities/approval.entity.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPEN: readonly ApprovalStatus[] = ['REQUESTED', 'APPROVED'];

/** What somebody asks for. */
export interface Wanted extends Change {
  readonly act: Act;
  readonly subjectId: string;
  readonly reason: string;
}

/** How somebody approves. */
export interface Consent {
  /** SHA-256 of the change, in hexadecimal, as the request shows it. */
  readonly digest: string;
  /** Approves alone, because nobody independent is there; what follows is marked SINGLE_CONTROL. */
  readonly singleControl?: boolean | undefined;
}

export type Inbox = 'TO_APPROVE' | 'MINE' | 'DONE' | 'ALL';

/**
 * The one way of everything that nobody does alone: one person asks, another one approves exactly that, and the effect
 * comes about in the commit of the approval, or after the waiting time of the act. The database refuses these effects
 * without an approved request.
 */
@Injectable()
export class Approvals {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly registry: Registry,
    private readonly operators: OperatorLookup,
  ) {}

  /** Asks for an act, in the transaction of whoever asks. STATE_CONFLICT while another request for it is open. */
  async ask(tx: Tx, ctx: ActorContext, wanted: Wanted): Promise<Approval> {
    const { act, subjectId, before, after, reason } = wanted;
    if (ctx.actor.type !== 'operator') throw new DomainError('FOUR_EYES_REQUIRED');
    const { organisationId } = ctx;
    const open = { organisationId, act, subjectId, status: In(OPEN) };
    if (await tx.existsBy(ApprovalEntity, open)) throw alreadyAsked();
    const requestedAt = new Date(this.clock.now());
    const approval: ApprovalEntity = {
      id: newUuid(),
      organisationId,
      act,
      subjectId,
      change: { before, after },
      digest: digestOfChange(act, subjectId, wanted),
      reason,
      status: 'REQUESTED',
      requestedBy: ctx.actor.id,
      requestedAt,
      expiresAt: new Date(requestedAt.getTime() + policyOf(act).livesDays * DAY),
      decidedBy: null,
      decidedAt: null,
      decisionReason: null,
      effectiveAt: null,
      appliedAt: null,
      appliedIn: null,
      singleControl: false,
    };
    await tx.insert(ApprovalEntity, approval);
    await this.record(tx, ctx, approval, 'approval.requested');
    return approval;
  }

  /** Approves what somebody else has asked for. The effect comes about now, or when its waiting time is over. */
  async approve(
    operator: OperatorPrincipal,
    ctx: ActorContext,
    id: string,
    consent: Consent,
  ): Promise<Approval> {
    const found = await this.find(ctx.organisationId, id);
    requirePermission(operator, policyOf(found.act).approve);
    await this.registry.of(BeforeApproval).get(found.act)?.call(ctx, found);
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
      const singleControl = await this.judgeSecondPerson(tx, approval, operator, consent);
      await this.requireUnchanged(tx, approval);
      const { waitsHours } = policyOf(approval.act);
      const effectiveAt = new Date(now.getTime() + waitsHours * HOUR);
      const decided = { decidedBy: operator.id, decidedAt: now, effectiveAt, singleControl };
      await tx.update(ApprovalEntity, { id }, { ...decided, status: 'APPROVED' });
      const approved: ApprovalEntity = { ...approval, ...decided, status: 'APPROVED' };
      await this.record(tx, ctx, approved, 'approval.approved');
      return waitsHours === 0 ? this.apply(tx, ctx, approved, now) : approved;
    });
  }

  /** Turns down what somebody else has asked for. */
  async refuse(
    operator: OperatorPrincipal,
    ctx: ActorContext,
    id: string,
    reason: string,
  ): Promise<Approval> {
    const found = await this.find(ctx.organisationId, id);
    requirePermission(operator, policyOf(found.act).approve);
    // One's own request is withdrawn: nobody else has looked at it.
    if (found.requestedBy === operator.id) throw new DomainError('FOUR_EYES_REQUIRED');
    return this.end(ctx, id, 'REFUSED', reason, ['REQUESTED']);
  }

  /** Takes one's own request back, also while its effect waits. */
  async withdraw(
    operator: OperatorPrincipal,
    ctx: ActorContext,
    id: string,
    reason: string,
  ): Promise<Approval> {
    const { requestedBy, act } = await this.find(ctx.organisationId, id);
    // What two people have approved and what waits may be stopped by each who could have approved it.
    if (requestedBy !== operator.id) requirePermission(operator, policyOf(act).approve);
    const from: ApprovalStatus[] = requestedBy === operator.id ? ['REQUESTED', 'APPROVED'] : ['APPROVED'];
    return this.end(ctx, id, 'WITHDRAWN', reason, from);
  }

  async find(organisationId: string, id: string): Promise<Approval> {
    const found = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ApprovalEntity, { organisationId, id }),
    );
    if (!found) throw new DomainError('APPROVAL_NOT_FOUND');
    return found;
  }

  /** The open request for an act on an object, or null. */
  async openFor(db: Reader, organisationId: string, act: Act, subjectId: string): Promise<Approval | null> {
    return db.findOneBy(ApprovalEntity, { organisationId, act, subjectId, status: In(OPEN) });
  }

  /** Requests, the newest first. TO_APPROVE: of others, for which the operator has the permission. */
  async page(
    operator: OperatorPrincipal,
    inbox: Inbox,
    act: Act | undefined,
    before: string | null,
    limit: number,
  ): Promise<Approval[]> {
    const { organisationId, id, permissions } = operator;
    const asked = actNames.filter((one) => act === undefined || one === act);
    const approvable = asked.filter((one) => permissions.has(policyOf(one).approve));
    const where: Readonly<Record<Inbox, FindOptionsWhere<ApprovalEntity>>> = {
      TO_APPROVE: { status: 'REQUESTED', requestedBy: Not(id), act: In(approvable) },
      MINE: { status: In(OPEN), requestedBy: id, act: In(asked) },
      DONE: { status: Not(In(OPEN)), act: In(asked) },
      ALL: { act: In(asked) },
    };
    return this.uow.read(organisationId, (db) =>
      db.find(ApprovalEntity, {
        where: { organisationId, ...where[inbox], ...(before !== null && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: limit,
      }),
    );
  }

  /** The acts for which there are no two independent people, so that somebody could only decide alone. */
  async singleControlled(organisationId: string): Promise<Act[]> {
    const people = (await this.operators.enabled(organisationId)).filter(({ kind }) => kind === 'PERSON');
    return this.uow.read(organisationId, async (db) => {
      const alone: Act[] = [];
      const judged = new Map<string, boolean>();
      for (const act of actNames) {
        const { ask, approve } = policyOf(act);
        const key = `${ask} ${approve}`;
        let pair = judged.get(key);
        if (pair === undefined) {
          const checkers = people.filter(({ permissions }) => permissions.has(approve)).map(({ id }) => id);
          const makers = people.filter(({ permissions }) => permissions.has(ask)).map(({ id }) => id);
          pair = false;
          for (const maker of makers) {
            pair ||= (await independentOf(db, organisationId, maker, checkers)).size > 0;
          }
          judged.set(key, pair);
        }
        if (!pair) alone.push(act);
      }
      return alone;
    });
  }

  /** Brings about what has waited long enough, and ends requests that nobody has decided in time. */
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
    for (const { id, organisationId, status } of due) {
      const ctx = systemActor(organisationId, 'approvals');
      if (status === 'REQUESTED') await this.expire(ctx, id);
      else await this.applyDue(ctx, id);
    }
  }

  private async expire(ctx: ActorContext, id: string): Promise<void> {
    await ignoringOthers(() => this.end(ctx, id, 'EXPIRED', 'Nobody decided in time.', ['REQUESTED']));
  }

  private async applyDue(ctx: ActorContext, id: string): Promise<void> {
    try {
      await this.uow.run(ctx.organisationId, async (tx) => {
        const approval = await this.lock(tx, ctx.organisationId, id, ['APPROVED']);
        await this.requireUnchanged(tx, approval);
        await this.apply(tx, ctx, approval, new Date(this.clock.now()));
      });
    } catch (error) {
      // The object is no longer what people have agreed about; anything else is tried again.
      if (!(error instanceof DomainError) || errorCodes[error.code].retryable) throw error;
      await ignoringOthers(() => this.end(ctx, id, 'FAILED', error.code, ['APPROVED']));
    }
  }

  private async apply(tx: Tx, ctx: ActorContext, approved: ApprovalEntity, now: Date): Promise<Approval> {
    const apply = this.registry.of(ApplyAct).get(approved.act);
    if (!apply) throw new Error(`nothing applies ${approved.act}`);
    const applied: ApprovalEntity = { ...approved, status: 'APPLIED', appliedAt: now };
    await tx.update(ApprovalEntity, { id: approved.id }, { status: 'APPLIED', appliedAt: now });
    await apply.call(tx, ctx, applied);
    await this.record(tx, ctx, applied, 'approval.applied');
    return applied;
  }

  private async end(
    ctx: ActorContext,
    id: string,
    why: Ending,
    reason: string,
    from: readonly ApprovalStatus[],
  ): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const approval = await this.lock(tx, ctx.organisationId, id, from);
      const by = ctx.actor.type === 'operator' ? ctx.actor.id : null;
      const ended: ApprovalEntity = {
        ...approval,
        status: why,
        decisionReason: reason,
        ...(approval.status === 'REQUESTED' && { decidedBy: by, decidedAt: new Date(this.clock.now()) }),
      };
      const { status, decisionReason, decidedBy, decidedAt } = ended;
      await tx.update(ApprovalEntity, { id }, { status, decisionReason, decidedBy, decidedAt });
      await this.registry.of(EndAct).get(approval.act)?.call(tx, ctx, ended, why, reason);
      await this.record(tx, ctx, ended, ENDED[why]);
      return ended;
    });
  }

  /** Whether it is single control; fails with FOUR_EYES_REQUIRED when the operator is no second person. */
  private async judgeSecondPerson(
    tx: Tx,
    { organisationId, requestedBy, act }: Approval,
    operator: OperatorPrincipal,
    { singleControl = false }: Consent,
  ): Promise<boolean> {
    if (operator.kind !== 'PERSON') throw new DomainError('FOUR_EYES_REQUIRED');
    const { approve } = policyOf(act);
    const others = (await this.operators.enabled(organisationId)).filter(
      ({ kind, permissions }) => kind === 'PERSON' && permissions.has(approve),
    );
    const candidates = others.map(({ id }) => id);
    const independent = await independentOf(tx, organisationId, requestedBy, [...candidates, operator.id]);
    if (independent.has(operator.id)) return false;
    const alone = candidates.every((id) => !independent.has(id));
    if (singleControl && alone) return true;
    throw new DomainError('FOUR_EYES_REQUIRED', {
      details: [
        operator.id === requestedBy
          ? { path: '', code: 'SAME_PERSON', message: 'Who asked cannot approve.' }
          : { path: '', code: 'NOT_INDEPENDENT', message: 'One of you empowered the other within 30 days.' },
        ...(alone
          ? [
              {
                path: 'singleControl',
                code: 'NOBODY_ELSE',
                message: 'Nobody independent may approve this; with true it is marked SINGLE_CONTROL.',
              },
            ]
          : []),
      ],
    });
  }

  private async requireUnchanged(tx: Tx, approval: Approval): Promise<void> {
    const current = this.registry.of(CurrentValues).get(approval.act);
    if (!current) throw new Error(`nobody tells the current values of ${approval.act}`);
    if (sameValues(await current.call(tx, approval), approval.change.before)) return;
    throw conflict('change', 'CHANGED', 'The object was changed after the request; ask again.');
  }

  private async lock(
    tx: Tx,
    organisationId: string,
    id: string,
    from: readonly ApprovalStatus[],
  ): Promise<ApprovalEntity> {
    const found = await tx.findOne(ApprovalEntity, {
      where: { organisationId, id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!found) throw new DomainError('APPROVAL_NOT_FOUND');
    if (!from.includes(found.status)) {
      throw conflict('status', 'NOT_FROM_HERE', `The request is ${found.status}.`);
    }
    return found;
  }

  private async record(tx: Tx, ctx: ActorContext, approval: Approval, action: AuditAction): Promise<void> {
    const { id, act, subjectId, digest, status, singleControl } = approval;
    const content = { act, of: subjectId, digest: digest.toString('hex'), status, singleControl };
    await this.audit.record(tx, [stepOf(ctx, 'approval', id, action, new Date(this.clock.now()), content)]);
  }
}

const ENDED = {
  REFUSED: 'approval.refused',
  WITHDRAWN: 'approval.withdrawn',
  EXPIRED: 'approval.expired',
  FAILED: 'approval.failed',
} as const satisfies Record<Ending, AuditAction>;

function requirePermission(
  operator: OperatorPrincipal,
  permission: Parameters<typeof operator.permissions.has>[0],
): void {
  const detail = {
    path: 'authorization',
    code: 'PERMISSION_MISSING',
    message: `The permission ${permission} is needed.`,
  };
  if (!operator.permissions.has(permission))
    throw new DomainError('PERMISSION_DENIED', { details: [detail] });
  if (!operator.strong) throw new DomainError('STRONG_LOGIN_REQUIRED', { details: [detail] });
}

/** Runs what another process may have done already. */
async function ignoringOthers(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'STATE_CONFLICT') throw error;
  }
}

const conflict = (path: string, code: string, message: string): DomainError =>
  new DomainError('STATE_CONFLICT', { details: [{ path, code, message }] });

const alreadyAsked = (): DomainError =>
  conflict('', 'ALREADY_REQUESTED', 'A request for this is open; approve, refuse or withdraw it first.');
