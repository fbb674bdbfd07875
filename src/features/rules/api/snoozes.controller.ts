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
import { SnoozesService } from '../rulesets/snoozes.service.js';
import { RulesQueries } from '../store/rules.queries.js';
import { HeldRuleParams, RulesetKeyParams, SnoozeBody, SnoozeParams } from './ruleset.dto.js';
import { SnoozeView } from './ruleset.view.dto.js';

/** Snoozes: rules without effect for a limited time. */
@ApiTags('Rulesets')
@Controller('operator/rulesets')
export class SnoozesController {
  constructor(
    private readonly snoozes: SnoozesService,
    private readonly rules: RulesQueries,
  ) {}

  @Route.get(':key/snoozes', forOperator('rules:read'), {
    summary: 'Snoozes of the rules of a ruleset, ended ones included',
    description: 'The hits of a snoozed rule are recorded without points.',
    page: [SnoozeView, 'One page of snoozes.'],
  })
  async listSnoozes(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key }: RulesetKeyParams,
    @Query() query: PageQuery,
  ) {
    return listById(query, SnoozeView, (before, limit) =>
      this.rules.listSnoozes(operator.organisationId, key, { before, limit }),
    );
  }

  @Route.post(':key/rules/:rule/snooze', forOperator('rules:publish'), {
    summary: 'Ask for a rule to be silent for a while',
    description:
      'From the approval of a second person on. Its hits are recorded, without points and without effect, and every ' +
      'evaluation that this touches says so. Ends by itself, after 30 days at most. Mandatory rules cannot be snoozed.',
    ...requestsApproval,
    errors: ['RULESET_NOT_FOUND', 'RULE_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async snoozeRule(
    @CurrentActor() ctx: ActorContext,
    @Param() { key, rule }: HeldRuleParams,
    @Body() { until, reason }: SnoozeBody,
  ) {
    const request = await this.snoozes.request(ctx, key, rule, { endsAt: new Date(until), reason });
    return envelope(ApprovalView.of(request));
  }

  @Route.post(':key/snoozes/:id/lift', forOperator('rules:publish'), {
    summary: 'End a snooze before its time',
    description: 'The rule adds points again from the next evaluation on.',
    data: [SnoozeView, 'The snooze.'],
    errors: ['RULESET_NOT_FOUND', 'SNOOZE_NOT_FOUND'],
  })
  async liftSnooze(@CurrentActor() ctx: ActorContext, @Param() { key, id }: SnoozeParams) {
    const uuid = requireUuid('snz', id, 'SNOOZE_NOT_FOUND');
    return envelope(SnoozeView.of(await this.snoozes.lift(ctx, key, uuid)));
  }
}
