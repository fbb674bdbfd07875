import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  listById,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { PublicationDesk } from '../publication-desk.service.js';
import { RulesetDrafts } from '../ruleset-drafts.service.js';
import { RulesQueries } from '../store/rules.queries.js';
import { rulesetOf } from './rule.mapping.js';
import {
  ChangeRulesetBody,
  HeldRuleParams,
  NewRulesetBody,
  ReasonBody,
  RollbackBody,
  RuleModeBody,
  RulesetKeyParams,
  RulesetListQuery,
  RulesetVersionParams,
} from './ruleset.dto.js';
import { RulesetView } from './ruleset.view.dto.js';

/** Drafts of rulesets and their way to being live. */
@ApiTags('Rulesets')
@Controller('operator/rulesets')
export class RulesetsController {
  constructor(
    private readonly drafts: RulesetDrafts,
    private readonly desk: PublicationDesk,
    private readonly rulesets: RulesQueries,
  ) {}

  @Get()
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'listRulesets', summary: 'Versions of rulesets, the newest first' })
  @ApiPage(RulesetView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: RulesetListQuery,
  ): Promise<Page<RulesetView>> {
    return listById(
      query,
      (before, limit) => this.rulesets.rulesets(operator.organisationId, query, { before, limit }),
      (row) => RulesetView.of(row),
    );
  }

  @Post()
  @ForOperator('rules:write')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'draftRuleset',
    summary: 'Draft a new ruleset, or the next version of one',
    description:
      'What is left out is taken from the version that it is based on; `putRules` and `removeRules` change its rules one ' +
      'by one. With `experiment` it is a challenger of a live ruleset.',
  })
  @ApiData(RulesetView, { status: HttpStatus.CREATED })
  @ApiErrors('RULESET_NOT_FOUND')
  async draft(@Acting() acting: Acting, @Body() body: NewRulesetBody): Promise<Success<RulesetView>> {
    return envelope(RulesetView.of(await this.drafts.create(acting, body.key, rulesetOf(body))));
  }

  @Get(':key/versions/:version')
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'getRuleset', summary: 'One version of a ruleset' })
  @ApiData(RulesetView)
  @ApiErrors('RULESET_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key, version }: RulesetVersionParams,
  ): Promise<Success<RulesetView>> {
    const row = await this.rulesets.ruleset(operator.organisationId, key, version);
    if (!row) throw new DomainError('RULESET_NOT_FOUND');
    return envelope(RulesetView.of(row));
  }

  @Put(':key/versions/:version')
  @ForOperator('rules:write')
  @ApiOperation({
    operationId: 'changeRuleset',
    summary: 'Change a draft',
    description:
      'Whoever had put it up for publication has to do so again, after a back-test of what it says now.',
  })
  @ApiData(RulesetView)
  @ApiErrors('RULESET_NOT_FOUND', 'STATE_CONFLICT')
  async change(
    @Acting() acting: Acting,
    @Param() { key, version }: RulesetVersionParams,
    @Body() body: ChangeRulesetBody,
  ): Promise<Success<RulesetView>> {
    const row = await this.drafts.change(acting, key, version, rulesetOf(body), body.revision ?? null);
    return envelope(RulesetView.of(row));
  }

  @Post(':key/versions/:version/publish')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'requestPublication',
    summary: 'Put a draft up for publication',
    description: 'Needs a finished back-test of exactly this content. A second person approves it.',
  })
  @ApiData(RulesetView)
  @ApiErrors('RULESET_NOT_FOUND', 'STATE_CONFLICT')
  async request(@Acting() acting: Acting, @Param() ref: RulesetVersionParams): Promise<Success<RulesetView>> {
    return envelope(RulesetView.of(await this.desk.request(acting, ref)));
  }

  @Post(':key/versions/:version/approve')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'approvePublication',
    summary: 'Publish what somebody else has put up',
    description:
      'It is live in every process within a second; the version before is archived with it. Evaluations that have begun ' +
      'end with the version they began with.',
  })
  @ApiData(RulesetView)
  @ApiErrors('FOUR_EYES_REQUIRED', 'RULESET_NOT_FOUND', 'STATE_CONFLICT')
  async approve(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param() ref: RulesetVersionParams,
  ): Promise<Success<RulesetView>> {
    const row = await this.desk.approve(operator, acting, ref);
    return envelope(RulesetView.of(row));
  }

  @Post(':key/versions/:version/withdraw')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'withdrawPublication',
    summary: 'Take a request back, or turn it down',
    description: 'The draft stays, to be changed or put up again.',
  })
  @ApiData(RulesetView)
  @ApiErrors('RULESET_NOT_FOUND', 'STATE_CONFLICT')
  async withdraw(
    @Acting() acting: Acting,
    @Param() ref: RulesetVersionParams,
    @Body() { reason }: ReasonBody,
  ): Promise<Success<RulesetView>> {
    return envelope(RulesetView.of(await this.desk.withdraw(acting, ref, reason)));
  }

  @Post(':key/versions/:version/archive')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'archiveRuleset',
    summary: 'Give up a draft, or end a challenger',
    description: 'The live ruleset itself can only be replaced.',
  })
  @ApiData(RulesetView)
  @ApiErrors('RULESET_NOT_FOUND', 'STATE_CONFLICT')
  async archive(
    @Acting() acting: Acting,
    @Param() ref: RulesetVersionParams,
    @Body() { reason }: ReasonBody,
  ): Promise<Success<RulesetView>> {
    return envelope(RulesetView.of(await this.desk.archive(acting, ref, reason)));
  }

  @Post(':key/rollback')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'rollBackRuleset',
    summary: 'Bring the content of an earlier version back',
    description:
      'As a new version, put up for publication at once. It needs no back-test, because it was live before; a second ' +
      'person approves it.',
  })
  @ApiData(RulesetView, { status: HttpStatus.CREATED })
  @ApiErrors('RULESET_NOT_FOUND', 'STATE_CONFLICT')
  async rollBack(
    @Acting() acting: Acting,
    @Param() { key }: RulesetKeyParams,
    @Body() { toVersion }: RollbackBody,
  ): Promise<Success<RulesetView>> {
    return envelope(RulesetView.of(await this.desk.rollBack(acting, key, toVersion)));
  }

  @Post(':key/rules/:rule/mode')
  @ForOperator('rules:write')
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'setRuleMode',
    summary: 'Draft a version in which a rule has another mode',
    description:
      'LIVE, SHADOW or DISABLED for good: back-tested and published like any version. For a while: snooze it.',
  })
  @ApiData(RulesetView, { status: HttpStatus.CREATED })
  @ApiErrors('RULESET_NOT_FOUND', 'RULE_NOT_FOUND', 'STATE_CONFLICT')
  async setMode(
    @Acting() acting: Acting,
    @Param() { key, rule }: HeldRuleParams,
    @Body() { mode }: RuleModeBody,
  ): Promise<Success<RulesetView>> {
    return envelope(RulesetView.of(await this.drafts.setMode(acting, key, rule, mode)));
  }
}
