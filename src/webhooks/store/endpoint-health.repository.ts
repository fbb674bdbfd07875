import { Injectable } from '@nestjs/common';
import { execute, sqlArray, type Tx } from '../../database/index.js';
import type { Conclusion } from './deliveries.repository.js';
import { WOKEN_AT_ONCE } from './endpoints.repository.js';

/** An endpoint that failed just now, and since when it has done nothing else. */
export interface FailingEndpoint {
  readonly id: string;
  readonly failingSince: Date;
}

interface Tally {
  readonly organisationId: string;
  attempts: number;
  delivered: number;
  failed: number;
  exhausted: number;
  cancelled: number;
  durationMs: number;
  slowestMs: number;
}

// Longer than the longest wait of the schedule: an endpoint that nobody asked anything for two days is judged anew.
const FORGOTTEN_AFTER_SECONDS = 48 * 3_600;

const NOTE = {
  text: `WITH counted AS (
           INSERT INTO webhook_endpoint_hours AS h (endpoint_id, organisation_id, hour, attempts, delivered,
             failed_attempts, exhausted, cancelled, duration_ms, slowest_ms)
           SELECT endpoint_id, organisation_id, date_trunc('hour', $1::timestamptz, 'UTC'), attempts, delivered, failed,
             exhausted, cancelled, duration_ms, slowest_ms
           FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::bigint[],
             $10::int[]) AS s (endpoint_id, organisation_id, attempts, delivered, failed, exhausted, cancelled,
             duration_ms, slowest_ms)
           ORDER BY endpoint_id
           ON CONFLICT (endpoint_id, hour) DO UPDATE SET attempts = h.attempts + excluded.attempts,
             delivered = h.delivered + excluded.delivered, failed_attempts = h.failed_attempts + excluded.failed_attempts,
             exhausted = h.exhausted + excluded.exhausted, cancelled = h.cancelled + excluded.cancelled,
             duration_ms = h.duration_ms + excluded.duration_ms, slowest_ms = greatest(h.slowest_ms, excluded.slowest_ms)),
         well AS (
           UPDATE webhook_endpoints SET failing_since = NULL, held_until = NULL
           WHERE id = ANY ($11::uuid[]) AND (failing_since IS NOT NULL OR held_until IS NOT NULL)
           RETURNING id),
         woken AS (
           UPDATE webhook_deliveries SET wake_at = now() WHERE id IN (
             SELECT d.id FROM well w CROSS JOIN LATERAL (
               SELECT id FROM webhook_deliveries
               WHERE endpoint_id = w.id AND status = 'PENDING' AND due_at <= now() AND wake_at > now()
               LIMIT ${WOKEN_AT_ONCE} FOR UPDATE SKIP LOCKED) d))
         UPDATE webhook_endpoints
         SET failing_since = CASE
               WHEN failing_since IS NULL OR last_failure_at < $1::timestamptz - make_interval(secs => $13) THEN $1
               ELSE failing_since END,
             last_failure_at = $1
         WHERE id = ANY ($12::uuid[]) AND status <> 'DISABLED'
         RETURNING id, failing_since AS "failingSince"`,
};

/** How endpoints are doing: counters per hour, and since when one has only failed. */
@Injectable()
export class EndpointHealthRepository {
  /** Counts what was recorded, and returns the endpoints that did nothing but fail in it. */
  async note(tx: Tx, conclusions: readonly Conclusion[], now: Date): Promise<FailingEndpoint[]> {
    if (conclusions.length === 0) return [];
    const tallies = new Map<string, Tally>();
    for (const conclusion of conclusions) count(tallies, conclusion);
    const all = [...tallies].sort(([a], [b]) => (a < b ? -1 : 1));
    const of = (pick: (tally: Tally) => number): string =>
      sqlArray.plain(all.map(([, tally]) => pick(tally)));
    const ids = (which: (tally: Tally) => boolean): string =>
      sqlArray.plain(all.filter(([, tally]) => which(tally)).map(([id]) => id));
    return execute<FailingEndpoint>(tx, NOTE, [
      now.toISOString(),
      sqlArray.plain(all.map(([id]) => id)),
      sqlArray.plain(all.map(([, tally]) => tally.organisationId)),
      of((tally) => tally.attempts),
      of((tally) => tally.delivered),
      of((tally) => tally.failed),
      of((tally) => tally.exhausted),
      of((tally) => tally.cancelled),
      of((tally) => tally.durationMs),
      of((tally) => tally.slowestMs),
      ids((tally) => tally.delivered > 0),
      ids((tally) => tally.delivered === 0 && tally.failed > 0),
      FORGOTTEN_AFTER_SECONDS,
    ]);
  }
}

function count(tallies: Map<string, Tally>, { delivery, verdict, attempt }: Conclusion): void {
  const { endpointId, organisationId } = delivery;
  const tally = tallies.get(endpointId) ?? {
    organisationId,
    attempts: 0,
    delivered: 0,
    failed: 0,
    exhausted: 0,
    cancelled: 0,
    durationMs: 0,
    slowestMs: 0,
  };
  tallies.set(endpointId, tally);
  if (attempt) {
    tally.attempts += 1;
    tally.durationMs += attempt.durationMs;
    tally.slowestMs = Math.max(tally.slowestMs, attempt.durationMs);
    if (verdict.status !== 'DELIVERED') tally.failed += 1;
  }
  if (verdict.status === 'DELIVERED') tally.delivered += 1;
  if (verdict.status === 'EXHAUSTED') tally.exhausted += 1;
  if (verdict.status === 'CANCELLED') tally.cancelled += 1;
}
