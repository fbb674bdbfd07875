import { expect } from '@jest/globals';
import type { TestApp } from './app.js';

/** Expects of each of these transactions one evaluation and the two events of its life, in their order. */
export async function expectEvaluatedOnce(app: TestApp, transactionIds: readonly string[]): Promise<void> {
  const { rows } = await app.owner.query<{ id: string; evaluations: number; events: string[] }>(
    `SELECT t.transaction_id AS id,
            (SELECT count(*)::int FROM kyt_evaluations WHERE transaction_ref = t.id) AS evaluations,
            (SELECT array_agg(type ORDER BY sequence) FROM events WHERE resource_id = t.id) AS events
     FROM kyt_transactions t WHERE transaction_id = ANY ($1) ORDER BY t.transaction_id`,
    [transactionIds],
  );
  const events = ['kyt.transaction.queued', 'kyt.transaction.pipeline.completed'];
  expect(rows).toEqual([...transactionIds].sort().map((id) => ({ id, evaluations: 1, events })));
}
