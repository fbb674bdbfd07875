/**
 * Part of `npm run test:all -- crash`: kills the service, PostgreSQL and Redis under load and counts what is lost. Exits
 * with 1 when one invariant does not hold. Options: --long (four times as many kills), --short (as in crash.spec.ts) or
 * --first (as in kill.spec.ts), --seed=N, --only=kills,wait,freeze,postgres,redis,stop.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../bench/corpus.mjs';
import { Integrators } from './integrators.mjs';
import {
  freezeWorker,
  killByTurns,
  killWhileWaiting,
  orderlyStops,
  postgresAway,
  redisAway,
} from './scenarios.mjs';
import { Stage } from './stage.mjs';
import { judge } from './verdict.mjs';

const say = (text) => process.stdout.write(`${text}\n`);

const usual = { kills: 5, calls: 2_500 };
const long = { kills: 20, calls: 10_000 };
const whole = ({ kills, calls }) => [
  [
    'kills',
    'Processes killed by turns',
    (run) => killByTurns(run, { kills, backlog: 12_000, perSecond: 300, pauseMs: 1_000 }),
  ],
  [
    'wait',
    'Processes killed while callers wait',
    (run) => killWhileWaiting(run, { calls, perSecond: 200, pauseMs: 1_000, flushEvery: 5 }),
  ],
  ['freeze', 'Worker frozen', (run) => freezeWorker(run, { frozenMs: 12_000, backlog: 5_000 })],
  [
    'postgres',
    'PostgreSQL stopped',
    (run) => postgresAway(run, { downMs: 5_000, how: 'stop', perSecond: 200 }),
  ],
  [
    'postgres',
    'PostgreSQL killed',
    (run) => postgresAway(run, { downMs: 2_000, how: 'kill -9', perSecond: 200 }),
  ],
  ['redis', 'Redis killed', (run) => redisAway(run, { downMs: 60_000, perSecond: 200 })],
  ['stop', 'Orderly stops', (run) => orderlyStops(run)],
];
const short = [
  [
    'kills',
    'Processes killed by turns',
    (run) => killByTurns(run, { kills: 4, backlog: 500, perSecond: 50, pauseMs: 600 }),
  ],
  [
    'postgres',
    'PostgreSQL killed',
    (run) => postgresAway(run, { downMs: 1_000, how: 'kill -9', perSecond: 50 }),
  ],
  ['redis', 'Redis killed', (run) => redisAway(run, { downMs: 3_000, perSecond: 50 })],
];
const first = [
  [
    'kills',
    'A process killed',
    (run) => killByTurns(run, { kills: 1, backlog: 0, perSecond: 50, pauseMs: 600 }),
  ],
];
// A short form does not wait for the leases of dead workers as long as the defaults make everybody wait.
const shortSettings = { PIPELINE_LEASE_MS: '2500', RECONCILE_INTERVAL_MS: '500' };
const firstSettings = { PIPELINE_LEASE_MS: '1000', RECONCILE_INTERVAL_MS: '200' };

/** These counts must be 0 at the end, in the order of the table. */
const invariants = {
  lost: 'acknowledged, but not stored',
  notEvaluated: 'stored, but not evaluated',
  evaluatedTwice: 'evaluated more than once',
  wrongQueuedEvents: 'without exactly one kyt.transaction.queued',
  wrongCompletedEvents: 'without exactly one kyt.transaction.pipeline.completed',
  otherEvents: 'with any other event',
  deadLettered: 'dead-lettered',
  incompleteTrails: 'whose audit trail is not COMPLETE',
  lateTransactions: 'that waited longer than 15 s, outages apart',
  lostEvents: 'events acknowledged, but not stored',
  strayEvents: 'events not stored exactly once with one entry',
};

function readOptions() {
  const { values } = parseArgs({
    options: {
      first: { type: 'boolean', default: false },
      short: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      seed: { type: 'string' },
      only: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
  if (!Number.isInteger(seed) || seed < 0) throw new Error('--seed is not a positive integer');
  const isShort = values.short || values.first;
  const all = values.first ? first : values.short ? short : whole(values.long ? long : usual);
  const only = values.only?.split(',');
  return {
    seed,
    scenarios: all.filter(([key]) => only?.includes(key) ?? true),
    // The first form is a test like others: it uses their servers, and starts as little as it can.
    names: values.first ? ['all'] : ['api', 'worker'],
    openStage: () =>
      values.first ? Stage.beside(process.env, firstSettings) : Stage.open(values.short ? shortSettings : {}),
    holdsTimes: !isShort,
    verbose: values.verbose,
  };
}

async function main() {
  const { seed, scenarios, names, openStage, holdsTimes, verbose } = readOptions();
  const begin = performance.now();
  say(`seed ${seed}`);
  const stage = await openStage();
  process.once('SIGINT', () => void stage.close().finally(() => process.exit(130)));
  try {
    await Promise.all(names.map((name) => stage.start(name)));
    const integrators = new Integrators({ port: stage.port(names[0]), headers: stage.headers, seed });
    const run = {
      stage,
      names,
      integrators,
      random: seededRandom(seed),
      interruptions: { hits: [], pauses: [] },
      violations: [],
      flushes: 0,
      holdsTimes,
      say,
    };
    for (const [, title, scenario] of scenarios) {
      const from = Date.now();
      const lines = await scenario(run);
      say(
        `\n${title} (${((Date.now() - from) / 1_000).toFixed(0)} s): ${statusLine(integrators.statuses({ from }))}`,
      );
      for (const line of lines) say(`  ${line}`);
    }
    await report(run, verbose);
  } finally {
    await stage.close();
  }
  say(`\n${((performance.now() - begin) / 1_000).toFixed(0)} s altogether`);
}

async function report(run, verbose) {
  const { stage, integrators, violations } = run;
  const { found, examples, longestWaitMs, outboxLeft } = await judge(stage, integrators, run.interruptions);
  say(
    `\n${integrators.acknowledged.size} and ${integrators.acknowledgedEvents.size} events acknowledged, ${found.stored} stored, ${statusLine(integrators.statuses())}`,
  );
  for (const [kind, text] of Object.entries(invariants)) {
    say(`${String(found[kind]).padStart(8)}  ${text}`);
    // The short form has no opinion on times.
    if (kind === 'lateTransactions' && !run.holdsTimes) continue;
    if (found[kind] > 0) violations.push(`${found[kind]} ${text} (${examples.get(kind)})`);
  }
  const [rebuilt] = await stage.query(
    `SELECT count(*)::int AS count FROM audit_entries WHERE action = 'ops.queue.rebuilt'`,
  );
  say(`${String(rebuilt.count).padStart(8)}  rebuilds of the queue recorded, ${run.flushes} x FLUSHALL`);
  say(
    `${(longestWaitMs / 1_000).toFixed(1).padStart(8)}  s the longest that a transaction waited, outages apart`,
  );
  if (found.stored !== integrators.acknowledged.size)
    violations.push('stored and acknowledged differ in number');
  if (rebuilt.count < run.flushes) violations.push('a rebuild of the queue is not in the audit trail');
  if (outboxLeft > 0) violations.push(`${outboxLeft} messages are left in the outbox`);
  for (const text of new Set(integrators.unexpected)) violations.push(`an integrator got ${text}`);
  if (verbose || violations.length > 0) {
    say('\nWhat the processes logged:');
    for (const line of stage.complaints().slice(0, 40)) say(`  ${line}`);
  }
  say('');
  for (const text of violations) say(`VIOLATED: ${text}`);
  if (violations.length > 0) process.exitCode = 1;
  else say('Nothing lost, nothing twice.');
}

const statusLine = (counts) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} x ${status === '0' ? 'no answer' : status}`)
    .join(', ');

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
