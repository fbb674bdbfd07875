import { execute, statement, type Reader, type Rows } from '../../../platform/database/index.js';

// Counting stops here: a larger exact number helps nobody and would be slow.
export const MAX_COUNTED = 10_000;

const BACKLOG = statement(
  'webhooks.endpoint-backlog',
  `SELECT count(*)::int AS waiting, min(created_at) AS since FROM (
     SELECT created_at FROM webhook_deliveries WHERE endpoint_id = $1 AND finished_at IS NULL
     ORDER BY wake_at LIMIT ${MAX_COUNTED}) d`,
  { waiting: 'integer', since: 'timestamptz | null' },
);

/** Counts the unfinished deliveries of an endpoint, up to MAX_COUNTED; `since` is when the oldest was created. */
export async function countBacklog(db: Reader, endpointId: string): Promise<Rows<typeof BACKLOG>> {
  const [row] = await execute(db, BACKLOG, [endpointId]);
  if (!row) throw new Error('a count returned no row');
  return row;
}
