import pg from 'pg';

/** Runs the work on a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // a connection lost in between is reported by the next query
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
