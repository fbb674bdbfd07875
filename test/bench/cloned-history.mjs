/**
 * A history of any length out of a few thousand transactions that the service has stored: each is written again many times,
 * further back in time, under ids of its own, in every table that a transaction leaves rows in. Sizes, keys, scores and
 * receipts are those of true rows, and so are their shares; customers change with every fifty copies. What is sealed or
 * hashed under an id (bodies, events, chains, the tree of the log) stays that of the original: it neither opens nor verifies.
 */

/** The time of a UUIDv7 put back, and its last digits combined with the number of the copy. */
export const SHIFT = `CREATE FUNCTION pg_temp.shifted(id uuid, back bigint, copy bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(('x' || left(h, 12))::bit(48)::bigint - back), 12, '0') || substr(h, 13, 8)
    || lpad(to_hex(('x' || right(h, 12))::bit(48)::bigint # copy), 12, '0'))::uuid
  FROM replace(id::text, '-', '') AS h $$`;
const OTHER = `CREATE FUNCTION pg_temp.other(key bytea, copy bigint) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT substr(sha256(key || convert_to((copy / 50)::text, 'UTF8')), 1, 16) $$`;

/** Tables with the expressions in which a copy differs; `b.back` is a span in ms, `b.copy` counts from 1. */
const DIFFERENCES = {
  kyt_transactions: {
    id: 'pg_temp.shifted(s.id, b.back, b.copy)',
    transaction_id: `s.transaction_id || '-' || b.copy`,
    occurred_at: 's.occurred_at - b.span',
    received_at: 's.received_at - b.span',
    ...Object.fromEntries(
      ['document', 'customer', 'external', 'account', 'device', 'ip', 'counterparty'].map((name) => [
        `${name}_key`,
        `pg_temp.other(s.${name}_key, b.copy)`,
      ]),
    ),
  },
  kyt_evaluations: {
    transaction_ref: 'pg_temp.shifted(s.transaction_ref, b.back, b.copy)',
    evaluated_at: 's.evaluated_at - b.span',
  },
  events: {
    id: 'pg_temp.shifted(s.id, b.back, b.copy)',
    resource_id: 'pg_temp.shifted(s.resource_id, b.back, b.copy)',
    created_at: 's.created_at - b.span',
    position: `floor(s.position::float8 * ($4::bigint + 1 - b.copy) / ($4::bigint + 1))::bigint`,
  },
  webhook_deliveries: {
    id: 'time_ordered_uuid(pg_temp.shifted(s.event_id, b.back, b.copy), s.endpoint_id)',
    event_id: 'pg_temp.shifted(s.event_id, b.back, b.copy)',
    created_at: 's.created_at - b.span',
  },
  webhook_attempts: {
    delivery_id:
      'time_ordered_uuid(pg_temp.shifted((SELECT event_id FROM seed_webhook_deliveries d WHERE d.id = s.delivery_id), b.back, b.copy), (SELECT endpoint_id FROM seed_webhook_deliveries d WHERE d.id = s.delivery_id))',
    started_at: 's.started_at - b.span',
  },
  audit_entries: {
    subject_id: 'pg_temp.shifted(s.subject_id::uuid, b.back, b.copy)::text',
    canonical: `convert_to(replace(convert_from(s.canonical, 'UTF8'), s.subject_id, pg_temp.shifted(s.subject_id::uuid, b.back, b.copy)::text), 'UTF8')`,
    recorded_at: 's.recorded_at - b.span',
  },
  audit_leaves: {
    subject_id: 'pg_temp.shifted(s.subject_id::uuid, b.back, b.copy)::text',
    // Behind the leaves that are there, and among each other in the order of time.
    leaf_index: 's.leaf_index + ($4::bigint + 1 - b.copy) * 1000000000',
  },
};

const SEEDS = {
  kyt_transactions: 'id IN (SELECT transaction_ref FROM kyt_evaluations)',
  kyt_evaluations: 'true',
  events: `resource_type = 'transaction'`,
  webhook_deliveries: 'true',
  webhook_attempts: 'true',
  audit_entries: `subject_type IN ('transaction', 'delivery')`,
  audit_leaves: `subject_type IN ('transaction', 'delivery')`,
};

/**
 * Writes `rows` transactions over so many days before those that are there, and returns how many there are then. As the owner
 * of a database that is thrown away: triggers are switched off.
 */
export async function cloneHistory(client, { rows, days = 90, chunk = 20 }) {
  await client.query(`SET vigia.system = 'bench'; ${SHIFT}; ${OTHER}`);
  for (const [table, condition] of Object.entries(SEEDS)) {
    await client.query(`CREATE TEMP TABLE seed_${table} AS SELECT * FROM ${table} WHERE ${condition}`);
  }
  const { rows: counted } = await client.query('SELECT count(*)::int AS count FROM seed_kyt_transactions');
  const seeds = counted[0].count;
  if (seeds === 0) throw new Error('there is nothing that could be copied');
  const copies = Math.ceil(rows / seeds);
  await client.query('CREATE INDEX ON seed_webhook_deliveries (id)');
  await client.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_await_seal');
  const step = Math.floor((days * 86_400_000) / copies);
  for (let from = 1; from <= copies; from += chunk) {
    const to = Math.min(copies, from + chunk - 1);
    for (const [table, differences] of Object.entries(DIFFERENCES)) {
      const { rows: columns } = await client.query(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_name = $1 AND table_schema = 'public' AND is_generated = 'NEVER' AND is_identity = 'NO'
         ORDER BY ordinal_position`,
        [table],
      );
      const names = columns.map(({ name }) => name);
      await client.query(
        `INSERT INTO ${table} (${names.join(', ')})
         SELECT ${names.map((name) => differences[name] ?? `s.${name}`).join(', ')}
         FROM (SELECT copy, copy * $3::bigint AS back, make_interval(secs => copy * $3::bigint / 1000.0) AS span
               FROM generate_series($1::bigint, $2::bigint) AS copy WHERE $4::bigint > 0) b CROSS JOIN seed_${table} s
         ORDER BY b.copy DESC`,
        [from, to, step, copies],
      );
    }
  }
  // Where the log stood at which time.
  await client.query(`ALTER TABLE audit_checkpoints DISABLE TRIGGER USER`);
  await client.query(
    `WITH gone AS (DELETE FROM audit_checkpoints RETURNING *)
     INSERT INTO audit_checkpoints (organisation_id, incarnation, size, signed_at, root, note)
     SELECT g.organisation_id, 1, ($1::bigint + 1 - copy) * 1000000000, now() - make_interval(secs => copy * $2::bigint / 1000.0),
            g.root, g.note
     FROM (SELECT DISTINCT ON (organisation_id) * FROM gone ORDER BY organisation_id, size DESC) g
     CROSS JOIN generate_series(1, $1::bigint) AS copy`,
    [copies, step],
  );
  await client.query(`ALTER TABLE audit_checkpoints ENABLE TRIGGER USER`);
  await client.query('ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_await_seal');
  for (const table of Object.keys(SEEDS)) await client.query(`DROP TABLE seed_${table}`);
  await client.query('VACUUM (ANALYZE)');
  return seeds * (copies + 1);
}
