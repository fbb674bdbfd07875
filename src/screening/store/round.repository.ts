import { Injectable } from '@nestjs/common';
import type { RoundRow } from '../domain/records.js';
import {
  execute,
  properties,
  selectedBut,
  statement,
  system,
  UnitOfWork,
  type Tx,
} from '../../database/index.js';
import { ScreeningRoundEntity } from './entities/screening-round.entity.js';

const ROUND = selectedBut(ScreeningRoundEntity, 'r', 'leaseUntil');

const CLAIM = statement(
  'screening.claim-round',
  `UPDATE screening_rounds AS r SET lease_until = now() + make_interval(secs => $2)
     WHERE id = $1 AND status = 'RUNNING' AND lease_until <= now() RETURNING ${ROUND.sql}`,
  ROUND.shape,
);

const ADVANCE = statement(
  'screening.advance-round',
  `UPDATE screening_rounds SET cursor = coalesce($2, cursor), done = done + $3, hits = hits + $4,
     lease_until = now() + make_interval(secs => $5) WHERE id = $1 AND status = 'RUNNING'`,
);

const FINISH = statement(
  'screening.finish-round',
  `UPDATE screening_rounds SET status = 'FINISHED', finished_at = now() WHERE id = $1 AND status = 'RUNNING'`,
);

const UNFINISHED = statement(
  'screening.unfinished-rounds',
  `SELECT id FROM screening_rounds WHERE status = 'RUNNING' AND ($1 OR lease_until < now() - interval '2 seconds')
   ORDER BY id LIMIT 1000`,
  properties(ScreeningRoundEntity, 'id'),
);

const OF_SNAPSHOT = statement(
  'screening.round-of-snapshot',
  `SELECT ${ROUND.sql} FROM screening_rounds r WHERE organisation_id = $1 AND snapshot_id = $2 LIMIT 1`,
  ROUND.shape,
);

@Injectable()
export class RoundRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(
    tx: Tx,
    round: Pick<RoundRow, 'id' | 'organisationId' | 'listId' | 'snapshotId' | 'sequence' | 'total'>,
  ): Promise<void> {
    await tx.insert(ScreeningRoundEntity, round);
  }

  /** Takes a round that nobody works on; null when somebody does or it is finished. */
  async claim(id: string, leaseSeconds: number): Promise<RoundRow | null> {
    return this.uow.run(system('screening.rounds'), async (tx) => {
      const rows = await execute(tx, CLAIM, [id, leaseSeconds]);
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
    await execute(tx, ADVANCE, [id, step.cursor, step.done, step.hits, step.leaseSeconds]);
  }

  async finish(tx: Tx, id: string): Promise<void> {
    await execute(tx, FINISH, [id]);
  }

  /** Rounds that nobody works on, or all unfinished ones. */
  async unfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    const rows = await execute(tx, UNFINISHED, [which === 'all']);
    return rows.map(({ id }) => id);
  }

  async ofSnapshot(organisationId: string, snapshotId: string): Promise<RoundRow | null> {
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, OF_SNAPSHOT, [organisationId, snapshotId]),
    );
    return rows[0] ?? null;
  }
}
