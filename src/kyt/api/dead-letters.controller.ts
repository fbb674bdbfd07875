import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Acting } from '../../audit/index.js';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  listBy,
  listById,
  PageQuery,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { DeadLetterDesk } from '../dead-letter-desk.js';
import {
  BulkDiscardBody,
  DeadLetterFilterBody,
  DeadLetterListQuery,
  DeadLetterView,
  DiscardReasonBody,
  DiscardView,
  ReplayedView,
} from './dead-letter.dto.js';

const ID = { name: 'id', example: 'txn_019364d0c0de7000a000000000000001' } as const;
const DISCARD_ID = { name: 'id', example: 'dsc_019364d0c0de7000a000000000000001' } as const;

/** Transactions that were given up. */
@ApiTags('Dead letters')
@Controller('operator/dead-letters')
export class DeadLettersController {
  constructor(private readonly desk: DeadLetterDesk) {}

  @Get()
  @ForOperator('kyt:read')
  @ApiOperation({ operationId: 'listDeadLetters', summary: 'Dead transactions, the oldest first' })
  @ApiPage(DeadLetterView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: DeadLetterListQuery,
  ): Promise<Page<DeadLetterView>> {
    return listBy(
      'uuid',
      query,
      (after, limit) => this.desk.list(operator.organisationId, query, after, limit),
      (row) => row.transactionRef,
      (row) => DeadLetterView.of(row),
    );
  }

  @Post('replay')
  @ForOperator('kyt:replay')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'replayDeadLetters',
    summary: 'Queue again what a filter finds, the oldest first',
    description: 'At most 1,000 a call; repeat it until nothing is replayed.',
  })
  @ApiData(ReplayedView)
  async replayAll(
    @Acting() acting: Acting,
    @Body() { limit, ...filter }: DeadLetterFilterBody,
  ): Promise<Success<ReplayedView>> {
    const replayed = await this.desk.replayAll(acting, filter, limit);
    return envelope({ replayed });
  }

  @Get('discards')
  @ForOperator('kyt:read')
  @ApiOperation({ operationId: 'listDiscards', summary: 'Requests to discard many, the newest first' })
  @ApiPage(DiscardView)
  async discards(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: PageQuery,
  ): Promise<Page<DiscardView>> {
    return listById(
      query,
      (before, limit) => this.desk.requests(operator.organisationId, before, limit),
      (row) => DiscardView.of(row),
    );
  }

  @Post('discards')
  @ForOperator('kyt:replay')
  @HttpCode(HttpStatus.CREATED)
  @ApiOperation({
    operationId: 'requestDiscard',
    summary: 'Ask for many to be discarded',
    description:
      'Those that the filter finds now, at most 1,000, and no others. A second person approves it.',
  })
  @ApiData(DiscardView, { status: HttpStatus.CREATED })
  @ApiErrors('DEAD_LETTER_NOT_FOUND')
  async requestDiscard(
    @Acting() acting: Acting,
    @Body() { limit, reason, ...filter }: BulkDiscardBody,
  ): Promise<Success<DiscardView>> {
    return envelope(DiscardView.of(await this.desk.requestDiscard(acting, filter, limit, reason)));
  }

  @Post('discards/:id/approve')
  @ForOperator('kyt:replay')
  @HttpCode(HttpStatus.OK)
  @ApiParam(DISCARD_ID)
  @ApiOperation({ operationId: 'approveDiscard', summary: 'Discard what somebody else has asked for' })
  @ApiData(DiscardView)
  @ApiErrors('FOUR_EYES_REQUIRED', 'DISCARD_NOT_FOUND')
  async approveDiscard(
    @CurrentOperator() operator: OperatorPrincipal,
    @Acting() acting: Acting,
    @Param('id') id: string,
  ): Promise<Success<DiscardView>> {
    return envelope(DiscardView.of(await this.desk.approveDiscard(operator, acting, id)));
  }

  @Post('discards/:id/withdraw')
  @ForOperator('kyt:replay')
  @HttpCode(HttpStatus.OK)
  @ApiParam(DISCARD_ID)
  @ApiOperation({ operationId: 'withdrawDiscard', summary: 'Take a request back, or turn it down' })
  @ApiData(DiscardView)
  @ApiErrors('DISCARD_NOT_FOUND')
  async withdrawDiscard(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<DiscardView>> {
    return envelope(DiscardView.of(await this.desk.withdrawDiscard(acting, id)));
  }

  @Get(':id')
  @ForOperator('kyt:read')
  @ApiParam(ID)
  @ApiOperation({ operationId: 'getDeadLetter', summary: 'One dead transaction' })
  @ApiData(DeadLetterView)
  @ApiErrors('DEAD_LETTER_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<DeadLetterView>> {
    return envelope(DeadLetterView.of(await this.desk.find(operator.organisationId, id)));
  }

  @Post(':id/replay')
  @ForOperator('kyt:replay')
  @HttpCode(HttpStatus.OK)
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'replayDeadLetter',
    summary: 'Queue one again',
    description: 'With its history and a fresh count of attempts.',
  })
  @ApiData(ReplayedView)
  @ApiErrors('DEAD_LETTER_NOT_FOUND', 'STATE_CONFLICT')
  async replay(@Acting() acting: Acting, @Param('id') id: string): Promise<Success<ReplayedView>> {
    await this.desk.replay(acting, id);
    return envelope({ replayed: 1 });
  }

  @Post(':id/discard')
  @ForOperator('kyt:replay')
  @HttpCode(HttpStatus.OK)
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'discardDeadLetter',
    summary: 'Decide that one is never evaluated',
    description: 'It stays dead-lettered, with the reason in its trail, and can not be replayed any more.',
  })
  @ApiData(DeadLetterView)
  @ApiErrors('DEAD_LETTER_NOT_FOUND', 'STATE_CONFLICT')
  async discard(
    @Acting() acting: Acting,
    @Param('id') id: string,
    @Body() { reason }: DiscardReasonBody,
  ): Promise<Success<DeadLetterView>> {
    await this.desk.discard(acting, id, reason);
    return envelope(DeadLetterView.of(await this.desk.find(acting.organisationId, id)));
  }
}
