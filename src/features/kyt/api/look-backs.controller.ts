import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
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
import { RulesetVersionParams } from '../../rules/index.js';
import { LookBacksService } from '../look-backs/look-backs.service.js';
import { LookBackBody, LookBackView } from './look-backs.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the look-back.',
  example: 'lbk_019364d0c0de7000a000000000000001',
} as const;
const LIST_ID = {
  name: 'id',
  description: 'The id of the list.',
  example: 'lst_019364d0c0de7000a000000000000001',
} as const;

/** Runs a new version of the rules, or a list, over transactions that were evaluated before it existed. */
@ApiTags('Look-backs')
@Controller('operator')
export class LookBacksController {
  constructor(private readonly lookBacks: LookBacksService) {}

  @Route.post('rulesets/:key/versions/:version/look-backs', forOperator('rules:publish'), {
    summary: 'Ask for a look-back of the live version',
    description:
      'When a second person approves it, the transactions of the last days are judged by this version, by the facts that ' +
      'their evaluations saw. What it would have made an alert of opens or joins cases, marked with the run; evaluations, ' +
      'outcomes and events stay as they are. Back-test the version first to see how much that is.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'RULESET_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async requestRulesetLookBack(
    @CurrentActor() ctx: ActorContext,
    @Param() ref: RulesetVersionParams,
    @Body() body: LookBackBody,
  ) {
    return envelope(ApprovalView.of(await this.lookBacks.requestForRuleset(ctx, ref, body)));
  }

  @Route.post('lists/:id/look-backs', forOperator('lists:manage'), {
    summary: 'Ask for a look-back of a list',
    description:
      'When a second person approves it, customers and counterparties of the transactions of the last days are screened ' +
      'against the list as it is then. Hits that force a decision open or join cases with their transactions, marked with ' +
      'the run; evaluations, outcomes and events stay as they are.',
    params: [LIST_ID],
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'LIST_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async requestListLookBack(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() body: LookBackBody,
  ) {
    const list = requireUuid('lst', id, 'LIST_NOT_FOUND');
    return envelope(ApprovalView.of(await this.lookBacks.requestForList(ctx, list, body)));
  }

  @Route.get('look-backs', forOperator('reviews:read'), {
    summary: 'Look-backs, the newest first',
    description: 'Running and finished ones, with how far they are.',
    page: [LookBackView, 'One page of look-backs.'],
  })
  async listLookBacks(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(query, LookBackView, (before, limit) =>
      this.lookBacks.page(operator.organisationId, before, limit),
    );
  }

  @Route.get('look-backs/:id', forOperator('reviews:read'), {
    summary: 'A look-back: how far it is, and what it came to',
    description: 'Ask again until it has finished.',
    params: [ID],
    data: [LookBackView, 'The look-back.'],
    errors: ['LOOK_BACK_NOT_FOUND'],
  })
  async getLookBack(@CurrentOperator() { organisationId }: OperatorPrincipal, @Param('id') id: string) {
    return envelope(LookBackView.of(await this.lookBacks.get(organisationId, lookBackUuid(id))));
  }

  @Route.post('look-backs/:id/cancel', forOperator('rules:publish'), {
    summary: 'Call a look-back off',
    description: 'It stops within a second. The cases that it has opened stay, and are decided.',
    params: [ID],
    data: [LookBackView, 'The look-back.'],
    errors: ['LOOK_BACK_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async cancelLookBack(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
    return envelope(LookBackView.of(await this.lookBacks.cancel(ctx, lookBackUuid(id))));
  }
}

const lookBackUuid = (id: string): string => requireUuid('lbk', id, 'LOOK_BACK_NOT_FOUND');
