import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import { WhyBody } from '../../customers/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { requireUuid } from '../../../platform/kernel/index.js';
import { CoafEditsService } from '../coaf/coaf-edits.service.js';
import { CommunicationContentView, EditCommunicationBody, editRequestOf } from './coaf-edits.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the communication.',
  example: 'com_019364d0c0de7000a000000000000011',
} as const;

@ApiTags('COAF')
@Controller('operator/coaf/communications/:id')
export class CoafEditsController {
  constructor(private readonly edits: CoafEditsService) {}

  @Route.get('content', forOperator('reviews:read'), {
    reads: 'communication',
    summary: 'What a communication says, documents masked, with its edits and their reasons',
    description: 'Each edit stands with who made it, when and why.',
    params: [ID],
    data: [CommunicationContentView, 'The communication.'],
    errors: ['COMMUNICATION_NOT_FOUND'],
  })
  async getCommunicationContent(
    @CurrentOperator() { organisationId }: OperatorPrincipal,
    @Param('id') id: string,
  ) {
    return envelope(
      CommunicationContentView.of(await this.edits.openEditor(organisationId, communicationUuid(id))),
    );
  }

  @Route.post('edits', forOperator('reviews:decide'), {
    summary: 'Edit a draft: codes, narrative, days, amounts, people; the reason is kept',
    description: 'What is left out stays. What was recorded as filed is frozen and is not edited.',
    params: [ID],
    data: [CommunicationContentView, 'The communication.'],
    errors: ['COMMUNICATION_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async editCommunication(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: EditCommunicationBody,
  ) {
    return envelope(
      CommunicationContentView.of(await this.edits.edit(ctx, communicationUuid(id), editRequestOf(body))),
    );
  }

  @Route.post('dismissal', forOperator('reviews:decide'), {
    summary: 'Ask for a wrong draft to be dismissed',
    description: 'It takes effect when a second person approves it. An edit in between ends the request.',
    params: [ID],
    ...requestsApproval,
    errors: ['COMMUNICATION_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async requestCommunicationDismissal(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: WhyBody,
  ) {
    return envelope(ApprovalView.of(await this.edits.requestDismissal(ctx, communicationUuid(id), reason)));
  }
}

const communicationUuid = (id: string): string => requireUuid('com', id, 'COMMUNICATION_NOT_FOUND');
