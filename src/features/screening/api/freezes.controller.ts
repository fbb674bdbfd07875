import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  page,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { FreezesService } from '../hits/freezes.service.js';
import { FreezeView, NoticeBody } from './freeze.dto.js';
import { FreezeReasonBody } from './screening.dto.js';

const FREEZE_ID = {
  name: 'id',
  description: 'The id of the freeze.',
  example: 'frz_019364d0c0de7000a000000000000007',
};

/** Serves freezes, the notices to authorities, and the requests to lift. */
@ApiTags('Screening')
@Controller('operator/freezes')
export class FreezesController {
  constructor(private readonly freezes: FreezesService) {}

  @Route.get('', forOperator('screening:read'), {
    summary: 'Freezes, newest first',
    description: 'Customers whose payments are held because of a confirmed hit.',
    page: [FreezeView, 'One page of freezes.'],
  })
  async listFreezes(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Query() { limit, cursor }: PageQuery,
  ) {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    return page(
      await this.freezes.page(organisationId, before, limit + 1),
      limit,
      ({ freeze }) => [freeze.id],
      (row) => FreezeView.of(row),
    );
  }

  @Route.get(':id', forOperator('screening:read'), {
    reads: 'freeze',
    summary: 'A freeze, with who was told of it',
    description: 'With the authorities that were told, and when.',
    params: [FREEZE_ID],
    data: [FreezeView, 'The freeze.'],
    errors: ['FREEZE_NOT_FOUND'],
  })
  async getFreeze(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return envelope(FreezeView.of(await this.freezes.get(organisationId, freezeUuid(id))));
  }

  @Route.post(':id/notices', forOperator('hits:decide'), {
    summary: 'Record which authority was told of a freeze',
    description: 'The record is kept. The service sends nothing to an authority by itself.',
    params: [FREEZE_ID],
    data: [FreezeView, 'The freeze with the record.'],
    status: 201,
    errors: ['FREEZE_NOT_FOUND'],
  })
  async tellFreeze(@CurrentActor() ctx: ActorContext, @Param('id') id: string, @Body() body: NoticeBody) {
    const { told, reference, toldAt } = body;
    const notice = { told, reference, toldAt: new Date(toldAt) };
    return envelope(FreezeView.of(await this.freezes.recordNotice(ctx, freezeUuid(id), notice)));
  }

  @Route.post(':id/lift', forOperator('hits:decide'), {
    summary: 'Ask for the end of a freeze',
    description: 'It ends when a second person approves it.',
    params: [FREEZE_ID],
    ...requestsApproval,
    errors: ['FREEZE_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async liftFreeze(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: FreezeReasonBody,
  ) {
    return envelope(ApprovalView.of(await this.freezes.requestLift(ctx, freezeUuid(id), reason)));
  }
}

const freezeUuid = (id: string): string => requireUuid('frz', id, 'FREEZE_NOT_FOUND');
