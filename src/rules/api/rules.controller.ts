import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  listById,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError } from '../../kernel/index.js';
import { checkCondition, checkRule, checkText } from '../inspection.js';
import { featureSchema } from '../language/index.js';
import { RuleLibrary } from '../rule-library.service.js';
import { RulesQueries } from '../store/rules.queries.js';
import { CheckRuleBody, RuleDraftBody, RuleKeyParams, RuleListQuery, RuleVersionParams } from './rule.dto.js';
import { CheckedRuleView, FeaturesView, FeatureView, RuleView } from './rule.view.dto.js';
import { ruleOf } from './rule.mapping.js';

@ApiTags('Rules')
@Controller('operator/rules')
export class RulesController {
  constructor(
    private readonly library: RuleLibrary,
    private readonly rules: RulesQueries,
  ) {}

  @Get()
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'listRules', summary: 'Versions of rules, the newest first' })
  @ApiPage(RuleView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: RuleListQuery,
  ): Promise<Page<RuleView>> {
    return listById(
      query,
      (before, limit) => this.rules.rules(operator.organisationId, query, { before, limit }),
      (row) => RuleView.of(row),
    );
  }

  @Get('features')
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'listFeatures', summary: 'What rules may read, with types and sources' })
  @ApiData(FeaturesView)
  features(): Success<FeaturesView> {
    const { version, features } = featureSchema;
    return envelope({ schemaVersion: version, features: features.map((feature) => FeatureView.of(feature)) });
  }

  @Post('check')
  @ForOperator('rules:read')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'checkRule',
    summary: 'Check a condition or a whole rule, and store nothing',
    description:
      'Names every fault with its place and a suggestion. A rule with faults can be drafted, not released.',
  })
  @ApiData(CheckedRuleView)
  check(@Body() body: CheckRuleBody): Success<CheckedRuleView> {
    if (body.rule) return envelope(checkRule({ ...ruleOf(body.rule), version: 1 }));
    if (body.when !== undefined) return envelope(checkText(body.when));
    if (body.condition !== undefined) return envelope(checkCondition(body.condition));
    throw new DomainError('VALIDATION_FAILED', {
      details: [{ path: 'when', code: 'REQUIRED', message: 'Send a condition, or a rule.' }],
    });
  }

  @Post()
  @ForOperator('rules:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'draftRule',
    summary: 'Write the draft of a rule, the first or over the one there is',
    description:
      'A rule has one draft at most. Its condition is checked now; it can be corrected until it is released.',
  })
  @ApiData(RuleView)
  @ApiErrors('STATE_CONFLICT')
  async draft(@Acting() acting: Acting, @Body() body: RuleDraftBody): Promise<Success<RuleView>> {
    const row = await this.library.saveDraft(acting, ruleOf(body), body.revision ?? null);
    return envelope(RuleView.of(row));
  }

  @Get(':key/versions/:version')
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'getRule', summary: 'One version of a rule' })
  @ApiData(RuleView)
  @ApiErrors('RULE_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key, version }: RuleVersionParams,
  ): Promise<Success<RuleView>> {
    const row = await this.rules.rule(operator.organisationId, key, version);
    if (!row) throw new DomainError('RULE_NOT_FOUND');
    return envelope(RuleView.of(row));
  }

  @Post(':key/versions')
  @ForOperator('rules:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'releaseRule',
    summary: 'Make the draft a version that never changes again',
    description: 'From then on rulesets can hold it. Refused while anything is wrong in it.',
  })
  @ApiData(RuleView)
  @ApiErrors('RULE_NOT_FOUND')
  async release(@Acting() acting: Acting, @Param() { key }: RuleKeyParams): Promise<Success<RuleView>> {
    return envelope(RuleView.of(await this.library.release(acting, key)));
  }
}
