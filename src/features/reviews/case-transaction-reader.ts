import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../platform/registry/index.js';
import type { ReviewRow } from './store/review.queries.js';

export interface ReviewedTransaction {
  readonly ref: string;
  /** The integrator's id. */
  readonly transactionId: string;
  readonly clientAppId: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly occurredAt: Date;
  readonly evaluationVersion: number | null;
  /** The outcome of an operator's decision, or else of the newest evaluation. */
  readonly outcome: string | null;
  readonly riskScore: number | null;
  readonly defensible: boolean | null;
  /** The ids of the rules whose points count in the score. */
  readonly rules: readonly string[];
}

/** Decorates a method that reads transactions by internal id; omits transactions of other organisations. */
export const TransactionsOfCases =
  registration<(organisationId: string, refs: readonly string[]) => Promise<ReviewedTransaction[]>>(
    'transactions of cases',
  );

/**
 * Decorates a method that finds evaluated payments of a customer around the alerts of a case that are not in the case:
 * the oldest first, at most `limit`. Returns none for a case without alerts about transactions.
 */
export const TransactionsAroundAlerts =
  registration<
    (
      organisationId: string,
      of: { readonly reviewId: string; readonly customerId: string },
      limit: number,
    ) => Promise<string[]>
  >('payments around alerts');

/** Reads the transactions of cases by a method that the Kyt module registers, because Kyt already imports reviews. */
@Injectable()
export class CaseTransactionReader {
  constructor(private readonly registry: Registry) {}

  async readTransactions(organisationId: string, refs: readonly string[]): Promise<ReviewedTransaction[]> {
    const source = this.registry.methodsOf(TransactionsOfCases).get();
    if (!source) throw new Error('nobody has said how transactions are read');
    return refs.length === 0 ? [] : source.call(organisationId, refs);
  }

  /** The ids of payments around the alerts of a case that are not in it; none if the case has no known customer. */
  async transactionsAround(
    { id: reviewId, organisationId, customerId }: ReviewRow,
    limit: number,
  ): Promise<string[]> {
    const source = this.registry.methodsOf(TransactionsAroundAlerts).get();
    if (!source) throw new Error('nobody has said how payments are found');
    return customerId === null ? [] : source.call(organisationId, { reviewId, customerId }, limit);
  }
}
