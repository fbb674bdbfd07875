import { DataSource } from 'typeorm';
import type { TestApp } from './app.js';

interface Client {
  query(...asked: unknown[]): unknown;
}

/** The statements that a call sends to the database: the fewest of several calls, as work in the background sends some too. */
export async function statementsOf({ app }: TestApp, call: () => Promise<unknown>): Promise<string[]> {
  const source = app.get(DataSource);
  const runnerOf = source.createQueryRunner.bind(source);
  const patched = new Map<Client, Client['query']>();
  let sent: string[] = [];
  source.createQueryRunner = (mode) => {
    const runner = runnerOf(mode);
    const connect = runner.connect.bind(runner) as () => Promise<Client>;
    runner.connect = async () => {
      const client = await connect();
      if (!patched.has(client)) {
        const { query } = client;
        patched.set(client, query);
        client.query = (...asked) => {
          const [text] = asked as [string | { readonly text: string }];
          sent.push(typeof text === 'string' ? text : text.text);
          return query(...asked);
        };
      }
      return client;
    };
    return runner;
  };
  try {
    let fewest: string[] | null = null;
    for (let i = 0; i < 6; i += 1) {
      sent = [];
      await call();
      if (fewest === null || sent.length < fewest.length) fewest = sent;
    }
    return fewest ?? [];
  } finally {
    source.createQueryRunner = runnerOf;
    for (const [client, query] of patched) client.query = query;
  }
}
