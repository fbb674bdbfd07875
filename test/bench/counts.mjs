/** What the servers were asked to do, from their own statistics. */

/** A session tells its figures at most once a second. */
export const STATISTICS_DELAY_MS = 1_100;

/** Reads the counters of a database and of Redis. `pg_stat_statements` counts what a client sent, BEGIN and COMMIT too. */
export async function readCounts(client, redis) {
  const { rows } = await client.query(
    `SELECT (SELECT sum(calls)::float8 FROM pg_stat_statements WHERE dbid = oid) AS statements,
            xact_commit::float8 AS commits,
            (tup_inserted + tup_updated + tup_deleted)::float8 AS rows,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal,
            (SELECT wal_records::float8 FROM pg_stat_wal) AS records
     FROM pg_database JOIN pg_stat_database ON datid = oid WHERE pg_database.datname = current_database()`,
  );
  const [, commands] = /total_commands_processed:(\d+)/.exec(await redis.info('stats'));
  return { ...rows[0], redis: Number(commands) };
}

export const countsBetween = (before, after, transactions) =>
  Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / transactions]));
