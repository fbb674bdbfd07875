import type { TestApi } from './api.js';
import type { TestApp } from './app.js';
import { aTransaction } from './builders.js';
import { eventually } from './eventually.js';

const BATCH = 500;
const MINUTE_MS = 60_000;

/** Sends so many transactions of a customer, a minute apart, and waits until all are evaluated. */
export async function manyTransactions(
  t: TestApp,
  integrator: TestApi,
  externalCustomerId: string,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<void> {
  const newest = Date.now();
  const evaluated = async (): Promise<number> => {
    const { rows } = await t.owner.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM kyt_evaluations',
    );
    return rows[0]!.count;
  };
  const before = await evaluated();
  for (let from = 0; from < count; from += BATCH) {
    const items = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      aTransaction({
        externalCustomerId,
        cpfCnpj: null,
        amount: 10 + ((from + i) % 90),
        occurredAt: new Date(newest - (from + i) * MINUTE_MS).toISOString(),
        ...fields,
      }),
    );
    await integrator.ingestBatch(items);
  }
  await eventually('all are evaluated', async () => (await evaluated()) >= before + count, 280_000);
}
