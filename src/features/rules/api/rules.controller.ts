import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { invalid, orThrow } from '../../../platform/kernel/index.js';
import { checkCondition, checkRule, checkText } from '../rulesets/inspection.js';
import { featureSchema } from '../language/index.js';
import { RulesetRegistryService } from '../rulesets/ruleset-registry.service.js';
import { RuleLibraryService } from '../rulesets/rule-library.service.js';
import { RulesQueries } from '../store/rules.queries.js';
import { CheckRuleBody, RuleDraftBody, RuleKeyParams, RuleListQuery, RuleVersionParams } from './rule.dto.js';
import {
  AggregateVocabularyView,
  CheckedRuleView,
  FeaturesView,
  FeatureView,
  RuleView,
} from './rule.view.dto.js';
import { ruleOf } from './rule.mapping.js';

@ApiTags('Rules')
@Controller('operator/rules')
export class RulesController {
  constructor(
    private readonly library: RuleLibraryService,
    private readonly rules: RulesQueries,
    private readonly registry: RulesetRegistryService,
  ) {}

  @Route.get('', forOperator('rules:read'), {
    summary: 'Versions of rules, the newest first',
    description: 'Filtered by key and status. Versions that were released never change.',
    page: [RuleView, 'One page of rules.'],
  })
  async listRules(@CurrentOperator() operator: OperatorPrincipal, @Query() query: RuleListQuery) {
    return listById(query, RuleView, (before, limit) =>
      this.rules.listRules(operator.organisationId, query, { before, limit }),
    );
  }

  @Route.get('features', forOperator('rules:read'), {
    summary: 'What rules may read, with types and sources',
    description: 'A field that rules read has a type, a source, and what makes it unknown.',
    data: [FeaturesView, 'The fields.'],
  })
  async listFeatures(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    const { customFields } = await this.registry.readLive(organisationId);
    const customViews = customFields.features.map(({ definition }) => FeatureView.of(definition));
    return envelope({
      schemaVersion: featureSchema.version,
      features: [...featureSchema.features.map((feature) => FeatureView.of(feature)), ...customViews],
      aggregates: AggregateVocabularyView.now(),
    });
  }

  @Route.post('check', forOperator('rules:read'), {
    summary: 'Check a condition or a whole rule, and store nothing',
    description:
      'Names every fault with its place and a suggestion, and remarks on what hardly means what it says. A rule with faults can be drafted, not released; one with remarks can.',
    data: [CheckedRuleView, 'The verdict on the rule, with every problem.'],
  })
  async checkRule(@CurrentOperator() { organisationId }: OperatorPrincipal, @Body() body: CheckRuleBody) {
    const vocabulary = await this.library.readVocabulary(organisationId);
    if (body.rule) return envelope(checkRule({ ...ruleOf(body.rule), version: 1 }, vocabulary));
    if (body.when !== undefined) return envelope(checkText(body.when, vocabulary));
    if (body.condition !== undefined) return envelope(checkCondition(body.condition, vocabulary));
    throw invalid('when', 'REQUIRED', 'Send a condition, or a rule.');
  }

  @Route.post('', forOperator('rules:write'), {
    summary: 'Write the draft of a rule, the first or over the one there is',
    description:
      'A rule has one draft at most. Its condition is checked now; it can be corrected until it is released.',
    data: [RuleView, 'The rule.'],
    errors: ['STATE_CONFLICT'],
  })
  async draftRule(@CurrentActor() ctx: ActorContext, @Body() body: RuleDraftBody) {
    const row = await this.library.saveDraft(ctx, ruleOf(body), body.revision ?? null);
    return envelope(RuleView.of(row));
  }

  @Route.get(':key/versions/:version', forOperator('rules:read'), {
    summary: 'One version of a rule',
    description: 'The definition as it was written, with its status and author.',
    data: [RuleView, 'The rule.'],
    errors: ['RULE_NOT_FOUND'],
  })
  async getRule(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key, version }: RuleVersionParams,
  ) {
    const row = orThrow(await this.rules.findRule(operator.organisationId, key, version), 'RULE_NOT_FOUND');
    return envelope(RuleView.of(row));
  }

  @Route.post(':key/versions', forOperator('rules:write'), {
    summary: 'Make the draft a version that never changes again',
    description: 'From then on rulesets can hold it. Refused while anything is wrong in it.',
    data: [RuleView, 'The rule.'],
    errors: ['RULE_NOT_FOUND'],
  })
  async releaseRule(@CurrentActor() ctx: ActorContext, @Param() { key }: RuleKeyParams) {
    return envelope(RuleView.of(await this.library.release(ctx, key)));
  }
}
