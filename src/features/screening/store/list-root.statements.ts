import { execute, statement, type Reader } from '../../../platform/database/index.js';

// PostgreSQL needs 32 bytes of memory per entry.
const ROOT = statement(
  'screening.root-of-entries',
  `SELECT encode(sha256(coalesce(string_agg(sha256(uuid_send(id) || convert_to(entry_key, 'UTF8') || '\\x00'::bytea || content_hash
       || coalesce(convert_to(content, 'UTF8'), sealed)), ''::bytea ORDER BY id), ''::bytea)), 'hex') AS root
   FROM screening_entries
   WHERE organisation_id = $1 AND list_id = $2 AND from_sequence <= $3 AND (to_sequence IS NULL OR to_sequence > $3)`,
  { root: 'text' },
);

const CHANGES = statement(
  'screening.changes-of-entries',
  `SELECT concat_ws(' ', n_tup_ins, n_tup_upd, n_tup_del, relid) AS changes
   FROM pg_stat_user_tables WHERE relid = 'screening_entries'::regclass`,
  { changes: 'text' },
);

/** Returns one hash over all entries of a list in snapshot `sequence`. */
export async function computeRootOfEntries(
  db: Reader,
  organisationId: string,
  listId: string,
  sequence: number,
): Promise<string> {
  const [row] = await execute(db, ROOT, [organisationId, listId, sequence]);
  if (!row) throw new Error('an aggregate returned no row');
  return row.root;
}

/** Returns a text that changes with every write to the table of entries, by any writer. */
export async function readChangeMarker(db: Reader): Promise<string> {
  const [row] = await execute(db, CHANGES, []);
  return row?.changes ?? '';
}
