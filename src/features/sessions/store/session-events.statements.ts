import { execute, statement, type Reader } from '../../../platform/database/index.js';

const FIND_NEWEST_SEQUENCE = statement(
  'sessions.newest-event',
  `SELECT coalesce(max(sequence), 0)::int AS newest FROM events WHERE organisation_id = $1 AND resource_id = $2`,
  { newest: 'integer' },
);

/** Returns the sequence of the newest event of a session, 0 without one. */
export async function newestSequence(db: Reader, organisationId: string, sessionId: string): Promise<number> {
  const [row] = await execute(db, FIND_NEWEST_SEQUENCE, [organisationId, sessionId]);
  return row?.newest ?? 0;
}
