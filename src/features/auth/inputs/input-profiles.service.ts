import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  type ChangedValues,
  CurrentValues,
} from '../../approvals/index.js';
import type { ActorContext } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { conflict } from '../../../platform/kernel/index.js';
import { inputNames, type InputName } from '../../../platform/kernel/reference/inputs.js';
import { ClientAppAudit } from '../client-app-audit.js';
import { ClientAppsService } from '../client-apps.service.js';
import { leavesMoreOut } from '../domain/app-profile.js';
import { ClientAppEntity } from '../store/entities.js';

/**
 * Has two people approve that an application does not send an input: its transactions are then judged without it, where
 * a person had to look until now.
 */
@Injectable()
export class InputProfilesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly approvals: ApprovalsService,
    private readonly apps: ClientAppsService,
    private readonly audit: ClientAppAudit,
  ) {}

  /** Requests what an application leaves out; throws STATE_CONFLICT if that is nothing more than now. */
  async request(
    ctx: ActorContext,
    id: string,
    wanted: readonly InputName[],
    reason: string,
  ): Promise<Approval> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const { withoutInputs, status } = await this.apps.lockApp(tx, ctx.organisationId, id);
      if (status === 'REVOKED') throw conflict('', 'NOT_FROM_HERE', 'The application is revoked.');
      if (!leavesMoreOut(withoutInputs, wanted)) {
        throw conflict('withoutInputs', 'NOT_FROM_HERE', 'One person may set this, with PATCH.');
      }
      return this.approvals.request(tx, ctx, {
        ...({ act: 'client_app.inputs', subjectId: id } as const),
        before: { withoutInputs },
        after: { withoutInputs: inputNames.filter((one) => wanted.includes(one)) },
        reason,
      });
    });
  }

  @CurrentValues('client_app.inputs')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { withoutInputs } = await this.apps.lockApp(tx, organisationId, subjectId);
    return { withoutInputs };
  }

  @ApplyAct('client_app.inputs')
  async apply(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId: id, singleControl } = approval;
    const { withoutInputs } = approval.change.after as { withoutInputs: InputName[] };
    const app = await this.apps.lockApp(tx, organisationId, id);
    if (app.status === 'REVOKED') throw conflict('', 'NOT_FROM_HERE', 'The application is revoked.');
    const set = { withoutInputs, inputsSingleControl: singleControl };
    await tx.update(ClientAppEntity, { id, organisationId }, { ...set, updatedAt: () => 'now()' });
    await this.audit.record(
      tx,
      app,
      'client_app.changed',
      { ...ctx, ip: null },
      { fields: ['withoutInputs'], withoutInputs, ...(singleControl && { singleControl }) },
    );
  }
}
