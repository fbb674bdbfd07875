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
  Idempotent,
  listById,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DomainError, uuidOf } from '../../kernel/index.js';
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
  @ApiErrors('RULESET_NOT_FOUND')
  async order(
    @Acting() acting: Acting,
    @Param() ref: RulesetVersionParams,
    @Body() { from, to }: BacktestBody,
  ): Promise<Success<BacktestView>> {
    const row = await this.backtests.order(acting, ref, {
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
    });
    return envelope(BacktestView.of(row));
  }

  @Get()
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'listBacktests', summary: 'Back-tests of a version, the newest first' })
  @ApiPage(BacktestView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() ref: RulesetVersionParams,
    @Query() query: PageQuery,
  ): Promise<Page<BacktestView>> {
    return listById(
      query,
      (before, limit) => this.rules.backtests(operator.organisationId, ref, { before, limit }),
      (row) => BacktestView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('rules:read')
  @ApiOperation({ operationId: 'getBacktest', summary: 'A back-test: how far it is, and its report' })
  @ApiData(BacktestView)
  @ApiErrors('BACKTEST_NOT_FOUND')
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
  @ApiErrors('BACKTEST_NOT_FOUND', 'STATE_CONFLICT')
  async cancel(@Acting() acting: Acting, @Param() params: BacktestParams): Promise<Success<BacktestView>> {
    const found = await this.find(acting, params);
    return envelope(BacktestView.of(await this.backtests.cancel(acting, found.id)));
  }

  private async find(
    { organisationId }: Pick<Acting, 'organisationId'>,
    { key, version, id }: BacktestParams,
  ): Promise<BacktestRecord> {
    const uuid = uuidOf('bkt', id);
    const found = uuid === null ? null : await this.rules.backtest(organisationId, uuid);
    // Another version's back-test is not found under this one's path.
    if (found?.rulesetKey !== key || found.rulesetVersion !== version) {
      throw new DomainError('BACKTEST_NOT_FOUND');
    }
    return found;
  }
}
