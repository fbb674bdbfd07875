import {
  column,
  execute,
  notNullColumn,
  properties,
  statement,
  type Tx,
} from '../../../platform/database/index.js';
import { CustomerEntity } from './entities.js';

/** Merges of the last `$1` seconds. */
export const LATELY = statement(
  'customers.merged-lately',
  `SELECT c.organisation_id AS "organisationId", c.id AS "from", c.merged_into AS into,
          s.subject_index AS "subjectIndex",
          extract(epoch FROM clock_timestamp() - c.merged_at)::float8 AS "ageSeconds"
   FROM customers c JOIN customers s ON s.id = c.merged_into
   WHERE c.merged_at > now() - make_interval(secs => $1)`,
  {
    ...properties(CustomerEntity, 'organisationId', 'subjectIndex'),
    from: column(CustomerEntity, 'id'),
    into: notNullColumn(column(CustomerEntity, 'mergedInto')),
    ageSeconds: 'float8',
  },
);

/** Customers whose keys changed in the last `$1` seconds. */
export const REKEYED_LATELY = statement(
  'customers.rekeyed-lately',
  `SELECT id, keys_changed_at::text AS at FROM customers
   WHERE keys_changed_at > now() - make_interval(secs => $1)`,
  { ...properties(CustomerEntity, 'id'), at: 'text' },
);

const HAS_WRITTEN = statement(
  'customers.has-written',
  'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written',
  { written: 'boolean' },
);

/** True if this database transaction has written anything so far. */
export async function hasWritten(tx: Tx): Promise<boolean> {
  return (await execute(tx, HAS_WRITTEN, []))[0]?.written === true;
}
