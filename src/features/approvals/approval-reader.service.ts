import { Injectable } from '@nestjs/common';
import { In, LessThan, Not, type FindOptionsWhere } from 'typeorm';
import { UnitOfWork } from '../../platform/database/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { required } from '../../platform/kernel/index.js';
import { encryptionContextOf, Vault } from '../../platform/privacy/index.js';
import type { Approval } from './approval-handlers.js';
import { mayReadApproval } from './approval-rights.js';
import { actNames, type ApprovalAction, policyOf, subjectUuidOf } from './domain/acts.js';
import { openStatuses } from './domain/approval.js';
import { COUNTS } from './store/approval.statements.js';
import { ApprovalEntity } from './store/entities.js';

// Maximum number of requests for one screen; an object usually has a handful.
const MAX_APPROVALS_PER_SUBJECT = 200;

/** Filters of a list of requests. */
export interface ApprovalFilter {
  readonly act?: ApprovalAction | undefined;
  /** The public id of the object. */
  readonly subject?: string | undefined;
}

export type ApprovalInbox = 'TO_APPROVE' | 'MINE' | 'DONE' | 'ALL';

/** Reads requests for the inbox and for the screens of the objects that they are about. */
@Injectable()
export class ApprovalReaderService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  /** Counts requests that the operator may decide, and the operator's own open requests, each up to `most`. */
  async countOpen(
    { organisationId, id, permissions }: OperatorPrincipal,
    most: number,
  ): Promise<{ readonly toApprove: number; readonly asked: number }> {
    const approvable = actNames.filter((one) => permissions.has(policyOf(one).approve));
    const [counted] = await this.uow.rows(organisationId, COUNTS, [
      organisationId,
      id,
      approvable,
      actNames,
      most,
    ]);
    return required(counted, 'counts of requests');
  }

  /** True if one person alone approved the last change of some values of an object by this act. */
  async isSingleControl(organisationId: string, act: ApprovalAction, subjectId: string): Promise<boolean> {
    const applied = await this.uow.read(organisationId, (db) =>
      db.find(ApprovalEntity, {
        select: { change: true, singleControl: true },
        where: { organisationId, act, subjectId, status: 'APPLIED' },
        order: { appliedAt: 'ASC' },
      }),
    );
    // A later change of other values does not remove the mark.
    const newest = new Map(
      applied.map((one) => [Object.keys(one.change.after).sort().join(), one.singleControl]),
    );
    return [...newest.values()].some((single) => single);
  }

  /** Returns the ids of all requests about these objects. */
  async listIdsAbout(organisationId: string, subjectIds: readonly string[]): Promise<string[]> {
    const approvals = await this.uow.read(organisationId, (db) =>
      db.find(ApprovalEntity, {
        select: { id: true },
        where: { organisationId, subjectId: In([...subjectIds]) },
        order: { id: 'ASC' },
      }),
    );
    return approvals.map(({ id }) => id);
  }

  /** Returns requests, the newest first. TO_APPROVE: requests of others that the operator may approve. */
  async page(
    operator: OperatorPrincipal,
    inbox: ApprovalInbox,
    { act, subject }: ApprovalFilter,
    before: string | null,
    limit: number,
  ): Promise<Approval[]> {
    const { organisationId, id, permissions } = operator;
    const acts = actNames.filter(
      (one) =>
        (act === undefined || one === act) && (subject === undefined || subjectUuidOf(one, subject) !== null),
    );
    const subjectId = acts[0] && subject !== undefined ? subjectUuidOf(acts[0], subject) : null;
    const approvable = acts.filter((one) => permissions.has(policyOf(one).approve));
    const ownRequests = { requestedBy: id, act: In(acts) };
    const visibleActs = { act: In(acts.filter((one) => mayReadApproval(operator, one))) };
    const done = { status: Not(In(openStatuses)) };
    const where: Readonly<Record<ApprovalInbox, readonly FindOptionsWhere<ApprovalEntity>[]>> = {
      TO_APPROVE: [{ status: 'REQUESTED', requestedBy: Not(id), act: In(approvable) }],
      MINE: [{ ...ownRequests, status: In(openStatuses) }],
      DONE: [
        { ...ownRequests, ...done },
        { ...visibleActs, ...done },
      ],
      ALL: [ownRequests, visibleActs],
    };
    const behind = before !== null && { id: LessThan(before) };
    const subjectFilter = subjectId !== null && { subjectId };
    const approvals = await this.uow.read(organisationId, (db) =>
      db.find(ApprovalEntity, {
        where: where[inbox].map((one) => ({ organisationId, ...one, ...behind, ...subjectFilter })),
        order: { id: 'DESC' },
        take: limit,
      }),
    );
    return decryptApprovalReasons(this.vault, approvals);
  }

  /** Returns the requests about these objects, the newest first. */
  async findBySubjects(organisationId: string, subjectIds: readonly string[]): Promise<Approval[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ApprovalEntity, {
        where: { organisationId, subjectId: In([...subjectIds]) },
        order: { id: 'DESC' },
        take: MAX_APPROVALS_PER_SUBJECT,
      }),
    );
    return decryptApprovalReasons(this.vault, rows);
  }
}

export async function decryptApprovalReasons(
  vault: Vault,
  rows: readonly ApprovalEntity[],
): Promise<Approval[]> {
  const texts = await vault.openMany(
    rows.flatMap(({ id, organisationId, sealedReason, sealedDecisionReason }) => {
      const context = encryptionContextOf('approvals', id, organisationId);
      return [sealedReason, sealedDecisionReason ?? sealedReason].map((sealed) => ({ sealed, context }));
    }),
  );
  return rows.map((row, i) =>
    Object.assign(row, {
      reason: required(texts[2 * i], 'a reason').toString('utf8'),
      decisionReason:
        row.sealedDecisionReason && required(texts[2 * i + 1], 'a reason of a decision').toString('utf8'),
    }),
  );
}
