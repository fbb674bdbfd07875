import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  present,
  properties,
  sqlArray,
  statement,
  takeTurn,
  type Tx,
} from '../../database/index.js';
import type { ReportDecision, Resolution, ReviewStatus } from '../domain/review.js';
import { ReviewEffectEntity } from './entities/review-effect.entity.js';
import { ReviewNoteEntity } from './entities/review-note.entity.js';
import { ReviewEntity } from './entities/review.entity.js';
import { REVIEW, type NoteRow, type ReviewRow } from './review.queries.js';

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

/** The part of the service that a decision still has to reach. */
export type EffectTarget = ReviewEffectEntity['target'];

const ID = properties(ReviewEntity, 'id');

const LOCK = statement(
  'reviews.lock',
  `SELECT ${REVIEW.sql} FROM reviews r WHERE r.organisation_id = $1 AND r.id = $2 FOR UPDATE`,
  REVIEW.shape,
);

const BEGIN = statement(
  'reviews.begin',
  `UPDATE reviews SET status = 'IN_ANALYSIS', begun_at = $2, due_at = analysis_deadline, updated_at = $2
   WHERE id = $1 AND status = 'OPEN' RETURNING id`,
  ID,
);

const MOVE = statement(
  'reviews.move',
  `UPDATE reviews SET status = $3, updated_at = $4 WHERE id = $1 AND status = $2 RETURNING id`,
  ID,
);

const ASSIGN = statement(
  'reviews.assign',
  `UPDATE reviews SET assignee_id = $2, assigned_at = CASE WHEN $2::uuid IS NULL THEN NULL ELSE $3::timestamptz END,
          updated_at = $3
   WHERE id = $1 AND status <> 'CLOSED' RETURNING id`,
  ID,
);

const PROPOSE = statement(
  'reviews.propose',
  `UPDATE reviews SET status = 'PENDING_APPROVAL', proposed_by = $2, proposed_at = $3, resolution = $4, report = $5,
          justification = $6, proposed_revision = $7, updated_at = $3
   WHERE id = $1 AND status = 'IN_ANALYSIS' AND revision = $7 RETURNING id`,
  ID,
);

const TAKE_BACK = statement(
  'reviews.take-back',
  `UPDATE reviews SET status = 'IN_ANALYSIS', proposed_by = NULL, proposed_at = NULL, resolution = NULL,
          report = NULL, justification = NULL, proposed_revision = NULL, updated_at = $2
   WHERE id = $1 AND status = 'PENDING_APPROVAL' RETURNING id`,
  ID,
);

const CLOSE = statement(
  'reviews.close',
  `UPDATE reviews SET status = 'CLOSED', closed_by = $2, closed_at = $3, report_deadline = $4,
          due_at = coalesce($4, due_at), retain_until = $5, updated_at = $3
   WHERE id = $1 AND status = 'PENDING_APPROVAL' AND proposed_revision = revision AND proposed_by <> $2
   RETURNING id`,
  ID,
);

const REPORTED = statement(
  'reviews.reported',
  `UPDATE reviews SET reported_at = $3, updated_at = $3
   WHERE organisation_id = $1 AND id = $2 AND status = 'CLOSED' AND report = 'COMMUNICATE' AND reported_at IS NULL
   RETURNING id`,
  ID,
);

const COPY_TRANSACTIONS = statement(
  'reviews.copy-transactions',
  `INSERT INTO review_transactions (review_id, organisation_id, transaction_ref, evaluation_version, origin)
   SELECT $2, organisation_id, transaction_ref, evaluation_version, 'REOPENED' FROM review_transactions
   WHERE review_id = $1`,
);

const COPY_HITS = statement(
  'reviews.copy-hits',
  `INSERT INTO review_hits (review_id, organisation_id, hit_id)
   SELECT $2, organisation_id, hit_id FROM review_hits WHERE review_id = $1 ON CONFLICT DO NOTHING`,
);

const REOPEN = statement(
  'reviews.note-reopened-from',
  `UPDATE reviews n SET reopened_from = $1, linked = o.linked FROM reviews o WHERE o.id = $1 AND n.id = $2`,
);

const LINK_HITS = statement(
  'reviews.link-hits',
  `INSERT INTO review_hits (review_id, organisation_id, hit_id)
   SELECT $1, $2, h FROM unnest($3::uuid[]) AS h ON CONFLICT DO NOTHING`,
);

const ADD_REVISION = statement(
  'reviews.add-revision',
  `UPDATE reviews SET revision = revision + 1, updated_at = now() WHERE id = $1`,
);

const LOAD = statement(
  'reviews.load',
  `SELECT assignee_id AS id, count(*)::int AS count FROM reviews
   WHERE organisation_id = $1 AND assignee_id IS NOT NULL AND status <> 'CLOSED' GROUP BY assignee_id`,
  { id: present(column(ReviewEntity, 'assigneeId')), count: 'integer' },
);

const LOCK_UNASSIGNED = statement(
  'reviews.lock-unassigned',
  `SELECT ${REVIEW.sql} FROM reviews r
   WHERE r.organisation_id = $1 AND r.assignee_id IS NULL AND r.status <> 'CLOSED'
     AND ($2::text IS NULL OR r.queue = $2) AND ($3::text IS NULL OR r.kind = $3)
   ORDER BY r.priority, r.due_at, r.id LIMIT $4 FOR UPDATE SKIP LOCKED`,
  REVIEW.shape,
);

const LOCK_EFFECT = statement(
  'reviews.lock-effect',
  `SELECT review_id FROM review_effects WHERE review_id = $1 AND target = $2 FOR UPDATE`,
  { review_id: column(ReviewEffectEntity, 'reviewId') },
);

const WAITING_EFFECTS = statement(
  'reviews.waiting-effects',
  `SELECT review_id AS id FROM review_effects
   WHERE target = $1 AND created_at < now() - make_interval(secs => $2) ORDER BY created_at LIMIT 1000`,
  { id: column(ReviewEffectEntity, 'reviewId') },
);

/** Writes cases. Every change of state names the state that it starts from, and says whether it took place. */
@Injectable()
export class ReviewRepository {
  /** The case, held until the transaction ends: whoever else wants to change it waits. */
  async lock(tx: Tx, organisationId: string, id: string): Promise<ReviewRow | null> {
    const rows = await execute(tx, LOCK, [organisationId, id]);
    return rows[0] ?? null;
  }

  async begin(tx: Tx, id: string, at: Date): Promise<boolean> {
    return (await execute(tx, BEGIN, [id, at])).length > 0;
  }

  async move(tx: Tx, id: string, from: ReviewStatus, to: ReviewStatus, at: Date): Promise<boolean> {
    return (await execute(tx, MOVE, [id, from, to, at])).length > 0;
  }

  async assign(tx: Tx, id: string, assigneeId: string | null, at: Date): Promise<boolean> {
    return (await execute(tx, ASSIGN, [id, assigneeId, at])).length > 0;
  }

  async propose(tx: Tx, id: string, proposal: Proposal): Promise<boolean> {
    return (
      (
        await execute(tx, PROPOSE, [
          id,
          proposal.by,
          proposal.at,
          proposal.resolution,
          proposal.report,
          proposal.justification,
          proposal.revision,
        ])
      ).length > 0
    );
  }

  /** Puts a proposal back into analysis; what it said stays with the notes. */
  async takeBack(tx: Tx, id: string, at: Date): Promise<boolean> {
    return (await execute(tx, TAKE_BACK, [id, at])).length > 0;
  }

  /** Closes a case as it was proposed; false when something was added to it since. */
  async close(tx: Tx, id: string, { by, at, reportDeadline, retainUntil }: Closing): Promise<boolean> {
    return (await execute(tx, CLOSE, [id, by, at, reportDeadline, retainUntil])).length > 0;
  }

  async reported(tx: Tx, organisationId: string, id: string, at: Date): Promise<boolean> {
    return (await execute(tx, REPORTED, [organisationId, id, at])).length > 0;
  }

  async insertNote(tx: Tx, note: NoteRow): Promise<void> {
    await tx.insert(ReviewNoteEntity, { ...note });
  }

  /** Gives a new case what an old one was about. */
  async copyLinks(tx: Tx, from: string, to: string): Promise<void> {
    await execute(tx, COPY_TRANSACTIONS, [from, to]);
    await execute(tx, COPY_HITS, [from, to]);
    await execute(tx, REOPEN, [from, to]);
  }

  /** Adds hits to a case that somebody may be working on: a proposal made before does not hold for them. */
  async linkHits(tx: Tx, organisationId: string, reviewId: string, hitIds: readonly string[]): Promise<void> {
    await execute(tx, LINK_HITS, [reviewId, organisationId, sqlArray.plain(hitIds)]);
    await execute(tx, ADD_REVISION, [reviewId]);
  }

  /** One sharing-out at a time for an organisation, or two would fill the same people over their cap. */
  async takeTurn(tx: Tx, organisationId: string): Promise<void> {
    await takeTurn(tx, `reviews.share:${organisationId}`);
  }

  /** How many cases that are not closed each of these operators has. */
  async load(tx: Tx, organisationId: string): Promise<ReadonlyMap<string, number>> {
    const rows = await execute(tx, LOAD, [organisationId]);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** Cases that nobody has, the most urgent first, held for this transaction; those that another one holds are left out. */
  async lockUnassigned(
    tx: Tx,
    organisationId: string,
    filter: { readonly queue?: string | undefined; readonly kind?: string | undefined },
    limit: number,
  ): Promise<ReviewRow[]> {
    return execute(tx, LOCK_UNASSIGNED, [organisationId, filter.queue ?? null, filter.kind ?? null, limit]);
  }

  // --- what decisions still have to reach ----------------------------------------------------------------------

  async addEffect(tx: Tx, organisationId: string, reviewId: string, target: EffectTarget): Promise<void> {
    await tx.insert(ReviewEffectEntity, { reviewId, organisationId, target });
  }

  /** Locks an effect that is still to come; false when it has come. */
  async lockEffect(tx: Tx, reviewId: string, target: EffectTarget): Promise<boolean> {
    const rows = await execute(tx, LOCK_EFFECT, [reviewId, target]);
    return rows.length > 0;
  }

  async endEffect(tx: Tx, reviewId: string, target: EffectTarget): Promise<void> {
    await tx.delete(ReviewEffectEntity, { reviewId, target });
  }

  /** Cases whose decision has not arrived after so many seconds. */
  async waitingEffects(tx: Tx, target: EffectTarget, olderThanSeconds: number): Promise<string[]> {
    const rows = await execute(tx, WAITING_EFFECTS, [target, olderThanSeconds]);
    return rows.map(({ id }) => id);
  }
}
