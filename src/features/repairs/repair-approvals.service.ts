import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  ReleaseAct,
  type ChangedValues,
} from '../approvals/index.js';
import { TrailRepairsService, type ActorContext, type RepairRequest } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { newUuid } from '../../platform/kernel/index.js';

/** Repairs the gaps of a trail: one person requests, another approves. */
@Injectable()
export class RepairApprovalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly repairs: TrailRepairsService,
  ) {}

  async request(ctx: ActorContext, wanted: RepairRequest): Promise<Approval> {
    const basis = await this.repairs.findBasis(wanted);
    const id = newUuid();
    const { type, id: subjectId } = wanted.subject;
    return this.uow.run(ctx.organisationId, async (tx) => {
      await this.repairs.insert(tx, ctx, id, wanted, basis);
      return this.approvals.request(tx, ctx, {
        act: 'trail.repair',
        subjectId: id,
        before: { status: 'REQUESTED' },
        after: {
          status: 'APPLIED',
          kind: wanted.kind,
          subjectType: type,
          subjectId,
          gaps: basis.gaps.length,
        },
        reason: wanted.justification,
      });
    });
  }

  @CurrentValues('trail.repair')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    return { status: await this.repairs.lockStatus(tx, organisationId, subjectId) };
  }

  @ApplyAct('trail.repair')
  apply(tx: Tx, ctx: ActorContext, { subjectId, decidedBy }: Approval): Promise<void> {
    return this.repairs.decide(tx, ctx, subjectId, 'APPLIED', decidedBy);
  }

  @ReleaseAct('trail.repair')
  refuse(tx: Tx, ctx: ActorContext, { subjectId, decidedBy }: Approval): Promise<void> {
    return this.repairs.decide(tx, ctx, subjectId, 'REFUSED', decidedBy);
  }
}
