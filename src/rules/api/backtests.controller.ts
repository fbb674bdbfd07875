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
  Idempotent,
  page,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidOf } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { BacktestsService } from '../backtests.service.js';
import { RulesQueries, type BacktestRecord } from '../store/rules.queries.js';
import { BacktestBody, BacktestParams, RulesetVersionParams } from './ruleset.dto.js';
import { BacktestView } from './ruleset.view.dto.js';

/** What a ruleset would have decided on the transactions of the past. */
@ApiTags('Back-tests')
@Controller('operator/rulesets/:key/versions/:version/backtests')
export class BacktestsController {
  constructor(
    private readonly backtests: BacktestsService,
    private readonly rules: RulesQueries,
  ) {}

  @Post()
  @ForOperator('rules:write')
  @Idempotent()
  @HttpCode(HttpStatus.ACCEPTED)
  @ApiOperation({
    operationId: 'orderBacktest',
    summary: 'Run a version over stored history',
    description:
      'Over what evaluations saw, of the last 90 days unless given: hits per rule, outcomes that would change, alerts per ' +
      'day, rules that overlap. Runs in the background and survives a restart; read it until it is FINISHED.',
  })
  @ApiData(BacktestView, { status: HttpStatus.ACCEPTED })
  @ApiErrors('VALIDATION_FAILED', 'RULESET_NOT_FOUND')
  async order(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() ref: RulesetVersionParams,
    @Body() { from, to }: BacktestBody,
  ): Promise<Success<BacktestView>> {
    const row = await this.backtests.order(actingOperator(operator, context), ref, {
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
    });
    return envelope(BacktestView.of(row));
  }

  @Get()
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'listBacktests', summary: 'Back-tests of a version, the newest first' })
  @ApiPage(BacktestView)
  @ApiErrors('VALIDATION_FAILED', 'CURSOR_INVALID')
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() ref: RulesetVersionParams,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<Page<BacktestView>> {
    const [before = null] = cursorKeys(cursor, 'uuid') ?? [];
    const paged = { limit, before: before as string | null };
    const rows = await this.rules.backtests(operator.organisationId, ref, paged);
    return page(
      rows,
      limit,
      (row) => [row.id],
      (row) => BacktestView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'getBacktest', summary: 'A back-test: how far it is, and its report' })
  @ApiData(BacktestView)
  @ApiErrors('VALIDATION_FAILED', 'BACKTEST_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() params: BacktestParams,
  ): Promise<Success<BacktestView>> {
    return envelope(BacktestView.of(await this.find(operator, params)));
  }

  @Post(':id/cancel')
  @ForOperator('rules:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({ operationId: 'cancelBacktest', summary: 'Call a back-test off' })
  @ApiData(BacktestView)
  @ApiErrors('VALIDATION_FAILED', 'BACKTEST_NOT_FOUND', 'STATE_CONFLICT')
  async cancel(
    @CurrentOperator() operator: OperatorPrincipal,
    @CurrentRequest() context: RequestContext,
    @Param() params: BacktestParams,
  ): Promise<Success<BacktestView>> {
    const found = await this.find(operator, params);
    return envelope(
      BacktestView.of(await this.backtests.cancel(actingOperator(operator, context), found.id)),
    );
  }

  private async find(
    operator: OperatorPrincipal,
    { key, version, id }: BacktestParams,
  ): Promise<BacktestRecord> {
    const uuid = uuidOf('bkt', id);
    const found = uuid === null ? null : await this.rules.backtest(operator.organisationId, uuid);
    // Another version's back-test is not found under this one's path.
    if (found?.rulesetKey !== key || found.rulesetVersion !== version) {
      throw new DomainError('BACKTEST_NOT_FOUND');
    }
    return found;
  }
}
