import { Injectable } from '@nestjs/common';
import { ReviewQueries } from '../../reviews/index.js';
import { StepUps } from '../../sessions/index.js';
import { asksCustomer, transactionData, type TransactionData } from '../api/transaction.view.dto.js';
import { TransactionQueries } from '../store/transaction.queries.js';

interface Owner {
  readonly id: string;
  readonly organisationId: string;
}

/** Reads transactions back to the application that submitted them, whether it asks later or waits for the decision. */
@Injectable()
export class ReadBack {
  constructor(
    private readonly transactions: TransactionQueries,
    private readonly reviews: ReviewQueries,
    private readonly stepUps: StepUps,
  ) {}

  /** Null when the application has none of this id. Who knows its stored `ref` has to wait for one round trip only. */
  async find(
    owner: Owner,
    transactionId: string,
    ref: string | null = null,
  ): Promise<TransactionData | null> {
    const known = ref === null ? null : this.reviewAbout(owner, ref);
    const [record, reviewId] = await Promise.all([this.transactions.findOwn(owner, transactionId), known]);
    if (!record) return null;
    const { organisationId } = owner;
    const link = asksCustomer(record)
      ? await this.stepUps.openLink({ organisationId, ref: record.id })
      : null;
    if (known || !record.evaluation) return transactionData(record, reviewId, link);
    return transactionData(record, await this.reviewAbout(owner, record.id), link);
  }

  private async reviewAbout({ organisationId }: Owner, ref: string): Promise<string | null> {
    return (await this.reviews.newestAbout(organisationId, [ref])).get(ref) ?? null;
  }
}
