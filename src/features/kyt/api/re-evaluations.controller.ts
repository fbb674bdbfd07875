import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { invalid, publicId, uuidOf } from '../../../platform/kernel/index.js';
import { DryRunService } from '../replay/dry-run.service.js';
import { ReEvaluationService } from '../pipeline/re-evaluation.service.js';
import { TransactionQueryService } from '../operations/transaction-query.service.js';
import { DryRunBody, DryRunView, ReEvaluationView } from './re-evaluations.dto.js';

@ApiTags('Transactions')
@Controller('operator')
export class ReEvaluationsController {
  constructor(
    private readonly transactions: TransactionQueryService,
    private readonly reEvaluation: ReEvaluationService,
  ) {}

  @Route.post('transactions/:id/re-evaluate', forOperator('kyt:evaluate'), {
    summary: 'Evaluate a transaction again, with the rules and the facts of now',
    description:
      'Adds an evaluation, which integrators learn of by webhook; earlier evaluations and their receipts stay as they are. ' +
      'Windows still end at the moment of the transaction.',
    params: [
      {
        name: 'id',
        description: 'The id of the transaction.',
        example: 'txn_019364d0c0de7000a000000000000001',
      },
    ],
    data: [ReEvaluationView, 'What the new evaluation came to.'],
    status: 201,
    errors: ['TRANSACTION_NOT_FOUND', 'STATE_CONFLICT'],
    idempotent: true,
  })
  async reEvaluateTransaction(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
    const { organisationId } = ctx;
    const ref = await this.transactions.findEvaluatedId(organisationId, id);
    const done = await this.reEvaluation.reEvaluate(organisationId, ref, ctx);
    return envelope(ReEvaluationView.of(publicId('txn', ref), done));
  }
}

/** Dry-runs: evaluations that are not stored. */
@ApiTags('Rules')
@Controller('operator')
export class DryRunsController {
  constructor(private readonly dryRun: DryRunService) {}

  @Route.post('rules/dry-run', forOperator('kyt:evaluate'), {
    summary: 'Put one event before a ruleset, of any status, and store nothing',
    description:
      'Shows what every rule says and on what. The history is the real one; customers and hits are looked up and not ' +
      'kept, the external evidence provider is not asked, and snoozes and cooldowns do not count. `draftRules` puts drafts ' +
      'of rules in; `assume` takes facts as given.',
    data: [DryRunView, 'The evaluation, which is not stored.'],
    errors: ['RULESET_NOT_FOUND'],
  })
  async dryRunRules(@CurrentOperator() operator: OperatorPrincipal, @Body() body: DryRunBody) {
    const clientAppId = body.clientApp === undefined ? null : uuidOf('app', body.clientApp);
    if (body.clientApp !== undefined && clientAppId === null) {
      throw invalid('clientApp', 'PATTERN_MISMATCH', 'Send the id of an application.');
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
