import { Injectable } from '@nestjs/common';
import { execute, system, UnitOfWork } from '../../database/index.js';

/** How far the check of all trails of a log is. */
export interface Sweep {
  readonly organisationId: string;
  /** The last leaf that was looked at; -1 at the beginning of a round. */
  readonly position: number;
}

// A log that was gone through is gone through again, but not more often than this.
const ROUND_SECONDS = 60;
const LEASE_SECONDS = 30;

@Injectable()
export class SweepRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Takes the log whose turn it is; null when none is due. Two processes take different ones. */
  async claim(): Promise<Sweep | null> {
    return this.uow.run(system('audit.sweep'), async (tx) => {
      const take = `UPDATE audit_sweeps SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE organisation_id = (
          SELECT organisation_id FROM audit_sweeps WHERE due_at <= now() AND lease_until < now()
          ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING organisation_id AS "organisationId", position::float8 AS position`;
      const [due] = await execute<Sweep>(tx, { text: take }, []);
      if (due) return due;
      await execute(
        tx,
        {
          text: `INSERT INTO audit_sweeps (organisation_id)
                 SELECT organisation_id FROM audit_logs l
                 WHERE NOT EXISTS (SELECT FROM audit_sweeps s WHERE s.organisation_id = l.organisation_id)
                 ON CONFLICT DO NOTHING`,
        },
        [],
      );
      const [begun] = await execute<Sweep>(tx, { text: take }, []);
      return begun ?? null;
    });
  }

  /** Notes how far it is; at the end of the log the next round begins after a while. */
  async reached(
    { organisationId }: Sweep,
    position: number,
    isEnd: boolean,
    subjects: number,
  ): Promise<void> {
    await this.uow.write(organisationId, {
      text: `UPDATE audit_sweeps SET lease_until = 'epoch', subjects = subjects + $4,
               position = CASE WHEN $3 THEN -1 ELSE $2 END, cycle = cycle + CASE WHEN $3 THEN 1 ELSE 0 END,
               cycle_finished_at = CASE WHEN $3 THEN now() ELSE cycle_finished_at END,
               due_at = CASE WHEN $3 THEN now() + make_interval(secs => ${ROUND_SECONDS}) ELSE now() END
             WHERE organisation_id = $1`,
      values: [organisationId, position, isEnd, subjects],
    });
  }
}
