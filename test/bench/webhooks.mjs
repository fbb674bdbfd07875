/**
 * `npm run bench -- webhooks`: deliveries per second of one process to local receivers, from the commit of the event to
 * the recorded answer, against a bare keep-alive POST loop; and how soon after its commit an event is on its way.
 * Options: --events=N (20,000), --receivers=N (8), --seconds=N (20) at 200 a second, --assert.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuBetween, readCpu } from './cpu.mjs';
import { withClient, Workbench } from './service.mjs';

const TARGET_PER_SECOND = 1_500;
const TARGET_P99_MS = 200;
const RATE = 200;
const BATCH = 50;
const WARM_UP_EVENTS = 2_000;
const CONNECTIONS = 8;
const DRAIN_TIMEOUT_MS = 300_000;

const say = (text) => process.stdout.write(`${text}\n`);
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

async function startChild(name, args = [], env = process.env) {
  const child = fork(file(name), args, { serialization: 'advanced', env });
  const ended = once(child, 'exit');
  const [hello] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`${name} ended`))),
  ]);
  return {
    ...hello,
    ask: async (plan) => {
      child.send(plan);
      const [answer] = await once(child, 'message');
      if (answer.error) throw new Error(answer.error);
      return answer.result;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function allDelivered(client, wanted) {
  for (const until = performance.now() + DRAIN_TIMEOUT_MS; ; await sleep(500)) {
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE status = 'DELIVERED')::int AS delivered,
              extract(epoch FROM min(created_at))::float8 AS began,
              extract(epoch FROM max(finished_at))::float8 AS ended, sum(attempts)::int AS attempts
       FROM webhook_deliveries`,
    );
    if (rows[0].delivered >= wanted) return rows[0];
    if (performance.now() > until) throw new Error(`${rows[0].delivered} of ${wanted} delivered in time`);
  }
}

const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];

export async function benchWebhooks(args) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string' },
      receivers: { type: 'string' },
      seconds: { type: 'string' },
      assert: { type: 'boolean', default: false },
    },
  });
  const { assert, ...given } = values;
  const sizes = Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Number(text)]));
  const { lines, met } = await measureDeliveries(sizes);
  say(`\n${lines.join('\n')}`);
  if (assert && !met) process.exitCode = 1;
}

/** Measures both figures; returns them in lines, and whether both targets are met. */
export async function measureDeliveries({
  events = 20_000,
  receivers: receiverCount = 8,
  seconds = 20,
} = {}) {
  const receivers = await startChild('webhook-receivers.mjs', [String(receiverCount)]);
  const bench = await Workbench.open();
  try {
    const poster = await startChild('webhook-poster.mjs');
    const bare = () =>
      poster.ask({ ports: receivers.ports, body: 'x'.repeat(520), seconds: 4, connections: CONNECTIONS });
    await bare();
    const ceilings = [await bare()];
    const flood = await measure(bench, receivers, async ({ publisher, client, pids }) => {
      await publisher.ask({ action: 'endpoints', ports: receivers.ports });
      // As many events as reach the number of deliveries: each goes to every endpoint.
      const warm = Math.ceil(WARM_UP_EVENTS / receivers.ports.length);
      await publisher.ask({ action: 'flood', events: warm, batch: BATCH });
      await allDelivered(client, warm * receivers.ports.length);
      await client.query('ANALYZE');
      await client.query('TRUNCATE webhook_attempts, webhook_deliveries');
      const count = Math.ceil(events / receivers.ports.length);
      const before = readCpu(pids);
      await publisher.ask({ action: 'flood', events: count, batch: BATCH });
      const times = await allDelivered(client, count * receivers.ports.length);
      const { kinds } = cpuBetween(before, readCpu(pids), os.cpus().length);
      return { ...times, cpu: kinds };
    });
    ceilings.push(await bare());
    await poster.stop();
    const perSecond = events / (flood.ended - flood.began);

    const latencies = await measure(bench, receivers, async ({ publisher, client }) => {
      await publisher.ask({ action: 'endpoints', ports: receivers.ports.slice(0, 1) });
      await publisher.ask({ action: 'pace', perSecond: RATE, seconds: 3 });
      await allDelivered(client, RATE * 3);
      await client.query('ANALYZE');
      await receivers.ask('reset');
      await publisher.ask({ action: 'pace', perSecond: RATE, seconds });
      await allDelivered(client, RATE * (3 + seconds));
      const arrived = new Map(await receivers.ask('arrivals'));
      const { rows } = await client.query(
        `SELECT 'evt_' || replace(id::text, '-', '') AS id, extract(epoch FROM created_at)::float8 * 1000 AS at FROM events`,
      );
      // created_at is just before the commit: the figures err on the high side.
      return rows
        .flatMap(({ id, at }) => (arrived.has(id) ? [arrived.get(id) - at] : []))
        .sort((a, b) => a - b);
    });

    const each = (kind) => Math.round(flood.cpu[kind] / events);
    const ceiling = Math.max(...ceilings);
    const p99 = percentile(latencies, 0.99);
    const load = os
      .loadavg()
      .map((one) => one.toFixed(1))
      .join(', ');
    return {
      met: perSecond >= TARGET_PER_SECOND && p99 < TARGET_P99_MS,
      lines: [
        `machine                    ${os.cpus().length} cores, load ${load} (1, 5, 15 min)`,
        `bare keep-alive POST loop  ${Math.round(ceiling).toLocaleString('en-US')}/s to ${receivers.ports.length} receivers, ${CONNECTIONS} connections each`,
        `deliveries, one process    ${Math.round(perSecond).toLocaleString('en-US')}/s (target ${TARGET_PER_SECOND.toLocaleString('en-US')}), ${events.toLocaleString('en-US')} deliveries, commit of the first event to the last recorded answer`,
        `ratio to the bare loop     ${(perSecond / ceiling).toFixed(3)}`,
        `CPU per delivery           service ${each('service')} us, PostgreSQL ${each('postgres')} us, Redis ${each('redis')} us`,
        `at ${RATE}/s, commit to arrival p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p95 ${percentile(latencies, 0.95).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (target < ${TARGET_P99_MS}), ${latencies.length} events`,
      ],
    };
  } finally {
    await receivers.stop();
    await bench.close();
  }
}

/** A fresh database, one process with all roles, and a publisher beside it. */
function measure(bench, receivers, work) {
  return bench.withDatabase(async (database) => {
    await withClient(database.ownerUrl, (client) =>
      client.query(`UPDATE webhook_endpoints SET status = 'DISABLED', deleted_at = now()`),
    );
    const service = await bench.startProcess('all', database);
    const publisher = await startChild('webhook-publisher.mjs', [], database.env);
    try {
      await receivers.ask('reset');
      return await withClient(database.ownerUrl, (client) =>
        work({ publisher, client, pids: { service: service.pid, ...bench.serverPids } }),
      );
    } catch (error) {
      process.stderr.write(`\nlast lines of the service:\n${service.logTail()}\n`);
      throw error;
    } finally {
      await publisher.stop();
      await service.stop();
    }
  });
}
