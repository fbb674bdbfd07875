import { Injectable } from '@nestjs/common';
import { execute, statement, UnitOfWork } from '../../database/index.js';
import { SessionDecisionEntity } from './entities/session-decision.entity.js';

const NEWEST = statement(
  'sessions.newest-event',
  `SELECT coalesce(max(sequence), 0)::int AS newest FROM events WHERE organisation_id = $1 AND resource_id = $2`,
  { newest: 'integer' },
);

/** Decisions of persons about sessions; they are never changed. */
@Injectable()
export class SessionDecisionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The sequence of the newest event about a session. */
  async newestSequence(organisationId: string, sessionId: string): Promise<number> {
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, NEWEST, [organisationId, sessionId]),
    );
    return rows[0]?.newest ?? 0;
  }

  /** The decisions about a session, each with the hash by which the trail must prove it. */
  async proofs(organisationId: string, sessionId: string): Promise<SessionDecisionEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(SessionDecisionEntity, {
        where: { organisationId, sessionId },
        order: { eventSequence: 'ASC' },
      }),
    );
  }
}
