import { execute } from '../statements/sql.js';
import { columns, statement, type Statement } from '../statements/statements.js';
import { waitForLock } from './lock.statements.js';
import type { Tx, UnitOfWork } from '../work/unit-of-work.js';

interface LeasedJob {
  readonly id: string;
  readonly organisationId: string;
  readonly fence: number;
}

/** The statements for a table of long jobs that workers claim with a lease. */
interface LeasedJobs {
  readonly name: string;
  readonly release: Statement<unknown>;
  readonly overdue: Statement<{ readonly id: string }>;
  readonly all: Statement<{ readonly id: string }>;
  /** Finds the next job in a fair order, of an organisation with free quota. */
  readonly next: Statement<{ readonly id: string }>;
}

/** The quota for concurrent jobs of one organisation; `fallback` if the organisation has no setting. */
interface JobQuota {
  readonly quota: string;
  readonly fallback: number;
}

/** Makes the statements for a table with `status`, `lease_until`, and a `fence` against workers that lost the lease. */
export const leasedJobs = (
  table: string,
  entity: new () => { id: string },
  { quota, fallback }: JobQuota,
): LeasedJobs => ({
  name: table,
  next: statement(
    `${table}.next`,
    `WITH waiting AS (
       SELECT id, organisation_id FROM ${table}
       WHERE status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now())),
     owners AS (
       SELECT j.organisation_id, count(*) FILTER (WHERE j.status = 'RUNNING' AND j.lease_until >= now()) AS running,
              max(j.started_at) AS last
       FROM ${table} j WHERE j.organisation_id IN (SELECT organisation_id FROM waiting) GROUP BY 1)
     SELECT w.id FROM waiting w JOIN owners o USING (organisation_id)
     LEFT JOIN organisation_quotas q ON q.organisation_id = w.organisation_id AND q.name = '${quota}'
     WHERE o.running < coalesce(q.value, ${fallback})
     ORDER BY o.running, o.last NULLS FIRST, w.id LIMIT 1`,
    columns(entity, 'id'),
  ),
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

/** Queues a job again, for another process or another attempt. */
export async function releaseJob(
  uow: UnitOfWork,
  { release }: LeasedJobs,
  { id, organisationId, fence }: LeasedJob,
): Promise<void> {
  await uow.write(organisationId, release, [id, fence]);
}

/** Reconciler: returns at most 100 queued or abandoned jobs to announce again; `overdue`: only past `lease_until`. */
export async function requeueJobs(tx: Tx, jobs: LeasedJobs, which: 'overdue' | 'all'): Promise<string[]> {
  const rows = await execute(tx, jobs[which], []);
  return rows.map((row) => row.id);
}

/**
 * Returns the id of the next job: of the organisation with the fewest running jobs and, among equals, the longest wait.
 * The caller claims the job in this transaction; other callers wait until it ends.
 */
export async function nextJob(tx: Tx, jobs: LeasedJobs): Promise<string | null> {
  await waitForLock(tx, jobs.name);
  const [row] = await execute(tx, jobs.next, []);
  return row?.id ?? null;
}
