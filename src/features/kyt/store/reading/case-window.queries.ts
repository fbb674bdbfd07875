import { Injectable } from '@nestjs/common';
import { CustomerFilesService } from '../../../customers/index.js';
import { execute, properties, sqlArray, statement, UnitOfWork } from '../../../../platform/database/index.js';
import { TransactionsAroundAlerts } from '../../../reviews/index.js';
import { KytTransactionEntity } from '../entities.js';

// Money that fills an account often leaves it within a day, and so do the payments that follow an alert.
const HOURS_AROUND = 24;

// Each key is read in its own range of the index, in order, so that a busy customer costs no more than the limit.
const AROUND = statement(
  'kyt.transactions-around',
  `WITH alerts AS MATERIALIZED (
     SELECT k.occurred_at FROM review_transactions l JOIN kyt_transactions k ON k.id = l.transaction_ref
     WHERE l.organisation_id = $1 AND l.review_id = $2 AND l.origin <> 'RELATED'),
   bounds AS MATERIALIZED (
     SELECT min(occurred_at) - make_interval(hours => ${HOURS_AROUND}) AS first,
       max(occurred_at) + make_interval(hours => ${HOURS_AROUND}) AS last FROM alerts)
   SELECT f.id FROM bounds b
   CROSS JOIN unnest($3::bytea[]) AS own (key)
   CROSS JOIN LATERAL (
     SELECT t.id, t.occurred_at FROM kyt_transactions t
     WHERE t.organisation_id = $1 AND t.customer_key = own.key
       AND t.occurred_at >= b.first AND t.occurred_at <= b.last
       AND NOT EXISTS (SELECT FROM review_transactions l WHERE l.review_id = $2 AND l.transaction_ref = t.id)
       AND EXISTS (SELECT FROM kyt_evaluations e WHERE e.transaction_ref = t.id)
     ORDER BY t.occurred_at, t.seq LIMIT $4) f
   ORDER BY f.occurred_at, f.id LIMIT $4`,
  properties(KytTransactionEntity, 'id'),
);

/** Finds the payments of a customer around the alerts of a case. */
@Injectable()
export class CaseWindowQueries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly customers: CustomerFilesService,
  ) {}

  @TransactionsAroundAlerts()
  async findAroundAlerts(
    organisationId: string,
    { reviewId, customerId }: { readonly reviewId: string; readonly customerId: string },
    limit: number,
  ): Promise<string[]> {
    const customer = await this.customers.readFile(organisationId, customerId);
    if (!customer || customer.transactionKeys.length === 0) return [];
    const keys = sqlArray.bytes(customer.transactionKeys);
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, AROUND, [organisationId, reviewId, keys, limit]),
    );
    return rows.map(({ id }) => id);
  }
}
