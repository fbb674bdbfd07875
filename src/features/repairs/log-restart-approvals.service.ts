import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  ReleaseAct,
  type ChangedValues,
} from '../approvals/index.js';
import { LogRestartsService, type ActorContext } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { required } from '../../platform/kernel/index.js';

/** Restarts a log after its database was restored: one person requests, another approves. */
@Injectable()
export class LogRestartApprovalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly restarts: LogRestartsService,
  ) {}

  /** Throws STATE_CONFLICT unless the log is stopped and no request is open. */
  async request(ctx: ActorContext, reason: string): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const { id, incarnation, restoredSize, anchorSize } = await this.restarts.insert(tx, ctx, reason);
      return this.approvals.request(tx, ctx, {
        act: 'log.restart',
        subjectId: id,
        before: { status: 'REQUESTED', stopped: true },
        after: { status: 'APPROVED', incarnation, restoredSize, anchorSize },
        reason,
      });
    });
  }

  @CurrentValues('log.restart')
  currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    return this.restarts.lockState(tx, organisationId, subjectId);
  }

  @ApplyAct('log.restart')
  apply(tx: Tx, ctx: ActorContext, { subjectId, decidedBy }: Approval): Promise<void> {
    return this.restarts.resume(tx, ctx, subjectId, required(decidedBy, 'who approved'));
  }

  @ReleaseAct('log.restart')
  refuse(tx: Tx, ctx: ActorContext, { subjectId }: Approval): Promise<void> {
    return this.restarts.refuse(tx, ctx.organisationId, subjectId);
  }
}
