import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../platform/registry/index.js';

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
  /** The current outcome: that of an operator's decision, otherwise of the newest evaluation. */
  readonly outcome: string | null;
  readonly riskScore: number | null;
  readonly defensible: boolean | null;
  /** The ids of the rules whose points count in the score. */
  readonly rules: readonly string[];
}

/** Registers the method that reads transactions by internal id; it omits those of other organisations. */
export const TransactionsOfCases =
  registration<(organisationId: string, refs: readonly string[]) => Promise<ReviewedTransaction[]>>(
    'transactions of cases',
  );

/** Reads the transactions of cases through the Kyt module, which imports this one and registers the method. */
@Injectable()
export class ReviewSubjects {
  constructor(private readonly registry: Registry) {}

  async transactions(organisationId: string, refs: readonly string[]): Promise<ReviewedTransaction[]> {
    const source = this.registry.of(TransactionsOfCases).get();
    if (!source) throw new Error('nobody has said how transactions are read');
    return refs.length === 0 ? [] : source.call(organisationId, refs);
  }
}
