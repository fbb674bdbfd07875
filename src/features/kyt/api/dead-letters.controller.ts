import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listBy,
  listById,
  PageQuery,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { TransactionQueryService } from '../operations/transaction-query.service.js';
import { DeadLetterResolutionService } from '../operations/dead-letter-resolution.service.js';
import {
  AskedDiscardView,
  BulkDiscardBody,
  DeadLetterFilterBody,
  DeadLetterListQuery,
  DeadLetterView,
  DiscardReasonBody,
  DiscardView,
  ListedDeadLetterView,
  ReplayedView,
} from './dead-letter.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the transaction.',
  example: 'txn_019364d0c0de7000a000000000000001',
} as const;

/** Transactions whose evaluation failed for good, until an operator replays or discards them. */
@ApiTags('Dead letters')
@Controller('operator/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly resolutions: DeadLetterResolutionService,
    private readonly transactions: TransactionQueryService,
  ) {}

  @Route.get('', forOperator('kyt:read'), {
    summary: 'Dead transactions, the oldest first',
    description: 'Transactions whose evaluation failed for good. They can be replayed or discarded.',
    page: [ListedDeadLetterView, 'One page of dead transactions.'],
  })
  async listDeadLetters(@CurrentOperator() operator: OperatorPrincipal, @Query() query: DeadLetterListQuery) {
    const { organisationId, permissions } = operator;
    return listBy(
      'uuid',
      query,
      async (after, limit) => {
        const rows = await this.resolutions.list(organisationId, query, after, limit);
        const refs = rows.map(({ transactionRef }) => transactionRef);
        const parties = await this.transactions.partiesOf(organisationId, refs);
        return rows.map((row) => ({ ...row, ...parties(row.transactionRef) }));
      },
      (row) => row.transactionRef,
      (row) => ListedDeadLetterView.ofRow(row, row, permissions.has('customers:read')),
    );
  }

  @Route.post('replay', forOperator('kyt:replay'), {
    summary: 'Queue again what a filter finds, the oldest first',
    description: 'At most 1,000 a call; repeat it until nothing is replayed.',
    data: [ReplayedView, 'The number of transactions that were queued again.'],
  })
  async replayDeadLetters(
    @CurrentActor() ctx: ActorContext,
    @Body() { limit, ...filter }: DeadLetterFilterBody,
  ) {
    const replayed = await this.resolutions.replayAll(ctx, filter, limit);
    return envelope({ replayed });
  }

  @Route.get('discards', forOperator('kyt:read'), {
    summary: 'Requests to discard many, the newest first',
    description: 'Each with how many transactions it is about, and what became of it.',
    page: [DiscardView, 'One page of requests.'],
  })
  async listDiscards(@CurrentOperator() operator: OperatorPrincipal, @Query() query: PageQuery) {
    return listById(query, DiscardView, (before, limit) =>
      this.resolutions.listDiscards(operator.organisationId, before, limit),
    );
  }

  @Route.post('discards', forOperator('kyt:replay'), {
    summary: 'Ask for many to be discarded',
    description:
      'Those that the filter finds now, at most 1,000, and no others. A second person approves it at `/operator/approvals`.',
    data: [AskedDiscardView, 'The request, and how many transactions it is about.'],
    status: 202,
    errors: ['DEAD_LETTER_NOT_FOUND'],
  })
  async requestDiscard(
    @CurrentActor() ctx: ActorContext,
    @Body() { limit, reason, ...filter }: BulkDiscardBody,
  ) {
    return envelope(
      AskedDiscardView.ofAsked(await this.resolutions.requestDiscard(ctx, filter, limit, reason)),
    );
  }

  @Route.get(':id', forOperator('kyt:read'), {
    reads: 'transaction',
    summary: 'One dead transaction',
    description: 'Where and why the evaluation stopped, and after how many attempts.',
    params: [ID],
    data: [DeadLetterView, 'The dead transaction.'],
    errors: ['DEAD_LETTER_NOT_FOUND'],
  })
  async getDeadLetter(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return envelope(DeadLetterView.of(await this.resolutions.find(operator.organisationId, id)));
  }

  @Route.post(':id/replay', forOperator('kyt:replay'), {
    summary: 'Queue one again',
    description: 'With its history and a fresh count of attempts.',
    params: [ID],
    data: [ReplayedView, 'The number of transactions that were queued again.'],
    errors: ['DEAD_LETTER_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async replayDeadLetter(@CurrentActor() ctx: ActorContext, @Param('id') id: string) {
    await this.resolutions.replay(ctx, id);
    return envelope({ replayed: 1 });
  }

  @Route.post(':id/discard', forOperator('kyt:replay'), {
    summary: 'Ask that one is never evaluated',
    description:
      'When a second person has approved it at `/operator/approvals`, it stays dead-lettered, with the reason in its trail, ' +
      'and can not be replayed any more.',
    params: [ID],
    data: [AskedDiscardView, 'The request, which waits for somebody else.'],
    status: 202,
    errors: ['DEAD_LETTER_NOT_FOUND', 'STATE_CONFLICT'],
  })
  async discardDeadLetter(
    @CurrentActor() ctx: ActorContext,
    @Param('id') id: string,
    @Body() { reason }: DiscardReasonBody,
  ) {
    return envelope(AskedDiscardView.ofAsked(await this.resolutions.requestDiscardOne(ctx, id, reason)));
  }
}
