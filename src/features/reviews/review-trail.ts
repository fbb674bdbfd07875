import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type AuditAction,
  type TrailActionOrder,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import type { ReviewStatus } from './domain/review.js';
import { ReviewQueries } from './store/review.queries.js';

/** Audit actions on an open case that do not change its status. */
const ASIDE: readonly AuditAction[] = [
  ...(['review.assigned', 'review.noted', 'review.extended', 'review.absorbed', 'review.separated'] as const),
];
const working: readonly AuditAction[] = [
  ...ASIDE,
  ...(['review.info_requested', 'review.decided', 'review.merged'] as const),
];
const afterwards: readonly AuditAction[] = ['review.noted', 'review.reported', 'review.reopened'];

/** Audit actions that may follow an action of ASIDE, in any status of the case. */
const anywhere: readonly AuditAction[] = [
  ...working,
  'review.begun',
  'review.info_received',
  'review.returned',
  'review.closed',
  'review.restored',
];

const order: Omit<TrailActionOrder, 'last'> = {
  first: ['review.opened'],
  follows: {
    'review.opened': [...ASIDE, 'review.begun', 'review.merged'],
    'review.assigned': anywhere,
    'review.extended': anywhere,
    'review.absorbed': anywhere,
    'review.separated': anywhere,
    'review.noted': [...anywhere, ...afterwards],
    'review.begun': working,
    'review.info_requested': [...ASIDE, 'review.info_received', 'review.merged'],
    'review.info_received': working,
    'review.decided': [...ASIDE, 'review.returned', 'review.closed'],
    'review.returned': working,
    'review.merged': ['review.noted', 'review.restored'],
    'review.restored': [...working, 'review.begun'],
    'review.closed': afterwards,
    'review.reported': afterwards,
    'review.reopened': afterwards,
  },
};

const ends: Readonly<Record<ReviewStatus, TrailActionOrder['last']>> = {
  OPEN: ['review.opened', 'review.restored', ...ASIDE],
  IN_ANALYSIS: ['review.begun', 'review.restored', 'review.info_received', 'review.returned', ...ASIDE],
  AWAITING_INFO: ['review.info_requested', ...ASIDE],
  PENDING_APPROVAL: ['review.decided', ...ASIDE],
  CLOSED: ['review.closed', ...afterwards],
  MERGED: ['review.merged', 'review.noted'],
};

/** The audit entries that a case must have in its current state. */
@Injectable()
export class ReviewTrail {
  constructor(private readonly reviews: ReviewQueries) {}

  @TrailContract('review')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const review = await this.reviews.find(organisationId, id);
    return (
      review && {
        grammar: { ...order, last: ends[review.status] },
        anchors: [{ action: 'review.opened', hash: review.trailHash, says: { kind: review.kind } }],
      }
    );
  }
}
