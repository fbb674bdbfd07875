/** PostgreSQL and Redis that can be taken away, one seeded database, and the service's own processes. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { root } from '../bench/release.mjs';
import { compileTree } from '../support/compiled-tree.mjs';
import { reservedPort } from '../support/ports.mjs';
import '../support/register.mjs';

const PREFIX = 'crash-';
const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 30_000;
const WITHOUT_REDIS = 'the crash tests need Redis: install redis-server or valkey';

const newKey = () => randomBytes(32).toString('base64');

/** Waits until `condition` returns something true, and returns it. */
export async function waitUntil(what, condition, timeoutMs = 180_000, pollMs = 50) {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(pollMs)) {
    const seen = await condition();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs / 1_000} s in vain until ${what}`);
  }
}

export class Stage {
  #stack;
  #env;
  #compiled;
  #processes = new Map();
  #ports = new Map();
  #redis;

  static async open(settings = {}) {
    const { startStack, sweepAbandoned } = await import(path.join(root, 'launcher/stack.ts'));
    // Beside the service's own data, not in the temporary folder: that may be memory, where a commit costs nothing.
    const parent = path.join(root, '.data');
    fs.mkdirSync(parent, { recursive: true });
    await sweepAbandoned(parent, PREFIX);
    const dir = path.join(parent, `${PREFIX}${process.pid}`);
    // Servers that are killed come back on the ports that they had.
    const ports = { pgPort: await reservedPort(), redisPort: await reservedPort() };
    const cacheDir = path.join(parent, 'cache');
    const stack = await startStack({ dir, cacheDir, durable: true, quiet: true, ...ports });
    const compiled = path.join(dir, 'compiled');
    const stage = new Stage({ dir, stack, compiled, settings });
    try {
      if (stack.redis === null) throw new Error(WITHOUT_REDIS);
      compileTree(compiled);
      await stage.#runs('migrate');
      await stage.#prepare();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  /** On the servers of a run of the tests, which others use too: only processes of the service can be killed there. */
  static async beside({ TEST_COMPILED_DIR: compiled, TEST_DATA_DIR, TEST_REDIS_URL: redisUrl }, settings) {
    if (redisUrl === undefined) throw new Error(WITHOUT_REDIS);
    const { freshDatabase } = await import(path.join(compiled, 'dist/test/support/database.js'));
    const dir = path.join(TEST_DATA_DIR, `${PREFIX}${process.pid}`);
    fs.mkdirSync(dir, { recursive: true });
    const stack = { ...(await freshDatabase()), redisUrl, discard: () => Promise.resolve() };
    const own = { QUEUE_PREFIX: `{${PREFIX}${process.pid}}`, ...settings };
    const stage = new Stage({ dir, stack, compiled, settings: own });
    try {
      await stage.#prepare();
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  constructor({ dir, stack, compiled, settings }) {
    this.dir = dir;
    this.#stack = stack;
    this.#compiled = compiled;
    this.#env = {
      // Two APIs are one service to an integrator: their links are the same.
      PUBLIC_URL: 'http://127.0.0.1:1',
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      LOG_LEVEL: 'warn',
      WARM_UP_MS: '0',
      DATABASE_URL: stack.appUrl,
      DATABASE_OWNER_URL: stack.ownerUrl,
      REDIS_URL: stack.redisUrl ?? '',
      DATA_DIR: dir,
      KEY_RING: `crash:${newKey()}`,
      AUDIT_KEYS: `crash:${newKey()}`,
      INDEX_KEY: newKey(),
      CLIENT_SECRET_PEPPER: newKey(),
      ...settings,
    };
    // The pool reconnects by itself; a connection that the server ends must not end the harness.
    this.database = new pg.Pool({ connectionString: stack.ownerUrl, max: 3 });
    this.database.on('error', () => undefined);
  }

  get postgres() {
    return this.#stack.postgres;
  }

  get redis() {
    return this.#stack.redis;
  }

  /** A module of src as it was compiled. */
  program(name) {
    return path.join(this.#compiled, 'dist/src', name);
  }

  async #prepare() {
    this.#redis = new Redis(this.#stack.redisUrl, { lazyConnect: true });
    this.#redis.on('error', () => undefined); // it is taken away on purpose
    await this.#runs('seed-demo');
    const credentials = JSON.parse(fs.readFileSync(path.join(this.dir, 'demo-credentials.json'), 'utf8'));
    this.headers = { 'x-client-id': credentials.clientId, 'x-client-secret': credentials.clientSecret };
  }

  #runs(command) {
    const options = { env: this.#env, cwd: root };
    return promisify(execFile)(process.execPath, [this.program('cli/main.js'), command], options);
  }

  async query(text, values = []) {
    return (await this.database.query(text, values)).rows;
  }

  /** How many transactions wait, as PostgreSQL knows. */
  async queued() {
    const [row] = await this.query(`SELECT count(*)::int AS count FROM kyt_work WHERE status = 'QUEUED'`);
    return row.count;
  }

  /** How many jobs wait for a worker in Redis. */
  async waitingJobs() {
    return this.#redis.llen('{vigia}:kyt.pipeline:wait');
  }

  async flushRedis() {
    await this.#redis.flushall();
  }

  /** Starts the service in the role of that name ("api", "worker", "worker-2"), on the same port every time. */
  async start(name) {
    if (!this.#ports.has(name)) this.#ports.set(name, await reservedPort());
    const port = this.#ports.get(name);
    const log = fs.openSync(this.logFile(name), 'a');
    const child = spawn(process.execPath, [this.program('main.js')], {
      cwd: root,
      env: { ...this.#env, ROLE: name.split('-')[0], PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    this.#processes.set(name, { child, ended: once(child, 'exit') });
    await waitUntil(
      `${name} is ready`,
      () => {
        if (child.exitCode !== null) throw new Error(`${name} ended at once:\n${this.logTail(name)}`);
        return isReady(port);
      },
      READY_TIMEOUT_MS,
    );
  }

  port(name) {
    return this.#ports.get(name);
  }

  pid(name) {
    return this.#processes.get(name).child.pid;
  }

  /** As the pipeline writes it into the leases that it takes. */
  leaseOwner(name) {
    return `${os.hostname()}:${this.pid(name)}`;
  }

  async kill9(name) {
    const { child, ended } = this.#processes.get(name);
    child.kill('SIGKILL');
    await ended;
  }

  signal(name, signal) {
    this.#processes.get(name).child.kill(signal);
  }

  /** SIGTERM, as a process manager does; returns how long it took and how the process ended. */
  async terminate(name) {
    const { child, ended } = this.#processes.get(name);
    const begin = performance.now();
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(killer);
    return { ms: performance.now() - begin, exitCode: child.exitCode };
  }

  logFile(name) {
    return path.join(this.dir, `${name}.log`);
  }

  logTail(name) {
    return fs.readFileSync(this.logFile(name), 'utf8').split('\n').slice(-20).join('\n');
  }

  /** Returns the complaints of the processes, each message once with its count; ids and numbers made equal. */
  complaints() {
    const counts = new Map();
    for (const name of this.#processes.keys()) {
      for (const line of fs.readFileSync(this.logFile(name), 'utf8').split('\n')) {
        if (line === '') continue;
        const text = messageOf(line).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#');
        const key = `${name}: ${text.slice(0, 180)}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return [...counts].sort(([, a], [, b]) => b - a).map(([text, count]) => `${count} x ${text}`);
  }

  async close() {
    await Promise.all([...this.#processes.keys()].map((name) => this.#end(name)));
    this.#redis?.disconnect();
    await this.database.end();
    await this.#stack.discard();
  }

  async #end(name) {
    const { child } = this.#processes.get(name);
    child.kill('SIGCONT');
    if (child.exitCode === null && child.signalCode === null) await this.terminate(name);
  }
}

function messageOf(line) {
  try {
    const { level, context, msg } = JSON.parse(line);
    return `${level} [${context ?? ''}] ${msg}`;
  } catch {
    return line; // not from the logger: a crash of the process itself
  }
}

async function isReady(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(3_000),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false; // not listening yet; the caller has the timeout
  }
}
