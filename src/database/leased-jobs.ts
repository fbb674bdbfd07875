import { execute } from './sql.js';
import type { Tx, UnitOfWork } from './unit-of-work.js';

/** Tables whose rows are long jobs: `status`, `lease_until` and a `fence` that whoever lost the lease cannot pass. */
type JobTable = 'backtests' | 'audit_exports';

interface Held {
  readonly id: string;
  readonly organisationId: string;
  readonly fence: number;
}

/** Gives a job back, for this process ends or for another attempt; what the row holds is kept. */
export async function releaseJob(
  uow: UnitOfWork,
  table: JobTable,
  { id, organisationId, fence }: Held,
): Promise<void> {
  await uow.write(organisationId, {
    text: `UPDATE ${table} SET status = 'QUEUED', lease_until = now() + interval '1 second'
           WHERE id = $1 AND fence = $2 AND status = 'RUNNING'`,
    values: [id, fence],
  });
}

/** Jobs that wait and that nobody was told of, or whose process is gone; at most a hundred. */
export async function takeWaitingJobs(tx: Tx, table: JobTable, which: 'overdue' | 'all'): Promise<string[]> {
  const due = which === 'overdue' ? 'lease_until < now()' : `(status = 'QUEUED' OR lease_until < now())`;
  const rows = await execute<{ id: string }>(
    tx,
    {
      text: `UPDATE ${table} SET status = 'QUEUED', lease_until = now() + interval '30 seconds', fence = fence + 1
             WHERE id IN (SELECT id FROM ${table} WHERE status IN ('QUEUED', 'RUNNING') AND ${due}
                          ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
             RETURNING id`,
    },
    [],
  );
  return rows.map((row) => row.id);
}
