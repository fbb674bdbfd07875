import { execute, statement, type Reader, type Rows } from '../../../../platform/database/index.js';

export type LogHealth = Rows<typeof ALL>;

const SUM = (condition: string): string => `SELECT
  (SELECT count(*)::int FROM audit_findings f WHERE cleared_at IS NULL AND ${condition}) AS findings,
  (SELECT count(*)::int FROM audit_logs f WHERE rolled_back_at IS NOT NULL AND ${condition}) AS "rolledBack",
  (SELECT count(*)::int FROM audit_sweeps f WHERE (due_at > now() + interval '5 minutes'
     OR lease_until > now() + interval '5 minutes') AND ${condition}) AS stalled,
  (SELECT coalesce(sum(cardinality(hashes)), 0)::int FROM audit_pending f WHERE ${condition}) AS waiting,
  (SELECT coalesce(max(extract(epoch FROM clock_timestamp() - added_at)), 0)::float8 FROM audit_pending f WHERE ${condition})
    AS "oldestSeconds"`;
const SHAPE = {
  findings: 'integer',
  rolledBack: 'integer',
  /** Logs whose next sweep somebody has moved into the future by hand. */
  stalled: 'integer',
  waiting: 'integer',
  oldestSeconds: 'float8',
} as const;

const ALL = statement('audit.health-of-all', SUM('true'), SHAPE);
const ONE = statement('audit.health-of-one', SUM('organisation_id = $1'), SHAPE);

/** @param organisationId null to read all organisations in the scope of `db` */
export async function readLogHealth(db: Reader, organisationId: string | null): Promise<LogHealth> {
  const [row] = await (organisationId === null ? execute(db, ALL, []) : execute(db, ONE, [organisationId]));
  if (!row) throw new Error('a statement without a condition returned no row');
  return row;
}
