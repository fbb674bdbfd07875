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
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { Invitations } from '../accounts/invitations.service.js';
import { OperatorQueries } from '../store/operator.queries.js';
import { InviteBody } from './operator.dto.js';
import { InvitationView, NewInvitationView } from './operator.view.dto.js';

@ApiTags('Operators')
@Controller('operator/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: Invitations,
    private readonly queries: OperatorQueries,
  ) {}

  @Route.get('', forOperator('operators:read'), {
    summary: 'Invitations that can still be accepted',
    page: InvitationView,
  })
  async invitationsList(@CurrentOperator() me: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(
      query,
      (after, limit) => this.queries.openInvitations(me.organisationId, after, limit),
      (row) => InvitationView.of(row),
    );
  }

  @Route.post('', forOperator('operators:manage'), {
    summary: 'Invite a person',
    description:
      'The token in the answer is good once, for 72 hours. Hand it over yourself: no mail is sent.',
    data: NewInvitationView,
    status: 201,
    errors: ['STATE_CONFLICT'],
    idempotent: true,
  })
  async invitationsInvite(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: InviteBody,
    @FromCall() from: CallOrigin,
  ) {
    const { invitation, token } = await this.invitations.invite(me, body, from);
    return envelope(NewInvitationView.with(invitation, token));
  }

  @Route.delete(':id', forOperator('operators:manage'), {
    summary: 'Take an invitation back',
    params: [{ name: 'id', example: 'inv_019364d0c0de7000a000000000000001' }],
    data: null,
    errors: ['INVITATION_NOT_FOUND'],
  })
  async invitationsRevoke(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ) {
    const uuid = uuidIn('inv', id, 'INVITATION_NOT_FOUND');
    await this.invitations.revoke(me, uuid, from);
    return envelope(null);
  }
}
