import type { FindOptionsWhere } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import {
  columns,
  execute,
  statement,
  waitForLock,
  type DatabaseScope,
  type RowOf,
  type RowShape,
  type Statement,
  type Tx,
  type UnitOfWork,
} from '../../database/index.js';

/** A long job whose lease this process holds. `fence` is a new number after each claim. */
export interface LeasedJob {
  readonly id: string;
  readonly organisationId: string;
  readonly attempts: number;
  readonly fence: number;
}

/** A row of a table of long jobs. */
interface JobRow {
  id: string;
  organisationId: string;
  status: string;
  fence: number;
}

/** How long a lease lasts after its last renewal. */
const LEASE = `now() + interval '15 seconds'`;

/** The statements for a table of long jobs that workers claim with a lease. */
export interface LeasedJobs<Row extends JobRow, Claimed> {
  readonly table: string;
  readonly entity: new () => Row;
  readonly scope: DatabaseScope;
  readonly claim: Statement<Claimed>;
  readonly release: Statement<unknown>;
  readonly overdue: Statement<{ readonly id: string }>;
  readonly all: Statement<{ readonly id: string }>;
  /** Finds the next job in a fair order, of an organisation with free quota. */
  readonly next: Statement<{ readonly id: string }>;
}

interface LeasedTable<Shape> {
  readonly scope: DatabaseScope;
  /** How many jobs of one organisation may run at a time, and the quota that says otherwise. */
  readonly fallback: number;
  readonly quota?: string;
  /** The columns that a claim returns. The table is `j` in them. */
  readonly claimed: { readonly sql: string; readonly shape: Shape };
  /** Columns that begin anew with each claim. */
  readonly anew?: string;
}

/** Makes the statements for a table with `status`, `lease_until`, and a `fence` against workers that lost the lease. */
export const leasedJobs = <Row extends JobRow, const Shape extends RowShape>(
  table: string,
  entity: new () => Row,
  { scope, quota, fallback, claimed, anew = '' }: LeasedTable<Shape>,
): LeasedJobs<Row, RowOf<Shape>> => ({
  table,
  entity,
  scope,
  claim: statement(
    `${table}.claim`,
    `UPDATE ${table} AS j SET status = 'RUNNING', attempts = attempts + 1, fence = fence + 1, lease_until = ${LEASE},
       started_at = coalesce(started_at, now())${anew}
     WHERE id = $1 AND (status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now())) RETURNING ${claimed.sql}`,
    claimed.shape,
  ),
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
     WHERE o.running < ${quota === undefined ? fallback : quotaOf(quota, fallback)}
     ORDER BY o.running, o.last NULLS FIRST, w.id LIMIT 1`,
    columns(entity, 'id'),
  ),
  release: statement(
    `${table}.release`,
    `UPDATE ${table} SET status = 'QUEUED', lease_until = now() + interval '1 second'
     WHERE id = $1 AND fence = $2 AND status = 'RUNNING'`,
  ),
  overdue: statement(
    `${table}.take-overdue`,
    requeueStatement(table, 'lease_until < now()'),
    columns(entity, 'id'),
  ),
  all: statement(
    `${table}.take-waiting`,
    requeueStatement(table, `(status = 'QUEUED' OR lease_until < now())`),
    columns(entity, 'id'),
  ),
});

const quotaOf = (name: string, fallback: number): string =>
  `coalesce((SELECT q.value FROM organisation_quotas q WHERE q.organisation_id = w.organisation_id AND q.name = '${name}'), ${fallback})`;

const requeueStatement = (table: string, due: string): string =>
  `UPDATE ${table} SET status = 'QUEUED', lease_until = now() + interval '30 seconds', fence = fence + 1
   WHERE id IN (SELECT id FROM ${table} WHERE status IN ('QUEUED', 'RUNNING') AND ${due}
                ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
   RETURNING id`;

/** Claims, renews and ends the long jobs of one table. */
export abstract class LeasedJobRepository<Row extends JobRow, Claimed extends LeasedJob> {
  protected constructor(
    protected readonly uow: UnitOfWork,
    private readonly jobs: LeasedJobs<Row, Claimed>,
  ) {}

  /**
   * Claims the next job: of the organisation with the fewest running jobs and, among equals, the longest wait; null if
   * none may run now. Other callers wait until the claim is committed.
   */
  async claimNext(): Promise<Claimed | null> {
    return this.uow.run(this.jobs.scope, async (tx) => {
      await waitForLock(tx, this.jobs.table);
      const [next] = await execute(tx, this.jobs.next, []);
      const [claimed] = next ? await execute(tx, this.jobs.claim, [next.id]) : [];
      return claimed ?? null;
    });
  }

  /** Queues a job again, at shutdown or for another attempt; its progress stays. */
  async release({ id, organisationId, fence }: Claimed): Promise<void> {
    await this.uow.write(organisationId, this.jobs.release, [id, fence]);
  }

  /** Reconciler: returns at most 100 queued or abandoned jobs to announce again; `overdue`: only past their lease. */
  async requeueUnfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    return (await execute(tx, this.jobs[which], [])).map(({ id }) => id);
  }

  async countRunning(organisationId: string): Promise<number> {
    const running = { organisationId, status: 'RUNNING' } as FindOptionsWhere<Row>;
    return this.uow.read(organisationId, (db) => db.countBy(this.jobs.entity, running));
  }

  /** Renews the lease; false if the job was cancelled, or another process has claimed it. */
  renew(claimed: Claimed): Promise<boolean> {
    return this.uow.run(claimed.organisationId, (tx) => this.keep(tx, claimed, {}));
  }

  /** Stores values and renews the lease; false if the job was cancelled, or another process has claimed it. */
  protected async keep(tx: Tx, claimed: Claimed, values: QueryDeepPartialEntity<Row>): Promise<boolean> {
    return this.updateClaimed(tx, claimed, { ...values, leaseUntil: () => LEASE });
  }

  /** Ends the job with these values; false if it was cancelled, or another process has claimed it. */
  protected async conclude(tx: Tx, claimed: Claimed, values: QueryDeepPartialEntity<Row>): Promise<boolean> {
    return this.updateClaimed(tx, claimed, { ...values, finishedAt: () => 'now()' });
  }

  private async updateClaimed(tx: Tx, { id, fence }: Claimed, values: object): Promise<boolean> {
    const claimedRow = { id, fence, status: 'RUNNING' } as FindOptionsWhere<Row>;
    const { affected } = await tx.update(this.jobs.entity, claimedRow, values);
    return affected === 1;
  }
}
