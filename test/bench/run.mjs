/**
 * `npm run bench`: measures the built service against its targets on this machine, load generator included.
 * `npm run bench -- screening …` measures screening alone (see screening.mjs), `-- screening-names` how names are told apart, `-- screening-step` what it costs a
 * transaction (screening-step.mjs), `-- screening-import` the import of real lists (screening-import.mjs).
 * `npm run bench -- rules` measures the rules (rules.mjs), `-- bytes` what a transaction stores and logs (bytes.mjs).
 * `npm run bench -- logins` measures ingest beside an attack on the login of operators (see logins.mjs).
 * `npm run bench -- promises` runs the tests that hold promised times, sizes and rates (promises.mjs).
 * `npm run bench -- first-decision` measures the time from a clone to the first decision (first-decision.mjs).
 * `npm run bench -- webhooks` measures deliveries alone (webhooks.mjs); the whole run ends with them.
 * `-- backtest` and `-- velocity` measure over a history of that many rows (see history.mjs).
 * Options: --quick, --only=GROUP,GROUP, --seconds=N, --rounds=N, --assert, --write (docs/performance.md),
 * --warm=N (seconds), --history=N (so many transactions of the last 90 days are there already, in every table that they
 * leave rows in: see cloned-history.mjs), --against=REF (another commit, checked out and built, by turns with this tree;
 * `reference` is the idiomatic program of `reference/main.ts`).
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  countsTable,
  cpuTable,
  detailLines,
  figuresTable,
  judge,
  judgePairs,
  lowTable,
  machineLines,
  targetsTable,
  withRatios,
} from './report.mjs';
import { lastFirstDecision } from './first-decision.mjs';
import { lastPromises } from './promises.mjs';
import { scenarios, startGenerator } from './scenarios.mjs';
import { reference } from './reference/release.mjs';
import { releaseOf, root, thisRelease } from './release.mjs';
import { Workbench } from './service.mjs';

const say = (text) => process.stdout.write(`${text}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      warm: { type: 'string' },
      history: { type: 'string' },
      against: { type: 'string' },
      assert: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const positive = (text, fallback) => {
    const number = Number(text ?? fallback);
    if (!Number.isInteger(number) || number < 1) throw new Error(`${text} is not a positive integer`);
    return number;
  };
  const groups = values.only?.split(',') ?? scenarios.map(({ group }) => group);
  const unknown = groups.find((group) => !scenarios.some((scenario) => scenario.group === group));
  if (unknown !== undefined)
    throw new Error(
      `--only knows ${[...new Set(scenarios.map(({ group }) => group))].join(', ')}, not ${unknown}`,
    );
  const seconds = positive(values.seconds, values.quick ? 5 : 15);
  return {
    // Bare Nest is the base of every ratio, so it always runs.
    chosen: scenarios.filter(({ group, key }) => groups.includes(group) || key === 'nest'),
    seconds,
    // Long enough that every request of the generator was sent once: the customers are known when it counts.
    warmSeconds: positive(values.warm, values.quick ? 8 : 18),
    rounds: positive(values.rounds, values.quick ? 1 : 3),
    history: values.history === undefined ? 0 : positive(values.history),
    against: values.against ?? null,
    quick: values.quick,
    assert: values.assert,
    write: values.write,
  };
}

/** Rounds of figures for each release; each scenario is measured of one after the other, bare Nest once. */
async function measureAll({ chosen, seconds, warmSeconds, rounds, history, against }, onCleanup) {
  const needsService = chosen.some(({ group }) => group !== 'ceilings');
  const releases = [
    thisRelease,
    ...(against ? [against === reference.name ? reference : releaseOf(against)] : []),
  ];
  const benches = [];
  for (const release of needsService ? releases : []) {
    const bench = await Workbench.open(release);
    benches.push(bench);
    onCleanup(() => bench.close());
  }
  const generator = await startGenerator();
  onCleanup(() => generator.stop());
  for (const bench of history > 0 ? benches : []) {
    const { fillHistory } = await import('./true-history.mjs');
    await fillHistory(bench, generator, history);
  }
  const results = releases.map(() => []);
  for (let round = 1; round <= rounds; round++) {
    const figures = releases.map(() => ({}));
    for (const { key, group, title, run } of chosen) {
      if (group === 'wait' && !releases.every(({ waits }) => waits)) continue;
      for (const at of releases.keys()) {
        // Who is first has the machine as the other left it; they take turns in that too.
        const turn = (at + round) % releases.length;
        if (group === 'ceilings' && at > 0) continue;
        const measured = await run({
          bench: benches[turn],
          generator,
          seconds,
          warmSeconds,
          round: figures[turn],
        });
        for (const each of group === 'ceilings' ? figures : [figures[turn]]) each[key] = measured;
        const rate = Math.round(measured.perSecond).toLocaleString('en-US').padStart(7);
        say(`round ${round}/${rounds}  ${title.padEnd(38)} ${rate}/s  ${against ? releases[turn].name : ''}`);
      }
    }
    for (const [at, each] of figures.entries()) results[at].push(each);
  }
  const [ours, theirs] = results.map(withRatios);
  return { rounds: ours, others: theirs ?? null, servers: (await benches[0]?.describe()) ?? null };
}

function report(options, { rounds, others, servers }, deliveries) {
  const verdicts = [...judge(rounds), ...(others ? judgePairs(rounds, others) : [])];
  const parts = {
    machine: machineLines(servers),
    rounds: String(options.rounds),
    seconds: String(options.seconds),
    warmSeconds: String(options.warmSeconds),
    targets: verdicts.length > 0 ? targetsTable(verdicts) : '',
    figures: figuresTable(rounds, options.chosen),
    cpu: cpuTable(rounds, options.chosen),
    low: lowTable(rounds),
    counts: countsTable(rounds),
    details: detailLines(rounds),
    deliveries: deliveries?.lines.join('\n') ?? '',
    firstDecision: lastFirstDecision(),
    promises: lastPromises(),
  };
  const heading = `${parts.machine}\n- ${options.rounds} round(s) of ${options.seconds} s after ${options.warmSeconds} s of warm-up; ${options.history.toLocaleString('en-US')} transactions of history`;
  const other = others
    ? [
        `The same of ${options.against}:`,
        figuresTable(others, options.chosen),
        cpuTable(others, options.chosen),
        lowTable(others),
        countsTable(others),
        detailLines(others),
        `This tree alone, and against ${options.against}, each round by itself:`,
      ]
    : [];
  say(
    `\n${[heading, parts.figures, parts.cpu, parts.low, parts.counts, parts.details, ...other, parts.targets, parts.deliveries].filter(Boolean).join('\n\n')}`,
  );
  if (options.write) {
    const template = fs.readFileSync(new URL('performance.template.md', import.meta.url), 'utf8');
    fs.mkdirSync(path.join(root, 'docs'), { recursive: true });
    fs.writeFileSync(
      path.join(root, 'docs/performance.md'),
      template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name]),
    );
    say('\nwritten: docs/performance.md');
  }
  return verdicts.every(({ met }) => met) && deliveries?.met !== false;
}

/** Webhook deliveries, which have servers of their own; null when only some scenarios are wanted. */
async function deliveriesOf({ chosen, quick, against }) {
  if (chosen.length < scenarios.length || against) return null;
  const { measureDeliveries } = await import('./webhooks.mjs');
  return measureDeliveries(quick ? { events: 8_000, seconds: 5 } : {});
}

async function main() {
  if (process.platform !== 'linux') throw new Error('the bench reads /proc and runs on Linux only');
  const options = readOptions();
  if (options.write && (options.chosen.length < scenarios.length || options.against))
    throw new Error('--write documents everything of this tree: leave out --only and --against');
  const cleanups = [];
  const cleanUp = async () => {
    while (cleanups.length > 0) await cleanups.pop()();
  };
  process.once('SIGINT', () => {
    interrupted = true;
    void cleanUp().finally(() => process.exit(130));
  });
  try {
    const measured = await measureAll(options, (cleanup) => cleanups.push(cleanup));
    await cleanUp();
    const met = report(options, measured, await deliveriesOf(options));
    if (options.assert && !met) process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}

let interrupted = false;
/** Benches of one part; they get the arguments after their name. */
const parts = {
  logins: async (argv) => (await import('./logins.mjs')).loginsBench(argv),
  screening: async (argv) => (await import('./screening.mjs')).screeningBench(argv),
  'screening-names': async (argv) => (await import('./screening-names.mjs')).screeningNamesBench(argv),
  'screening-import': async (argv) => (await import('./screening-import.mjs')).screeningImportBench(argv),
  'screening-step': async (argv) => (await import('./screening-step.mjs')).screeningStepBench(argv),
  backtest: async (argv) => (await import('./history.mjs')).backtestBench(argv),
  velocity: async (argv) => (await import('./history.mjs')).velocityBench(argv),
  bytes: async (argv) => (await import('./bytes.mjs')).bytesBench(argv),
  rules: async (argv) => (await import('./rules.mjs')).rulesBench(argv),
  promises: async (argv) => (await import('./promises.mjs')).promisesBench(argv),
  'first-decision': async (argv) => (await import('./first-decision.mjs')).firstDecisionBench(argv),
  webhooks: async (argv) => (await import('./webhooks.mjs')).benchWebhooks(argv),
};
const part = parts[process.argv[2]];
(part ? part(process.argv.slice(3)) : main()).catch((error) => {
  if (interrupted) return; // what was under way fails because it was stopped; the handler ends the process
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
