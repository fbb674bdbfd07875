import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { DomainError, uuidOf } from '../../../platform/kernel/index.js';
import { BacktestsService } from '../backtests/backtests.service.js';
import { RulesQueries, type BacktestRecord } from '../store/rules.queries.js';
import { BacktestBody, BacktestParams, RulesetVersionParams } from './ruleset.dto.js';
import { BacktestView } from './ruleset.view.dto.js';

/** Runs a ruleset on past transactions. */
@ApiTags('Back-tests')
@Controller('operator/rulesets/:key/versions/:version/backtests')
export class BacktestsController {
  constructor(
    private readonly backtests: BacktestsService,
    private readonly rules: RulesQueries,
  ) {}

  @Route.post('', forOperator('rules:write'), {
    summary: 'Run a version over stored history',
    description:
      'Over what evaluations saw, of the last 90 days unless given: hits per rule, outcomes that would change, alerts per ' +
      'day, rules that overlap. Runs in the background and survives a restart; read it until it is FINISHED.',
    data: [BacktestView, 'The back-test, which runs in the background.'],
    status: 202,
    errors: ['RULESET_NOT_FOUND', 'QUOTA_EXCEEDED'],
    idempotent: true,
  })
  async orderBacktest(
    @CurrentActor() ctx: ActorContext,
    @Param() ref: RulesetVersionParams,
    @Body() { from, to }: BacktestBody,
  ) {
    const row = await this.backtests.requestBacktest(ctx, ref, {
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
    });
    return envelope(BacktestView.of(row));
  }

  @Route.get('', forOperator('rules:read'), {
    summary: 'Back-tests of a version, the newest first',
    description: 'Queued, running and finished ones, with their reports.',
    page: [BacktestView, 'One page of back-tests.'],
  })
  async listBacktests(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param() ref: RulesetVersionParams,
    @Query() query: PageQuery,
  ) {
    return listById(query, BacktestView, (before, limit) =>
      this.rules.listBacktests(operator.organisationId, ref, { before, limit }),
    );
  }

  @Route.get(':id', forOperator('rules:read'), {
    summary: 'A back-test: how far it is, and its report',
    description: 'Ask again until it has finished.',
    data: [BacktestView, 'The back-test.'],
    errors: ['BACKTEST_NOT_FOUND'],
  })
  async getBacktest(@CurrentOperator() operator: OperatorPrincipal, @Param() params: BacktestParams) {
    return envelope(BacktestView.of(await this.find(operator, params)));
  }

  @Route.post(':id/cancel', forOperator('rules:write'), {
    summary: 'Call a back-test off',
    description: 'What was found so far is given up.',
    data: [BacktestView, 'The back-test.'],
    errors: ['BACKTEST_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async cancelBacktest(@CurrentActor() ctx: ActorContext, @Param() params: BacktestParams) {
    const backtest = await this.find(ctx, params);
    return envelope(BacktestView.of(await this.backtests.cancel(ctx, backtest.id)));
  }

  private async find(
    { organisationId }: Pick<ActorContext, 'organisationId'>,
    { key, version, id }: BacktestParams,
  ): Promise<BacktestRecord> {
    const uuid = uuidOf('bkt', id);
    const backtest = uuid === null ? null : await this.rules.findBacktest(organisationId, uuid);
    // A back-test is found only under the path of its own version.
    if (backtest?.rulesetKey !== key || backtest.rulesetVersion !== version) {
      throw new DomainError('BACKTEST_NOT_FOUND');
    }
    return backtest;
  }
}
