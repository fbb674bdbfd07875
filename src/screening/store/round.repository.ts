import { Injectable } from '@nestjs/common';
import type { RoundRow } from '../domain/records.js';
import { system, UnitOfWork, type Tx } from '../../database/index.js';

const ROUND = `id, organisation_id AS "organisationId", list_id AS "listId", snapshot_id AS "snapshotId", sequence, status,
  total, done, hits, cursor, created_at AS "createdAt", finished_at AS "finishedAt"`;

@Injectable()
export class RoundRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(
    tx: Tx,
    round: Pick<RoundRow, 'id' | 'organisationId' | 'listId' | 'snapshotId' | 'sequence' | 'total'>,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO screening_rounds (id, organisation_id, list_id, snapshot_id, sequence, total)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [round.id, round.organisationId, round.listId, round.snapshotId, round.sequence, round.total],
    );
  }

  /** Takes a round that nobody works on; null when somebody does or it is finished. */
  async claim(id: string, leaseSeconds: number): Promise<RoundRow | null> {
    return this.uow.run(system('screening.rounds'), async (tx) => {
      const [rows]: [RoundRow[], number] = await tx.query(
        `UPDATE screening_rounds SET lease_until = now() + make_interval(secs => $2)
         WHERE id = $1 AND status = 'RUNNING' AND lease_until <= now() RETURNING ${ROUND}`,
        [id, leaseSeconds],
      );
      return rows[0] ?? null;
    });
  }

  async advance(
    tx: Tx,
    id: string,
    step: {
      readonly cursor: string | null;
      readonly done: number;
      readonly hits: number;
      readonly leaseSeconds: number;
    },
  ): Promise<void> {
    await tx.query(
      `UPDATE screening_rounds SET cursor = coalesce($2, cursor), done = done + $3, hits = hits + $4,
         lease_until = now() + make_interval(secs => $5) WHERE id = $1 AND status = 'RUNNING'`,
      [id, step.cursor, step.done, step.hits, step.leaseSeconds],
    );
  }

  async finish(tx: Tx, id: string): Promise<void> {
    await tx.query(
      `UPDATE screening_rounds SET status = 'FINISHED', finished_at = now() WHERE id = $1 AND status = 'RUNNING'`,
      [id],
    );
  }

  /** Rounds that nobody works on, or all unfinished ones. */
  async unfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(
      `SELECT id FROM screening_rounds WHERE status = 'RUNNING' AND ($1 OR lease_until < now() - interval '2 seconds')
       ORDER BY id LIMIT 1000`,
      [which === 'all'],
    );
    return rows.map(({ id }) => id);
  }

  async ofSnapshot(organisationId: string, snapshotId: string): Promise<RoundRow | null> {
    const rows: RoundRow[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${ROUND} FROM screening_rounds WHERE organisation_id = $1 AND snapshot_id = $2 LIMIT 1`,
        [organisationId, snapshotId],
      ),
    );
    return rows[0] ?? null;
  }
}
