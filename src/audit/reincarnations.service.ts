import { Injectable } from '@nestjs/common';
import { execute, UnitOfWork } from '../database/index.js';
import { requireSecondPerson, type OperatorPrincipal } from '../http/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { type Acting, stepOf } from './acting.js';
import { AuditTrail } from './audit-trail.js';
import type { AuditContent, AuditDraft } from './domain/entry.js';

/** What was found when a log was stopped, and what two people said about it. */
export interface Reincarnation {
  readonly id: string;
  /** The incarnation that the log goes on as. */
  readonly incarnation: number;
  /** How many entries the restored log has. */
  readonly restoredSize: number;
  /** How many it had when its newest anchor was made. */
  readonly anchorSize: number;
  readonly anchorRoot: Buffer;
  readonly reason: string;
  readonly status: 'REQUESTED' | 'APPROVED';
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
}

interface Row extends Omit<Reincarnation, 'restoredSize' | 'anchorSize'> {
  readonly restoredSize: string;
  readonly anchorSize: string;
}

const COLUMNS = `id, incarnation, restored_size AS "restoredSize", anchor_size AS "anchorSize",
  anchor_root AS "anchorRoot", reason, status, requested_by AS "requestedBy", requested_at AS "requestedAt",
  approved_by AS "approvedBy", approved_at AS "approvedAt"`;

const REQUEST = {
  text: `INSERT INTO audit_reincarnations (id, organisation_id, incarnation, restored_size, anchor_incarnation, anchor_size,
           anchor_root, reason, requested_by)
         SELECT $2, organisation_id, greatest(incarnation, anchor_incarnation) + 1, size, anchor_incarnation, anchor_size,
           anchor_root, $3, $4
         FROM audit_logs WHERE organisation_id = $1 AND rolled_back_at IS NOT NULL
         ON CONFLICT (organisation_id) WHERE status = 'REQUESTED' DO NOTHING
         RETURNING ${COLUMNS}`,
};

const APPROVE = {
  text: `UPDATE audit_reincarnations SET status = 'APPROVED', approved_by = $3, approved_at = clock_timestamp()
         WHERE organisation_id = $1 AND id = $2 AND status = 'REQUESTED' RETURNING ${COLUMNS}`,
};

// Signed again by the next round of the sealer, under the origin of the new incarnation.
const GO_ON = {
  text: `UPDATE audit_logs SET incarnation = $2, rolled_back_at = NULL, anchor_incarnation = NULL, anchor_size = NULL,
           anchor_root = NULL, signed_at = 'epoch', note = ''
         WHERE organisation_id = $1 AND rolled_back_at IS NOT NULL RETURNING 1`,
};

/**
 * Lets a log that was put back (a restored backup) go on, when one person has said why and another agrees. It goes on
 * under a new origin, and its first entry names what was lost, so that nobody can take the one log for the other.
 */
@Injectable()
export class Reincarnations {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Fails with STATE_CONFLICT unless the log is stopped and nobody has asked yet. */
  async request(acting: Acting, reason: string): Promise<Reincarnation> {
    return this.uow.run(acting.organisationId, async (tx) => {
      const values = [acting.organisationId, newUuid(), reason, acting.actor.id];
      const [row] = await execute<Row>(tx, REQUEST, values);
      if (!row) throw new DomainError('STATE_CONFLICT');
      await this.trail.record(tx, [this.step(acting, row, 'audit_log.reincarnation_requested')]);
      return toReincarnation(row);
    });
  }

  async approve(operator: OperatorPrincipal, acting: Acting, id: string): Promise<Reincarnation> {
    const { organisationId } = operator;
    const open = await this.find(organisationId, id);
    if (!open) throw new DomainError('REINCARNATION_NOT_FOUND');
    if (open.status !== 'REQUESTED') throw new DomainError('STATE_CONFLICT');
    requireSecondPerson(open.requestedBy, operator);
    return this.uow.run(organisationId, async (tx) => {
      const [row] = await execute<Row>(tx, APPROVE, [organisationId, id, operator.id]);
      const gone = row && (await execute(tx, GO_ON, [organisationId, row.incarnation]));
      if (!row || gone?.length !== 1) throw new DomainError('STATE_CONFLICT');
      await this.trail.record(tx, [this.step(acting, row, 'audit_log.reincarnated')]);
      return toReincarnation(row);
    });
  }

  /** The newest first. */
  async page(organisationId: string, before: string | null, limit: number): Promise<Reincarnation[]> {
    const rows: Row[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${COLUMNS} FROM audit_reincarnations
         WHERE organisation_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
        [organisationId, before, limit],
      ),
    );
    return rows.map(toReincarnation);
  }

  private async find(organisationId: string, id: string): Promise<Reincarnation | null> {
    const rows: Row[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${COLUMNS} FROM audit_reincarnations WHERE organisation_id = $1 AND id = $2`, [
        organisationId,
        id,
      ]),
    );
    const [row] = rows;
    return row ? toReincarnation(row) : null;
  }

  private step(acting: Acting, row: Row, action: AuditDraft['action']): AuditDraft {
    const content: AuditContent = {
      incarnation: row.incarnation,
      restoredSize: Number(row.restoredSize),
      lostFrom: Number(row.restoredSize),
      lostTo: Number(row.anchorSize),
      anchorRoot: row.anchorRoot.toString('base64'),
      requestedBy: `operator:${row.requestedBy}`,
    };
    const now = new Date(this.clock.now());
    return stepOf(acting, 'audit_log', acting.organisationId, action, now, content);
  }
}

const toReincarnation = (row: Row): Reincarnation => ({
  ...row,
  restoredSize: Number(row.restoredSize),
  anchorSize: Number(row.anchorSize),
});
