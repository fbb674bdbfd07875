import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readDatabaseUrl, readOf } from '../../config/server-urls.js';
import { ReconnectingClient } from './reconnecting-client.js';

const CONNECT_MS = 5_000;
// How long a slower host may still answer when one takes writes.
const OTHERS_MS = 200;

/** Thrown when none of several hosts in a URL accepts writes. The message names hosts by their place in the URL. */
export class NoWritableHostError extends Error {
  override readonly name = 'NoWritableHostError';

  /** @param code the SQLSTATE with which a host refused the login */
  constructor(
    reasons: readonly string[],
    readonly code: string | undefined,
  ) {
    const each = reasons.map((reason, i) => `host ${i + 1}: ${reason}`).join('; ');
    super(`No host of DATABASE_URL or DATABASE_OWNER_URL takes writes (${each}).`);
  }
}

/** Returns who logs in with the URL of a database. */
export const loginOf = (url: string): { readonly user: string; readonly password: string } =>
  readOf('The URL of the database', readDatabaseUrl(url));

/** Returns one URL per host of the URL of a database; an unset URL stays as it is. */
export const targetsOf = (url: string): readonly string[] =>
  url === '' ? [url] : readOf('The URL of the database', readDatabaseUrl(url)).targets;

/**
 * Asks all hosts at once and returns the URL of the host that accepts writes: the first of several, so that every
 * process chooses the same. A single URL is returned without a question. Throws NoWritableHostError.
 */
export async function writableTarget(targets: readonly string[], timeoutMs = CONNECT_MS): Promise<string> {
  const [only] = targets;
  if (only !== undefined && targets.length === 1) return only;
  const clients = targets.map((target) => newClient(target, timeoutMs));
  const writable = new Set<pg.Client>();
  const answers = clients.map(async (client) => {
    await client.connect();
    await requireWritable(client);
    writable.add(client);
  });
  try {
    await Promise.any(answers);
    await Promise.race([Promise.allSettled(answers), sleep(OTHERS_MS)]);
  } catch (error) {
    throw refusalOf((error as AggregateError).errors);
  } finally {
    for (const client of clients) {
      if (writable.has(client)) void client.end();
      else client.connection.stream.destroy();
    }
  }
  return targets[clients.findIndex((client) => writable.has(client))] ?? '';
}

/** True if the host is no standby and takes writes. */
export async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ writable: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS writable`,
  );
  return rows[0]?.writable === true;
}

/** Rejects a connection to a host that would refuse the first write. */
export async function requireWritable(client: pg.Client): Promise<void> {
  if (await isWritable(client)) return;
  throw Object.assign(new Error('this host takes no writes'), { code: '25006' });
}

/** Runs the work on a new connection to the host that takes writes, and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = newClient(await writableTarget(targetsOf(url)));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const newClient = (target: string, answerMs?: number): pg.Client =>
  new ReconnectingClient({
    connectionString: target,
    connectionTimeoutMillis: answerMs ?? CONNECT_MS,
    query_timeout: answerMs,
  });

function refusalOf(errors: readonly (Error & { readonly code?: string })[]): NoWritableHostError {
  const reasons = errors.map(({ code, message }) =>
    code === '25006'
      ? 'takes no writes'
      : (code ?? (/timeout|terminated/i.test(message) ? 'no answer' : 'failed')),
  );
  return new NoWritableHostError(
    reasons,
    errors.map(({ code = '' }) => code).find((code) => /^(28|42)/.test(code)),
  );
}
