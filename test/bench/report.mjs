/** Medians, verdicts and tables: figures in, text out. */
import os from 'node:os';
import { BATCH_SIZE, FIXED_RATE, LOAD, REFERENCE } from './scenarios.mjs';

const PROCESSES = { split: 'api + worker', all: 'one process' };
/** Kernel threads that write to the disk for the databases are strangers too; they take a few per cent. */
const QUIET = 0.1;

/** A figure that a round does not have is an empty cell. */
const number = (value, digits = 0) =>
  Number.isFinite(value)
    ? value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '';

/** `of` reads one round; a verdict is on the median, except where nothing may go wrong even once. */
const atLeast = (bound, scenario, title, of, digits = 0) => ({
  scenario,
  title,
  of,
  digits,
  required: `>= ${number(bound, digits)}`,
  value: median,
  isMet: (value) => value >= bound,
});
const atMost = (bound, scenario, title, of, digits = 0) => ({
  scenario,
  title,
  of,
  digits,
  required: `<= ${number(bound, bound % 1 === 0 ? 0 : digits)}`,
  value: median,
  isMet: (value) => value <= bound,
});
const never = (scenario, title, of) => ({
  ...atMost(0, scenario, title, of),
  value: (values) => Math.max(...values),
});

const targets = [
  atLeast(0.5, 'ingest', 'ingest, one per request, against bare Nest', (f) => f.ratio, 2),
  atLeast(1.5, 'batch', `ingest, batches of ${BATCH_SIZE}, against bare Nest`, (f) => f.ratio, 2),
  ...Object.entries(PROCESSES).flatMap(([scenario, how]) => [
    atLeast(3_500, scenario, `end to end per second, ${how}`, (f) => f.perSecond),
    atLeast(3_500 / REFERENCE.perSecond, scenario, `end to end against bare Nest, ${how}`, (f) => f.ratio, 2),
    atMost(400, scenario, `CPU us per transaction, ${how}`, (f) => f.cpuTotal),
    atMost(400 / REFERENCE.cpu, scenario, `CPU against that of bare Nest, ${how}`, (f) => f.cpuRatio, 1),
    never(scenario, `acknowledged and lost, ${how}`, (f) => f.lost),
  ]),
  atMost(25, 'latency', `acknowledged p99 ms at ${FIXED_RATE}/s`, (f) => f.ackP99, 1),
  atMost(120, 'latency', `completed p99 ms at ${FIXED_RATE}/s`, (f) => f.completedP99, 1),
  never('latency', `acknowledged and lost at ${FIXED_RATE}/s`, (f) => f.lost),
  atMost(25, 'share', 'acknowledged p99 ms at the same share', (f) => f.ackP99, 1),
  atMost(120, 'share', 'completed p99 ms at the same share', (f) => f.completedP99, 1),
  never('share', 'acknowledged and lost at the same share', (f) => f.lost),
  atMost(3, 'wait', 'decided in the call p99 against acknowledged p99', (f) => f.ackP99 / f.plainP99, 1),
  never('wait', 'acknowledged and lost, decided in the call', (f) => f.lost),
  never('wait', 'not decided in the call', (f) => f.undecided),
  ...['ingest', 'batch', 'latency', 'share', 'wait'].map((scenario) =>
    never(scenario, `refused requests, ${scenario}`, (f) => f.refused),
  ),
];

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Each round's figures against the bare Nest of the same round, so that a slow minute of the machine cancels out. */
export function withRatios(rounds) {
  return rounds.map((round) =>
    Object.fromEntries(
      Object.entries(round).map(([key, figures]) => [
        key,
        {
          ...figures,
          ratio: figures.perSecond / round.nest.perSecond,
          cpuRatio: figures.cpuTotal / round.nest.cpuTotal,
        },
      ]),
    ),
  );
}

export function judge(rounds) {
  return targets
    .filter(({ scenario }) => rounds[0][scenario] !== undefined)
    .map(({ scenario, title, of, digits, required, value, isMet }) => {
      const values = rounds.map((round) => of(round[scenario]));
      const decisive = value(values);
      const measured = number(decisive, digits);
      return {
        title,
        required,
        measured,
        values: values.map((v) => number(v, digits)),
        met: isMet(decisive),
      };
    });
}

function table(header, rows) {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

export function figuresTable(rounds, scenarios) {
  const header = [
    'median of the rounds',
    'per second',
    'of bare Nest',
    'ack p50 ms',
    'ack p99 ms',
    'others %',
  ];
  return table(
    header,
    scenarios.map(({ key, title }) => {
      const of = (read, digits) => number(median(rounds.map((round) => read(round[key]))), digits);
      return [
        title,
        of((f) => f.perSecond),
        of((f) => f.ratio, 2),
        of((f) => f.ackP50, 1),
        of((f) => f.ackP99, 1),
        of((f) => 100 * f.others, 0),
      ];
    }),
  );
}

/** CPU microseconds per transaction by kind of process. */
export function cpuTable(rounds, scenarios) {
  const node = ['http', 'nest', 'api', 'all'];
  const header = ['CPU us per transaction', 'server', 'worker', 'PostgreSQL', 'Redis', 'sum', 'generator'];
  return table(
    header,
    scenarios.map(({ key, title }) => {
      const of = (read) => number(median(rounds.map((round) => read(round[key]) ?? 0)));
      const kind = (name) => (rounds[0][key].cpu[name] === undefined ? '' : of((f) => f.cpu[name]));
      const server = node.find((name) => rounds[0][key].cpu[name] !== undefined);
      return [
        title,
        kind(server),
        kind('worker'),
        kind('postgres'),
        kind('redis'),
        of((f) => f.cpuTotal),
        of((f) => f.generatorCpu),
      ];
    }),
  );
}

/**
 * Returns the lines that do not fit the tables: the tail of the end-to-end runs, completion times, and whether the
 * machine was ours.
 */
export function detailLines(rounds) {
  const of = (key, read, digits) => number(median(rounds.map((round) => read(round[key]))), digits);
  const lines = [];
  for (const key of ['split', 'all'].filter((scenario) => rounds[0][scenario] !== undefined)) {
    lines.push(
      `- End to end, ${PROCESSES[key]}: ${of(key, (f) => f.ingestPerSecond)}/s acknowledged meanwhile, ` +
        `${of(key, (f) => f.drainSeconds, 1)} s from the last answer to the last evaluation, ` +
        `${of(key, (f) => f.refused)} requests refused.`,
    );
  }
  const fixed = { latency: `${FIXED_RATE}/s`, share: 'the same share of bare Nest' };
  for (const key of Object.keys(fixed).filter((scenario) => rounds[0][scenario] !== undefined)) {
    const p50 = of(key, (f) => f.completedP50, 1);
    lines.push(`- Completed at ${fixed[key]}: p50 ${p50} ms, p99 ${of(key, (f) => f.completedP99, 1)} ms.`);
  }
  if (rounds[0].wait !== undefined) {
    const [p50, p99] = ['ackP50', 'ackP99'].map((name) => of('wait', (f) => f[name], 1));
    const [plainP50, plainP99] = ['plainP50', 'plainP99'].map((name) => of('wait', (f) => f[name], 1));
    lines.push(
      `- Decided in the call at a tenth of bare Nest: p50 ${p50} ms, p99 ${p99} ms; ` +
        `acknowledged by the same processes at the same rate: p50 ${plainP50} ms, p99 ${plainP99} ms.`,
    );
  }
  const disturbed = Math.max(
    ...rounds.flatMap((round) => Object.values(round).map((figures) => figures.others)),
  );
  if (disturbed > QUIET) {
    lines.push(
      `- Not a quiet machine: strangers took up to ${number(100 * disturbed)} % of it, so the absolute figures are too low.`,
    );
  }
  return lines.join('\n');
}

export function targetsTable(verdicts) {
  return table(
    ['target', 'required', 'measured', 'rounds', 'verdict'],
    verdicts.map(({ title, required, measured, values, met }) => [
      title,
      required,
      measured,
      values.join('  '),
      met ? 'met' : 'MISSED',
    ]),
  );
}

export function machineLines(servers) {
  const [cpu] = os.cpus();
  const settings =
    servers === null
      ? []
      : [
          `- PostgreSQL ${servers.postgres.server_version}: ${list(servers.postgres, 'server_version')}`,
          `- Redis ${servers.redis.version}: ${list(servers.redis, 'version')}`,
        ];
  return [
    `- ${os.availableParallelism()} cores, ${cpu.model.trim()}; ${Math.round(os.totalmem() / 2 ** 30)} GiB; ${os.type()} ${os.release().split('-')[0]}`,
    `- Node ${process.version}`,
    ...settings,
    `- Load: ${LOAD}`,
  ].join('\n');
}

const list = (settings, ...without) =>
  Object.entries(settings)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name} ${value || '(none)'}`)
    .join(', ');
