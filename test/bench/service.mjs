/** The stack, one fresh database per measurement, and the service's own processes. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ID_WIDTH } from './corpus.mjs';
import { readCounts } from './counts.mjs';
import { root, thisRelease } from './release.mjs';
import { personName, seeded } from './screening/names.mjs';
import { reservedPort } from '../support/ports.mjs';

const READY_TIMEOUT_MS = 60_000;
const DRAIN_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 200;
/** The demo application's own limit would be what is measured; nothing is switched off, the bucket is only larger. */
const RATE_LIMIT = 1_000_000;

let opened = 0;
const newKey = () => randomBytes(32).toString('base64');

function inDatabase(url, database) {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
}

export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** So many names are on the lists of sanctions together that an institution has to screen against. */
const LISTED_NAMES = 20_000;
/** Whom those lists name; a list of people of the bench's own region would be a list of namesakes. */
const LISTED_REGIONS = ['ar', 'sl', 'as', 'es', 'en'];

/** Imports a list of made-up persons for the demo organisation, by the command line. */
export async function importNames(env, dir, count, key, release = thisRelease) {
  const random = seeded(20_261_120);
  const lines = Array.from(
    { length: count },
    (_, at) => `n${at};${personName(random, random.pick(LISTED_REGIONS))};PERSON`,
  );
  const file = path.join(dir, `${key}.csv`);
  fs.writeFileSync(file, ['key;name;kind', ...lines, ''].join('\n'));
  const options = ['--list', key, '--format', 'HOUSE_CSV', '--kind', 'SANCTIONS'];
  const { code, printed } = await importListWith(release, env, file, ...options);
  if (code !== 0) throw new Error(`the made-up list was not imported: ${printed}`);
}

/** Imports a list by the command line; the exit code and what it printed. A refusal is an answer too. */
export const importList = (env, file, ...options) => importListWith(thisRelease, env, file, ...options);

async function importListWith(release, env, file, ...options) {
  const child = spawn(
    process.execPath,
    [path.join(release.dist, 'cli/main.js'), 'lists', 'import', file, ...options],
    { env, cwd: release.root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  const [code] = await once(child, 'close');
  return { code, printed };
}

/** PostgreSQL and Redis on a durable disk, a migrated and seeded template database, and the demo client. */
export class Workbench {
  #stack;
  #redis;
  #env;
  #databases = 0;
  #processes = new Set();
  closing = false;

  static async open(release = thisRelease) {
    const { startStack, sweepAbandoned } = await import(path.join(root, 'dist/launcher/stack.js'));
    // Beside the service's own data, not in the temporary folder: that may be memory, where a commit costs nothing.
    const parent = path.join(root, '.data');
    fs.mkdirSync(parent, { recursive: true });
    await sweepAbandoned(parent, 'bench-');
    const dir = path.join(parent, `bench-${process.pid}-${++opened}`);
    const stack = await startStack({
      dir,
      cacheDir: path.join(parent, 'cache'),
      durable: true,
      quiet: true,
      countStatements: true,
    });
    const bench = new Workbench(release, dir, stack);
    try {
      if (stack.redis === null)
        throw new Error('the bench needs Redis: two processes cannot share work without it');
      await bench.#prepare();
    } catch (error) {
      await bench.close();
      throw error;
    }
    return bench;
  }

  constructor(release, dir, stack) {
    this.release = release;
    this.dir = dir;
    this.#stack = stack;
    this.#env = {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      REDIS_URL: stack.redisUrl ?? '',
      DATA_DIR: dir,
      KEY_RING: `bench:${newKey()}`,
      AUDIT_KEYS: `bench:${newKey()}`,
      INDEX_KEY: newKey(),
      CLIENT_SECRET_PEPPER: newKey(),
    };
  }

  /** The database that `withDatabase` copies. */
  get template() {
    return { ownerUrl: this.#stack.ownerUrl, env: this.#envFor(this.#stack.ownerUrl, this.#stack.appUrl) };
  }

  /** What the servers are asked to do meanwhile. */
  counter(client) {
    return () => readCounts(client, this.#redis);
  }

  get serverPids() {
    return { postgres: this.#stack.postgres.pid, redis: this.#stack.redis.pid };
  }

  async #prepare() {
    this.#redis = new Redis(this.#stack.redisUrl);
    await this.#asOwner('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const { ownerUrl, appUrl } = this.#stack;
    if (this.release.views) {
      const making = { ...this.#envFor(ownerUrl, ownerUrl), SYNCHRONIZE: 'true' };
      const { stop } = await this.startProcess('api', { env: making });
      await stop();
      await this.#asOwner(this.release.views);
      this.headers = {};
      return;
    }
    const env = this.#envFor(ownerUrl, appUrl);
    for (const command of ['migrate', 'seed-demo']) {
      await promisify(execFile)(process.execPath, [path.join(this.release.dist, 'cli/main.js'), command], {
        env,
        cwd: this.release.root,
      });
    }
    await importNames(env, this.dir, LISTED_NAMES, 'made-up-names', this.release);
    const { clientId, clientSecret } = JSON.parse(
      fs.readFileSync(path.join(this.dir, 'demo-credentials.json'), 'utf8'),
    );
    this.headers = { 'x-client-id': clientId, 'x-client-secret': clientSecret };
    await this.#asOwner(
      `UPDATE client_apps SET rate_limit_per_second = ${RATE_LIMIT}, rate_limit_burst = ${RATE_LIMIT}`,
    );
  }

  #asOwner(text) {
    return withClient(this.#stack.ownerUrl, (client) => client.query(text));
  }

  #envFor(ownerUrl, appUrl) {
    return { ...this.#env, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl };
  }

  /** Lends a copy of the template database; every measurement begins with the same tables and an empty Redis. */
  async withDatabase(work) {
    const name = `bench_${++this.#databases}`;
    const template = new URL(this.#stack.ownerUrl).pathname.slice(1);
    const maintenance = inDatabase(this.#stack.ownerUrl, 'postgres');
    await withClient(maintenance, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
    await this.#redis.flushall();
    try {
      const ownerUrl = inDatabase(this.#stack.ownerUrl, name);
      // A folder of its own as well: the anchors of another database's log would stop the sealing of this one.
      const dataDir = path.join(this.dir, name);
      fs.mkdirSync(dataDir);
      const env = { ...this.#envFor(ownerUrl, inDatabase(this.#stack.appUrl, name)), DATA_DIR: dataDir };
      return await work({ ownerUrl, env });
    } finally {
      await withClient(maintenance, async (client) => {
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
        // Pages dirtied by one measurement must not be written out during the next one.
        await client.query('CHECKPOINT');
      });
    }
  }

  /** Starts `dist/src/main.js` in a role, its log in a file; resolves when it is ready. */
  async startProcess(role, database) {
    const port = await reservedPort();
    const logFile = path.join(this.dir, `${role}.log`);
    const log = fs.openSync(logFile, 'w');
    const { main, nodeFlags, root: cwd } = this.release;
    const child = spawn(process.execPath, [...nodeFlags, main], {
      cwd,
      env: { ...database.env, ROLE: role, PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    const ended = once(child, 'exit');
    const stop = async () => {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(killer);
      this.#processes.delete(stop);
    };
    this.#processes.add(stop);
    try {
      await waitUntil(READY_TIMEOUT_MS, `${role} is not ready`, () => {
        if (child.exitCode !== null) throw new Error(`${role} ended at once:\n${tail(logFile)}`);
        return isReady(port);
      });
    } catch (error) {
      await stop();
      throw error;
    }
    return { role, pid: child.pid, port, stop, logTail: () => tail(logFile) };
  }

  async describe() {
    const settings = [
      'server_version',
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'shared_buffers',
      'max_wal_size',
      'wal_compression',
    ];
    const postgres = await withClient(this.#stack.ownerUrl, async (client) => {
      const { rows } = await client.query(
        'SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY($1)',
        [settings],
      );
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    });
    const info = await this.#redis.info('server');
    const [, appendonly] = await this.#redis.config('GET', 'appendonly');
    const [, appendfsync] = await this.#redis.config('GET', 'appendfsync');
    return { postgres, redis: { version: /redis_version:(\S+)/.exec(info)[1], appendonly, appendfsync } };
  }

  async close() {
    this.closing = true;
    await Promise.all([...this.#processes].map((stop) => stop()));
    this.#redis?.disconnect();
    await this.#stack.discard();
  }
}

const tail = (file) => fs.readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');

async function isReady(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false; // not listening yet; the caller has the timeout
  }
}

async function waitUntil(timeoutMs, message, condition) {
  for (const deadline = performance.now() + timeoutMs; !(await condition()); await sleep(POLL_MS)) {
    if (performance.now() > deadline) throw new Error(`${message} after ${timeoutMs / 1_000} s`);
  }
}

/** Waits until nothing is queued or under way; what is dead-lettered is left for the count to find. */
export async function drained(client) {
  await waitUntil(DRAIN_TIMEOUT_MS, 'transactions are still waiting', async () => {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT FROM kyt_work WHERE status <> 'DEAD_LETTERED') AS waiting`,
    );
    return !rows[0].waiting;
  });
}

/** Waits until every entry has its place in the log. */
export async function sealed(client) {
  await waitUntil(DRAIN_TIMEOUT_MS, 'entries are still waiting for their seal', async () => {
    const { rows } = await client.query('SELECT EXISTS (SELECT FROM audit_pending) AS waiting');
    return !rows[0].waiting;
  });
}

/** When the last evaluation was written, in milliseconds since 1970 by the database's clock. */
export async function lastEvaluatedAt(client) {
  const { rows } = await client.query(
    'SELECT extract(epoch FROM max(evaluated_at))::float8 * 1000 AS at FROM kyt_evaluations',
  );
  return rows[0].at;
}

/** Every acknowledged transaction must have exactly one evaluation and exactly one completed event. */
export async function countLost(client, tag, acknowledgedRanges) {
  const { rows } = await client.query(
    `WITH acknowledged AS (
       SELECT 'bench-' || $1 || '-' || lpad(number::text, $2, '0') AS transaction_id
       FROM unnest($3::int[], $4::int[]) AS range(low, high), generate_series(low, high) AS number
     ), evaluated AS (
       SELECT transaction_ref, count(*) AS times FROM kyt_evaluations GROUP BY 1
     ), announced AS (
       SELECT resource_id, count(*) AS times FROM events WHERE type = 'kyt.transaction.pipeline.completed' GROUP BY 1
     )
     SELECT count(*)::int AS acknowledged,
            (count(*) FILTER (WHERE evaluated.times IS DISTINCT FROM 1 OR announced.times IS DISTINCT FROM 1))::int AS lost
     FROM acknowledged
     LEFT JOIN kyt_transactions AS stored USING (transaction_id)
     LEFT JOIN evaluated ON evaluated.transaction_ref = stored.id
     LEFT JOIN announced ON announced.resource_id = stored.id`,
    [tag, ID_WIDTH, acknowledgedRanges.map(([low]) => low), acknowledgedRanges.map(([, high]) => high)],
  );
  return rows[0];
}

/** Milliseconds from receipt to evaluation by the database's clock, by sequence number. */
export async function processingTimes(client, tag) {
  const { rows } = await client.query(
    `SELECT right(transaction_id, $2)::int AS sequence,
            extract(epoch FROM evaluated_at - received_at)::float8 * 1000 AS ms
     FROM kyt_transactions AS stored JOIN kyt_evaluations ON transaction_ref = stored.id AND evaluation_version = 1
     WHERE transaction_id LIKE 'bench-' || $1 || '-%'`,
    [tag, ID_WIDTH],
  );
  return rows;
}
