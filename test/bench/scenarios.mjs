/** The measurements. Each scenario starts its own processes, warms them up, measures once and stops them. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cpuBetween, readCpu } from './cpu.mjs';
import { countsBetween, STATISTICS_DELAY_MS } from './counts.mjs';
import { countLost, drained, lastEvaluatedAt, processingTimes, withClient } from './service.mjs';

const INGEST = '/kyt/transactions/ingest';
const CONNECTIONS = 64;
export const BATCH_SIZE = 500;
const BATCH_CONNECTIONS = 4;
/** What a lone integrator sends a second. */
export const LOW_RATES = [10, 50, 100];
/** Far more than a second of any release takes: strangers are made before they are sent. */
const STRANGERS_PER_SECOND = 4_000;
/** Who waits for each decision before sending the next. */
const WAITING_CALLERS = 16;
const MANY_WAITING_CALLERS = 1_000;
const FIRST_TRANSACTIONS = 2_000;
const FIRST_RATE = 200;
/** What a busy customer sends a second. */
const HOT_RATE = 50;
/** Sent at once before it counts: more rows of the key than windows read. */
const HOT_ROWS = { payee: 8_000, customer: 2_500 };
/** The latency of the service is compared at this share of bare Nest's throughput. */
export const SHARE = 0.1;
/** The longest that a caller can wait for a decision. */
const WAIT_MS = 10_000;
/** The ceilings get requests as long as the service's. */
const ECHO_HEADERS = { 'x-client-id': 'demo-app', 'x-client-secret': 'x'.repeat(43) };
/** Deferred work (sealing, deliveries) that follows the last evaluation is charged to the transactions as well. */
const SETTLE_MS = 1_000;

export const LOAD = `${CONNECTIONS} keep-alive connections; batches of ${BATCH_SIZE} over ${BATCH_CONNECTIONS} connections`;

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
let runs = 0;
const newTag = () => String(++runs).padStart(6, '0');

/** A child that talks over the IPC channel and ends with it. */
export async function startChild(name, args = [], env = process.env) {
  const child = fork(file(name), args, { serialization: 'advanced', env });
  const ended = once(child, 'exit');
  const [hello] = await once(child, 'message');
  return {
    pid: child.pid,
    ...hello,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
    ask: async (plan) => {
      child.send(plan);
      const answered = new AbortController();
      const [answer] = await Promise.race([
        once(child, 'message', { signal: answered.signal }),
        ended,
      ]).finally(() => answered.abort());
      if (answer?.result === undefined) throw new Error(answer?.error ?? `${name} ended`);
      return answer.result;
    },
  };
}

export const startGenerator = () => startChild('load.mjs');

/**
 * Runs the plan and accounts CPU until `settled`; the figures are per acknowledged transaction. With a counter also what the
 * servers were asked to do.
 */
async function measure(generator, pids, plan, settled = async () => {}, count = null) {
  // The generator is watched, so that its work is not taken for a stranger's, but it is not the service's cost.
  const watched = { ...pids, generator: generator.pid };
  const counted = await count?.();
  const before = readCpu(watched);
  const result = await generator.ask(plan);
  await settled();
  const cpu = cpuBetween(before, readCpu(watched), availableParallelism());
  if (count) await sleep(STATISTICS_DELAY_MS);
  const counts = count ? countsBetween(counted, await count(), result.acknowledged) : undefined;
  const each = (microseconds) => microseconds / result.acknowledged;
  const kinds = Object.fromEntries(Object.keys(pids).map((kind) => [kind, each(cpu.kinds[kind])]));
  return {
    result,
    figures: {
      perSecond: result.acknowledged / result.seconds,
      cpu: kinds,
      counts,
      cpuTotal: Object.values(kinds).reduce((sum, value) => sum + value, 0),
      generatorCpu: each(result.cpuMicroseconds),
      ackP50: result.latency.p50,
      ackP99: result.latency.p99,
      refused: Object.entries(result.statuses).reduce(
        (sum, [status, count]) => (/^2/.test(status) ? sum : sum + count),
        0,
      ),
      others: cpu.others + cpu.steal,
    },
  };
}

function ceiling(kind) {
  return async ({ generator, seconds, warmSeconds }) => {
    const server = await startChild('ceilings.mjs', [kind]);
    try {
      const plan = { port: server.port, path: INGEST, headers: ECHO_HEADERS, connections: CONNECTIONS };
      await generator.ask({ ...plan, tag: newTag(), seconds: warmSeconds });
      const { figures } = await measure(
        generator,
        { [kind]: server.pid },
        { ...plan, tag: newTag(), seconds },
      );
      return figures;
    } finally {
      await server.stop();
    }
  };
}

/** Starts the roles on a fresh database, warms up, and hands over what a measurement needs. */
function withService(roles, work) {
  return async ({ bench, generator, seconds, warmSeconds, round }) =>
    bench.withDatabase(async (database) => {
      const processes = [];
      try {
        for (const role of roles) processes.push(await bench.startProcess(role, database));
        const pids = {
          ...Object.fromEntries(processes.map(({ role, pid }) => [role, pid])),
          ...bench.serverPids,
        };
        const target = {
          port: processes[0].port,
          path: INGEST,
          headers: bench.headers,
          connections: CONNECTIONS,
        };
        return await withClient(database.ownerUrl, (client) => {
          const warmUp = async (plan) => {
            const { statuses, acknowledged } = await generator.ask({
              ...plan,
              ...(plan.strangers ? { strangers: warmSeconds * STRANGERS_PER_SECOND } : {}),
              tag: newTag(),
              seconds: warmSeconds,
            });
            if (acknowledged === 0)
              throw new Error(`nothing was accepted; statuses ${JSON.stringify(statuses)}`);
            if (!isApiOnly(roles)) await drained(client);
            // As autovacuum does within its first minute: plans made on empty tables would be measured otherwise.
            await client.query('ANALYZE');
            // The system writes what is half a minute old all at once: the warm-up's 100 MB would come during the
            // measurement, and every commit would wait for them.
            await promisify(execFile)('sync');
          };
          const count = bench.counter(client);
          return work({ bench, generator, pids, target, client, count, warmUp, seconds, round });
        });
      } catch (error) {
        for (const { role, logTail } of bench.closing ? [] : processes)
          process.stderr.write(`\nlast lines of ${role}:\n${logTail()}\n`);
        throw error;
      } finally {
        for (const { stop } of processes) await stop();
      }
    });
}

const isApiOnly = (roles) => roles.length === 1 && roles[0] === 'api';

const ingest = withService(['api'], async ({ generator, pids, target, warmUp, seconds }) => {
  await warmUp(target);
  const { figures } = await measure(generator, pids, { ...target, tag: newTag(), seconds });
  return figures;
});

const batch = withService(['api'], async ({ generator, pids, target, warmUp, seconds }) => {
  const plan = { ...target, path: `${INGEST}/batch`, batch: BATCH_SIZE, connections: BATCH_CONNECTIONS };
  await warmUp(plan);
  const { figures } = await measure(generator, pids, { ...plan, tag: newTag(), seconds });
  return figures;
});

/** Events of customers: acknowledged, and sealed in the audit log, is all there is to do. */
const events = withService(['api', 'worker'], async ({ generator, pids, target, count, warmUp, seconds }) => {
  const plan = { ...target, path: '/kyt/events', events: true };
  await warmUp(plan);
  const settled = () => sleep(SETTLE_MS);
  const { figures } = await measure(generator, pids, { ...plan, tag: newTag(), seconds }, settled, count);
  return figures;
});

const endToEnd = (roles, strangers = false) =>
  withService(roles, async ({ generator, pids, target, client, count, warmUp, seconds }) => {
    const plan = strangers ? { ...target, strangers: seconds * STRANGERS_PER_SECOND } : target;
    await warmUp(plan);
    const tag = newTag();
    const settled = async () => {
      await drained(client);
      await sleep(SETTLE_MS);
    };
    const { result, figures } = await measure(generator, pids, { ...plan, tag, seconds }, settled, count);
    const { acknowledged, lost } = await countLost(client, tag, result.acknowledgedRanges);
    const elapsed = ((await lastEvaluatedAt(client)) - result.startedAt) / 1_000;
    return {
      ...figures,
      perSecond: acknowledged / elapsed,
      ingestPerSecond: figures.perSecond,
      drainSeconds: Math.max(0, elapsed - result.seconds),
      lost,
    };
  });

/** An open loop: how long until it is acknowledged, and until it is evaluated. */
async function atRate({ generator, pids, target, client, count, seconds }, rate) {
  const tag = newTag();
  const plan = { ...target, rate, tag, seconds, keepLatencies: true };
  const { result, figures } = await measure(generator, pids, plan, () => drained(client), count);
  const { lost } = await countLost(client, tag, result.acknowledgedRanges);
  // Both spans contain the commit of the submission: the sum errs on the high side, never on the low one.
  const completed = (await processingTimes(client, tag))
    .map(({ sequence, ms }) => ms + result.latencies[sequence] / 1_000)
    .sort((a, b) => a - b);
  const at = (share) => completed[Math.ceil(share * completed.length) - 1];
  return { ...figures, completedP50: at(0.5), completedP99: at(0.99), lost };
}

const latency = withService(['api', 'worker'], async (given) => {
  await given.warmUp(given.target);
  return atRate(given, Math.round(SHARE * given.round.nest.perSecond));
});

/** Three rates, one after the other, of the same processes: what a lone transaction waits and costs. */
const low = (roles) =>
  withService(roles, async (given) => {
    await given.warmUp(given.target);
    const rates = {};
    for (const rate of LOW_RATES) rates[rate] = await atRate(given, rate);
    return { ...rates[LOW_RATES[1]], rates };
  });

/** A fresh process: its first transactions at a fixed rate, and as many of the same process when it is warm. */
const first = withService(['all'], async (given) => {
  const { generator, pids, target, client } = given;
  const plan = { ...target, rate: FIRST_RATE, count: FIRST_TRANSACTIONS };
  const cold = await measure(generator, pids, { ...plan, tag: newTag() }, () => drained(client));
  await given.warmUp(target);
  const warm = await measure(generator, pids, { ...plan, tag: newTag() }, () => drained(client));
  return { ...cold.figures, warmP50: warm.figures.ackP50, warmP99: warm.figures.ackP99 };
});

/** Callers who wait for each decision; of a release that cannot give it in the call they ask until they have it. */
const closed = (connections) =>
  withService(['api', 'worker'], async (given) => {
    const { bench, generator, pids, target, client, seconds } = given;
    const plan = bench.release.waits
      ? { ...target, path: `${INGEST}?wait=${WAIT_MS}`, connections }
      : { ...target, polls: true, connections };
    await given.warmUp(target);
    await given.warmUp(plan);
    const tag = newTag();
    const { result, figures } = await measure(generator, pids, { ...plan, tag, seconds }, () =>
      drained(client),
    );
    const { lost } = await countLost(client, tag, result.acknowledgedRanges);
    return { ...figures, undecided: bench.release.waits ? (result.statuses[202] ?? 0) : 0, lost };
  });

/**
 * At a tenth of bare Nest's throughput: the plain acknowledgement, and then the answer to callers who wait for the
 * decision, of the same processes. Who is not answered with a decision is counted.
 */
const wait = withService(
  ['api', 'worker'],
  async ({ generator, pids, target, client, warmUp, seconds, round }) => {
    const rate = Math.round(SHARE * round.nest.perSecond);
    const waiting = { ...target, path: `${INGEST}?wait=${WAIT_MS}` };
    await warmUp(target);
    await warmUp(waiting);
    const plain = await measure(generator, pids, { ...target, rate, tag: newTag(), seconds }, () =>
      drained(client),
    );
    const tag = newTag();
    const { result, figures } = await measure(generator, pids, { ...waiting, rate, tag, seconds }, () =>
      drained(client),
    );
    const { lost } = await countLost(client, tag, result.acknowledgedRanges);
    return {
      ...figures,
      plainP50: plain.figures.ackP50,
      plainP99: plain.figures.ackP99,
      undecided: result.statuses[202] ?? 0,
      lost,
    };
  },
);

/**
 * A key of many transactions, and ordinary ones of the same processes: three in ten go to one payee at full load, or all
 * are of one customer at a rate. The key has more rows than windows read, before a vacuum and after it.
 */
const hot = (kind) =>
  withService(['api', 'worker'], async (given) => {
    const { generator, pids, target, client, warmUp, seconds } = given;
    const plan = kind === 'customer' ? { ...target, rate: HOT_RATE } : target;
    const measured = (more) =>
      measure(generator, pids, { ...plan, ...more, tag: newTag(), seconds }, () => drained(client));
    await warmUp(target);
    const ordinary = await measured({});
    await generator.ask({ ...target, hot: kind, tag: newTag(), count: HOT_ROWS[kind] });
    await drained(client);
    const { figures } = await measured({ hot: kind });
    await client.query('VACUUM ANALYZE');
    const vacuumed = await measured({ hot: kind });
    return {
      ...figures,
      ordinaryCpu: ordinary.figures.cpuTotal,
      vacuumedCpu: vacuumed.figures.cpuTotal,
    };
  });

/** In the order in which each round runs them; `group` is what `--only` names. */
export const scenarios = [
  { key: 'http', group: 'ceilings', title: 'node:http, JSON echo', run: ceiling('http') },
  { key: 'nest', group: 'ceilings', title: 'bare Nest, JSON echo', run: ceiling('nest') },
  { key: 'ingest', group: 'ingest', title: 'ingest, one per request', run: ingest },
  { key: 'batch', group: 'batch', title: `ingest, batches of ${BATCH_SIZE}`, run: batch },
  { key: 'split', group: 'e2e', title: 'end to end, api + worker', run: endToEnd(['api', 'worker']) },
  { key: 'all', group: 'e2e', title: 'end to end, one process', run: endToEnd(['all']) },
  { key: 'events', group: 'events', title: 'events of customers, api + worker', run: events },
  {
    key: 'strangers',
    group: 'strangers',
    title: 'end to end, strangers',
    run: endToEnd(['api', 'worker'], true),
  },
  { key: 'low', group: 'low', title: '10, 50, 100/s, api + worker', run: low(['api', 'worker']) },
  { key: 'lowAll', group: 'low', title: '10, 50, 100/s, one process', run: low(['all']) },
  { key: 'share', group: 'latency', title: 'at a tenth of bare Nest', run: latency },
  {
    key: 'closed',
    group: 'closed',
    title: `${WAITING_CALLERS} callers who wait`,
    run: closed(WAITING_CALLERS),
  },
  {
    key: 'manyWaiting',
    group: 'closed',
    title: `${MANY_WAITING_CALLERS.toLocaleString('en-US')} callers who wait`,
    run: closed(MANY_WAITING_CALLERS),
  },
  { key: 'first', group: 'first', title: 'first 2,000 of a process, 200/s', run: first },
  { key: 'hotPayee', group: 'hot', title: 'three in ten to one payee', run: hot('payee') },
  { key: 'hotCustomer', group: 'hot', title: `one customer at ${HOT_RATE}/s`, run: hot('customer') },
  { key: 'wait', group: 'wait', title: 'decided in the call, at a tenth of it', run: wait },
];
