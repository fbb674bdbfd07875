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
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidIn } from '../../kernel/index.js';
import { SnoozesService } from '../snoozes.service.js';
import { RulesQueries } from '../store/rules.queries.js';
import { HeldRuleParams, RulesetKeyParams, SnoozeBody, SnoozeParams } from './ruleset.dto.js';
import { SnoozeView } from './ruleset.view.dto.js';

/** Rules that have no effect for a while. */
@ApiTags('Rulesets')
@Controller('operator/rulesets')
export class SnoozesController {
  constructor(
    private readonly snoozes: SnoozesService,
    private readonly rules: RulesQueries,
  ) {}

  @Get(':key/snoozes')
  @ForOperator('rules:read')
  @ApiOperation({
    operationId: 'listSnoozes',
    summary: 'Snoozes of the rules of a ruleset, ended ones included',
  })
  @ApiPage(SnoozeView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key }: RulesetKeyParams,
    @Query() query: PageQuery,
  ): Promise<Page<SnoozeView>> {
    return listById(
      query,
      (before, limit) => this.rules.snoozes(operator.organisationId, key, { before, limit }),
      (row) => SnoozeView.of(row),
    );
  }

  @Post(':key/rules/:rule/snooze')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'snoozeRule',
    summary: 'Silence a rule for a while, at once',
    description:
      'Its hits are recorded, without points and without effect, and every evaluation that this touches says so. Ends by ' +
      'itself, after 30 days at most. Mandatory rules cannot be snoozed.',
  })
  @ApiData(SnoozeView, { status: HttpStatus.CREATED })
  @ApiErrors('RULESET_NOT_FOUND', 'RULE_NOT_FOUND', 'STATE_CONFLICT')
  async snooze(
    @Acting() acting: Acting,
    @Param() { key, rule }: HeldRuleParams,
    @Body() { until, reason }: SnoozeBody,
  ): Promise<Success<SnoozeView>> {
    const snooze = await this.snoozes.snooze(acting, key, rule, {
      endsAt: new Date(until),
      reason,
    });
    return envelope(SnoozeView.of(snooze));
  }

  @Post(':key/snoozes/:id/lift')
  @ForOperator('rules:publish')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'liftSnooze', summary: 'End a snooze before its time' })
  @ApiData(SnoozeView)
  @ApiErrors('RULESET_NOT_FOUND', 'SNOOZE_NOT_FOUND')
  async lift(@Acting() acting: Acting, @Param() { key, id }: SnoozeParams): Promise<Success<SnoozeView>> {
    const uuid = uuidIn('snz', id, 'SNOOZE_NOT_FOUND');
    return envelope(SnoozeView.of(await this.snoozes.lift(acting, key, uuid)));
  }
}
