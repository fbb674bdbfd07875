import { Injectable } from '@nestjs/common';

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
}

/** Reads transactions of an organisation by their stored ids; those of others are left out. */
export type TransactionSource = (
  organisationId: string,
  refs: readonly string[],
) => Promise<ReviewedTransaction[]>;

/** Where the module that owns transactions says how they are read: cases name them, and stand below that module. */
@Injectable()
export class ReviewSubjects {
  private source: TransactionSource | null = null;

  registerTransactions(source: TransactionSource): void {
    if (this.source) throw new Error('two sources of reviewed transactions');
    this.source = source;
  }

  async transactions(organisationId: string, refs: readonly string[]): Promise<ReviewedTransaction[]> {
    if (!this.source) throw new Error('nobody has said how transactions are read');
    return refs.length === 0 ? [] : this.source(organisationId, refs);
  }
}
