import { ApiProperty } from '@nestjs/swagger';
import type { TrailEntry, TrailVerdict } from '../../audit/index.js';
import { publicId, type IdPrefix } from '../../kernel/index.js';
import { instantText } from '../../kernel/instant.js';
import type { HitRow } from '../../screening/index.js';
import type { Assigned } from '../assignments.js';
import {
  priorities,
  priorityOf,
  reportDecisions,
  resolutions,
  reviewKinds,
  reviewStatuses,
} from '../domain/review.js';
import type { CaseTransaction, ReviewFile } from '../review-files.js';
import type { Note } from '../review-notes.js';
import type { ReviewRow } from '../store/review.queries.js';

const idOf = (prefix: IdPrefix, uuid: string | null): string | null =>
  uuid === null ? null : publicId(prefix, uuid);
const NULLABLE_TIME = { type: String, format: 'date-time', nullable: true } as const;

export class ReviewView {
  @ApiProperty({ example: 'rev_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ enum: reviewKinds, example: 'SCORE' })
  kind: string;

  @ApiProperty({ enum: reviewStatuses, example: 'OPEN' })
  status: string;

  @ApiProperty({ enum: priorities, example: 'HIGH' })
  priority: string;

  @ApiProperty({ example: 'transactions' })
  queue: string;

  @ApiProperty({ type: String, nullable: true, example: 'cus_019364d0c0de7000a000000000000001' })
  customerId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'app_019364d0c0de7000a000000000000001' })
  clientApp: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'kys_019364d0c0de7000a000000000000001',
    description: 'The verification session that it is about, by its reference.',
  })
  session: string | null;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, maximum: 100, example: 74 })
  riskScore: number | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Transactions that the case is about.' })
  transactionCount: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows when something is added to the case.' })
  revision: number;

  @ApiProperty({ type: String, nullable: true, example: 'opr_019364d0c0de7000a000000000000001' })
  assigneeId: string | null;

  @ApiProperty(NULLABLE_TIME)
  assignedAt: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'The case that this one takes up again.',
  })
  reopenedFrom: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  openedAt: string;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When somebody first worked on it.' })
  begunAt: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: '45 days after the operation (Circular BCB 3.978/2020, art. 39).',
  })
  selectionDeadline: string;

  @ApiProperty({ type: String, format: 'date-time', description: '45 days after the opening (art. 43).' })
  analysisDeadline: string;

  @ApiProperty({ ...NULLABLE_TIME, description: 'One hour after the opening, for a possible sanction.' })
  responseDeadline: string | null;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'Next business day after a decision to communicate (art. 48).',
  })
  reportDeadline: string | null;

  @ApiProperty(NULLABLE_TIME)
  reportedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'The clock that runs.' })
  dueAt: string;

  @ApiProperty({ example: false })
  overdue: boolean;

  @ApiProperty({ enum: [...resolutions, null], type: String, nullable: true })
  resolution: string | null;

  @ApiProperty({ enum: [...reportDecisions, null], type: String, nullable: true })
  reportDecision: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Who proposed the decision.' })
  proposedBy: string | null;

  @ApiProperty(NULLABLE_TIME)
  proposedAt: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Who approved it.' })
  closedBy: string | null;

  @ApiProperty(NULLABLE_TIME)
  closedAt: string | null;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The first day on which the record may be destroyed (art. 67).',
  })
  retainUntil: string | null;

  static of(row: ReviewRow, now: Date): ReviewView {
    return {
      id: publicId('rev', row.id),
      kind: row.kind,
      status: row.status,
      priority: priorityOf(row.priority),
      queue: row.queue,
      customerId: idOf('cus', row.customerId),
      clientApp: idOf('app', row.clientAppId),
      session: idOf('kys', row.sessionRef),
      riskScore: row.riskScore,
      transactionCount: row.linked,
      revision: row.revision,
      assigneeId: idOf('opr', row.assigneeId),
      assignedAt: instantText(row.assignedAt),
      reopenedFrom: idOf('rev', row.reopenedFrom),
      openedAt: row.openedAt.toISOString(),
      begunAt: instantText(row.begunAt),
      selectionDeadline: row.selectionDeadline.toISOString(),
      analysisDeadline: row.analysisDeadline.toISOString(),
      responseDeadline: instantText(row.responseDeadline),
      reportDeadline: instantText(row.reportDeadline),
      reportedAt: instantText(row.reportedAt),
      dueAt: row.dueAt.toISOString(),
      overdue: isOverdue(row, now),
      resolution: row.resolution,
      reportDecision: row.report,
      proposedBy: idOf('opr', row.proposedBy),
      proposedAt: instantText(row.proposedAt),
      closedBy: idOf('opr', row.closedBy),
      closedAt: instantText(row.closedAt),
      retainUntil: row.retainUntil,
    };
  }
}

const isOverdue = ({ dueAt, status, report, reportedAt }: ReviewRow, now: Date): boolean =>
  dueAt < now && (status !== 'CLOSED' || (report === 'COMMUNICATE' && reportedAt === null));

export class ReviewTransactionView {
  @ApiProperty({ example: 'txn_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'pix-1001' })
  transactionId: string;

  @ApiProperty({ example: 'PIX_TRANSFER' })
  type: string;

  @ApiProperty({ example: '18400.00', description: 'Exact decimal.' })
  amount: string;

  @ApiProperty({ example: 'BRL' })
  currency: string;

  @ApiProperty({ type: String, format: 'date-time' })
  occurredAt: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'The evaluation that the case is about.' })
  evaluationVersion: number;

  @ApiProperty({
    enum: ['APPROVED', 'REVIEW', 'REJECTED', null],
    type: String,
    nullable: true,
    example: 'REVIEW',
  })
  outcome: string | null;

  @ApiProperty({ type: 'integer', nullable: true, minimum: 0, maximum: 100, example: 74 })
  riskScore: number | null;

  @ApiProperty({ type: Boolean, nullable: true, example: true })
  defensible: boolean | null;

  static of(one: CaseTransaction): ReviewTransactionView {
    return {
      id: publicId('txn', one.ref),
      transactionId: one.transactionId,
      type: one.type,
      amount: one.amount,
      currency: one.currency,
      occurredAt: one.occurredAt.toISOString(),
      evaluationVersion: one.linkedVersion,
      outcome: one.outcome,
      riskScore: one.riskScore,
      defensible: one.defensible,
    };
  }
}

export class ReviewHitView {
  @ApiProperty({ example: 'hit_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'pep-cgu' })
  list: string;

  @ApiProperty({ example: 'PEP' })
  listKind: string;

  @ApiProperty({
    enum: ['PENDING', 'CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'],
    example: 'PENDING',
  })
  status: string;

  @ApiProperty({ example: true, description: 'Nothing is approved before somebody has decided about it.' })
  mandatory: boolean;

  @ApiProperty({ example: 0.97, minimum: 0, maximum: 1 })
  score: number;

  static of(hit: HitRow): ReviewHitView {
    return {
      id: publicId('hit', hit.id),
      list: hit.listKey,
      listKind: hit.listKind,
      status: hit.status,
      mandatory: hit.mandatory,
      score: hit.score,
    };
  }
}

export class ReviewNoteView {
  @ApiProperty({ example: 'nte_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({
    enum: ['REASON', 'NOTE', 'INFO_REQUEST', 'INFO', 'JUSTIFICATION', 'RETURN'],
    example: 'NOTE',
  })
  kind: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  authorId: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null when the person it is about was erased.' })
  text: string | null;

  @ApiProperty({ type: [String], example: [] })
  artifactIds: readonly string[];

  @ApiProperty({ type: String, format: 'date-time' })
  writtenAt: string;

  static of(note: Note): ReviewNoteView {
    return {
      id: publicId('nte', note.id),
      kind: note.kind,
      authorId: publicId('opr', note.authorId),
      text: note.text,
      artifactIds: note.artifactIds.map((id) => publicId('art', id)),
      writtenAt: note.writtenAt.toISOString(),
    };
  }
}

export class ReviewFileView extends ReviewView {
  @ApiProperty({ type: String, nullable: true, description: 'Why it is to end so.' })
  justification: string | null;

  @ApiProperty({ type: [ReviewTransactionView], description: 'Up to 200 of them.' })
  transactions: readonly ReviewTransactionView[];

  @ApiProperty({ type: [ReviewHitView] })
  hits: readonly ReviewHitView[];

  @ApiProperty({ type: [ReviewNoteView] })
  notes: readonly ReviewNoteView[];

  static ofFile(file: ReviewFile, now: Date): ReviewFileView {
    return Object.assign(ReviewView.of(file.review, now), {
      justification: file.justification,
      transactions: file.transactions.map((one) => ReviewTransactionView.of(one)),
      hits: file.hits.map((one) => ReviewHitView.of(one)),
      notes: file.notes.map((one) => ReviewNoteView.of(one)),
    });
  }
}

export class ReviewEntryView {
  @ApiProperty({ type: 'integer', example: 1 })
  seq: number;

  @ApiProperty({ example: 'review.opened' })
  action: string;

  @ApiProperty({ example: 'system:kyt.pipeline' })
  actor: string;

  @ApiProperty({ type: String, format: 'date-time' })
  occurredAt: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { kind: 'SCORE', priority: 'HIGH' } })
  content: unknown;

  static of({ seq, action, actor, occurredAt, content }: TrailEntry): ReviewEntryView {
    return { seq, action, actor: shown(actor), occurredAt, content };
  }
}

/** Operators are named by their public ids everywhere. */
function shown(actor: string): string {
  const [type = '', id = ''] = actor.split(/:(.*)/s);
  return type === 'operator' && /^[0-9a-f-]{36}$/.test(id) ? `operator:${publicId('opr', id)}` : actor;
}

export class ReviewTimelineView {
  @ApiProperty({ type: [ReviewEntryView] })
  entries: readonly ReviewEntryView[];

  @ApiProperty({
    enum: ['COMPLETE', 'MISSING_EVENTS', 'CHAIN_BROKEN', 'TAMPERED', 'STATE_MISMATCH'],
    example: 'COMPLETE',
  })
  trailStatus: string;

  static of(entries: readonly TrailEntry[], verdict: TrailVerdict): ReviewTimelineView {
    return { entries: entries.map((entry) => ReviewEntryView.of(entry)), trailStatus: verdict.status };
  }
}

export class ShareView {
  @ApiProperty({ example: 'rev_019364d0c0de7000a000000000000001' })
  reviewId: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  assigneeId: string;
}

export class AssignmentsView {
  @ApiProperty({ type: [ShareView] })
  assignments: readonly ShareView[];

  @ApiProperty({
    type: [String],
    example: [],
    description: 'Cases that are not there, are closed, or found nobody below the cap.',
  })
  left: readonly string[];

  static of({ assignments, left }: Assigned): AssignmentsView {
    return {
      assignments: assignments.map(({ reviewId, operatorId }) => ({
        reviewId: publicId('rev', reviewId),
        assigneeId: publicId('opr', operatorId),
      })),
      left: left.map((id) => publicId('rev', id)),
    };
  }
}
