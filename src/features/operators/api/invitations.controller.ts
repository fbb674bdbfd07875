import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { OperatorApprovalsService } from '../accounts/operator-approvals.service.js';
import { InvitationsService } from '../accounts/invitations.service.js';
import { OperatorQueries } from '../store/operator.queries.js';
import { InviteBody } from './operator.dto.js';
import { InvitationView } from './operator.view.dto.js';

@ApiTags('Operators')
@Controller('operator/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly approvals: OperatorApprovalsService,
    private readonly queries: OperatorQueries,
  ) {}

  @Route.get('', forOperator('operators:read'), {
    summary: 'Invitations that can still be accepted',
    description: 'Those that were accepted, taken back or have expired are not shown.',
    page: [InvitationView, 'One page of invitations.'],
  })
  async invitationsList(@CurrentOperator() me: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(query, InvitationView, (after, limit) =>
      this.queries.listOpenInvitations(me.organisationId, after, limit),
    );
  }

  @Route.post('', forOperator('operators:manage'), {
    summary: 'Invite a person',
    description:
      'When another administrator approves the request, the person gets the token by mail (MAIL_URL, else a file in ' +
      'DATA_DIR/outbox), and nobody else. It is good once, for 72 hours. All administrators are told.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'STATE_CONFLICT'],
  })
  async invitationsInvite(@CurrentActor() ctx: ActorContext, @Body() body: InviteBody) {
    return envelope(ApprovalView.of(await this.approvals.requestInvitation(ctx, body)));
  }

  @Route.delete(':id', forOperator('operators:manage'), {
    summary: 'Take an invitation back',
    description: 'Its link is refused from then on.',
    params: [
      {
        name: 'id',
        description: 'The id of the invitation.',
        example: 'inv_019364d0c0de7000a000000000000001',
      },
    ],
    data: [null, 'The invitation is taken back.'],
    errors: ['INVITATION_NOT_FOUND'],
  })
  async invitationsRevoke(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    const uuid = requireUuid('inv', id, 'INVITATION_NOT_FOUND');
    await this.invitations.revoke(me, uuid, from);
    return envelope(null);
  }
}
