import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../database/index.js';

export interface NewSessionDecision {
  readonly id: string;
  readonly organisationId: string;
  readonly sessionId: string;
  readonly reviewId: string;
  readonly outcome: 'APPROVED' | 'REJECTED';
  readonly eventSequence: number;
  readonly decidedAt: Date;
  readonly trailHash: Buffer;
}

/** Decisions of persons about sessions; they are never changed. */
@Injectable()
export class SessionDecisionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The sequence of the newest event about a session. */
  async newestSequence(organisationId: string, sessionId: string): Promise<number> {
    const rows: { newest: number }[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT coalesce(max(sequence), 0)::int AS newest FROM events WHERE organisation_id = $1 AND resource_id = $2`,
        [organisationId, sessionId],
      ),
    );
    return rows[0]?.newest ?? 0;
  }

  async insert(tx: Tx, decision: NewSessionDecision): Promise<void> {
    await tx.query(
      `INSERT INTO kyc_session_decisions (id, organisation_id, session_id, review_id, outcome, event_sequence,
                                          decided_at, trail_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        decision.id,
        decision.organisationId,
        decision.sessionId,
        decision.reviewId,
        decision.outcome,
        decision.eventSequence,
        decision.decidedAt,
        decision.trailHash,
      ],
    );
  }

  /** What each decision about a session must be proven by in its trail. */
  async proofs(
    organisationId: string,
    sessionId: string,
  ): Promise<{ readonly hash: Buffer; readonly outcome: string }[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT trail_hash AS hash, outcome FROM kyc_session_decisions WHERE organisation_id = $1 AND session_id = $2
         ORDER BY event_sequence`,
        [organisationId, sessionId],
      ),
    );
  }
}
