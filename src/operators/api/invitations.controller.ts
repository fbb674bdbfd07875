import { Body, Controller, Delete, Get, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  listById,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { FromCall, type CallOrigin } from '../call-origin.js';
import { Invitations } from '../invitations.service.js';
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

  @Get()
  @ForOperator('operators:read')
  @ApiOperation({ summary: 'Invitations that can still be accepted' })
  @ApiPage(InvitationView)
  async list(
    @CurrentOperator() me: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<InvitationView>> {
    return listById(
      query,
      (after, limit) => this.queries.openInvitations(me.organisationId, after, limit),
      (row) => InvitationView.of(row),
    );
  }

  @Post()
  @ForOperator('operators:manage')
  @Idempotent()
  @ApiOperation({
    summary: 'Invite a person',
    description:
      'The token in the answer is good once, for 72 hours. Hand it over yourself: no mail is sent.',
  })
  @ApiData(NewInvitationView, { status: HttpStatus.CREATED })
  @ApiErrors('STATE_CONFLICT')
  async invite(
    @CurrentOperator() me: OperatorPrincipal,
    @Body() body: InviteBody,
    @FromCall() from: CallOrigin,
  ): Promise<Success<NewInvitationView>> {
    const { invitation, token } = await this.invitations.invite(me, body, from);
    return envelope(NewInvitationView.with(invitation, token));
  }

  @Delete(':id')
  @ForOperator('operators:manage')
  @ApiOperation({ summary: 'Take an invitation back' })
  @ApiParam({ name: 'id', example: 'inv_019364d0c0de7000a000000000000001' })
  @ApiData(null)
  @ApiErrors('INVITATION_NOT_FOUND')
  async revoke(
    @CurrentOperator() me: OperatorPrincipal,
    @Param('id') id: string,
    @FromCall() from: CallOrigin,
  ): Promise<Success<null>> {
    const uuid = uuidIn('inv', id, 'INVITATION_NOT_FOUND');
    await this.invitations.revoke(me, uuid, from);
    return envelope(null);
  }
}
