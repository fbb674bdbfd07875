import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Reader } from '../../database/index.js';
import type { ReportDecision, Resolution, ReviewKind, ReviewStatus } from '../domain/review.js';

/** A case as it stands. */
export interface ReviewRow {
  readonly id: string;
  readonly organisationId: string;
  readonly kind: ReviewKind;
  readonly status: ReviewStatus;
  /** 1 is the most urgent. */
  readonly priority: number;
  readonly queue: string;
  readonly clientAppId: string | null;
  readonly customerId: string | null;
  readonly sessionRef: string | null;
  readonly riskScore: number | null;
  readonly linked: number;
  /** Grows with everything that is added to the case; a proposal holds for one revision. */
  readonly revision: number;
  readonly assigneeId: string | null;
  readonly assignedAt: Date | null;
  readonly reopenedFrom: string | null;
  readonly openedBy: string;
  readonly openedAt: Date;
  readonly begunAt: Date | null;
  readonly selectionDeadline: Date;
  readonly analysisDeadline: Date;
  readonly responseDeadline: Date | null;
  readonly reportDeadline: Date | null;
  readonly reportedAt: Date | null;
  readonly dueAt: Date;
  readonly proposedBy: string | null;
  readonly proposedAt: Date | null;
  readonly proposedRevision: number | null;
  readonly resolution: Resolution | null;
  readonly report: ReportDecision | null;
  readonly justification: Buffer | null;
  readonly closedBy: string | null;
  readonly closedAt: Date | null;
  /** `YYYY-MM-DD`. */
  readonly retainUntil: string | null;
  readonly updatedAt: Date;
  readonly trailHash: Buffer;
}

export interface LinkedTransaction {
  readonly transactionRef: string;
  readonly evaluationVersion: number;
  readonly origin: 'EVALUATION' | 'OPERATOR' | 'REOPENED';
  readonly linkedAt: Date;
}

export interface NoteRow {
  readonly id: string;
  readonly reviewId: string;
  readonly organisationId: string;
  readonly authorId: string;
  readonly kind: 'REASON' | 'NOTE' | 'INFO_REQUEST' | 'INFO' | 'JUSTIFICATION' | 'RETURN';
  readonly sealed: Buffer;
  readonly artifactIds: readonly string[];
  readonly writtenAt: Date;
}

export interface QueueFilter {
  readonly status?: ReviewStatus | undefined;
  /** Not closed; ignored when a status is named. */
  readonly open?: boolean | undefined;
  readonly kind?: ReviewKind | undefined;
  readonly priority?: number | undefined;
  readonly queue?: string | undefined;
  /** An operator, or `null` for cases that nobody has. */
  readonly assigneeId?: string | null | undefined;
  readonly customerId?: string | undefined;
  readonly transactionRef?: string | undefined;
  readonly overdue?: boolean | undefined;
}

/** The place of a case in the queue. */
export interface QueuePlace {
  readonly priority: number;
  readonly dueAt: string;
  readonly id: string;
}

export const REVIEW = `r.id, r.organisation_id AS "organisationId", r.kind, r.status, r.priority, r.queue,
  r.client_app_id AS "clientAppId", r.customer_id AS "customerId", r.session_ref AS "sessionRef",
  r.risk_score AS "riskScore", r.linked, r.revision, r.assignee_id AS "assigneeId", r.assigned_at AS "assignedAt",
  r.reopened_from AS "reopenedFrom", r.opened_by AS "openedBy", r.opened_at AS "openedAt", r.begun_at AS "begunAt",
  r.selection_deadline AS "selectionDeadline", r.analysis_deadline AS "analysisDeadline",
  r.response_deadline AS "responseDeadline", r.report_deadline AS "reportDeadline", r.reported_at AS "reportedAt",
  r.due_at AS "dueAt", r.proposed_by AS "proposedBy", r.proposed_at AS "proposedAt",
  r.proposed_revision AS "proposedRevision", r.resolution, r.report,
  r.justification, r.closed_by AS "closedBy", r.closed_at AS "closedAt",
  to_char(r.retain_until, 'YYYY-MM-DD') AS "retainUntil", r.updated_at AS "updatedAt", r.trail_hash AS "trailHash"`;

/** A clock of the case has run out: of its analysis, of the first look at a sanction, or of its communication. */
const OVERDUE = `(r.due_at < $now AND
  (r.status <> 'CLOSED' OR (r.report = 'COMMUNICATE' AND r.reported_at IS NULL)))`;

/** What is read of cases. */
@Injectable()
export class ReviewQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async find(organisationId: string, id: string, reader?: Reader): Promise<ReviewRow | null> {
    const rows = await this.query<ReviewRow>(
      organisationId,
      `SELECT ${REVIEW} FROM reviews r WHERE r.organisation_id = $1 AND r.id = $2`,
      [organisationId, id],
      reader,
    );
    return rows[0] ?? null;
  }

  /** Cases, the most urgent first; one more than asked for when there are more. */
  page(
    organisationId: string,
    filter: QueueFilter,
    now: Date,
    after: QueuePlace | null,
    limit: number,
  ): Promise<ReviewRow[]> {
    const values: unknown[] = [organisationId];
    const conditions = ['r.organisation_id = $1'];
    const put = (value: unknown): string => `$${values.push(value)}`;
    if (filter.status !== undefined) conditions.push(`r.status = ${put(filter.status)}`);
    else if (filter.open !== undefined) {
      conditions.push(filter.open ? `r.status <> 'CLOSED'` : `r.status = 'CLOSED'`);
    }
    if (filter.kind !== undefined) conditions.push(`r.kind = ${put(filter.kind)}`);
    if (filter.priority !== undefined) conditions.push(`r.priority = ${put(filter.priority)}`);
    if (filter.queue !== undefined) conditions.push(`r.queue = ${put(filter.queue)}`);
    if (filter.assigneeId === null) conditions.push('r.assignee_id IS NULL');
    else if (filter.assigneeId !== undefined) conditions.push(`r.assignee_id = ${put(filter.assigneeId)}`);
    if (filter.customerId !== undefined) conditions.push(`r.customer_id = ${put(filter.customerId)}`);
    if (filter.transactionRef !== undefined) {
      conditions.push(`r.id IN (SELECT review_id FROM review_transactions
        WHERE organisation_id = $1 AND transaction_ref = ${put(filter.transactionRef)})`);
    }
    if (filter.overdue !== undefined) {
      const overdue = OVERDUE.replace('$now', put(now.toISOString()));
      conditions.push(filter.overdue ? overdue : `NOT ${overdue}`);
    }
    if (after) {
      conditions.push(
        `(r.priority, r.due_at, r.id) > (${put(after.priority)}::int, ${put(after.dueAt)}::timestamptz, ${put(after.id)}::uuid)`,
      );
    }
    return this.query(
      organisationId,
      `SELECT ${REVIEW} FROM reviews r WHERE ${conditions.join(' AND ')}
       ORDER BY r.priority, r.due_at, r.id LIMIT ${put(limit + 1)}`,
      values,
    );
  }

  /** The transactions of a case in order of their receipt, after one of them. */
  transactions(
    organisationId: string,
    reviewId: string,
    after: string | null = null,
    limit = 1_000,
    reader?: Reader,
  ): Promise<LinkedTransaction[]> {
    return this.query(
      organisationId,
      `SELECT DISTINCT ON (transaction_ref) transaction_ref AS "transactionRef",
              evaluation_version AS "evaluationVersion", origin, linked_at AS "linkedAt"
       FROM review_transactions WHERE organisation_id = $1 AND review_id = $2
         AND ($3::uuid IS NULL OR transaction_ref > $3)
       ORDER BY transaction_ref, evaluation_version DESC LIMIT $4`,
      [organisationId, reviewId, after, limit],
      reader,
    );
  }

  async hitIds(organisationId: string, reviewId: string, reader?: Reader): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      organisationId,
      `SELECT hit_id AS id FROM review_hits WHERE organisation_id = $1 AND review_id = $2 ORDER BY hit_id`,
      [organisationId, reviewId],
      reader,
    );
    return rows.map(({ id }) => id);
  }

  notes(organisationId: string, reviewId: string): Promise<NoteRow[]> {
    return this.query(
      organisationId,
      `SELECT id, review_id AS "reviewId", organisation_id AS "organisationId", author_id AS "authorId", kind, sealed,
              artifact_ids AS "artifactIds", written_at AS "writtenAt"
       FROM review_notes WHERE organisation_id = $1 AND review_id = $2 ORDER BY id`,
      [organisationId, reviewId],
    );
  }

  /** Whether a case that is not closed takes this one up again. */
  async reopenedAs(organisationId: string, id: string, reader: Reader): Promise<boolean> {
    const rows = await this.query(
      organisationId,
      `SELECT id FROM reviews WHERE organisation_id = $1 AND reopened_from = $2 AND status <> 'CLOSED'`,
      [organisationId, id],
      reader,
    );
    return rows.length > 0;
  }

  /** The case about hits of a customer on which a decision is still open; held against its closing until the end. */
  async openHitCase(organisationId: string, customerId: string, reader: Reader): Promise<string | null> {
    const rows = await this.query<{ id: string }>(
      organisationId,
      `SELECT id FROM reviews WHERE organisation_id = $1 AND customer_id = $2 AND kind = 'HIT'
         AND status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO') ORDER BY id DESC LIMIT 1 FOR UPDATE`,
      [organisationId, customerId],
      reader,
    );
    return rows[0]?.id ?? null;
  }

  /** The newest case about each of these transactions, closed or not. */
  async newestAbout(organisationId: string, refs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.query<{ ref: string; id: string }>(
      organisationId,
      `SELECT DISTINCT ON (transaction_ref) transaction_ref AS ref, review_id AS id FROM review_transactions
       WHERE organisation_id = $1 AND transaction_ref = ANY ($2::uuid[]) ORDER BY transaction_ref, review_id DESC`,
      [organisationId, [...refs]],
    );
    return new Map(rows.map(({ ref, id }) => [ref, id]));
  }

  private query<Row>(
    organisationId: string,
    text: string,
    values: readonly unknown[],
    reader?: Reader,
  ): Promise<Row[]> {
    const ask = (db: Reader): Promise<Row[]> => db.query<Row[]>(text, [...values]);
    return reader ? ask(reader) : this.uow.read(organisationId, ask);
  }
}
