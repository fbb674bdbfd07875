import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  CurrentOperator,
  envelope,
  ForOperator,
  listById,
  type OperatorPrincipal,
  type Page,
  type Success,
} from '../../http/index.js';
import { uuidInFilter, uuidOf } from '../../kernel/index.js';
import { TransactionDesk } from '../transaction-desk.js';
import {
  DecisionReceiptView,
  DeskTransactionView,
  ReceiptQuery,
  TimelineView,
  TransactionFileView,
  TransactionListQuery,
} from './desk.dto.js';

const ID = { name: 'id', example: 'txn_019364d0c0de7000a000000000000001' } as const;

/** Transactions of the organisation, as operators see them: documents are masked everywhere. */
@ApiTags('Transactions')
@Controller('operator/transactions')
export class DeskController {
  constructor(private readonly desk: TransactionDesk) {}

  @Get()
  @ForOperator('kyt:read')
  @ApiOperation({ operationId: 'listTransactions', summary: 'Transactions, the newest received first' })
  @ApiPage(DeskTransactionView)
  async list(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: TransactionListQuery,
  ): Promise<Page<DeskTransactionView>> {
    const { clientApp, customerId, receivedFrom, receivedTo } = query;
    const { status, outcome, type, transactionId, externalCustomerId, minScore, defensible } = query;
    const filter = {
      ...{ status, outcome, type, transactionId, externalCustomerId, minScore, defensible },
      customerId: uuidInFilter('cus', customerId, 'customerId'),
      clientAppId: clientApp === undefined ? undefined : (uuidOf('app', clientApp) ?? undefined),
      receivedFrom: receivedFrom === undefined ? undefined : new Date(receivedFrom),
      receivedTo: receivedTo === undefined ? undefined : new Date(receivedTo),
    };
    return listById(
      query,
      (before, limit) => this.desk.list(operator.organisationId, filter, before, limit),
      (row) => DeskTransactionView.of(row),
    );
  }

  @Get(':id')
  @ForOperator('kyt:read')
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'getTransactionFile',
    summary: 'A transaction with its submission and all its evaluations',
    description: 'CPF and CNPJ are masked wherever they stand, in free text and metadata too.',
  })
  @ApiData(TransactionFileView)
  @ApiErrors('TRANSACTION_NOT_FOUND')
  async read(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<TransactionFileView>> {
    return envelope(TransactionFileView.ofFile(await this.desk.open(operator.organisationId, id)));
  }

  @Get(':id/timeline')
  @ForOperator('kyt:read')
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'getTransactionTimeline',
    summary: 'What happened to a transaction, in order, and whether its trail is whole',
  })
  @ApiData(TimelineView)
  @ApiErrors('TRANSACTION_NOT_FOUND')
  async timeline(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
  ): Promise<Success<TimelineView>> {
    const { entries, verdict } = await this.desk.timeline(operator.organisationId, id);
    return envelope(TimelineView.of(entries, verdict));
  }

  @Get(':id/receipt')
  @ForOperator('kyt:read')
  @ApiParam(ID)
  @ApiOperation({
    operationId: 'getDecisionReceipt',
    summary: 'The decision receipt: everything that an evaluation read and decided',
    description: '`receiptHash` is SHA-256 over the canonical JSON (RFC 8785) of `receipt`.',
  })
  @ApiData(DecisionReceiptView)
  @ApiErrors('TRANSACTION_NOT_FOUND', 'EVALUATION_NOT_FOUND')
  async receipt(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() { version }: ReceiptQuery,
  ): Promise<Success<DecisionReceiptView>> {
    const row = await this.desk.receipt(operator.organisationId, id, version ?? null);
    return envelope(DecisionReceiptView.of(row));
  }
}
