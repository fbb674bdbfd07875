import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry } from '../../audit/index.js';
import { ExchangeRatesService } from '../../fx/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { cashCode, isReportable } from '../domain/coaf/cash-report.js';
import { reportDeadline } from '../../reviews/index.js';
import {
  CommunicationRepository,
  type EvaluatedCashTransaction,
  type DraftedCommunication,
} from '../store/communication.repository.js';

const ACTOR = { type: 'system', id: 'dossiers.coaf' } as const;

/** Drafts one communication for every reportable cash transaction. */
@Injectable()
export class CashReportsService {
  constructor(
    private readonly rates: ExchangeRatesService,
    private readonly clock: Clock,
    private readonly communications: CommunicationRepository,
  ) {}

  /** Drafts a communication for each given transaction that is reportable. Safe to repeat. */
  async draftReports(refs: readonly string[]): Promise<void> {
    const operations = await this.communications.findUnreportedCash(refs);
    if (operations.length === 0) return;
    const books = await this.rates.readTables(operations.map(({ organisationId }) => organisationId));
    const createdAt = new Date(this.clock.now());
    const drafts = operations.flatMap((operation) => {
      const { organisationId, amount, currency, occurredAt } = operation;
      const amountBrl =
        books.get(organisationId)?.toBrl(Number(amount), currency, occurredAt.getTime()) ?? null;
      const cash = { ...operation, amountBrl };
      return isReportable(cash) ? [compose(cash, cashCode(cash), createdAt)] : [];
    });
    if (drafts.length === 0) return;
    await this.communications.insert(drafts);
  }
}

function compose(
  cash: EvaluatedCashTransaction & { readonly amountBrl: number | null },
  code: number | null,
  createdAt: Date,
): DraftedCommunication {
  const { organisationId, occurredAt, id: transactionRef, customerId } = cash;
  const id = newUuid();
  // Exact if the amount is in reais; a converted amount is rounded to cents.
  const amountBrl =
    cash.currency === 'BRL' ? cash.amount : cash.amountBrl === null ? null : String(cash.amountBrl);
  const dueAt = reportDeadline(occurredAt);
  const entry = composeEntry(
    {
      subject: { organisationId, type: 'communication', id },
      action: 'communication.drafted',
      actor: ACTOR,
      requestId: null,
      correlationId: null,
      occurredAt: createdAt,
      content: { kind: 'CASH', transactionRef, code, amountBrl, dueAt: dueAt.toISOString() },
    },
    CHAIN_START,
  );
  return {
    row: {
      ...{ id, organisationId, transactionRef, customerId, code, amountBrl, dueAt, createdAt },
      kind: 'CASH',
      reviewId: null,
      decidedAt: occurredAt,
      trailHash: entry.hash,
    },
    entry,
  };
}
