import { Injectable } from '@nestjs/common';
import {
  execute,
  releaseJob,
  sqlArray,
  system,
  takeWaitingJobs,
  type Tx,
  UnitOfWork,
} from '../../database/index.js';
import type {
  ExportFilter,
  ExportLanguage,
  ExportResult,
  ExportStatus,
  TrailNote,
} from '../domain/export.js';
import type { Subject } from '../trail-survey.js';

export interface ExportRow {
  readonly id: string;
  readonly organisationId: string;
  readonly filter: ExportFilter;
  readonly reason: string;
  readonly auditReady: boolean;
  readonly language: ExportLanguage;
  readonly status: ExportStatus;
  /** Of the entry with which it was asked for. */
  readonly trailHash: Buffer;
  readonly attempts: number;
  readonly fence: number;
  readonly done: number;
  readonly total: number | null;
  readonly result: ExportResult | null;
  readonly gaps: readonly TrailNote[] | null;
  readonly failureCode: string | null;
  /** As in audit entries: `operator:<id>`. */
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly downloads: number;
}

export type NewExport = Pick<
  ExportRow,
  'id' | 'organisationId' | 'filter' | 'reason' | 'auditReady' | 'language' | 'trailHash' | 'requestedBy'
>;

/** An export that this process makes. */
export type ClaimedExport = ExportRow;

export const PIECE_BYTES = 1_048_576;
export const READ_BYTES = 131_072;
const LEASE = `now() + interval '15 seconds'`;

const COLUMNS = `id, organisation_id AS "organisationId", filter, reason, audit_ready AS "auditReady", language, status,
  trail_hash AS "trailHash", attempts, fence, done::float8 AS done, total::float8 AS total, result, gaps,
  failure_code AS "failureCode", requested_by AS "requestedBy", requested_at AS "requestedAt",
  started_at AS "startedAt", finished_at AS "finishedAt", expires_at AS "expiresAt", downloads`;

/** Exports, the pieces of their files, and what they are made of while they are made. */
@Injectable()
export class ExportRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(tx: Tx, row: NewExport): Promise<ExportRow> {
    const rows = await execute<ExportRow>(
      tx,
      {
        text: `INSERT INTO audit_exports (id, organisation_id, filter, reason, audit_ready, language, trail_hash, requested_by)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
      },
      [
        row.id,
        row.organisationId,
        JSON.stringify(row.filter),
        row.reason,
        row.auditReady,
        row.language,
        row.trailHash,
        row.requestedBy,
      ],
    );
    const [inserted] = rows;
    if (!inserted) throw new Error('an export was not written');
    return inserted;
  }

  async find(organisationId: string, id: string): Promise<ExportRow | null> {
    const rows: ExportRow[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${COLUMNS} FROM audit_exports WHERE organisation_id = $1 AND id = $2`, [
        organisationId,
        id,
      ]),
    );
    return rows[0] ?? null;
  }

  /** The newest first, those before `before`. */
  async page(
    organisationId: string,
    status: ExportStatus | null,
    before: string | null,
    limit: number,
  ): Promise<ExportRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${COLUMNS} FROM audit_exports WHERE organisation_id = $1 AND ($2::text IS NULL OR status = $2)
           AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
        [organisationId, status, before, limit],
      ),
    );
  }

  /** Takes an export that nobody makes; null when somebody does, or it has ended. */
  async claim(id: string): Promise<ClaimedExport | null> {
    const rows = await this.uow.write<ClaimedExport>(system('audit.exports'), {
      text: `UPDATE audit_exports
             SET status = 'RUNNING', attempts = attempts + 1, fence = fence + 1, lease_until = ${LEASE}, done = 0,
                 started_at = coalesce(started_at, now())
             WHERE id = $1 AND (status = 'QUEUED' OR (status = 'RUNNING' AND lease_until < now()))
             RETURNING ${COLUMNS}`,
      values: [id],
    });
    return rows[0] ?? null;
  }

  /** Notes how far it is; false when it is not this process's any more. */
  async progress(
    { id, organisationId, fence }: ClaimedExport,
    done: number,
    total: number,
  ): Promise<boolean> {
    const rows = await this.uow.write(organisationId, {
      text: `UPDATE audit_exports SET done = $3, total = $4, lease_until = ${LEASE}
             WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING id`,
      values: [id, fence, done, total],
    });
    return rows.length === 1;
  }

  /** Ends it; false when it is not this process's any more. */
  async end(
    tx: Tx,
    { id, fence }: ClaimedExport,
    end: {
      readonly status: 'READY' | 'BLOCKED' | 'FAILED';
      readonly result?: ExportResult;
      readonly gaps?: readonly TrailNote[];
      readonly failureCode?: string;
      readonly keepDays: number;
    },
  ): Promise<boolean> {
    const rows = await execute(
      tx,
      {
        text: `UPDATE audit_exports SET status = $3, result = $4, gaps = $5, failure_code = $6, done = coalesce(total, 0),
                 finished_at = now(), expires_at = CASE WHEN $3 = 'READY' THEN now() + make_interval(days => $7) END
               WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING id`,
      },
      [
        id,
        fence,
        end.status,
        end.result ? JSON.stringify(end.result) : null,
        end.gaps ? JSON.stringify(end.gaps) : null,
        end.failureCode ?? null,
        end.keepDays,
      ],
    );
    return rows.length === 1;
  }

  /** Gives it back, for this process ends or for another attempt. */
  async release(claimed: ClaimedExport): Promise<void> {
    await releaseJob(this.uow, 'audit_exports', claimed);
  }

  /** Whether a package of this organisation is being made, or is about to be. */
  async isAnyOpen(tx: Tx, organisationId: string): Promise<boolean> {
    const text = `SELECT EXISTS (SELECT FROM audit_exports
                    WHERE organisation_id = $1 AND status IN ('QUEUED', 'RUNNING')) AS open`;
    const [row] = await execute<{ open: boolean }>(tx, { text }, [organisationId]);
    return row?.open === true;
  }

  /** Exports that wait and that nobody was told of, or whose process is gone. */
  async takeWaiting(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    return takeWaitingJobs(tx, 'audit_exports', which);
  }

  /** Counts a download; null when the file is not there. */
  async download(tx: Tx, organisationId: string, id: string): Promise<ExportRow | null> {
    const rows = await execute<ExportRow>(
      tx,
      {
        text: `UPDATE audit_exports SET downloads = downloads + 1
               WHERE organisation_id = $1 AND id = $2 AND status = 'READY' RETURNING ${COLUMNS}`,
      },
      [organisationId, id],
    );
    return rows[0] ?? null;
  }

  /** Ends the keeping of files whose time is over; returns them, at most a few at a time. */
  async expire(tx: Tx): Promise<Pick<ExportRow, 'id' | 'organisationId'>[]> {
    return execute(
      tx,
      {
        text: `WITH gone AS (
                 UPDATE audit_exports SET status = 'EXPIRED' WHERE id IN (
                   SELECT id FROM audit_exports WHERE status = 'READY' AND expires_at < now()
                   ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED)
                 RETURNING id, organisation_id),
               pieces AS (DELETE FROM audit_export_pieces WHERE export_id IN (SELECT id FROM gone))
               SELECT id, organisation_id AS "organisationId" FROM gone`,
      },
      [],
    );
  }

  // --- the file ----------------------------------------------------------------------------------------------

  /** Stores a piece of the file; false when the export is not this process's any more. */
  async addPiece(
    { id, organisationId, fence }: ClaimedExport,
    piece: number,
    bytes: Buffer,
  ): Promise<boolean> {
    const rows = await this.uow.write(organisationId, {
      text: `INSERT INTO audit_export_pieces (export_id, organisation_id, fence, piece, bytes)
             SELECT id, organisation_id, fence, $3, $4 FROM audit_exports
             WHERE id = $1 AND fence = $2 AND status = 'RUNNING' RETURNING piece`,
      values: [id, fence, piece, bytes],
    });
    return rows.length === 1;
  }

  /** Part of a piece, from the byte `from` on: a few of its bytes, for each takes several times its size on the way. */
  async piece(
    { id, organisationId, fence }: Pick<ExportRow, 'id' | 'organisationId' | 'fence'>,
    piece: number,
    from: number,
  ): Promise<Buffer | null> {
    const rows: { bytes: Buffer }[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT substring(bytes FROM $4 FOR ${READ_BYTES}) AS bytes FROM audit_export_pieces
         WHERE export_id = $1 AND fence = $2 AND piece = $3`,
        [id, fence, piece, from + 1],
      ),
    );
    return rows[0]?.bytes ?? null;
  }

  /** Throws away what an attempt has left behind: `before` for earlier ones only, so that nothing of this one goes. */
  async clear({ id, organisationId, fence }: ClaimedExport, which: 'before' | 'all'): Promise<void> {
    await this.uow.write(organisationId, {
      text: `WITH pieces AS (DELETE FROM audit_export_pieces WHERE export_id = $1 AND (fence < $2 OR $3)),
                  subjects AS (DELETE FROM audit_export_subjects WHERE export_id = $1)
             DELETE FROM audit_export_leaves WHERE export_id = $1`,
      values: [id, fence, which === 'all'],
    });
  }

  /** Throws away what it was made of; the file stays. */
  async forgetScope({ id, organisationId }: ClaimedExport): Promise<void> {
    await this.uow.write(organisationId, {
      text: `WITH subjects AS (DELETE FROM audit_export_subjects WHERE export_id = $1)
             DELETE FROM audit_export_leaves WHERE export_id = $1`,
      values: [id],
    });
  }

  // --- what it is made of --------------------------------------------------------------------------------------

  /** Notes subjects and their leaves. */
  async note({ id, organisationId }: ClaimedExport, subjects: readonly Subject[]): Promise<void> {
    await this.uow.write(organisationId, {
      text: `WITH given AS (SELECT DISTINCT * FROM unnest($3::text[], $4::text[]) AS s (type, id)),
             noted AS (INSERT INTO audit_export_subjects (export_id, organisation_id, subject_type, subject_id)
                       SELECT $1, $2, type, id FROM given ON CONFLICT DO NOTHING)
             INSERT INTO audit_export_leaves (export_id, organisation_id, leaf_index)
             SELECT $1, $2, l.leaf_index FROM given g JOIN audit_leaves l
               ON l.organisation_id = $2 AND l.subject_type = g.type AND l.subject_id = g.id
             ON CONFLICT DO NOTHING`,
      values: [
        id,
        organisationId,
        sqlArray.text(subjects.map(({ type }) => type)),
        sqlArray.text(subjects.map((subject) => subject.id)),
      ],
    });
  }

  /** The noted subjects behind one of them. */
  async noted(
    { id, organisationId }: ClaimedExport,
    after: Subject | null,
    limit: number,
  ): Promise<Subject[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT subject_type AS type, subject_id AS id FROM audit_export_subjects
         WHERE export_id = $1 AND ($2::text IS NULL OR (subject_type, subject_id) > ($2, $3))
         ORDER BY subject_type, subject_id LIMIT $4`,
        [id, after?.type ?? null, after?.id ?? null, limit],
      ),
    );
  }
}
