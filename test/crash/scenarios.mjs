/**
 * Each scenario disturbs the service while integrators use it. It notes in `run.interruptions` its effect on the
 * evaluations, in `run.violations` events that must not happen, and returns its measurements.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from './stage.mjs';
import { waited } from './verdict.mjs';

const CONNECTIONS = 16;
const WAIT_MS = 3_000;
const RESUMES_WITHIN_MS = 15_000;
const BACK_WITHIN_MS = 5_000;
const CAUGHT_UP_MS = 2_000;
const CATCHES_UP_WITHIN_MS = 180_000;
const STOPS_WITHIN_MS = 10_000;
const ACCEPTED_WITHOUT_REDIS = 0.999;
const MAX_FLOODS = 20;

const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

async function underLoad({ integrators }, perSecond, work) {
  integrators.start({ connections: CONNECTIONS, perSecond });
  try {
    return await work();
  } finally {
    await integrators.stop();
  }
}

/** Nothing queued, nothing under way; what is dead-lettered is left for the verdict to find. */
async function drained({ stage }, timeoutMs = 300_000) {
  const begin = Date.now();
  const unfinished = `SELECT count(*)::int AS count FROM kyt_work WHERE status <> 'DEAD_LETTERED'`;
  await waitUntil(
    'everything is evaluated',
    async () => (await stage.query(unfinished))[0].count === 0,
    timeoutMs,
  );
  return Date.now() - begin;
}

/** Waits until everything is evaluated that was received before this moment. */
async function evaluatedThatCameBefore({ stage }, moment) {
  const waiting = `SELECT count(*)::int AS count FROM kyt_work w JOIN kyt_transactions t ON t.id = w.transaction_ref
                   WHERE t.received_at < to_timestamp($1 / 1000.0)`;
  await waitUntil(
    'the backlog is evaluated',
    async () => (await stage.query(waiting, [moment]))[0].count === 0,
    300_000,
  );
}

/** Waits until what came last is evaluated soon after it came: whoever came during the backlog waited behind it. */
async function caughtUp(run) {
  const begin = Date.now();
  for (;;) {
    const moment = Date.now();
    await evaluatedThatCameBefore(run, moment);
    if (Date.now() - moment < CAUGHT_UP_MS) return;
    if (Date.now() - begin > CATCHES_UP_WITHIN_MS) {
      late(run, `the queue has not caught up ${seconds(Date.now() - begin)} after the backlog`);
      return;
    }
  }
}

/** Milliseconds from each moment to the first evaluation after it, by the database. */
async function nextEvaluations({ stage }, moments) {
  const rows = await stage.query(
    `SELECT extract(epoch FROM (SELECT min(evaluated_at) FROM kyt_evaluations
              WHERE evaluated_at > to_timestamp(moment / 1000.0)))::float8 * 1000 - moment AS ms
     FROM unnest($1::float8[]) WITH ORDINALITY AS moments (moment, number) ORDER BY number`,
    [moments],
  );
  return rows.map(({ ms }) => ms ?? Infinity);
}

/**
 * From here on, what the killed or frozen worker held waits for somebody else. What is locked is left out: a frozen
 * worker is about to commit it, a killed one is not, and its locks are gone with its connections.
 */
async function noteHit({ stage, interruptions }, owner, at) {
  const rows = await stage.query(
    `SELECT transaction_ref AS ref FROM kyt_work WHERE status = 'PROCESSING' AND starts_with(lease_owner, $1 || ':')
     FOR UPDATE SKIP LOCKED`,
    [owner],
  );
  interruptions.hits.push({ at, refs: rows.map(({ ref }) => ref) });
  return rows.length;
}

async function kill(run, name) {
  const owner = run.stage.leaseOwner(name);
  const at = Date.now();
  await run.stage.kill9(name);
  const held = await noteHit(run, owner, at);
  return { at, held };
}

/** kill -9 by turns, each process started again at once; in the middle Redis is emptied under a backlog. */
export async function killByTurns(run, { kills, backlog, perSecond, pauseMs }) {
  const { stage, names, random, interruptions } = run;
  const downs = [];
  const flushes = [];
  let held = 0;
  await underLoad(run, perSecond, async () => {
    for (let turn = 1; turn <= kills; turn++) {
      await sleep(pauseMs * (0.2 + random()));
      const name = names[(turn - 1) % names.length];
      const killed = await kill(run, name);
      held += killed.held;
      if (turn === 2 * Math.ceil(kills / 4)) {
        flushes.push(await flushBacklog(run, backlog, killed.at, () => stage.start(name)));
        continue;
      }
      await stage.start(name);
      const down = { from: killed.at, to: Date.now() };
      downs.push(down);
      if (name !== 'api') interruptions.pauses.push(down);
    }
    await sleep(1_000);
  });
  const drainedMs = await drained(run);
  const waits = await nextEvaluations(
    run,
    downs.map(({ from }) => from),
  );
  // How long a process takes to start is the machine's affair, not the queue's.
  const without = waits.map((ms, at) => waited(downs[at].from, downs[at].from + ms, downs));
  const slowest = Math.max(...without);
  if (slowest > RESUMES_WITHIN_MS) late(run, `work resumed only ${seconds(slowest)} after a restart`);
  return [
    `${kills} x kill -9; ${held} transactions were in the hands of the killed workers`,
    `next evaluation after a kill: ${range(waits)}; without the restarts (${range(downs.map(({ from, to }) => to - from))}): ${range(without)}`,
    ...flushes,
    `drained ${seconds(drainedMs)} after the last integrator stopped`,
  ];
}

/**
 * Callers wait for decisions while of two APIs and two workers one after the other is killed, and Redis emptied. What they
 * were told must be what is read afterwards.
 */
export async function killWhileWaiting(run, { calls, perSecond, pauseMs, flushEvery }) {
  const { stage, integrators, random } = run;
  const names = ['api', 'worker', 'api-2', 'worker-2'];
  await Promise.all(names.slice(2).map((name) => stage.start(name)));
  const ports = [stage.port('api'), stage.port('api-2')];
  const before = integrators.acknowledged.size;
  const done = () => integrators.acknowledged.size - before;
  let [kills, held, flushes] = [0, 0, 0];
  integrators.start({ connections: 2 * CONNECTIONS, perSecond, waitMs: WAIT_MS, ports });
  try {
    while (done() < calls || kills < names.length) {
      await sleep(pauseMs * (0.2 + random()));
      const name = names[kills++ % names.length];
      held += (await kill(run, name)).held;
      if (kills % flushEvery === 0) {
        await flushAndRebuild(run);
        flushes += 1;
      }
      await stage.start(name);
    }
  } finally {
    await integrators.stop();
  }
  const drainedMs = await drained(run);
  const wrong = await integrators.contradicted();
  if (wrong.length > 0)
    run.violations.push(
      `${wrong.length} decisions told in the call are not what is read later (${wrong[0]})`,
    );
  if (integrators.decisions.size === 0) run.violations.push('nobody was told a decision in the call');
  for (const name of names.slice(2)) await stopOrderly(run, name);
  return [
    `${done()} calls, ${integrators.decisions.size} told the decision, ${wrong.length} of them another one than is read later`,
    `${kills} x kill -9 with ${held} transactions in hand, ${flushes} x FLUSHALL`,
    `drained ${seconds(drainedMs)} after the last integrator stopped`,
  ];
}

/** Empties Redis and waits until a worker has noticed: two that nobody saw apart would be one. */
async function flushAndRebuild(run) {
  const { stage } = run;
  const rebuilt = async () =>
    (
      await stage.query(`SELECT count(*)::int AS count FROM audit_entries WHERE action = 'ops.queue.rebuilt'`)
    )[0].count;
  const before = await rebuilt();
  await stage.flushRedis();
  run.flushes += 1;
  await waitUntil('the queue is rebuilt', async () => (await rebuilt()) > before);
}

/** The worker is frozen in the middle of its work; when it wakes, another one has taken over. */
export async function freezeWorker(run, { frozenMs, backlog }) {
  const { stage } = run;
  await stage.start('worker-2');
  const lines = [];
  await underLoad(run, 300, async () => {
    await sleep(1_000);
    const owner = stage.leaseOwner('worker');
    // One that was frozen while it waited for PostgreSQL gives the statement up when it wakes, and refuses nothing.
    let held = 0;
    let freezes = 0;
    do {
      held = await freezeHolding(run, owner, frozenMs);
      freezes += 1;
      await sleep(3_000);
    } while (held > 0 && freezes < 5 && (await fenced(run)) === 0);
    if (held === 0) run.violations.push('the worker was never frozen while it held a lease');
    if ((await fenced(run)) === 0) run.violations.push('no result of a frozen worker was refused');
    lines.push(
      `frozen ${freezes} x for ${seconds(frozenMs)}, at last with ${held} leases; ${await fenced(run)} results were refused`,
    );
    // Both workers frozen under a backlog, Redis emptied, both awake again: nobody is started anew.
    for (const name of ['worker', 'worker-2']) stage.signal(name, 'SIGSTOP');
    const stoppedAt = Date.now();
    for (const name of ['worker', 'worker-2']) await noteHit(run, stage.leaseOwner(name), stoppedAt);
    lines.push(
      await flushBacklog(run, backlog, stoppedAt, () => {
        for (const name of ['worker', 'worker-2']) stage.signal(name, 'SIGCONT');
      }),
    );
  });
  lines.push(`drained ${seconds(await drained(run))} after the last integrator stopped`);
  await stage.terminate('worker-2');
  return lines;
}

/** Freezes the worker in the middle of a batch: again and again until the frozen one holds leases, and then for so long. */
async function freezeHolding(run, owner, frozenMs) {
  const { stage } = run;
  let held = 0;
  for (let attempt = 1; held === 0 && attempt <= 200; attempt++) {
    stage.signal('worker', 'SIGSTOP');
    held = await noteHit(run, owner, Date.now());
    if (held > 0) await sleep(frozenMs);
    stage.signal('worker', 'SIGCONT');
    if (held === 0) await sleep(7);
  }
  return held;
}

async function fenced({ stage }) {
  const answer = await fetch(`http://127.0.0.1:${stage.port('worker')}/metrics`);
  return Number(/^vigia_kyt_fenced_total (\d+)/m.exec(await answer.text())?.[1] ?? 0);
}

/** With no worker at work: builds a backlog, empties Redis once its jobs are there, and lets the work begin again. */
async function flushBacklog(run, wanted, stoppedAt, resume) {
  const { stage, integrators } = run;
  let queued = 0;
  // The API evaluates some of what arrives itself, so that not all of it is queued.
  for (let round = 0; queued < wanted && round < MAX_FLOODS; round++) {
    await integrators.flood(wanted - queued);
    queued = await stage.queued();
  }
  if (queued < wanted) run.violations.push(`only ${queued} of ${wanted} were queued before FLUSHALL`);
  const outbox = `SELECT count(*)::int AS count FROM outbox WHERE created_at < now() - interval '1 second'`;
  // Jobs are announced in batches, so that a young backlog may have none yet.
  const isThere = async () => (await stage.query(outbox))[0].count === 0 && (await stage.waitingJobs()) > 0;
  await waitUntil('the backlog is in Redis', isThere);
  const jobs = await stage.waitingJobs();
  await stage.flushRedis();
  run.flushes += 1;
  await resume();
  const resumedAt = Date.now();
  await evaluatedThatCameBefore(run, resumedAt);
  const drainedMs = Date.now() - resumedAt;
  await caughtUp(run);
  // How long a backlog takes is a matter of the machine; that the work on it begins in time is not.
  run.interruptions.pauses.push({ from: stoppedAt, to: Date.now() });
  const [first] = await nextEvaluations(run, [resumedAt]);
  if (first > RESUMES_WITHIN_MS) late(run, `work resumed only ${seconds(first)} after FLUSHALL`);
  return (
    `FLUSHALL with ${queued} queued (${jobs} jobs in Redis): next evaluation ${seconds(first)} after the workers ` +
    `were back, all of them after ${seconds(drainedMs)}, caught up after ${seconds(Date.now() - resumedAt)}`
  );
}

/** PostgreSQL stops (or dies), and is back later: refused in between, never acknowledged, and then it goes on. */
export async function postgresAway(run, { downMs, how, perSecond }) {
  const { stage, integrators } = run;
  const lines = [];
  await underLoad(run, perSecond, async () => {
    await sleep(1_000);
    await (how === 'kill -9' ? stage.postgres.kill9() : stage.postgres.stop());
    const downAt = Date.now();
    await sleep(downMs);
    const backAt = Date.now();
    await stage.postgres.start();
    const upAt = Date.now();
    run.interruptions.pauses.push({ from: downAt, to: upAt });
    const acknowledgedAgain = await waitUntil('a transaction is acknowledged again', () =>
      integrators.answers.find(
        ({ sentAt, status }) => sentAt >= backAt && (status === 202 || status === 200),
      ),
    );
    const evaluatedMs = await waitUntil('a transaction is evaluated again', async () =>
      (await nextEvaluations(run, [upAt])).find((ms) => ms < Infinity),
    );
    const meanwhile = integrators.answers.filter(({ sentAt, at }) => sentAt > downAt && at < backAt);
    const slowest = Math.max(0, ...meanwhile.map(({ sentAt, at }) => at - sentAt));
    const wrong = meanwhile.filter(({ status }) => status !== 503);
    if (wrong.length > 0)
      run.violations.push(`${wrong.length} answers of ${wrong[0].status} while PostgreSQL was away`);
    if (meanwhile.length === 0) run.violations.push('nobody was answered while PostgreSQL was away');
    const backMs = Math.max(0, acknowledgedAgain.at - upAt);
    if (backMs > BACK_WITHIN_MS) late(run, `acknowledged again only after ${seconds(backMs)}`);
    if (evaluatedMs > BACK_WITHIN_MS) late(run, `evaluated again only after ${seconds(evaluatedMs)}`);
    lines.push(
      `${how}, away for ${seconds(downMs)}: ${meanwhile.length} x 503, the slowest after ${slowest} ms; back: ` +
        `acknowledged after ${seconds(backMs)}, evaluated after ${seconds(evaluatedMs)}`,
    );
  });
  lines.push(`drained ${seconds(await drained(run))} after the last integrator stopped`);
  return lines;
}

/** Redis dies; ingest goes on; a worker that is restarted meanwhile finds its way when Redis is back. */
export async function redisAway(run, { downMs, perSecond }) {
  const { stage, integrators } = run;
  const lines = [];
  await underLoad(run, perSecond, async () => {
    await sleep(1_000);
    await stage.redis.kill9();
    const downAt = Date.now();
    await sleep(downMs / 4);
    const restartedAt = Date.now();
    await stopOrderly(run, 'worker');
    await stage.start('worker');
    const restart = Date.now() - restartedAt;
    await sleep(Math.max(0, downAt + downMs - Date.now()));
    const queued = await stage.queued();
    await stage.redis.start();
    const upAt = Date.now();
    const statuses = integrators.statuses({ from: downAt, to: upAt });
    const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const share = ((statuses[202] ?? 0) + (statuses[200] ?? 0)) / total;
    if (!(share >= ACCEPTED_WITHOUT_REDIS))
      run.violations.push(`without Redis only ${(100 * share).toFixed(2)} % were accepted`);
    await evaluatedThatCameBefore(run, upAt);
    run.interruptions.pauses.push({ from: downAt, to: Date.now() });
    const [first] = await nextEvaluations(run, [upAt]);
    if (first > RESUMES_WITHIN_MS) late(run, `work resumed only ${seconds(first)} after Redis was back`);
    lines.push(
      `away for ${seconds(upAt - downAt)}, the worker restarted meanwhile within ${seconds(restart)}: ` +
        `${(100 * share).toFixed(2)} % of ${total} accepted; ` +
        `back: next evaluation after ${seconds(first)}, the ${queued} that waited within ${seconds(Date.now() - upAt)}`,
    );
  });
  lines.push(`drained ${seconds(await drained(run))} after the last integrator stopped`);
  return lines;
}

/** SIGTERM under load, as at every deployment: nobody who was being answered is cut off. */
export async function orderlyStops(run) {
  const { stage, integrators } = run;
  const lines = [];
  await underLoad(run, 300, async () => {
    for (const name of ['worker', 'api']) {
      await sleep(1_000);
      const at = Date.now();
      const { ms, exitCode } = await stopOrderly(run, name);
      const cutOff = integrators.answers.filter(
        ({ sentAt, at: end, status }) => status === 0 && sentAt < at && end >= at,
      );
      if (cutOff.length > 0)
        run.violations.push(`${cutOff.length} requests were cut off by SIGTERM to ${name}`);
      lines.push(
        `${name} stopped within ${seconds(ms)} of SIGTERM, exit code ${exitCode}, ${cutOff.length} requests cut off`,
      );
      run.interruptions.pauses.push({ from: at, to: Date.now() });
      await stage.start(name);
    }
  });
  lines.push(`drained ${seconds(await drained(run))} after the last integrator stopped`);
  return lines;
}

/** Too late is a violation in the whole form; in the short one the machine may be doing anything else as well. */
function late({ holdsTimes, violations, say }, text) {
  if (holdsTimes) violations.push(text);
  else say(`slow: ${text}`);
}

/** SIGTERM; whatever is away, a process ends in time and by itself. */
async function stopOrderly(run, name) {
  const ended = await run.stage.terminate(name);
  const text = `${name} ended ${seconds(ended.ms)} after SIGTERM with exit code ${ended.exitCode}`;
  if (ended.exitCode !== 0) run.violations.push(text);
  else if (ended.ms > STOPS_WITHIN_MS) late(run, text);
  return ended;
}

function range(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return `median ${seconds(sorted[Math.floor(sorted.length / 2)])}, slowest ${seconds(sorted.at(-1))}`;
}
