/** Medians, verdicts and tables: figures in, text out. */
import os from 'node:os';
import { BATCH_SIZE, LOAD, LOW_RATES } from './scenarios.mjs';

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

const LOW = { low: 'api + worker', lowAll: 'one process' };
/** `of` of another scenario of the same round. */
const against = (other, read) => (f, round) => read(f) / read(round[other]);

/** Ratios of one round alone: to bare Nest, or of one scenario to another. */
const targets = [
  atLeast(0.5, 'ingest', 'ingest, one per request, against bare Nest', (f) => f.ratio, 2),
  atLeast(1.5, 'batch', `ingest, batches of ${BATCH_SIZE}, against bare Nest`, (f) => f.ratio, 2),
  ...Object.entries(PROCESSES).flatMap(([scenario, how]) => [
    atLeast(0.33, scenario, `end to end against bare Nest, ${how}`, (f) => f.ratio, 2),
    atMost(4.2, scenario, `CPU against that of bare Nest, ${how}`, (f) => f.cpuRatio, 1),
    never(scenario, `acknowledged and lost, ${how}`, (f) => f.lost),
  ]),
  atLeast(
    0.9,
    'all',
    'end to end, one process against api + worker',
    against('split', (f) => f.perSecond),
    2,
  ),
  atMost(
    0.5,
    'events',
    'CPU of an event against a transaction, api + worker',
    against('split', (f) => f.cpuTotal),
    2,
  ),
  atMost(
    1.2,
    'strangers',
    'CPU of strangers against known customers',
    against('split', (f) => f.cpuTotal),
    2,
  ),
  never('strangers', 'acknowledged and lost, strangers', (f) => f.lost),
  ...Object.entries(LOW).flatMap(([scenario, how]) => [
    atMost(
      1.3,
      scenario,
      `completed p50 against acknowledged p50 at 50/s, ${how}`,
      (f) => f.completedP50 / f.ackP50,
      2,
    ),
    ...LOW_RATES.map((rate) =>
      never(scenario, `acknowledged and lost at ${rate}/s, ${how}`, (f) => f.rates[rate].lost),
    ),
  ]),
  never('share', 'acknowledged and lost at a tenth of bare Nest', (f) => f.lost),
  atMost(2, 'first', 'acknowledged p99, first 2,000 against warm', (f) => f.ackP99 / f.warmP99, 2),
  ...Object.entries({ hotPayee: 'a hot payee', hotCustomer: 'a hot customer' }).flatMap(
    ([scenario, what]) => [
      atMost(2, scenario, `CPU of ${what} against ordinary`, (f) => f.cpuTotal / f.ordinaryCpu, 2),
      atMost(
        2,
        scenario,
        `CPU of ${what} against ordinary, vacuumed`,
        (f) => f.vacuumedCpu / f.ordinaryCpu,
        2,
      ),
    ],
  ),
  atMost(3, 'wait', 'decided in the call p99 against acknowledged p99', (f) => f.ackP99 / f.plainP99, 1),
  ...['closed', 'manyWaiting', 'wait'].flatMap((scenario) => [
    never(scenario, `acknowledged and lost, ${scenario}`, (f) => f.lost),
    never(scenario, `not decided in the call, ${scenario}`, (f) => f.undecided),
  ]),
  ...['ingest', 'batch', 'events', 'share', 'closed', 'wait'].map((scenario) =>
    never(scenario, `refused requests, ${scenario}`, (f) => f.refused),
  ),
];

/** Ratios of this tree to another release, measured by turns; `than` of each round. */
const LOW_FIGURES = [
  [0.35, 'completed p50', (f) => f.completedP50],
  [0.5, 'completed p99', (f) => f.completedP99],
  [0.4, 'CPU', (f) => f.cpuTotal],
];
const pairedTargets = [
  atLeast(1, 'ingest', 'ingest, one per request', (f) => f.perSecond, 2),
  atMost(1, 'ingest', 'acknowledged p99', (f) => f.ackP99, 2),
  atLeast(1, 'batch', `ingest, batches of ${BATCH_SIZE}`, (f) => f.perSecond, 2),
  atLeast(1.5, 'split', 'end to end', (f) => f.perSecond, 2),
  atMost(0.65, 'split', 'CPU per transaction', (f) => f.cpuTotal, 2),
  atLeast(1.5, 'all', 'end to end, one process', (f) => f.perSecond, 2),
  atLeast(2.2, 'strangers', 'end to end, strangers', (f) => f.perSecond, 2),
  ...Object.entries(LOW).flatMap(([scenario, how]) =>
    LOW_RATES.flatMap((rate) =>
      LOW_FIGURES.map(([bound, title, of]) =>
        atMost(bound, scenario, `${title} at ${rate}/s, ${how}`, (f) => of(f.rates[rate]), 2),
      ),
    ),
  ),
  atMost(1, 'share', 'acknowledged p99 at a tenth of bare Nest', (f) => f.ackP99, 2),
  atLeast(3, 'closed', 'callers who wait for each decision', (f) => f.perSecond, 2),
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

const verdictOn = ({ title, digits, required, value, isMet }, values) => ({
  title,
  required,
  measured: number(value(values), digits),
  values: values.map((v) => number(v, digits)),
  met: isMet(value(values)),
});

const measuredIn =
  (rounds) =>
  ({ scenario }) =>
    rounds[0][scenario] !== undefined;

export function judge(rounds) {
  return targets
    .filter(measuredIn(rounds))
    .filter(({ scenario, of }) => !Number.isNaN(of(rounds[0][scenario], { split: NOTHING, ...rounds[0] })))
    .map((target) =>
      verdictOn(
        target,
        rounds.map((round) => target.of(round[target.scenario], round)),
      ),
    );
}
/** Of a scenario that was left out: what compares with it is left out too. */
const NOTHING = { perSecond: NaN, cpuTotal: NaN };

/** Each round of this tree against the same round of the other. */
export function judgePairs(rounds, others) {
  return pairedTargets.filter(measuredIn(rounds)).map((target) =>
    verdictOn(
      target,
      rounds.map((round, at) => target.of(round[target.scenario]) / target.of(others[at][target.scenario])),
    ),
  );
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

const were = (rounds, scenarios) => scenarios.filter(({ key }) => rounds[0][key] !== undefined);

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
    were(rounds, scenarios).map(({ key, title }) => {
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
    were(rounds, scenarios).map(({ key, title }) => {
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

/** What a lone transaction waits and costs, rate by rate. */
export function lowTable(rounds) {
  const header = ['a second, of', 'ack p50', 'p99', 'completed p50', 'p99 ms', 'CPU us', 'of bare Nest'];
  const rows = Object.entries(LOW)
    .filter(([scenario]) => rounds[0][scenario] !== undefined)
    .flatMap(([scenario, how]) =>
      LOW_RATES.map((rate) => {
        const of = (read, digits) =>
          number(median(rounds.map((round) => read(round[scenario].rates[rate], round))), digits);
        return [
          `${rate}, ${how}`,
          ...['ackP50', 'ackP99', 'completedP50', 'completedP99'].map((name) => of((f) => f[name], 1)),
          of((f) => f.cpuTotal),
          of((f, round) => f.cpuTotal / round.nest.cpuTotal, 1),
        ];
      }),
    );
  return rows.length === 0 ? '' : table(header, rows);
}

/** What the servers were asked to do, per transaction. */
export function countsTable(rounds) {
  const header = [
    'per transaction',
    'statements',
    'commits',
    'rows written',
    'WAL bytes',
    'WAL records',
    'Redis commands',
  ];
  const row = (title, read) => {
    const of = (name, digits) => number(median(rounds.map((round) => read(round).counts[name])), digits);
    return [
      title,
      of('statements', 2),
      of('commits', 2),
      of('rows', 1),
      of('wal'),
      of('records', 1),
      of('redis', 2),
    ];
  };
  const rows = [
    ...['split', 'all', 'strangers']
      .filter((scenario) => rounds[0][scenario] !== undefined)
      .map((scenario) => row(`full load, ${PROCESSES[scenario] ?? scenario}`, (round) => round[scenario])),
    ...Object.entries(LOW)
      .filter(([scenario]) => rounds[0][scenario] !== undefined)
      .flatMap(([scenario, how]) =>
        LOW_RATES.map((rate) => row(`${rate}/s, ${how}`, (round) => round[scenario].rates[rate])),
      ),
  ];
  return rows.length === 0 ? '' : table(header, rows);
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
  if (rounds[0].share !== undefined) {
    const [p50, p99] = ['completedP50', 'completedP99'].map((name) => of('share', (f) => f[name], 1));
    lines.push(`- Completed at a tenth of bare Nest: p50 ${p50} ms, p99 ${p99} ms.`);
  }
  if (rounds[0].first !== undefined) {
    const [p50, p99] = ['ackP50', 'ackP99'].map((name) => of('first', (f) => f[name], 1));
    const [warmP50, warmP99] = ['warmP50', 'warmP99'].map((name) => of('first', (f) => f[name], 1));
    lines.push(
      `- The first 2,000 of a process, acknowledged: p50 ${p50} ms, p99 ${p99} ms; warm: p50 ${warmP50} ms, p99 ${warmP99} ms.`,
    );
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
