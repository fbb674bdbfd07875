import { execute, statement, type Reader, type Rows } from '../../../../platform/database/index.js';

const COUNT_BY_STATUS = statement(
  'kyt.work-by-status',
  `SELECT s.status, count(w.status)::int AS count
   FROM unnest(ARRAY['QUEUED', 'PROCESSING', 'DEAD_LETTERED']) AS s (status)
   LEFT JOIN kyt_work w ON w.status = s.status GROUP BY s.status`,
  { status: 'text', count: 'integer' },
);

const FIND_OLDEST_QUEUED = statement(
  'kyt.oldest-queued',
  `SELECT extract(epoch FROM now() - min(queued_at))::float AS age FROM kyt_work WHERE status <> 'DEAD_LETTERED'`,
  { age: 'float8 | null' },
);

/** Counts transactions without an evaluation, by status. */
export const countWorkByStatus = (db: Reader): Promise<Rows<typeof COUNT_BY_STATUS>[]> =>
  execute(db, COUNT_BY_STATUS, []);

/** Returns the age in seconds of the oldest queued transaction. */
export const readOldestQueuedAge = (db: Reader): Promise<Rows<typeof FIND_OLDEST_QUEUED>[]> =>
  execute(db, FIND_OLDEST_QUEUED, []);
