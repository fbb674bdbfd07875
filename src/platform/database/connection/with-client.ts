import pg from 'pg';

/** Runs the work on a new connection, and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // if the connection is lost between two queries, the next query fails
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
