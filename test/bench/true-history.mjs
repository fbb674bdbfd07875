/**
 * `--history=N`: a few thousand transactions that the service itself takes in, evaluates and seals, in the database that
 * every measurement copies, and copies of them further back in time (cloned-history.mjs).
 */
import { cloneHistory } from './cloned-history.mjs';
import { drained, sealed, withClient } from './service.mjs';

const SEEDS = 4_000;
const RATE = 400;

export async function fillHistory(bench, generator, rows) {
  const service = await bench.startProcess('all', bench.template);
  try {
    await withClient(bench.template.ownerUrl, async (client) => {
      await client.query(`SET vigia.system = 'bench'`);
      await generator.ask({
        port: service.port,
        path: '/kyt/transactions/ingest',
        headers: bench.headers,
        connections: 32,
        tag: '000000',
        rate: RATE,
        seconds: SEEDS / RATE,
      });
      await drained(client);
      await sealed(client);
    });
  } finally {
    await service.stop();
  }
  await withClient(bench.template.ownerUrl, (client) => cloneHistory(client, { rows }));
}
