import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../database/index.js';
import { newUuid } from '../../kernel/index.js';
import type { SubjectType } from '../domain/entry.js';
import type { TrailGap, TrailStatus } from '../domain/trail.js';
import type { Subject } from '../trail/trail-survey.service.js';
import { AuditFindingEntity } from './entities/audit-finding.entity.js';

/** A gap that the sweep has found. */
export type Finding = Rows<typeof PAGE>;

const SUBJECT = {
  type: column(AuditFindingEntity, 'subjectType'),
  id: column(AuditFindingEntity, 'subjectId'),
};

const OPEN = statement(
  'audit.open-findings',
  `SELECT subject_type AS type, subject_id AS id FROM audit_findings
         WHERE organisation_id = $1 AND cleared_at IS NULL AND ($2::text IS NULL OR subject_type = $2)
         ORDER BY found_at LIMIT $3`,
  SUBJECT,
);

const WITH_FINDINGS = statement(
  'audit.with-findings',
  `SELECT f.subject_type AS type, f.subject_id AS id FROM audit_findings f
         JOIN unnest($2::text[], $3::text[]) AS s (type, id) ON s.type = f.subject_type AND s.id = f.subject_id
         WHERE f.organisation_id = $1 AND f.cleared_at IS NULL`,
  SUBJECT,
);

const PAGE = statement(
  'audit.finding-page',
  `SELECT id, subject_type AS "subjectType", subject_id AS "subjectId", status, gaps, found_at AS "foundAt"
         FROM audit_findings
         WHERE organisation_id = $1 AND cleared_at IS NULL AND ($2::uuid IS NULL OR id < $2)
         ORDER BY id DESC LIMIT $3`,
  properties(AuditFindingEntity, 'id', 'subjectType', 'subjectId', 'status', 'gaps', 'foundAt'),
);

const NOTE = statement(
  'audit.note-finding',
  `INSERT INTO audit_findings AS f (organisation_id, subject_type, subject_id, status, gaps, id)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (organisation_id, subject_type, subject_id) DO UPDATE
                 SET id = excluded.id, status = excluded.status, gaps = excluded.gaps, found_at = clock_timestamp(), cleared_at = NULL
                 WHERE f.cleared_at IS NOT NULL OR f.gaps <> excluded.gaps RETURNING f.id`,
  properties(AuditFindingEntity, 'id'),
);

const CLEAR = statement(
  'audit.clear-finding',
  `UPDATE audit_findings SET cleared_at = clock_timestamp()
               WHERE organisation_id = $1 AND subject_type = $2 AND subject_id = $3 AND cleared_at IS NULL RETURNING id`,
  properties(AuditFindingEntity, 'id'),
);

/** The findings of the sweep over all trails. */
@Injectable()
export class FindingRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Subjects whose trails had a gap when they were looked at last. */
  async open(organisationId: string, type: SubjectType | null, limit: number): Promise<Subject[]> {
    return this.uow.read(organisationId, (db) => execute(db, OPEN, [organisationId, type, limit]));
  }

  /** Those of these subjects that had a gap when they were looked at last. */
  async withFindings(organisationId: string, subjects: readonly Subject[]): Promise<Subject[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, WITH_FINDINGS, [
        organisationId,
        sqlArray.text(subjects.map(({ type }) => type)),
        sqlArray.text(subjects.map(({ id }) => id)),
      ]),
    );
  }

  /** The open findings, the newest first, those before `before`. */
  async page(organisationId: string, before: string | null, limit: number): Promise<Finding[]> {
    return this.uow.read(organisationId, (db) => execute(db, PAGE, [organisationId, before, limit]));
  }

  /** Notes a gap; false when it is known already. */
  async note(
    tx: Tx,
    organisationId: string,
    { type, id }: Subject,
    status: TrailStatus,
    gaps: readonly TrailGap[],
  ): Promise<boolean> {
    const rows = await execute(tx, NOTE, [organisationId, type, id, status, JSON.stringify(gaps), newUuid()]);
    return rows.length > 0;
  }

  /** Notes that there is no gap any more; false when none was known. */
  async clear(tx: Tx, organisationId: string, { type, id }: Subject): Promise<boolean> {
    const rows = await execute(tx, CLEAR, [organisationId, type, id]);
    return rows.length > 0;
  }
}
