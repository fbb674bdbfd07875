/**
 * `npm run bench -- bytes [--rows=N] [--rate=N] [--receivers=N] [--detail] [--assert]`: the bytes that a transaction leaves
 * in PostgreSQL, by table and index, and the WAL that it writes, with its full-page images apart. Every customer of the
 * corpus is known before it counts. With receivers each event is delivered to so many endpoints.
 */
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, startGenerator } from './scenarios.mjs';
import { drained, sealed, withClient, Workbench } from './service.mjs';

const say = (text) => process.stdout.write(`${text}\n`);
const whole = (value) => Math.round(value).toLocaleString('en-US');
/** As many as the generator has different requests. */
const WARM_UP = 17_000;
const CONNECTIONS = 32;
/** Of the release that stored bodies, events and receipts as they were; `bytes` was written then. */
export const TARGETS = { stored: 0, wal: 0 };

/** Heap, TOAST and indexes of every table, by the name of what takes the room. */
const SIZES = `
  SELECT c.relname AS relation, 'heap' AS kind, c.relname AS owner, pg_relation_size(c.oid) AS bytes
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT c.relname || ' (TOAST)', 'toast', c.relname, pg_total_relation_size(c.reltoastrelid)
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.reltoastrelid <> 0
  UNION ALL
  SELECT i.relname, 'index', c.relname, pg_relation_size(i.oid)
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
  WHERE c.relnamespace = 'public'::regnamespace`;

const WAL_BY_RELATION = `
  SELECT coalesce(CASE WHEN t.relname IS NOT NULL THEN t.relname || ' (TOAST)' END, c.relname, '(gone)') AS relation,
         sum(b.block_data_length)::bigint AS data, sum(b.block_fpi_length)::bigint AS images
  FROM pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn) b
  LEFT JOIN pg_class c ON c.relfilenode = b.relfilenode
  LEFT JOIN pg_class t ON t.reltoastrelid = c.oid
  WHERE b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
  GROUP BY 1 ORDER BY sum(b.block_data_length) + sum(b.block_fpi_length) DESC`;

async function reading(client) {
  const { rows: sizes } = await client.query(SIZES);
  const { rows } = await client.query(
    `SELECT pg_current_wal_insert_lsn()::text AS lsn, (SELECT count(*)::int FROM kyt_evaluations) AS evaluations,
            (SELECT coalesce(sum(octet_length(transaction_id)), 0)::int FROM kyt_transactions) AS ids`,
  );
  return { sizes: new Map(sizes.map((row) => [row.relation, row])), ...rows[0] };
}

async function delivered(client) {
  for (;;) {
    const { rows } = await client.query(
      'SELECT EXISTS (SELECT FROM webhook_deliveries WHERE finished_at IS NULL) AS waiting',
    );
    if (!rows[0].waiting) return;
    await sleep(500);
  }
}

/** Sends so many transactions, and waits until nothing more follows from them. */
async function send(generator, client, target, tag, rows, rate) {
  const plan = { ...target, tag, rate, seconds: rows / rate };
  const result = await generator.ask(plan);
  await drained(client);
  await delivered(client);
  await sealed(client);
  return result.acknowledged;
}

/** Bytes and WAL of one transaction, measured over `rows` of them. */
export async function measureBytes({ rows = 20_000, rate = 400, receivers: count = 0 } = {}) {
  const bench = await Workbench.open();
  const generator = await startGenerator();
  const receivers = count > 0 ? await startChild('webhook-receivers.mjs', [String(count)]) : null;
  try {
    return await bench.withDatabase(async (database) => {
      await withClient(database.ownerUrl, (client) =>
        client.query(`UPDATE webhook_endpoints SET status = 'DISABLED', deleted_at = now()`),
      );
      if (receivers) {
        const publisher = await startChild('webhook-publisher.mjs', [], database.env);
        await publisher.ask({ action: 'endpoints', ports: receivers.ports });
        await publisher.stop();
      }
      const service = await bench.startProcess('all', database);
      try {
        return await withClient(database.ownerUrl, async (client) => {
          await client.query(`SET vigia.system = 'bench'; CREATE EXTENSION IF NOT EXISTS pg_walinspect`);
          const target = {
            port: service.port,
            path: '/kyt/transactions/ingest',
            headers: bench.headers,
            connections: CONNECTIONS,
          };
          await send(generator, client, target, '000001', WARM_UP, rate);
          await client.query('ANALYZE');
          await client.query('CHECKPOINT');
          const before = await reading(client);
          const acknowledged = await send(generator, client, target, '000002', rows, rate);
          const after = await reading(client);
          if (after.evaluations - before.evaluations !== acknowledged)
            throw new Error(`${after.evaluations - before.evaluations} of ${acknowledged} were evaluated`);
          const { rows: wal } = await client.query(WAL_BY_RELATION, [before.lsn, after.lsn]);
          const { rows: total } = await client.query('SELECT pg_wal_lsn_diff($2, $1)::float8 AS bytes', [
            before.lsn,
            after.lsn,
          ]);
          const grown = [...after.sizes.values()]
            .map((row) => ({
              ...row,
              each: (row.bytes - (before.sizes.get(row.relation)?.bytes ?? 0)) / acknowledged,
            }))
            .filter(({ each }) => each > 0);
          return {
            acknowledged,
            grown: grown.sort((a, b) => b.each - a.each),
            stored: grown.reduce((sum, { each }) => sum + each, 0),
            wal: total[0].bytes / acknowledged,
            images: wal.reduce((sum, { images }) => sum + Number(images), 0) / acknowledged,
            byRelation: wal.map(({ relation, data, images }) => ({
              relation,
              data: data / acknowledged,
              images: images / acknowledged,
            })),
          };
        });
      } catch (error) {
        process.stderr.write(`\nlast lines of the service:\n${service.logTail()}\n`);
        throw error;
      } finally {
        await service.stop();
      }
    });
  } finally {
    await receivers?.stop();
    await generator.stop();
    await bench.close();
  }
}

const MUCH = 20;

export async function bytesBench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '20000' },
      rate: { type: 'string', default: '400' },
      receivers: { type: 'string', default: '0' },
      detail: { type: 'boolean', default: false },
      assert: { type: 'boolean', default: false },
    },
  });
  const measured = await measureBytes({
    rows: Number(values.rows),
    rate: Number(values.rate),
    receivers: Number(values.receivers),
  });
  const { acknowledged, grown, stored, wal, images, byRelation } = measured;
  say(`\n${whole(acknowledged)} transactions, ${values.receivers} endpoint(s)\n`);
  say('| what | bytes per transaction |\n|---|---:|');
  for (const { relation, kind, each } of grown.filter(({ each: size }) => size >= MUCH))
    say(`| ${relation}${kind === 'index' ? ' (index)' : ''} | ${whole(each)} |`);
  for (const kind of ['heap', 'toast', 'index']) {
    const sum = grown.reduce((total, row) => total + (row.kind === kind ? row.each : 0), 0);
    say(`| all: ${kind} | ${whole(sum)} |`);
  }
  say(`| **stored** | ${whole(stored)} |`);
  say(`| **WAL** | ${whole(wal)} |`);
  say(`| of it full-page images | ${whole(images)} |`);
  if (values.detail) {
    say('\n| WAL of | records | images |\n|---|---:|---:|');
    for (const { relation, data, images: pages } of byRelation.filter((row) => row.data + row.images >= MUCH))
      say(`| ${relation} | ${whole(data)} | ${whole(pages)} |`);
  }
}
