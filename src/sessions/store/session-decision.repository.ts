import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  properties,
  statement,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../database/index.js';
import { SessionDecisionEntity } from './entities/session-decision.entity.js';

const NEWEST = statement(
  'sessions.newest-event',
  `SELECT coalesce(max(sequence), 0)::int AS newest FROM events WHERE organisation_id = $1 AND resource_id = $2`,
  { newest: 'integer' },
);

const PROOFS = statement(
  'sessions.decision-proofs',
  `SELECT trail_hash AS hash, outcome FROM kyc_session_decisions WHERE organisation_id = $1 AND session_id = $2
     ORDER BY event_sequence`,
  { ...properties(SessionDecisionEntity, 'outcome'), hash: column(SessionDecisionEntity, 'trailHash') },
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

  async insert(tx: Tx, decision: Readonly<SessionDecisionEntity>): Promise<void> {
    await tx.insert(SessionDecisionEntity, { ...decision });
  }

  /** Returns the hash and the outcome by which the trail must prove each decision about a session. */
  async proofs(organisationId: string, sessionId: string): Promise<Rows<typeof PROOFS>[]> {
    return this.uow.read(organisationId, (db) => execute(db, PROOFS, [organisationId, sessionId]));
  }
}
