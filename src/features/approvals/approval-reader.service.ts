import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../platform/database/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { required } from '../../platform/kernel/index.js';
import { sealContext, Vault } from '../../platform/privacy/index.js';
import type { Approval } from './approval-handlers.js';
import { actNames, type ApprovalAction } from './domain/act-names.js';
import { policyOf } from './domain/acts.js';
import { COUNTS } from './store/approval.statements.js';
import { ApprovalEntity } from './store/entities/approval.entity.js';

// Requests that are read for one screen; an object has a handful of them.
const MOST_ABOUT = 200;

/** Reads requests for the screens of the objects that they are about. */
@Injectable()
export class ApprovalReaderService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  /** Counts requests that the operator may decide, and the operator's own open ones; each count stops at `most`. */
  async counts(
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

  /** Returns the request for an act on an object that nobody has decided yet. */
  async findOpen(organisationId: string, act: ApprovalAction, subjectId: string): Promise<Approval | null> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.findBy(ApprovalEntity, { organisationId, act, subjectId, status: 'REQUESTED' }),
    );
    const [open = null] = await withReasons(this.vault, rows);
    return open;
  }

  /** True if the newest applied request for an act on an object was approved by one person alone. */
  async isSingleControl(organisationId: string, act: ApprovalAction, subjectId: string): Promise<boolean> {
    const newest = await this.uow.read(organisationId, (db) =>
      db.findOne(ApprovalEntity, {
        where: { organisationId, act, subjectId, status: 'APPLIED' },
        order: { appliedAt: 'DESC' },
      }),
    );
    return newest?.singleControl ?? false;
  }

  /** Requests about these objects, the newest first. */
  async findBySubjects(organisationId: string, subjectIds: readonly string[]): Promise<Approval[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ApprovalEntity, {
        where: { organisationId, subjectId: In([...subjectIds]) },
        order: { id: 'DESC' },
        take: MOST_ABOUT,
      }),
    );
    return withReasons(this.vault, rows);
  }
}

export async function withReasons(vault: Vault, rows: readonly ApprovalEntity[]): Promise<Approval[]> {
  const texts = await vault.openMany(
    rows.flatMap(({ id, organisationId, sealedReason, sealedDecisionReason }) => {
      const context = sealContext('approvals', id, organisationId);
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
