import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApprovalView, requestsApproval } from '../../approvals/index.js';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { RulesetPublicationService } from '../rulesets/ruleset-publication.service.js';
import { RulesetDraftsService } from '../rulesets/ruleset-drafts.service.js';
import { RulesQueries } from '../store/rules.queries.js';
import { rulesetOf } from './rule.mapping.js';
import {
  ChangeRulesetBody,
  HeldRuleParams,
  HeldRuleVersionParams,
  NewRulesetBody,
  RulesetReasonBody,
  PublicationBody,
  RollbackBody,
  RuleModeBody,
  RulesetKeyParams,
  RulesetListQuery,
  RulesetVersionParams,
} from './ruleset.dto.js';
import { RulesetView } from './ruleset.view.dto.js';

/** Drafts of rulesets and their publication. */
@ApiTags('Rulesets')
@Controller('operator/rulesets')
export class RulesetsController {
  constructor(
    private readonly drafts: RulesetDraftsService,
    private readonly publication: RulesetPublicationService,
    private readonly rules: RulesQueries,
  ) {}

  @Route.get('', forOperator('rules:read'), {
    summary: 'Versions of rulesets, the newest first',
    description: 'Filtered by key and status.',
    page: [RulesetView, 'One page of versions.'],
  })
  async listRulesets(@CurrentOperator() operator: OperatorPrincipal, @Query() query: RulesetListQuery) {
    return listById(query, RulesetView, (before, limit) =>
      this.rules.listRulesets(operator.organisationId, query, { before, limit }),
    );
  }

  @Route.post('', forOperator('rules:write'), {
    summary: 'Draft a new ruleset, or the next version of one',
    description:
      'What is left out is taken from the version that it is based on; `putRules` and `removeRules` change its rules one ' +
      'by one. With `experiment` it is a challenger of a live ruleset.',
    data: [RulesetView, 'The new draft.'],
    status: 201,
    errors: ['RULESET_NOT_FOUND'],
    idempotent: true,
  })
  async draftRuleset(@CurrentActor() ctx: ActorContext, @Body() body: NewRulesetBody) {
    return envelope(RulesetView.of(await this.drafts.create(ctx, body.key, rulesetOf(body))));
  }

  @Route.get(':key/versions/:version', forOperator('rules:read'), {
    summary: 'One version of a ruleset',
    description: 'The rules that it holds, its scoring, and where it stands between draft and archive.',
    data: [RulesetView, 'The version.'],
    errors: ['RULESET_NOT_FOUND'],
  })
  async getRuleset(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key, version }: RulesetVersionParams,
  ) {
    const row = await this.rules.findRuleset(operator.organisationId, key, version);
    if (!row) throw new DomainError('RULESET_NOT_FOUND');
    return envelope(RulesetView.of(row, await this.publication.findObstacles(row)));
  }

  @Route.put(':key/versions/:version', forOperator('rules:write'), {
    summary: 'Change a draft',
    description:
      'Whoever had put it up for publication has to do so again, after a back-test of what it says now.',
    data: [RulesetView, 'The version.'],
    errors: ['RULESET_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async changeRuleset(
    @CurrentActor() ctx: ActorContext,
    @Param() { key, version }: RulesetVersionParams,
    @Body() body: ChangeRulesetBody,
  ) {
    const row = await this.drafts.change(ctx, key, version, rulesetOf(body), body.revision ?? null);
    return envelope(RulesetView.of(row));
  }

  @Route.post(':key/versions/:version/rules/:rule/mode', forOperator('rules:write'), {
    summary: 'Set the mode of a rule in a draft',
    description:
      'So that a new rule is live with the publication that brings it. Whoever had put the draft up for publication has ' +
      'to do so again, after a back-test of what it says now.',
    data: [RulesetView, 'The version.'],
    errors: ['RULESET_NOT_FOUND', 'RULE_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async setDraftRuleMode(
    @CurrentActor() ctx: ActorContext,
    @Param() { key, version, rule }: HeldRuleVersionParams,
    @Body() { mode }: RuleModeBody,
  ) {
    return envelope(RulesetView.of(await this.drafts.setModeInDraft(ctx, key, version, rule, mode)));
  }

  @Route.post(':key/versions/:version/publish', forOperator('rules:publish'), {
    summary: 'Put a draft up for publication',
    description:
      'Needs a finished back-test of exactly this content. When a second person approves the request, it is live in every ' +
      'process within a second, and the version before is archived with it. Evaluations that have begun end with the ' +
      'version they began with.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'RULESET_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async requestPublication(
    @CurrentActor() ctx: ActorContext,
    @Param() ref: RulesetVersionParams,
    @Body() { reason }: PublicationBody,
  ) {
    return envelope(ApprovalView.of(await this.publication.request(ctx, ref, reason)));
  }

  @Route.post(':key/versions/:version/archive', forOperator('rules:publish'), {
    summary: 'Give up a draft, or end a challenger',
    description: 'The live ruleset itself can only be replaced.',
    data: [RulesetView, 'The version.'],
    errors: ['RULESET_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async archiveRuleset(
    @CurrentActor() ctx: ActorContext,
    @Param() ref: RulesetVersionParams,
    @Body() { reason }: RulesetReasonBody,
  ) {
    return envelope(RulesetView.of(await this.publication.archive(ctx, ref, reason)));
  }

  @Route.post(':key/rollback', forOperator('rules:publish'), {
    summary: 'Bring the content of an earlier version back',
    description:
      'As a new version, put up for publication at once. It needs no back-test, because it was live before; a second ' +
      'person approves it.',
    ...requestsApproval,
    errors: ['FOUR_EYES_REQUIRED', 'RULESET_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async rollBackRuleset(
    @CurrentActor() ctx: ActorContext,
    @Param() { key }: RulesetKeyParams,
    @Body() { toVersion, reason }: RollbackBody,
  ) {
    return envelope(ApprovalView.of(await this.publication.rollBack(ctx, key, toVersion, reason)));
  }

  @Route.post(':key/rules/:rule/mode', forOperator('rules:write'), {
    summary: 'Draft a version in which a rule has another mode',
    description:
      'LIVE, SHADOW or DISABLED for good: back-tested and published like any version. For a while: snooze it.',
    data: [RulesetView, 'The new draft.'],
    status: 201,
    errors: ['RULESET_NOT_FOUND', 'RULE_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async setRuleMode(
    @CurrentActor() ctx: ActorContext,
    @Param() { key, rule }: HeldRuleParams,
    @Body() { mode }: RuleModeBody,
  ) {
    return envelope(RulesetView.of(await this.drafts.setMode(ctx, key, rule, mode)));
  }
}
