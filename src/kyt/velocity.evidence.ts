import { Injectable } from '@nestjs/common';
import { sqlArray, UnitOfWork } from '../database/index.js';
import { known, unknown } from '../rules/index.js';
import type { OpenTransaction } from './domain/claimed.js';
import type { Contribution, EvidenceProvider } from './domain/evidence.js';

// Counting every row of a busy customer costs more than the whole evaluation, and no rule asks for more than this:
// past it the count says "at least".
const CAP = 100;

/** Counts over the transactions table itself: no counters that could drift, and exact for any past moment. */
@Injectable()
export class VelocityEvidence implements EvidenceProvider {
  readonly components = ['VELOCITY'] as const;

  constructor(private readonly uow: UnitOfWork) {}

  async contribute(batch: readonly OpenTransaction[]): Promise<readonly Contribution[]> {
    const keyed = batch.filter((transaction) => transaction.customerKey !== null);
    const counts = keyed.length === 0 ? new Map<string, number>() : await this.count(keyed);
    return batch.map((transaction) => contributionOf(transaction, counts.get(transaction.id)));
  }

  /** Earlier transactions of the same customer in (T - 24 h, T], ordered by (occurredAt, seq), this one excluded. */
  private async count(batch: readonly OpenTransaction[]): Promise<Map<string, number>> {
    // Not a named statement: planned on empty tables it would keep a bad plan.
    const rows: { id: string; count: number }[] = await this.uow.read(
      batch.map((transaction) => transaction.organisationId),
      (db) =>
        db.query(
          `SELECT s.id, v.count
       FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::timestamptz[], $5::bigint[])
         AS s (id, organisation_id, customer_key, occurred_at, seq)
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS count FROM (
           SELECT 1 FROM kyt_transactions t
           WHERE t.organisation_id = s.organisation_id AND t.customer_key = s.customer_key
             AND t.occurred_at > s.occurred_at - interval '24 hours'
             AND t.occurred_at <= s.occurred_at AND (t.occurred_at, t.seq) < (s.occurred_at, s.seq)
           LIMIT ${CAP + 1}) AS newest) AS v`,
          [
            sqlArray.plain(batch.map((transaction) => transaction.id)),
            sqlArray.plain(batch.map((transaction) => transaction.organisationId)),
            sqlArray.bytes(batch.map((transaction) => transaction.customerKey)),
            sqlArray.plain(batch.map((transaction) => transaction.occurredAt.toISOString())),
            sqlArray.plain(batch.map((transaction) => transaction.seq)),
          ],
        ),
    );
    return new Map(rows.map((row) => [row.id, row.count]));
  }
}

function contributionOf(transaction: OpenTransaction, count: number | undefined): Contribution {
  const found = { source: 'kyt_transactions', asOf: transaction.occurredAt.toISOString() };
  if (count === undefined) {
    const reason = 'NO_CUSTOMER_KEY';
    return {
      components: { VELOCITY: { ...found, state: 'MISSING_INPUT', reason } },
      customerCount24h: unknown(reason),
    };
  }
  return {
    components: { VELOCITY: { ...found, state: 'NO_HIT' } },
    customerCount24h: known(Math.min(count, CAP), count > CAP),
  };
}
