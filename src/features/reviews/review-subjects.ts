import { Injectable } from '@nestjs/common';
import { registration, Registry } from '../../platform/registry/index.js';

/** A transaction as a case shows it. */
export interface ReviewedTransaction {
  readonly ref: string;
  /** The integrator's own id. */
  readonly transactionId: string;
  readonly clientAppId: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly occurredAt: Date;
  readonly evaluationVersion: number | null;
  /** As it is now: what a person decided, else what the newest evaluation says. */
  readonly outcome: string | null;
  readonly riskScore: number | null;
  readonly defensible: boolean | null;
  /** The rules that counted. */
  readonly rules: readonly string[];
}

/** The method reads transactions of an organisation by their stored ids; those of others are left out. */
export const TransactionsOfCases =
  registration<(organisationId: string, refs: readonly string[]) => Promise<ReviewedTransaction[]>>(
    'transactions of cases',
  );

/** The transactions that cases name, as the module that owns them reads them: cases stand below it. */
@Injectable()
export class ReviewSubjects {
  constructor(private readonly registry: Registry) {}

  async transactions(organisationId: string, refs: readonly string[]): Promise<ReviewedTransaction[]> {
    const source = this.registry.of(TransactionsOfCases).get();
    if (!source) throw new Error('nobody has said how transactions are read');
    return refs.length === 0 ? [] : source.call(organisationId, refs);
  }
}
