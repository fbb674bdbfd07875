import { Injectable } from '@nestjs/common';
import { sqlArray, type Tx } from '../../database/index.js';
import type { ReportDecision, Resolution, ReviewStatus } from '../domain/review.js';
import { REVIEW, type ReviewRow } from './review.queries.js';

export type NoteKind = 'REASON' | 'NOTE' | 'INFO_REQUEST' | 'INFO' | 'JUSTIFICATION' | 'RETURN';

export interface NewNote {
  readonly id: string;
  readonly reviewId: string;
  readonly organisationId: string;
  readonly authorId: string;
  readonly kind: NoteKind;
  readonly sealed: Buffer;
  readonly artifactIds: readonly string[];
  readonly writtenAt: Date;
}

export interface Proposal {
  readonly by: string;
  readonly at: Date;
  readonly resolution: Resolution;
  readonly report: ReportDecision;
  readonly justification: Buffer;
  readonly revision: number;
}

export interface Closing {
  readonly by: string;
  readonly at: Date;
  readonly reportDeadline: Date | null;
  /** `YYYY-MM-DD`. */
  readonly retainUntil: string;
}

/** Which part of the service a decision still has to reach. */
export type EffectTarget = 'KYT' | 'SESSIONS';

/** Writes cases. Every change of state names the state that it starts from, and says whether it took place. */
@Injectable()
export class ReviewRepository {
  /** The case, held until the transaction ends: whoever else wants to change it waits. */
  async lock(tx: Tx, organisationId: string, id: string): Promise<ReviewRow | null> {
    const rows: ReviewRow[] = await tx.query(
      `SELECT ${REVIEW} FROM reviews r WHERE r.organisation_id = $1 AND r.id = $2 FOR UPDATE`,
      [organisationId, id],
    );
    return rows[0] ?? null;
  }

  async begin(tx: Tx, id: string, at: Date): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET status = 'IN_ANALYSIS', begun_at = $2, due_at = analysis_deadline, updated_at = $2
       WHERE id = $1 AND status = 'OPEN' RETURNING id`,
      [id, at],
    );
  }

  async move(tx: Tx, id: string, from: ReviewStatus, to: ReviewStatus, at: Date): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET status = $3, updated_at = $4 WHERE id = $1 AND status = $2 RETURNING id`,
      [id, from, to, at],
    );
  }

  async assign(tx: Tx, id: string, assigneeId: string | null, at: Date): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET assignee_id = $2, assigned_at = CASE WHEN $2::uuid IS NULL THEN NULL ELSE $3::timestamptz END,
              updated_at = $3
       WHERE id = $1 AND status <> 'CLOSED' RETURNING id`,
      [id, assigneeId, at],
    );
  }

  async propose(tx: Tx, id: string, proposal: Proposal): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET status = 'PENDING_APPROVAL', proposed_by = $2, proposed_at = $3, resolution = $4, report = $5,
              justification = $6, proposed_revision = $7, updated_at = $3
       WHERE id = $1 AND status = 'IN_ANALYSIS' AND revision = $7 RETURNING id`,
      [
        id,
        proposal.by,
        proposal.at,
        proposal.resolution,
        proposal.report,
        proposal.justification,
        proposal.revision,
      ],
    );
  }

  /** Puts a proposal back into analysis; what it said stays with the notes. */
  async takeBack(tx: Tx, id: string, at: Date): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET status = 'IN_ANALYSIS', proposed_by = NULL, proposed_at = NULL, resolution = NULL,
              report = NULL, justification = NULL, proposed_revision = NULL, updated_at = $2
       WHERE id = $1 AND status = 'PENDING_APPROVAL' RETURNING id`,
      [id, at],
    );
  }

  /** Closes a case as it was proposed; false when something was added to it since. */
  async close(tx: Tx, id: string, { by, at, reportDeadline, retainUntil }: Closing): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET status = 'CLOSED', closed_by = $2, closed_at = $3, report_deadline = $4,
              due_at = coalesce($4, due_at), retain_until = $5, updated_at = $3
       WHERE id = $1 AND status = 'PENDING_APPROVAL' AND proposed_revision = revision AND proposed_by <> $2
       RETURNING id`,
      [id, by, at, reportDeadline, retainUntil],
    );
  }

  async reported(tx: Tx, organisationId: string, id: string, at: Date): Promise<boolean> {
    return this.changed(
      tx,
      `UPDATE reviews SET reported_at = $3, updated_at = $3
       WHERE organisation_id = $1 AND id = $2 AND status = 'CLOSED' AND report = 'COMMUNICATE' AND reported_at IS NULL
       RETURNING id`,
      [organisationId, id, at],
    );
  }

  async insertNote(tx: Tx, note: NewNote): Promise<void> {
    await tx.query(
      `INSERT INTO review_notes (id, review_id, organisation_id, author_id, kind, sealed, artifact_ids, written_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        note.id,
        note.reviewId,
        note.organisationId,
        note.authorId,
        note.kind,
        note.sealed,
        [...note.artifactIds],
        note.writtenAt,
      ],
    );
  }

  /** Gives a new case what an old one was about. */
  async copyLinks(tx: Tx, from: string, to: string): Promise<void> {
    await tx.query(
      `INSERT INTO review_transactions (review_id, organisation_id, transaction_ref, evaluation_version, origin)
       SELECT $2, organisation_id, transaction_ref, evaluation_version, 'REOPENED' FROM review_transactions
       WHERE review_id = $1`,
      [from, to],
    );
    await tx.query(
      `INSERT INTO review_hits (review_id, organisation_id, hit_id)
       SELECT $2, organisation_id, hit_id FROM review_hits WHERE review_id = $1 ON CONFLICT DO NOTHING`,
      [from, to],
    );
    await tx.query(
      `UPDATE reviews n SET reopened_from = $1, linked = o.linked FROM reviews o WHERE o.id = $1 AND n.id = $2`,
      [from, to],
    );
  }

  /** Adds hits to a case that somebody may be working on: a proposal made before does not hold for them. */
  async linkHits(tx: Tx, organisationId: string, reviewId: string, hitIds: readonly string[]): Promise<void> {
    await tx.query(
      `INSERT INTO review_hits (review_id, organisation_id, hit_id)
       SELECT $1, $2, h FROM unnest($3::uuid[]) AS h ON CONFLICT DO NOTHING`,
      [reviewId, organisationId, sqlArray.plain(hitIds)],
    );
    await tx.query(`UPDATE reviews SET revision = revision + 1, updated_at = now() WHERE id = $1`, [
      reviewId,
    ]);
  }

  /** One sharing-out at a time for an organisation, or two would fill the same people over their cap. */
  async takeTurn(tx: Tx, organisationId: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('reviews.share:' || $1, 0))`, [
      organisationId,
    ]);
  }

  /** How many cases that are not closed each of these operators has. */
  async load(tx: Tx, organisationId: string): Promise<ReadonlyMap<string, number>> {
    const rows: { id: string; count: number }[] = await tx.query(
      `SELECT assignee_id AS id, count(*)::int AS count FROM reviews
       WHERE organisation_id = $1 AND assignee_id IS NOT NULL AND status <> 'CLOSED' GROUP BY assignee_id`,
      [organisationId],
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Cases that nobody has, the most urgent first, held for this transaction; those that another one holds are left out. */
  async lockUnassigned(
    tx: Tx,
    organisationId: string,
    filter: { readonly queue?: string | undefined; readonly kind?: string | undefined },
    limit: number,
  ): Promise<ReviewRow[]> {
    return tx.query(
      `SELECT ${REVIEW} FROM reviews r
       WHERE r.organisation_id = $1 AND r.assignee_id IS NULL AND r.status <> 'CLOSED'
         AND ($2::text IS NULL OR r.queue = $2) AND ($3::text IS NULL OR r.kind = $3)
       ORDER BY r.priority, r.due_at, r.id LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [organisationId, filter.queue ?? null, filter.kind ?? null, limit],
    );
  }

  // --- what decisions still have to reach ----------------------------------------------------------------------

  async addEffect(tx: Tx, organisationId: string, reviewId: string, target: EffectTarget): Promise<void> {
    await tx.query(`INSERT INTO review_effects (review_id, organisation_id, target) VALUES ($1, $2, $3)`, [
      reviewId,
      organisationId,
      target,
    ]);
  }

  /** Holds an effect that is still to come; false when it has come. */
  async lockEffect(tx: Tx, reviewId: string, target: EffectTarget): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT review_id FROM review_effects WHERE review_id = $1 AND target = $2 FOR UPDATE`,
      [reviewId, target],
    );
    return rows.length > 0;
  }

  async endEffect(tx: Tx, reviewId: string, target: EffectTarget): Promise<void> {
    await tx.query(`DELETE FROM review_effects WHERE review_id = $1 AND target = $2`, [reviewId, target]);
  }

  /** Cases whose decision has not arrived after so many seconds. */
  async waitingEffects(tx: Tx, target: EffectTarget, olderThanSeconds: number): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(
      `SELECT review_id AS id FROM review_effects
       WHERE target = $1 AND created_at < now() - make_interval(secs => $2) ORDER BY created_at LIMIT 1000`,
      [target, olderThanSeconds],
    );
    return rows.map(({ id }) => id);
  }

  private async changed(tx: Tx, text: string, values: readonly unknown[]): Promise<boolean> {
    // An UPDATE is answered with its rows and their number.
    const [rows]: [unknown[], number] = await tx.query(text, [...values]);
    return rows.length > 0;
  }
}
