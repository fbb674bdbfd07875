import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import { DataSource } from 'typeorm';
import type { TestApp } from './app.js';

interface Client {
  query(...asked: unknown[]): unknown;
}

interface Asked {
  /** Only prepared statements have one. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Whether the call sent it, and not work in the background. */
  readonly isOfCall: boolean;
}

/** Is there in what a call does, on both sides of the wire. */
const ofCall = new AsyncLocalStorage<true>();

interface PlanNode {
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The statements that `calls` calls send to the database, call by call. */
async function statementsDuring(
  { app }: Pick<TestApp, 'app'>,
  calls: number,
  call: () => Promise<unknown>,
): Promise<Asked[][]> {
  const source = app.get(DataSource);
  const server: Server = app.getHttpServer();
  const emit = server.emit.bind(server) as (name: string, ...rest: unknown[]) => boolean;
  server.emit = (name: string, ...rest: unknown[]) =>
    name === 'request' ? ofCall.run(true, () => emit(name, ...rest)) : emit(name, ...rest);
  const runnerOf = source.createQueryRunner.bind(source);
  const patched = new Map<Client, Client['query']>();
  let sent: Asked[] = [];
  source.createQueryRunner = (mode) => {
    const runner = runnerOf(mode);
    const connect = runner.connect.bind(runner) as () => Promise<Client>;
    runner.connect = async () => {
      const client = await connect();
      if (!patched.has(client)) {
        const { query } = client;
        patched.set(client, query);
        client.query = (...asked) => {
          const [text] = asked as [string | Omit<Asked, 'isOfCall'>];
          const isOfCall = ofCall.getStore() === true;
          sent.push(typeof text === 'string' ? { text, isOfCall } : { ...text, isOfCall });
          return query(...asked);
        };
      }
      return client;
    };
    return runner;
  };
  try {
    const all: Asked[][] = [];
    for (let i = 0; i < calls; i += 1) {
      sent = [];
      await ofCall.run(true, call);
      all.push(sent);
    }
    return all;
  } finally {
    server.emit = emit as typeof server.emit;
    source.createQueryRunner = runnerOf;
    for (const [client, query] of patched) client.query = query;
  }
}

/** The statements that a call sends to the database by itself: the fewest of several, as the first one may fill a cache. */
export async function statementsOf(t: TestApp, call: () => Promise<unknown>): Promise<string[]> {
  const all = await statementsDuring(t, 3, call);
  const [first = [], ...others] = all.map((sent) => sent.filter(({ isOfCall }) => isOfCall));
  const fewest = others.reduce((least, sent) => (sent.length < least.length ? sent : least), first);
  return fewest.map(({ text }) => text);
}

/**
 * Runs each prepared statement of a call once more under EXPLAIN ANALYZE. Returns the names of those that read indexes
 * whose name begins with `index`, how many rows they read from them, and how many rows all steps of these statements
 * handled.
 */
export async function rowsReadBy(
  t: Pick<TestApp, 'app' | 'owner'>,
  index: string,
  call: () => Promise<unknown>,
): Promise<{ readonly statements: readonly string[]; readonly rows: number; readonly handled: number }> {
  const sent = (await statementsDuring(t, 1, call)).flat().filter(({ name }) => name !== undefined);
  const client = await t.owner.connect();
  try {
    let [rows, handled] = [0, 0];
    const statements: string[] = [];
    await client.query(`SET vigia.system = 'test'`);
    // As the service sets it for its prepared statements.
    await client.query('SET enable_seqscan = off');
    for (const { name = '', text, values = [] } of sent) {
      const answer = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        [...values],
      );
      const steps = answer.rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => stepsOf(Plan));
      const read = steps.filter((step) => step['Index Name']?.startsWith(index));
      if (read.length === 0) continue;
      statements.push(name);
      rows += read.reduce((sum, step) => sum + rowsOf(step), 0);
      handled += steps.reduce((sum, step) => sum + rowsOf(step), 0);
    }
    return { statements, rows, handled };
  } finally {
    client.release(true);
  }
}

const stepsOf = (step: PlanNode): PlanNode[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

const rowsOf = (step: PlanNode): number =>
  (step['Actual Loops'] ?? 0) *
  ((step['Actual Rows'] ?? 0) +
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Join Filter'] ?? 0));
