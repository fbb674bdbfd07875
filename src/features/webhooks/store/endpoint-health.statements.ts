import { appendClause, type ComposedEntry } from '../../audit/index.js';
import {
  column,
  columns,
  composite,
  idsClause,
  isIn,
  notNullColumn,
  unnested,
  value,
  type Clause,
  type RowsOf,
} from '../../../platform/database/index.js';
import { concludeClauses, type AttemptConclusion } from './deliveries.repository.js';
import { WOKEN_AT_ONCE } from './endpoint.statements.js';
import { WebhookEndpointEntity } from './entities.js';

// Time without attempts after which `failingSince` restarts. Longer than any delay of the retry schedule.
const FORGOTTEN_AFTER_SECONDS = 48 * 3_600;

const RESULTS = unnested<AttemptConclusion>(
  { uuid: ['delivery.id', 'delivery.endpointId', 'delivery.organisationId'], text: ['verdict.status'] },
  { int: { durationMs: ({ attempt }) => attempt?.durationMs ?? null } },
);
const TALLY_ATTEMPTS = `
  SELECT s.endpoint_id, s.organisation_id, count(s.duration_ms)::int AS attempts,
    (count(*) FILTER (WHERE s.status = 'DELIVERED'))::int AS delivered,
    (count(s.duration_ms) FILTER (WHERE s.status <> 'DELIVERED'))::int AS failed,
    (count(*) FILTER (WHERE s.status = 'EXHAUSTED'))::int AS exhausted,
    (count(*) FILTER (WHERE s.status = 'CANCELLED'))::int AS cancelled,
    coalesce(sum(s.duration_ms), 0) AS duration_ms, coalesce(max(s.duration_ms), 0) AS slowest_ms
  FROM ${RESULTS.from()}
  WHERE ${isIn('s.id', 'concluded')} GROUP BY 1, 2`;

const UPSERT_ENDPOINT_HOURS = `
  INSERT INTO webhook_endpoint_hours AS h (endpoint_id, organisation_id, hour, attempts, delivered, failed_attempts,
    exhausted, cancelled, duration_ms, slowest_ms)
  SELECT endpoint_id, organisation_id, date_trunc('hour', $1::timestamptz, 'UTC'), attempts, delivered, failed,
    exhausted, cancelled, duration_ms, slowest_ms
  FROM tallied ORDER BY endpoint_id
  ON CONFLICT (endpoint_id, hour, organisation_id) DO UPDATE SET attempts = h.attempts + excluded.attempts,
    delivered = h.delivered + excluded.delivered, failed_attempts = h.failed_attempts + excluded.failed_attempts,
    exhausted = h.exhausted + excluded.exhausted, cancelled = h.cancelled + excluded.cancelled,
    duration_ms = h.duration_ms + excluded.duration_ms, slowest_ms = greatest(h.slowest_ms, excluded.slowest_ms)`;

const MARK_WELL = `
  UPDATE webhook_endpoints SET failing_since = NULL, held_until = NULL
  WHERE id IN (SELECT endpoint_id FROM tallied WHERE delivered > 0)
    AND (failing_since IS NOT NULL OR held_until IS NOT NULL) RETURNING id`;

// First success after failures: announces due deliveries that were skipped while the breaker was open.
const WAKE_DELIVERIES = `
  UPDATE webhook_deliveries SET wake_at = now() WHERE id = ANY (ARRAY(
    SELECT d.id FROM well w CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id = w.id AND finished_at IS NULL AND status = 'PENDING' AND due_at <= now() AND wake_at > now()
      LIMIT ${WOKEN_AT_ONCE} FOR UPDATE SKIP LOCKED) d))`;

const MARK_ILL = `
  UPDATE webhook_endpoints
  SET failing_since = CASE
        WHEN failing_since IS NULL OR last_failure_at < $1::timestamptz - make_interval(secs => $2) THEN $1::timestamptz
        ELSE failing_since END,
      last_failure_at = $1::timestamptz
  WHERE id IN (SELECT endpoint_id FROM tallied WHERE delivered = 0 AND failed > 0) AND status <> 'DISABLED'
  RETURNING id, failing_since AS "failingSince"`;

/**
 * Clauses that update the statistics of endpoints for the results that the earlier clause `concluded` returned. `ill`
 * returns the endpoints of which every attempt in this batch failed.
 */
function healthClauses(conclusions: readonly AttemptConclusion[], now: Date): Clause[] {
  const at = now.toISOString();
  return [
    { name: 'tallied', text: TALLY_ATTEMPTS, values: RESULTS.arrays(conclusions) },
    { name: 'counted', text: UPSERT_ENDPOINT_HOURS, values: [at] },
    { name: 'well', text: MARK_WELL, values: [] },
    { name: 'woken', text: WAKE_DELIVERIES, values: [] },
    { name: 'ill', text: MARK_ILL, values: [at, FORGOTTEN_AFTER_SECONDS] },
  ];
}

interface HealthInput {
  readonly conclusions: readonly AttemptConclusion[];
  readonly now: Date;
}

/** Updates the statistics of endpoints for written results, and returns the endpoints of which every attempt failed. */
export const NOTE_HEALTH = composite('webhook-health', {
  clauses: ({ conclusions, now }: HealthInput) => [
    idsClause(
      'concluded',
      conclusions.map(({ delivery }) => delivery.id),
    ),
    ...healthClauses(conclusions, now),
  ],
  every: { conclusions: [[]], now: [new Date(0)] },
  result: 'SELECT * FROM ill',
  shape: {
    ...columns(WebhookEndpointEntity, 'id'),
    failingSince: notNullColumn(column(WebhookEndpointEntity, 'failingSince')),
  },
  prepared: false,
});

/** An endpoint whose newest attempts failed; `failingSince` is the first failure since its last success. */
export type FailingEndpoint = RowsOf<typeof NOTE_HEALTH>;

/** Writes results, audit entries and statistics; returns the written deliveries and the failing endpoints. */
export const RECORD = composite('webhook-record', {
  clauses: ({ conclusions, now, entries }: HealthInput & { readonly entries: readonly ComposedEntry[] }) => [
    ...concludeClauses(conclusions),
    appendClause(entries, 'concluded'),
    ...healthClauses(conclusions, now),
  ],
  every: { conclusions: [[]], now: [new Date(0)], entries: [[]] },
  result: `SELECT ARRAY (SELECT id FROM concluded) AS ids,
    coalesce((SELECT json_agg(ill) FROM ill), '[]') AS failing`,
  shape: {
    ids: 'uuid[]',
    failing: value<readonly { readonly id: string; readonly failingSince: string }[]>('json'),
  },
  prepared: false,
});
