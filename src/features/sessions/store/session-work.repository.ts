import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  selectColumns,
  statement,
  system,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import { SessionWorkEntity } from './entities.js';

const CLAIMED_WORK = selectColumns(
  SessionWorkEntity,
  'w',
  'sessionId',
  'organisationId',
  'fence',
  'attempts',
);

/** The work of checking one session, held by this process while the fence is unchanged. */
export type ClaimedSession = RowOf<typeof CLAIMED_WORK.shape>;

const CLAIM = statement(
  'sessions.claim-checks',
  `UPDATE kyc_session_work w SET fence = fence + 1, attempts = attempts + 1,
       due_at = clock_timestamp() + make_interval(secs => $2)
     FROM (SELECT session_id FROM kyc_session_work
           WHERE session_id = ANY($1::uuid[]) AND due_at <= clock_timestamp()
           ORDER BY session_id FOR UPDATE SKIP LOCKED) due
     WHERE w.session_id = due.session_id
     RETURNING ${CLAIMED_WORK.sql}`,
  CLAIMED_WORK.shape,
);

const CLAIM_UNANNOUNCED = statement(
  'sessions.unannounced-checks',
  `UPDATE kyc_session_work SET announced_at = clock_timestamp()
   WHERE session_id IN (
     SELECT session_id FROM kyc_session_work
     WHERE due_at <= clock_timestamp() AND ($1 OR announced_at < clock_timestamp() - make_interval(secs => $2))
     ORDER BY due_at LIMIT 1000 FOR UPDATE SKIP LOCKED)
   RETURNING session_id AS id`,
  { id: column(SessionWorkEntity, 'sessionId') },
);

/** Stores leases and fences of the sessions that are being checked. */
@Injectable()
export class SessionWorkRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Leases the sessions that no worker holds. */
  async claim(ids: readonly string[], leaseSeconds: number): Promise<ClaimedSession[]> {
    return this.uow.run(system('sessions.checks'), (tx) => execute(tx, CLAIM, [ids, leaseSeconds]));
  }

  /** Deletes the work; false if another worker has taken it over. */
  async finish(tx: Tx, { sessionId, fence }: ClaimedSession): Promise<boolean> {
    const { affected } = await tx.delete(SessionWorkEntity, { sessionId, fence });
    return affected === 1;
  }

  /** Releases the lease, for a retry after this time. */
  async release({ sessionId, organisationId, fence }: ClaimedSession, afterSeconds: number): Promise<void> {
    const dueAt = (): string => `clock_timestamp() + interval '${afterSeconds} seconds'`;
    await this.uow.run(organisationId, (tx) =>
      tx.update(SessionWorkEntity, { sessionId, fence }, { dueAt, announcedAt: () => `'-infinity'` }),
    );
  }

  /**
   * Claims sessions whose checks are due and not leased: sets `announced_at` to now and returns the ids, each at most
   * once in `quietSeconds`.
   */
  async claimUnannounced(tx: Tx, which: 'overdue' | 'all', quietSeconds: number): Promise<string[]> {
    const rows = await execute(tx, CLAIM_UNANNOUNCED, [which === 'all', quietSeconds]);
    return rows.map(({ id }) => id);
  }
}
