import { Body, Controller, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  CurrentOperator,
  envelope,
  ForOperator,
  Idempotent,
  type OperatorPrincipal,
  type Success,
} from '../../http/index.js';
import { DomainError, publicId, uuidOf } from '../../kernel/index.js';
import { DryRun } from '../dry-run.service.js';
import { ReEvaluation } from '../re-evaluation.service.js';
import { TransactionDesk } from '../transaction-desk.js';
import { DryRunBody, DryRunView, ReEvaluationView } from './judging.dto.js';

/** Evaluations that an operator asks for. */
@ApiTags('Transactions')
@Controller('operator')
export class JudgingController {
  constructor(
    private readonly desk: TransactionDesk,
    private readonly reEvaluation: ReEvaluation,
    private readonly dryRun: DryRun,
  ) {}

  @Post('transactions/:id/re-evaluate')
  @ForOperator('kyt:evaluate')
  @Idempotent()
  @HttpCode(HttpStatus.CREATED)
  @ApiParam({ name: 'id', example: 'txn_019364d0c0de7000a000000000000001' })
  @ApiOperation({
    operationId: 'reEvaluateTransaction',
    summary: 'Evaluate a transaction again, with the rules and the facts of now',
    description:
      'Adds an evaluation, which integrators learn of by webhook; earlier evaluations and their receipts stay as they are. ' +
      'Windows still end at the moment of the transaction.',
  })
  @ApiData(ReEvaluationView, { status: HttpStatus.CREATED })
  @ApiErrors('TRANSACTION_NOT_FOUND', 'STATE_CONFLICT')
  async reEvaluate(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<ReEvaluationView>> {
    const { organisationId } = acting;
    const ref = await this.desk.evaluatedRef(organisationId, id);
    const done = await this.reEvaluation.evaluateAgain(organisationId, ref, acting);
    return envelope(ReEvaluationView.of(publicId('txn', ref), done));
  }

  @Post('rules/dry-run')
  @ForOperator('kyt:evaluate')
  @HttpCode(HttpStatus.OK)
  @ApiTags('Rules')
  @ApiOperation({
    operationId: 'dryRunRules',
    summary: 'Put one event before a ruleset, of any status, and store nothing',
    description:
      'Shows what every rule says and on what. The history is the real one; customers and hits are looked up and not ' +
      'kept, the external evidence provider is not asked, and snoozes and cooldowns do not count. `draftRules` puts drafts ' +
      'of rules in; `assume` takes facts as given.',
  })
  @ApiData(DryRunView)
  @ApiErrors('RULESET_NOT_FOUND')
  async tryOut(
    @CurrentOperator() operator: OperatorPrincipal,
    @Body() body: DryRunBody,
  ): Promise<Success<DryRunView>> {
    const clientAppId = body.clientApp === undefined ? null : uuidOf('app', body.clientApp);
    if (body.clientApp !== undefined && clientAppId === null) {
      throw new DomainError('VALIDATION_FAILED', {
        details: [{ path: 'clientApp', code: 'PATTERN_MISMATCH', message: 'Send the id of an application.' }],
      });
    }
    const result = await this.dryRun.run(operator.organisationId, {
      ruleset: body.ruleset ? { key: body.ruleset.key, version: body.ruleset.version } : null,
      draftRules: body.draftRules,
      clientAppId,
      transaction: body.transaction,
      assumed: body.assume,
    });
    return envelope(DryRunView.of(result));
  }
}
