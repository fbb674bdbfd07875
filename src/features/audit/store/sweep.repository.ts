import { Injectable } from '@nestjs/common';
import {
  CommitMarks,
  execute,
  properties,
  statement,
  system,
  UnitOfWork,
  type QuietCheck,
  type Rows,
} from '../../../platform/database/index.js';
import { AuditSweepEntity } from './entities.js';

/** The progress of the sweep through a log: `position` is the last leaf that was read, -1 at the start. */
export type SweepProgress = Rows<typeof TAKE>;

// Pause between two sweeps of a log.
const ROUND_SECONDS = 60;
const LEASE_SECONDS = 30;
// Interval of the look-ups without commits: the next sweep of a log becomes due by time alone.
const QUIET_LOOK_MS = 10_000;

const TAKE = statement(
  'audit.take-sweep',
  `UPDATE audit_sweeps SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
   WHERE organisation_id = (
     SELECT organisation_id FROM audit_sweeps WHERE due_at <= now() AND lease_until < now()
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING organisation_id AS "organisationId", position::float8 AS position`,
  { ...properties(AuditSweepEntity, 'organisationId'), position: 'float8' },
);

const BEGIN = statement(
  'audit.begin-sweeps',
  `INSERT INTO audit_sweeps (organisation_id)
   SELECT organisation_id FROM audit_logs l
   WHERE NOT EXISTS (SELECT FROM audit_sweeps s WHERE s.organisation_id = l.organisation_id)
   ON CONFLICT DO NOTHING`,
);

@Injectable()
export class SweepRepository {
  private readonly quietCheck: QuietCheck;

  constructor(
    private readonly uow: UnitOfWork,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck(QUIET_LOOK_MS);
  }

  /** Claims the log that has been due longest; null if no log is due. Other processes cannot claim it meanwhile. */
  async claim(): Promise<SweepProgress | null> {
    if (await this.quietCheck.isQuiet()) return null;
    const claimed = await this.uow.run(system('audit.sweep'), async (tx) => {
      const [due] = await execute(tx, TAKE, []);
      if (due) return due;
      await execute(tx, BEGIN, []);
      const [begun] = await execute(tx, TAKE, []);
      return begun ?? null;
    });
    if (claimed === null) this.quietCheck.settle();
    return claimed;
  }

  /** Stores the progress; at the end of the log the next sweep is due after ROUND_SECONDS. */
  async saveProgress(
    { organisationId }: SweepProgress,
    position: number,
    isEnd: boolean,
    subjects: number,
  ): Promise<void> {
    const next = isEnd
      ? {
          position: '-1',
          cycle: () => 'cycle + 1',
          cycleFinishedAt: () => 'now()',
          dueAt: () => `now() + interval '${ROUND_SECONDS} seconds'`,
        }
      : { position: String(position), dueAt: () => 'now()' };
    const countedColumns = { leaseUntil: new Date(0), subjects: () => `subjects + ${subjects}` };
    await this.uow.run(organisationId, (tx) =>
      tx.update(AuditSweepEntity, { organisationId }, { ...countedColumns, ...next }),
    );
  }
}
