import { Injectable } from '@nestjs/common';
import { execute, selectedBut, statement, system, UnitOfWork, type Tx } from '../../database/index.js';
import type { ListRow } from '../domain/records.js';
import { ScreeningListEntity } from './entities/screening-list.entity.js';

const LISTED = selectedBut(ScreeningListEntity, 'l', 'evidenceThreshold', 'mandatoryThreshold');
const LIST = {
  sql: `${LISTED.sql}, l.evidence_threshold::float8 AS "evidenceThreshold",
    l.mandatory_threshold::float8 AS "mandatoryThreshold"`,
  shape: { ...LISTED.shape, evidenceThreshold: 'float8', mandatoryThreshold: 'float8' },
} as const;

const INSERT = statement(
  'screening.insert-list',
  `INSERT INTO screening_lists AS l
     (id, organisation_id, key, name, kind, format, evidence_threshold, mandatory_threshold, stale_after_days)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT ON CONSTRAINT screening_lists_key DO NOTHING RETURNING ${LIST.sql}`,
  LIST.shape,
);

const CHANGE = statement(
  'screening.change-list',
  `UPDATE screening_lists AS l SET
     name = coalesce($3, name), evidence_threshold = coalesce($4, evidence_threshold),
     mandatory_threshold = coalesce($5, mandatory_threshold),
     stale_after_days = CASE WHEN $6 THEN $7 ELSE stale_after_days END,
     archived_at = CASE WHEN $8::boolean THEN coalesce(archived_at, now()) ELSE archived_at END
   WHERE organisation_id = $1 AND id = $2 RETURNING ${LIST.sql}`,
  LIST.shape,
);

const FIND = statement(
  'screening.find-list',
  `SELECT ${LIST.sql} FROM screening_lists l WHERE organisation_id = $1 AND id = $2`,
  LIST.shape,
);

const FIND_BY_KEY = statement(
  'screening.find-list-by-key',
  `SELECT ${LIST.sql} FROM screening_lists l WHERE organisation_id = $1 AND key = $2`,
  LIST.shape,
);

const PAGE = statement(
  'screening.list-page',
  `SELECT ${LIST.sql} FROM screening_lists l
     WHERE organisation_id = $1 AND ($2::text IS NULL OR key > $2) ORDER BY key LIMIT $3`,
  LIST.shape,
);

const ALL = statement('screening.all-lists', `SELECT ${LIST.sql} FROM screening_lists l`, LIST.shape);

/** Lists and their settings. */
@Injectable()
export class ListRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async insert(
    tx: Tx,
    list: Omit<ListRow, 'sequence' | 'snapshotId' | 'publishedAt' | 'entries' | 'archivedAt' | 'createdAt'>,
  ): Promise<ListRow | null> {
    const rows = await execute(tx, INSERT, [
      list.id,
      list.organisationId,
      list.key,
      list.name,
      list.kind,
      list.format,
      list.evidenceThreshold,
      list.mandatoryThreshold,
      list.staleAfterDays,
    ]);
    return rows[0] ?? null;
  }

  async change(
    tx: Tx,
    organisationId: string,
    id: string,
    change: Partial<
      Pick<ListRow, 'name' | 'evidenceThreshold' | 'mandatoryThreshold' | 'staleAfterDays'> & {
        archived: boolean;
      }
    >,
  ): Promise<ListRow | null> {
    const rows = await execute(tx, CHANGE, [
      organisationId,
      id,
      change.name ?? null,
      change.evidenceThreshold ?? null,
      change.mandatoryThreshold ?? null,
      change.staleAfterDays !== undefined,
      change.staleAfterDays ?? null,
      change.archived ?? false,
    ]);
    return rows[0] ?? null;
  }

  async find(organisationId: string, id: string): Promise<ListRow | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId, id]));
    return rows[0] ?? null;
  }

  async findByKey(organisationId: string, key: string): Promise<ListRow | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND_BY_KEY, [organisationId, key]));
    return rows[0] ?? null;
  }

  async page(organisationId: string, after: string | null, limit: number): Promise<ListRow[]> {
    return this.uow.read(organisationId, (db) => execute(db, PAGE, [organisationId, after, limit]));
  }

  /** Every list of every organisation, for the index. */
  async all(): Promise<ListRow[]> {
    return this.uow.read(system('screening.index'), (db) => execute(db, ALL, []));
  }
}
