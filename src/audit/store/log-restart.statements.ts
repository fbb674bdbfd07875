import { execute, properties, statement, type Reader, type RowOf, type Tx } from '../../database/index.js';
import { AuditLogEntity } from './entities/audit-log.entity.js';
import { LogRestartEntity } from './entities/log-restart.entity.js';

/** The reason why a log was stopped, and the two people's decision about it. */
export type LogRestart = RowOf<typeof RESTART>;

const RESTART = {
  ...properties(LogRestartEntity, 'id', 'incarnation', 'anchorRoot', 'reason', 'status', 'requestedBy'),
  ...properties(LogRestartEntity, 'requestedAt', 'approvedBy', 'approvedAt'),
  /** How many entries the restored log has. */
  restoredSize: 'float8',
  /** How many it had when its newest anchor was made. */
  anchorSize: 'float8',
} as const;

const COLUMNS = `id, incarnation, restored_size::float8 AS "restoredSize", anchor_size::float8 AS "anchorSize",
  anchor_root AS "anchorRoot", reason, status, requested_by AS "requestedBy", requested_at AS "requestedAt",
  approved_by AS "approvedBy", approved_at AS "approvedAt"`;

const REQUEST = statement(
  'audit.request-restart',
  `INSERT INTO audit_reincarnations (id, organisation_id, incarnation, restored_size, anchor_incarnation, anchor_size,
     anchor_root, reason, requested_by)
   SELECT $2, organisation_id, greatest(incarnation, anchor_incarnation) + 1, size, anchor_incarnation, anchor_size,
     anchor_root, $3, $4
   FROM audit_logs WHERE organisation_id = $1 AND rolled_back_at IS NOT NULL
   ON CONFLICT (organisation_id) WHERE status = 'REQUESTED' DO NOTHING
   RETURNING ${COLUMNS}`,
  RESTART,
);

const APPROVE = statement(
  'audit.approve-restart',
  `UPDATE audit_reincarnations SET status = 'APPROVED', approved_by = $3, approved_at = clock_timestamp()
   WHERE organisation_id = $1 AND id = $2 AND status = 'REQUESTED' RETURNING ${COLUMNS}`,
  RESTART,
);

// Signed again by the next round of the sealer, under the origin of the new incarnation.
const GO_ON = statement(
  'audit.go-on',
  `UPDATE audit_logs SET incarnation = $2, rolled_back_at = NULL, anchor_incarnation = NULL, anchor_size = NULL,
     anchor_root = NULL, signed_at = 'epoch', note = ''
   WHERE organisation_id = $1 AND rolled_back_at IS NOT NULL RETURNING incarnation`,
  properties(AuditLogEntity, 'incarnation'),
);

const PAGE = statement(
  'audit.restart-page',
  `SELECT ${COLUMNS} FROM audit_reincarnations
   WHERE organisation_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
  RESTART,
);

const FIND = statement(
  'audit.find-restart',
  `SELECT ${COLUMNS} FROM audit_reincarnations WHERE organisation_id = $1 AND id = $2`,
  RESTART,
);

/** Null unless the log is stopped and nobody has asked yet. */
export async function requestRestart(
  tx: Tx,
  asked: {
    readonly organisationId: string;
    readonly id: string;
    readonly reason: string;
    readonly requestedBy: string;
  },
): Promise<LogRestart | null> {
  const values = [asked.organisationId, asked.id, asked.reason, asked.requestedBy];
  const [row] = await execute(tx, REQUEST, values);
  return row ?? null;
}

/** Null when it was approved before. */
export async function approveRestart(
  tx: Tx,
  organisationId: string,
  id: string,
  approvedBy: string,
): Promise<LogRestart | null> {
  return (await execute(tx, APPROVE, [organisationId, id, approvedBy]))[0] ?? null;
}

/** Lets a stopped log go on; false when it is not stopped. */
export const goOn = async (tx: Tx, organisationId: string, incarnation: number): Promise<boolean> =>
  (await execute(tx, GO_ON, [organisationId, incarnation])).length === 1;

/** The newest first. */
export const restarts = (
  db: Reader,
  organisationId: string,
  before: string | null,
  limit: number,
): Promise<LogRestart[]> => execute(db, PAGE, [organisationId, before, limit]);

export const restartById = async (
  db: Reader,
  organisationId: string,
  id: string,
): Promise<LogRestart | null> => (await execute(db, FIND, [organisationId, id]))[0] ?? null;
