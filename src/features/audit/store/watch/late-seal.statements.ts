import {
  columns,
  execute,
  sqlArray,
  statement,
  unnested,
  type Reader,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import { AuditEntryEntity } from '../entities.js';

/** An entry that has no leaf. */
export type UnsealedEntry = Rows<typeof FIND_RECENT_UNSEALED>;

const PLACE = columns(AuditEntryEntity, 'organisationId', 'subjectType', 'subjectId', 'subjectSeq');
const HAS_NO_LEAF = `NOT EXISTS (SELECT FROM audit_leaves l WHERE l.organisation_id = e.organisation_id
  AND l.subject_type = e.subject_type AND l.subject_id = e.subject_id AND l.subject_seq = e.subject_seq)`;
const IS_LOG_RUNNING = `e.organisation_id NOT IN
  (SELECT organisation_id FROM audit_logs WHERE rolled_back_at IS NOT NULL)`;

/** An entry that was not queued for its seal, and is queued now. */
export type LateSeal = Rows<typeof AWAIT>;

const LATE_SEALS = unnested<LateSeal>({
  text: ['subjectType', 'subjectId'],
  int: ['subjectSeq', 'waitedSeconds'],
});

const RECORD = statement(
  'audit.record-late',
  `INSERT INTO audit_late_seals (organisation_id, ${LATE_SEALS.columns})
   SELECT $1::uuid, s.* FROM ${LATE_SEALS.from(2)} ON CONFLICT DO NOTHING`,
);

/** Maximum number of entries that `findRecentUnsealed` returns. */
export const MAX_RECENT_ENTRIES = 4_000;

// Leaves out entries that are younger than the oldest pending entry, which the sealer may not have reached yet, and
// entries of a stopped log, which wait for its restart.
const FIND_RECENT_UNSEALED = statement(
  'audit.recent-unsealed',
  `SELECT e.organisation_id, e.subject_type, e.subject_id, e.subject_seq FROM audit_entries e
   WHERE e.recorded_at > now() - make_interval(secs => $1) AND e.recorded_at <= least(now() - interval '2 seconds',
       (SELECT p.added_at FROM audit_pending p WHERE p.organisation_id NOT IN
          (SELECT organisation_id FROM audit_logs WHERE rolled_back_at IS NOT NULL)
        ORDER BY p.position LIMIT 1) - interval '1 second')
     AND ${IS_LOG_RUNNING} AND ${HAS_NO_LEAF} LIMIT ${MAX_RECENT_ENTRIES}`,
  PLACE,
);

const FIND_UNSEALED_BEFORE = statement(
  'audit.unsealed-before',
  `SELECT e.subject_type, e.subject_id, e.subject_seq FROM audit_entries e
   WHERE e.organisation_id = $1 AND e.recorded_at < $2 AND ${HAS_NO_LEAF} LIMIT 1000`,
  columns(AuditEntryEntity, 'subjectType', 'subjectId', 'subjectSeq'),
);

const PAGE = statement(
  'audit.page-unsealed',
  `WITH page AS MATERIALIZED (
     SELECT organisation_id, subject_type, subject_id, subject_seq FROM audit_entries
     WHERE organisation_id = $1 AND (subject_type, subject_id, subject_seq) > ($2, $3, $4)
     ORDER BY subject_type, subject_id, subject_seq LIMIT $5)
   SELECT e.subject_type, e.subject_id, e.subject_seq, ${HAS_NO_LEAF} AND ${IS_LOG_RUNNING} AS unsealed FROM page e
   ORDER BY e.subject_type DESC, e.subject_id DESC, e.subject_seq DESC`,
  { ...columns(AuditEntryEntity, 'subjectType', 'subjectId', 'subjectSeq'), unsealed: 'boolean' },
);

const AWAIT = statement(
  'audit.await-late',
  `SELECT subject_type AS "subjectType", subject_id AS "subjectId", subject_seq AS "subjectSeq",
     waited_seconds AS "waitedSeconds" FROM audit_await_late($1, $2, $3, $4)`,
  { subjectType: 'text', subjectId: 'text', subjectSeq: 'integer', waitedSeconds: 'integer' },
);

/** Finds entries of the last `seconds` without a leaf that are older than all entries queued for their seal. */
export const findRecentUnsealed = (db: Reader, seconds: number): Promise<UnsealedEntry[]> =>
  execute(db, FIND_RECENT_UNSEALED, [seconds]);

type Place = Omit<UnsealedEntry, 'organisation_id'>;

/** Finds at most 1,000 entries of a log that were recorded before `before` and have no leaf. */
export const findUnsealedBefore = (db: Reader, organisationId: string, before: Date): Promise<Place[]> =>
  execute(db, FIND_UNSEALED_BEFORE, [organisationId, before]);

/** Reads a page of entries after `after` by primary key, in descending order, and whether each lacks its leaf. */
export const readEntryPage = (
  db: Reader,
  organisationId: string,
  after: Place,
  size: number,
): Promise<Rows<typeof PAGE>[]> =>
  execute(db, PAGE, [organisationId, after.subject_type, after.subject_id, after.subject_seq, size]);

/** Queues entries for their seal. Returns only the entries that were not queued already. */
export const queueLateSeals = (
  tx: Tx,
  organisationId: string,
  entries: readonly Place[],
): Promise<LateSeal[]> =>
  execute(tx, AWAIT, [
    organisationId,
    sqlArray.text(entries.map((entry) => entry.subject_type)),
    sqlArray.text(entries.map((entry) => entry.subject_id)),
    sqlArray.plain(entries.map((entry) => entry.subject_seq)),
  ]);

/** Records for good that these entries were sealed late. */
export async function recordLateSeals(
  tx: Tx,
  organisationId: string,
  entries: readonly LateSeal[],
): Promise<void> {
  await execute(tx, RECORD, [organisationId, ...LATE_SEALS.arrays(entries)]);
}
