import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  listById,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { uuidInFilter, uuidOf } from '../../../platform/kernel/index.js';
import {
  TransactionQueryService,
  type TransactionWithParties,
} from '../operations/transaction-query.service.js';
import {
  DecisionReceiptView,
  ListedTransactionView,
  PipelineView,
  ReceiptQuery,
  TimelineView,
  TransactionFileView,
  TransactionListQuery,
} from './transactions.dto.js';

const ID = {
  name: 'id',
  description: 'The id of the transaction.',
  example: 'txn_019364d0c0de7000a000000000000001',
} as const;

/** Transactions of the organisation, as operators see them: documents are masked everywhere. */
@ApiTags('Transactions')
@Controller('operator/transactions')
export class OperatorTransactionsController {
  constructor(private readonly transactions: TransactionQueryService) {}

  @Route.get('', forOperator('kyt:read'), {
    summary: 'Transactions, the newest received first',
    description: 'Filtered by status, outcome, type, customer, application and time.',
    page: [ListedTransactionView, 'One page of transactions.'],
  })
  async listTransactions(
    @CurrentOperator() operator: OperatorPrincipal,
    @Query() query: TransactionListQuery,
  ) {
    const { clientApp, customerId, receivedFrom, receivedTo } = query;
    const { status, outcome, type, transactionId, externalCustomerId, minScore, defensible } = query;
    const filter = {
      ...{ status, outcome, type, transactionId, externalCustomerId, minScore, defensible },
      customerId: uuidInFilter('cus', customerId, 'customerId'),
      clientAppId: clientApp === undefined ? undefined : (uuidOf('app', clientApp) ?? undefined),
      receivedFrom: receivedFrom === undefined ? undefined : new Date(receivedFrom),
      receivedTo: receivedTo === undefined ? undefined : new Date(receivedTo),
    };
    const inClear = operator.permissions.has('customers:read');
    const view = { of: (row: TransactionWithParties) => ListedTransactionView.ofRow(row, inClear) };
    return listById(query, view, (before, limit) =>
      this.transactions.list(operator.organisationId, filter, before, limit),
    );
  }

  @Route.get('pipeline', forOperator('kyt:read'), {
    summary: 'The transactions of the last 24 hours by hour and outcome, and how many wait since when',
    description:
      'Hours are those of receipt, to about a minute. Outcomes are those of the newest evaluation; what is neither challenged nor in review was approved, or waits.',
    costly: true,
    data: [PipelineView, 'The hours, and what waits.'],
  })
  async getPipeline(@CurrentOperator() { organisationId }: OperatorPrincipal) {
    return envelope(PipelineView.of(await this.transactions.countActivity(organisationId)));
  }

  @Route.get(':id', forOperator('kyt:read'), {
    reads: 'transaction',
    summary: 'A transaction with its submission and all its evaluations',
    description: 'CPF and CNPJ are masked wherever they stand, in free text and metadata too.',
    params: [ID],
    data: [TransactionFileView, 'The transaction.'],
    errors: ['TRANSACTION_NOT_FOUND'],
  })
  async getTransactionFile(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    return envelope(
      TransactionFileView.ofFile(await this.transactions.readFile(operator.organisationId, id)),
    );
  }

  @Route.get(':id/timeline', forOperator('kyt:read'), {
    reads: 'transaction',
    summary: 'What happened to a transaction, in order, and whether its trail is whole',
    description: 'Entries of its audit trail from the submission to the last delivery.',
    params: [ID],
    data: [TimelineView, 'The timeline.'],
    errors: ['TRANSACTION_NOT_FOUND'],
  })
  async getTransactionTimeline(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    const { entries, verdict } = await this.transactions.readTimeline(operator.organisationId, id);
    return envelope(TimelineView.of(entries, verdict));
  }

  @Route.get(':id/receipt', forOperator('kyt:read'), {
    reads: 'transaction',
    summary: 'The decision receipt: everything that an evaluation read and decided',
    description: '`receiptHash` is SHA-256 over the canonical JSON (RFC 8785) of `receipt`.',
    params: [ID],
    data: [DecisionReceiptView, 'The receipt.'],
    errors: ['TRANSACTION_NOT_FOUND', 'EVALUATION_NOT_FOUND'],
  })
  async getDecisionReceipt(
    @CurrentOperator() operator: OperatorPrincipal,
    @Param('id') id: string,
    @Query() { version }: ReceiptQuery,
  ) {
    const row = await this.transactions.findDecisionReceipt(operator.organisationId, id, version ?? null);
    return envelope(DecisionReceiptView.of(row));
  }
}
