import type pg from 'pg';
import { ReconnectingClient } from './reconnecting-client.js';

/** Runs the work on a new connection, and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new ReconnectingClient({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
