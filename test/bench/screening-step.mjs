/**
 * `npm run bench -- screening-step [--lists DIR] [--names N] [--transactions 10000]`: what the screening of a transaction
 * costs in the pipeline, in processor time of the service (search thread included) and of PostgreSQL. Every bench has a
 * made-up list of 20,000 names; `--lists` adds those of DIR (as in screening.mjs), `--names` a made-up one of N.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { transactionSource } from './corpus.mjs';
import { cpuBetween, readCpu } from './cpu.mjs';
import { personName, seeded } from './screening/names.mjs';
import { knownLists } from './screening-import.mjs';
import { root } from './release.mjs';
import { importList, importNames, withClient, Workbench } from './service.mjs';

const say = (text = '') => process.stdout.write(`${text}\n`);
const dist = (name) => import(path.join(root, 'dist/src', name));
// As many as the pipeline claims at a time.
const BATCH = 250;

/** An application of the service without its port and its jobs, in this process. */
async function services(database) {
  for (const [name, value] of Object.entries(database.env)) process.env[name] = value;
  const [{ AppModule }, { readSettings, Settings }, { StructuredLogger }, { NestFactory }] =
    await Promise.all([
      dist('app.module.js'),
      dist('platform/config/index.js'),
      dist('platform/telemetry/index.js'),
      import('@nestjs/core'),
      import('reflect-metadata'),
    ]);
  const settings = Settings.of({ ...readSettings(), role: 'api' });
  const logger = new StructuredLogger({ level: 'warn', file: null, name: 'bench', role: 'bench' });
  return NestFactory.createApplicationContext(AppModule.with(settings, logger), { logger });
}

export async function screeningStepBench(args) {
  const { values } = parseArgs({
    args,
    options: {
      lists: { type: 'string' },
      names: { type: 'string' },
      transactions: { type: 'string', default: '10000' },
    },
  });
  const count = Number(values.transactions);
  const bench = await Workbench.open();
  try {
    await bench.withDatabase(async (database) => {
      // The made-up list is there already, as in every bench; another size of it is another list beside.
      if (values.lists) await realLists(database, values.lists);
      if (values.names) await importNames(database.env, bench.dir, Number(values.names), 'more-names');
      const app = await services(database);
      try {
        await measureAll(app, bench, database, count);
      } finally {
        await app.close();
      }
    });
  } finally {
    await bench.close();
  }
}

async function realLists({ env }, directory) {
  for (const { file, options } of knownLists(directory)) await importList(env, file, ...options);
}

const demoApp = ({ ownerUrl }) =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT id, organisation_id AS organisation FROM client_apps WHERE client_id = 'demo-app'`,
    );
    return rows[0];
  });

async function measureAll(app, bench, database, count) {
  const [
    { ScreeningFactProvider },
    { SearchIndexService },
    { BlindIndex },
    { toSimulatedTransaction },
    { FactSheet, featureSchema },
  ] = await Promise.all([
    dist('features/kyt/facts/screening.fact-provider.js'),
    dist('features/screening/index.js'),
    dist('platform/privacy/index.js'),
    dist('features/kyt/domain/submission/simulated-event.js'),
    dist('features/rules/index.js'),
  ]);
  const { id: clientAppId, organisation: organisationId } = await demoApp(database);
  const keeper = app.get(SearchIndexService, { strict: false });
  while (keeper.readState(organisationId) !== 'READY') await sleep(50);
  const facts = app.get(ScreeningFactProvider, { strict: false });
  say(
    `${keeper
      .loadedLists(organisationId)
      .map(({ row }) => `${row.key}: ${row.entries}`)
      .join(', ')}\n\n` +
      '                                              us per transaction\n' +
      'traffic                                       service  PostgreSQL  hits',
  );
  const source = transactionSource(7);
  const usual = () => JSON.parse(source.next());
  const random = seeded(11);
  const strangers = () => {
    const body = usual();
    return {
      ...body,
      origin: { ...body.origin, name: personName(random, 'br') },
      destination: { ...body.destination, name: personName(random, 'br') },
    };
  };
  const index = app.get(BlindIndex, { strict: false });
  const open = (body) => {
    const receivedAt = new Date();
    const now = { ...body, occurredAt: receivedAt.toISOString() };
    return toSimulatedTransaction(index, { organisationId, clientAppId, body: now, receivedAt, seq: '1' });
  };
  for (const [title, next] of [
    ['5,000 customers, 8,000 payees, first time', usual],
    ['the same again', usual],
    ['the same again', usual],
    ['customers known, every name a new one', strangers],
    ['the same again', strangers],
  ]) {
    const batches = Array.from({ length: Math.ceil(count / BATCH) }, () =>
      Array.from({ length: BATCH }, () => open(next())),
    );
    const before = readCpu({ service: process.pid, postgres: bench.serverPids.postgres });
    let hits = 0;
    for (const batch of batches) {
      const parties = [];
      await facts.find(
        batch,
        batch.map(() => new FactSheet(featureSchema)),
        parties,
      );
      for (const one of parties) hits += one.hits.length;
    }
    const { kinds } = cpuBetween(
      before,
      readCpu({ service: process.pid, postgres: bench.serverPids.postgres }),
      1,
    );
    const each = (kind) => (kinds[kind] / (batches.length * BATCH)).toFixed(1);
    say(`${title.padEnd(45)} ${each('service').padStart(7)}  ${each('postgres').padStart(10)}  ${hits}`);
  }
}
