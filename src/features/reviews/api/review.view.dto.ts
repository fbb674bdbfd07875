import { View, viewOf } from '../../../platform/http/index.js';
import { trailStatuses, type TrailEntry, type TrailVerdict } from '../../audit/index.js';
import { publicId, type IdPrefix } from '../../../platform/kernel/index.js';
import { listKinds, type HitRow } from '../../screening/index.js';
import { assignmentFailures, type AssignmentResult } from '../cases/assignments.service.js';
import {
  isEnded,
  priorities,
  priorityOf,
  reportDecisions,
  resolutions,
  reviewKinds,
  reviewStatuses,
  themes,
} from '../domain/review.js';
import type { RelatedTransactions } from '../cases/case-transactions.service.js';
import type { CaseTransaction, ReviewFile } from '../cases/review-files.service.js';
import type { Note } from '../cases/review-notes.service.js';
import type { PersonRow, ReviewRow } from '../store/review.queries.js';

const idOf = (prefix: IdPrefix, uuid: string | null): string | null =>
  uuid === null ? null : publicId(prefix, uuid);

export class ReviewView {
  @View.id('rev', 'The id of the case.') id: string;
  @View.enum(reviewKinds, 'The kind of case.', { example: 'SCORE' }) kind: string;
  @View.enum(themes, 'What it is about. A customer has one case for each theme that takes new alerts.', {
    example: 'STRUCTURING',
  })
  theme: string;

  @View.integer('The scores of its alerts together.', { example: 74 }) points: number;
  @View.flag('Whether new alerts about the customer and the theme join it.', { example: true })
  collects: boolean;
  @View.enum(reviewStatuses, 'The status of the case.', { example: 'OPEN' }) status: string;
  @View.enum(priorities, 'How urgent it is.', { example: 'HIGH' }) priority: string;
  @View.text('The line in which it waits.', { example: 'transactions' }) queue: string;
  @View.idOrNull('cus', 'The id of the customer; null while nobody is identified.') customerId: string | null;

  @View.idOrNull('hit', 'The hit whose party it is about, when nobody is known whose payments these are.', {
    example: null,
  })
  subjectHitId: string | null;

  @View.idOrNull('app', 'The client application.') clientApp: string | null;

  @View.idOrNull('kys', 'The verification session that it is about, by its reference.')
  session: string | null;

  @View.integerOrNull('The score, from 0 to 100; null where there is none.', {
    minimum: 0,
    maximum: 100,
    example: 74,
  })
  riskScore: number | null;
  @View.integer('Transactions that the case is about.', { example: 1 }) transactionCount: number;
  @View.integer('Grows when something is added to the case.', { example: 1 }) revision: number;
  @View.idOrNull('opr', 'Who works on it; null for nobody.') assigneeId: string | null;
  @View.instantOrNull('When it was assigned.') assignedAt: string | null;
  @View.textOrNull('The case that this one takes up again.', { example: null }) reopenedFrom: string | null;
  @View.textOrNull('The case that has everything this one was about.', { example: null })
  mergedInto: string | null;

  @View.textOrNull('The case of which this one was a part.', { example: null }) splitFrom: string | null;
  @View.instant('When it was opened.') openedAt: string;
  @View.instantOrNull('When somebody first worked on it.') begunAt: string | null;
  @View.instant('45 days after the operation (Circular BCB 3.978/2020, art. 39).') selectionDeadline: string;
  @View.instant('45 days after the opening (art. 43).') analysisDeadline: string;
  @View.instantOrNull('One hour after the opening, for a possible sanction.') responseDeadline: string | null;

  @View.instantOrNull('Next business day after a decision to communicate (art. 48).')
  reportDeadline: string | null;

  @View.instantOrNull('When it was communicated.') reportedAt: string | null;
  @View.instant('The clock that runs.') dueAt: string;
  @View.flag('Whether a time limit has run out.', { example: false }) overdue: boolean;
  @View.enumOrNull(resolutions, 'What the case ends with.') resolution: string | null;
  @View.enumOrNull(reportDecisions, 'Whether it is communicated to COAF; null before it is decided.')
  reportDecision: string | null;
  @View.idOrNull('apr', 'The request for its closing: open while PENDING_APPROVAL, applied when CLOSED.', {
    example: 'apr_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  approvalId: string | null;

  @View.flag('Whether nobody independent was there to approve the decision.', { example: false })
  singleControl: boolean;

  @View.textOrNull('Who proposed the decision.') proposedBy: string | null;
  @View.instantOrNull('When it was proposed.') proposedAt: string | null;
  @View.textOrNull('Who approved it.') closedBy: string | null;
  @View.instantOrNull('When it was closed; null while it is open.') closedAt: string | null;

  @View.textOrNull('The first day on which the record may be destroyed (art. 67).', { format: 'date' })
  retainUntil: string | null;

  static of(row: ReviewRow, now: Date): ReviewView {
    return viewOf(ReviewView, row, {
      priority: priorityOf(row.priority),
      clientApp: idOf('app', row.clientAppId),
      session: idOf('kys', row.sessionRef),
      transactionCount: row.linked,
      reopenedFrom: idOf('rev', row.reopenedFrom),
      mergedInto: idOf('rev', row.mergedInto),
      splitFrom: idOf('rev', row.splitFrom),
      overdue: isOverdue(row, now),
      reportDecision: row.report,
      proposedBy: idOf('opr', row.proposedBy),
      closedBy: idOf('opr', row.closedBy),
    });
  }
}

const isOverdue = ({ dueAt, status, report, reportedAt }: ReviewRow, now: Date): boolean =>
  dueAt < now && (!isEnded(status) || (report === 'COMMUNICATE' && reportedAt === null));

export class ReviewTransactionView {
  @View.id('txn', 'The id of the transaction.') id: string;
  @View.text('Your id of the transaction.', { example: 'pix-1001' }) transactionId: string;
  @View.text('The type of the transaction.', { example: 'PIX_TRANSFER' }) type: string;
  @View.text('Exact decimal.', { example: '18400.00' }) amount: string;
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'BRL' }) currency: string;
  @View.instant('When it took place.') occurredAt: string;
  @View.integer('The evaluation that the case is about.', { example: 1 }) evaluationVersion: number;

  @View.flag('Added by a person to what the case tells: the decision about the case does not change it.', {
    example: false,
  })
  related: boolean;

  @View.enumOrNull(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome.', { example: 'REVIEW' })
  outcome: string | null;
  @View.integerOrNull('The score, from 0 to 100; null where there is none.', {
    minimum: 0,
    maximum: 100,
    example: 74,
  })
  riskScore: number | null;
  @View.flagOrNull('Whether the score can be defended.', { example: true }) defensible: boolean | null;

  static of(one: CaseTransaction): ReviewTransactionView {
    return viewOf(ReviewTransactionView, one, {
      id: publicId('txn', one.ref),
      evaluationVersion: one.linkedVersion,
    });
  }
}

export class RelatedTransactionsView {
  @View.list(ReviewTransactionView, 'In the order of receipt; up to 500.')
  transactions: readonly ReviewTransactionView[];
  @View.flag('Whether there are more than these.', { example: false }) more: boolean;

  static of({ transactions, more }: RelatedTransactions): RelatedTransactionsView {
    return {
      transactions: transactions.map((one) =>
        ReviewTransactionView.of({ ...one, linkedVersion: one.evaluationVersion ?? 1, related: false }),
      ),
      more,
    };
  }
}

export class ReviewHitView {
  @View.id('hit', 'The id of the hit.') id: string;
  @View.text('The list, by its key.', { example: 'pep-cgu' }) list: string;
  @View.enum(listKinds, 'The kind of list.', { example: 'PEP' }) listKind: string;

  @View.enum(['PENDING', 'CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED'], 'The status of the hit.', {
    example: 'PENDING',
  })
  status: string;

  @View.flag('Nothing is approved before somebody has decided about it.', { example: true })
  mandatory: boolean;

  @View.number('The score, from 0 to 100.', { example: 0.97, minimum: 0, maximum: 1 }) score: number;

  static of(hit: HitRow): ReviewHitView {
    return viewOf(ReviewHitView, hit, { list: hit.listKey });
  }
}

export class ReviewNoteView {
  @View.id('nte', 'The id of the note.') id: string;

  @View.enum(['REASON', 'NOTE', 'INFO_REQUEST', 'INFO', 'JUSTIFICATION', 'RETURN'], 'The kind of note.', {
    example: 'NOTE',
  })
  kind: string;

  @View.id('opr', 'Who wrote it.') authorId: string;
  @View.textOrNull('Null when the person it is about was erased.') text: string | null;
  @View.texts('The ids of the uploaded files that belong to it.', { example: [] })
  artifactIds: readonly string[];
  @View.instant('When it was written.') writtenAt: string;

  static of(note: Note): ReviewNoteView {
    return viewOf(ReviewNoteView, note, { artifactIds: note.artifactIds.map((id) => publicId('art', id)) });
  }
}

export class ReviewPersonView {
  @View.id('cus', 'The id of the customer.') customerId: string;
  @View.instant('When somebody added them.') addedAt: string;

  static of({ customerId, linkedAt }: PersonRow): ReviewPersonView {
    return { customerId: publicId('cus', customerId), addedAt: linkedAt.toISOString() };
  }
}

export class ReviewFileView extends ReviewView {
  @View.textOrNull('Why it is to end so.') justification: string | null;
  @View.list(ReviewTransactionView, 'Up to 200 of them.') transactions: readonly ReviewTransactionView[];
  @View.list(ReviewHitView, 'The hits.') hits: readonly ReviewHitView[];
  @View.list(ReviewNoteView, 'Of the cases that were merged into it, too.') notes: readonly ReviewNoteView[];

  @View.list(ReviewPersonView, 'People who were added to what it tells.') people: readonly ReviewPersonView[];

  @View.texts('The cases that were merged into it.', { example: [] }) merged: readonly string[];

  static ofFile(file: ReviewFile, now: Date): ReviewFileView {
    return Object.assign(ReviewView.of(file.review, now), {
      justification: file.justification,
      transactions: file.transactions.map((one) => ReviewTransactionView.of(one)),
      hits: file.hits.map((one) => ReviewHitView.of(one)),
      notes: file.notes.map((one) => ReviewNoteView.of(one)),
      people: file.people.map((one) => ReviewPersonView.of(one)),
      merged: file.merged.map((one) => publicId('rev', one)),
    });
  }
}

export class ReviewEntryView {
  @View.integer('Counts the entries of a subject from 1.', { example: 1 }) seq: number;
  @View.text('What was done.', { example: 'review.opened' }) action: string;
  @View.text('Who did it.', { example: 'system:kyt.pipeline' }) actor: string;
  @View.instant('When it took place.') occurredAt: string;
  @View.json('What the entry says.', { example: { kind: 'SCORE', priority: 'HIGH' } }) content: unknown;

  static of({ seq, action, actor, occurredAt, content }: TrailEntry): ReviewEntryView {
    return { seq, action, actor: publicActor(actor), occurredAt, content };
  }
}

/** Replaces an operator's UUID by the public id. */
function publicActor(actor: string): string {
  const [type = '', id = ''] = actor.split(/:(.*)/s);
  return type === 'operator' && /^[0-9a-f-]{36}$/.test(id) ? `operator:${publicId('opr', id)}` : actor;
}

export class ReviewTimelineView {
  @View.list(ReviewEntryView, 'The entries.') entries: readonly ReviewEntryView[];

  @View.enum(trailStatuses, 'Whether the trail is whole.', { example: 'COMPLETE' }) trailStatus: string;

  static of(entries: readonly TrailEntry[], verdict: TrailVerdict): ReviewTimelineView {
    return { entries: entries.map((entry) => ReviewEntryView.of(entry)), trailStatus: verdict.status };
  }
}

export class ShareView {
  @View.id('rev', 'The id of the case; null for none.') reviewId: string;
  @View.id('opr', 'Who works on it; null for nobody.') assigneeId: string;
}

export class UnassignedCaseView {
  @View.id('rev', 'The id of the case.') reviewId: string;
  @View.enum(assignmentFailures, 'NOBODY_FREE: everybody has as many cases as the cap allows.', {
    example: 'CLOSED',
  })
  code: string;
}

export class AssignmentsView {
  @View.flag('Whether nothing was done.', { example: false }) preview: boolean;
  @View.list(ShareView, 'How many open cases each person has.') assignments: readonly ShareView[];

  @View.texts('Cases that are not there, are closed, or found nobody below the cap.', { example: [] })
  left: readonly string[];

  @View.list(UnassignedCaseView, 'Why each of `left` was not assigned.')
  refused: readonly UnassignedCaseView[];

  static of({ assignments, left }: AssignmentResult, preview: boolean): AssignmentsView {
    return {
      preview,
      assignments: assignments.map(({ reviewId, operatorId }) => ({
        reviewId: publicId('rev', reviewId),
        assigneeId: publicId('opr', operatorId),
      })),
      left: left.map(({ reviewId }) => publicId('rev', reviewId)),
      refused: left.map(({ reviewId, code }) => ({ reviewId: publicId('rev', reviewId), code })),
    };
  }
}
