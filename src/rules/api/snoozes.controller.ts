import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { actingOperator } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  CurrentRequest,
  cursorKeys,
  envelope,
  ForOperator,
  page,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidOf } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
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
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID')
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() { key }: RulesetKeyParams,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<SnoozeView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const rows = await this.rules.snoozes(operator.organisationId, key, {
      limit,
      before: before as string | null,
    });
    return page(
      rows,
      limit,
      (row) => [row.id],
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
  @ApiErrors('VALIDATION_FAILED', 'RULESET_NOT_FOUND', 'RULE_NOT_FOUND', 'STATE_CONFLICT')
  async snooze(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() { key, rule }: HeldRuleParams,
    @Body() { until, reason }: SnoozeBody,
  ): Promise<Success<SnoozeView>> {
    const snooze = await this.snoozes.snooze(actingOperator(operator, context), key, rule, {
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
  @ApiErrors('VALIDATION_FAILED', 'RULESET_NOT_FOUND', 'SNOOZE_NOT_FOUND')
  async lift(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() { key, id }: SnoozeParams,
  ): Promise<Success<SnoozeView>> {
    const uuid = uuidOf('snz', id);
    if (uuid === null) throw new DomainError('SNOOZE_NOT_FOUND');
    return envelope(SnoozeView.of(await this.snoozes.lift(actingOperator(operator, context), key, uuid)));
  }
}
