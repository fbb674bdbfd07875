import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import { execute, statement, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { ProviderUsageEntity } from './entities.js';

export interface CountedCall {
  readonly organisationId: string;
  readonly provider: string;
  readonly costMicros: number;
  readonly ms: number;
  /** The error code; null if the provider answered. */
  readonly failure: string | null;
}

// The first call of a day continues the count of consecutive failures of the day before.
const COUNT_CALL = statement(
  'providers.count-call',
  `INSERT INTO provider_usage AS u (organisation_id, provider, day, calls, failures, failures_in_row, cost_micros, total_ms,
       last_failure, last_failure_at, last_answer_at)
   SELECT $1, $2, (clock_timestamp() AT TIME ZONE 'America/Sao_Paulo')::date, 1, $5::int,
       CASE WHEN $5::int = 0 THEN 0 ELSE 1 + coalesce((SELECT p.failures_in_row FROM provider_usage p
         WHERE p.organisation_id = $1 AND p.provider = $2 ORDER BY p.day DESC LIMIT 1), 0) END,
       $3::bigint, $4::bigint, $6::text,
       CASE WHEN $5::int = 1 THEN clock_timestamp() END, CASE WHEN $5::int = 0 THEN clock_timestamp() END
   ON CONFLICT (organisation_id, provider, day) DO UPDATE SET
       calls = u.calls + 1, failures = u.failures + excluded.failures,
       failures_in_row = CASE WHEN excluded.failures = 0 THEN 0 ELSE u.failures_in_row + 1 END,
       cost_micros = u.cost_micros + excluded.cost_micros, total_ms = u.total_ms + excluded.total_ms,
       last_failure = coalesce(excluded.last_failure, u.last_failure),
       last_failure_at = coalesce(excluded.last_failure_at, u.last_failure_at),
       last_answer_at = coalesce(excluded.last_answer_at, u.last_answer_at)`,
);

/** Stores usage of providers per day. */
@Injectable()
export class ProviderUsageRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async recordCall(
    tx: Tx,
    { organisationId, provider, costMicros, ms, failure }: CountedCall,
  ): Promise<void> {
    const values = [organisationId, provider, costMicros, Math.round(ms), failure === null ? 0 : 1, failure];
    await execute(tx, COUNT_CALL, values);
  }

  /** Returns the usage since a day, the newest first. */
  async listSince(organisationId: string, day: string): Promise<ProviderUsageEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(ProviderUsageEntity, {
        where: { organisationId, day: MoreThanOrEqual(day) },
        order: { day: 'DESC' },
      }),
    );
  }
}
