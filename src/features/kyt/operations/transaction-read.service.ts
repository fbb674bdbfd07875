import { Injectable } from '@nestjs/common';
import { Batcher } from '../../../platform/kernel/index.js';
import { ReviewQueries } from '../../reviews/index.js';
import { StepUpsService } from '../../sessions/index.js';
import { EventFeedService, type EventEnvelope } from '../../webhooks/index.js';
import {
  requestsCustomerAction,
  readBackOf,
  type ReadBackTransaction,
  type TransactionRecord,
} from '../domain/reading/read-back.js';
import { TransactionQueries } from '../store/reading/transaction.queries.js';

interface StoredRef {
  readonly organisationId: string;
  readonly ref: string;
}

// Decisions that are committed together are read by shared queries.
const BATCHING = { maxInFlight: 2, maxItems: 100 };

/** Reads transactions for the application that submitted them: on request, or as the answer to a caller who waited. */
@Injectable()
export class TransactionReadService {
  private readonly decidedReads = new Batcher<StoredRef, ReadBackTransaction | null>(
    (asked) => this.findAll(asked),
    BATCHING,
  );

  constructor(
    private readonly transactions: TransactionQueries,
    private readonly reviews: ReviewQueries,
    private readonly stepUps: StepUpsService,
    private readonly feed: EventFeedService,
  ) {}

  /** Returns null if the application has no transaction of this id. */
  async find(
    owner: { readonly id: string; readonly organisationId: string },
    transactionId: string,
  ): Promise<ReadBackTransaction | null> {
    const record = await this.transactions.findOwn(owner, transactionId);
    if (!record) return null;
    const { organisationId } = owner;
    const reviews = record.evaluation
      ? await this.reviews.findNewestCases([organisationId], [record.id])
      : null;
    return this.toReadBack(organisationId, record, reviews?.get(record.id) ?? null);
  }

  /** Returns the events of a transaction by sequence; null if the application has no transaction of this id. */
  async listEvents(
    owner: { readonly id: string; readonly organisationId: string },
    transactionId: string,
  ): Promise<readonly EventEnvelope[] | null> {
    const record = await this.transactions.findOwn(owner, transactionId);
    if (!record) return null;
    const { id: clientAppId, organisationId } = owner;
    return this.feed.pageByResource({ organisationId, clientAppId }, record.id);
  }

  /** Reads a decided transaction by its stored id. */
  readByRef(organisationId: string, ref: string): Promise<ReadBackTransaction | null> {
    return this.decidedReads.submit({ organisationId, ref });
  }

  private async findAll(asked: readonly StoredRef[]): Promise<(ReadBackTransaction | null)[]> {
    const organisationIds = [...new Set(asked.map(({ organisationId }) => organisationId))];
    const refs = asked.map(({ ref }) => ref);
    const [records, reviews] = await Promise.all([
      this.transactions.findAll(organisationIds, refs),
      this.reviews.findNewestCases(organisationIds, refs),
    ]);
    return Promise.all(
      asked.map(async ({ organisationId, ref }) => {
        const record = records.get(ref);
        return record ? this.toReadBack(organisationId, record, reviews.get(ref) ?? null) : null;
      }),
    );
  }

  private async toReadBack(
    organisationId: string,
    record: TransactionRecord,
    reviewId: string | null,
  ): Promise<ReadBackTransaction> {
    const asks = requestsCustomerAction(record);
    const link = asks ? await this.stepUps.findOpenLink({ organisationId, ref: record.id }) : null;
    return readBackOf(record, reviewId, link);
  }
}
