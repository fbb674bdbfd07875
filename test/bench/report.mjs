/** Medians, targets and tables. Pure: figures in, text out. */
import os from 'node:os';
import { BATCH_SIZE, FIXED_RATE, LOAD } from './scenarios.mjs';

/** `of` reads one round; the verdict is on the median, or on the worst round where nothing may go wrong even once. */
const targets = [
  {
    scenario: 'ingest',
    title: 'ingest, one per request, against bare Nest',
    of: (f) => f.ratio,
    atLeast: 0.5,
    digits: 2,
  },
  {
    scenario: 'batch',
    title: `ingest, batches of ${BATCH_SIZE}, against bare Nest`,
    of: (f) => f.ratio,
    atLeast: 1.5,
    digits: 2,
  },
  ...['split', 'all'].flatMap((scenario) => {
    const how = scenario === 'split' ? 'api + worker' : 'one process';
    return [
      { scenario, title: `end to end per second, ${how}`, of: (f) => f.perSecond, atLeast: 3_500, digits: 0 },
      { scenario, title: `CPU us per transaction, ${how}`, of: (f) => f.cpuTotal, atMost: 400, digits: 0 },
      {
        scenario,
        title: `acknowledged and lost, ${how}`,
        of: (f) => f.lost,
        atMost: 0,
        digits: 0,
        worst: true,
      },
    ];
  }),
  {
    scenario: 'latency',
    title: `acknowledged p99 ms at ${FIXED_RATE}/s`,
    of: (f) => f.ackP99,
    atMost: 25,
    digits: 1,
  },
  {
    scenario: 'latency',
    title: `completed p99 ms at ${FIXED_RATE}/s`,
    of: (f) => f.completedP99,
    atMost: 120,
    digits: 1,
  },
  {
    scenario: 'latency',
    title: `acknowledged and lost at ${FIXED_RATE}/s`,
    of: (f) => f.lost,
    atMost: 0,
    digits: 0,
    worst: true,
  },
  ...['ingest', 'batch', 'latency'].map((scenario) => ({
    scenario,
    title: `refused requests, ${scenario}`,
    of: (f) => f.refused,
    atMost: 0,
    digits: 0,
    worst: true,
  })),
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
        { ...figures, ratio: figures.perSecond / round.nest.perSecond },
      ]),
    ),
  );
}

export function judge(rounds) {
  return targets
    .filter(({ scenario }) => rounds[0][scenario] !== undefined)
    .map(({ scenario, title, of, atLeast, atMost, digits, worst }) => {
      const values = rounds.map((round) => of(round[scenario]));
      const value = worst ? Math.max(...values) : median(values);
      const met = atLeast === undefined ? value <= atMost : value >= atLeast;
      const bound = atLeast === undefined ? `<= ${number(atMost)}` : `>= ${number(atLeast, digits)}`;
      return {
        title,
        bound,
        value: number(value, digits),
        values: values.map((v) => number(v, digits)),
        met,
      };
    });
}

/** A figure that a round does not have is an empty cell. */
const number = (value, digits = 0) =>
  Number.isFinite(value)
    ? value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '';

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
        key === 'latency' ? '' : of((f) => f.ratio, 2),
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

export function detailLines(rounds) {
  const of = (key, read, digits) => number(median(rounds.map((round) => read(round[key]))), digits);
  const has = (key) => rounds[0][key] !== undefined;
  return [
    ...[
      ['split', 'api + worker'],
      ['all', 'one process'],
    ]
      .filter(([key]) => has(key))
      .map(
        ([key, how]) =>
          `- End to end, ${how}: ${of(key, (f) => f.ingestPerSecond)}/s acknowledged meanwhile, ` +
          `${of(key, (f) => f.drainSeconds, 1)} s from the last answer to the last evaluation, ${of(key, (f) => f.refused)} requests refused.`,
      ),
    ...(has('latency')
      ? [
          `- Completed at ${FIXED_RATE}/s: p50 ${of('latency', (f) => f.completedP50, 1)} ms, p99 ${of('latency', (f) => f.completedP99, 1)} ms.`,
        ]
      : []),
  ].join('\n');
}

export function targetsTable(verdicts) {
  return table(
    ['target', 'required', 'measured', 'rounds', 'verdict'],
    verdicts.map(({ title, bound, value, values, met }) => [
      title,
      bound,
      value,
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
