import { Injectable } from '@nestjs/common';
import { execute, properties, selectedBut, statement, UnitOfWork, type Tx } from '../../database/index.js';
import type { FlowVersion } from '../domain/records.js';
import { FlowEntity } from './entities/flow.entity.js';

const FLOW = selectedBut(FlowEntity, 'f');

const VERSIONS = statement(
  'sessions.flow-versions',
  `SELECT ${FLOW.sql} FROM flows f
     WHERE organisation_id = $1 AND key = $2 AND ($3::int IS NULL OR version < $3)
     ORDER BY version DESC LIMIT $4`,
  FLOW.shape,
);

const LIST = statement(
  'sessions.flows',
  `SELECT DISTINCT ON (key) ${FLOW.sql} FROM flows f
     WHERE organisation_id = $1 AND ($2::text IS NULL OR key > $2)
     ORDER BY key, version DESC LIMIT $3`,
  FLOW.shape,
);

const INSERT = statement(
  'sessions.insert-flow',
  `INSERT INTO flows (id, organisation_id, key, version, definition, content_hash, created_by, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT flows_version DO NOTHING RETURNING id`,
  properties(FlowEntity, 'id'),
);

@Injectable()
export class FlowRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The newest version under a key. */
  async current(organisationId: string, key: string): Promise<FlowVersion | null> {
    const [row] = await this.versions(organisationId, key, null, 1);
    return row ?? null;
  }

  /** Versions under a key, newest first, below `before`. */
  async versions(
    organisationId: string,
    key: string,
    before: number | null,
    limit: number,
  ): Promise<FlowVersion[]> {
    return this.uow.read(organisationId, (db) => execute(db, VERSIONS, [organisationId, key, before, limit]));
  }

  /** The newest version of each flow, by key. */
  async list(organisationId: string, after: string | null, limit: number): Promise<FlowVersion[]> {
    return this.uow.read(organisationId, (db) => execute(db, LIST, [organisationId, after, limit]));
  }

  /** Adds a version; false when somebody else has added the same one. */
  async insert(tx: Tx, flow: FlowVersion): Promise<boolean> {
    const rows = await execute(tx, INSERT, [
      flow.id,
      flow.organisationId,
      flow.key,
      flow.version,
      JSON.stringify(flow.definition),
      flow.contentHash,
      flow.createdBy,
      flow.createdAt,
    ]);
    return rows.length > 0;
  }
}
