import { execute } from '../statements/sql.js';
import { columns, statement, type Statement } from '../statements/statements.js';
import type { Tx, UnitOfWork } from '../work/unit-of-work.js';

interface Held {
  readonly id: string;
  readonly organisationId: string;
  readonly fence: number;
}

/** The statements over a table of long jobs. */
interface LeasedJobs {
  readonly release: Statement<unknown>;
  readonly overdue: Statement<{ readonly id: string }>;
  readonly all: Statement<{ readonly id: string }>;
}

/** The table has `status`, `lease_until` and a `fence` that whoever lost the lease cannot pass. */
export const leasedJobs = (table: string, entity: new () => { id: string }): LeasedJobs => ({
  release: statement(
    `${table}.release`,
    `UPDATE ${table} SET status = 'QUEUED', lease_until = now() + interval '1 second'
     WHERE id = $1 AND fence = $2 AND status = 'RUNNING'`,
  ),
  overdue: statement(`${table}.take-overdue`, taking(table, 'lease_until < now()'), columns(entity, 'id')),
  all: statement(
    `${table}.take-waiting`,
    taking(table, `(status = 'QUEUED' OR lease_until < now())`),
    columns(entity, 'id'),
  ),
});

const taking = (table: string, due: string): string =>
  `UPDATE ${table} SET status = 'QUEUED', lease_until = now() + interval '30 seconds', fence = fence + 1
   WHERE id IN (SELECT id FROM ${table} WHERE status IN ('QUEUED', 'RUNNING') AND ${due}
                ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
   RETURNING id`;

/** Gives a job back, for this process ends or for another attempt; what the row holds is kept. */
export async function releaseJob(
  uow: UnitOfWork,
  { release }: LeasedJobs,
  { id, organisationId, fence }: Held,
): Promise<void> {
  await uow.write(organisationId, release, [id, fence]);
}

/** Jobs that wait and that nobody was told of, or whose process is gone; at most a hundred. */
export async function takeWaitingJobs(tx: Tx, jobs: LeasedJobs, which: 'overdue' | 'all'): Promise<string[]> {
  const rows = await execute(tx, jobs[which], []);
  return rows.map((row) => row.id);
}
