import { Injectable } from '@nestjs/common';
import { ApprovalReaderService } from '../../approvals/index.js';
import {
  OperatorLookup,
  type OperatorPrincipal,
  type OperatorSummary,
} from '../../../platform/http/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { ReviewQueries } from '../../reviews/index.js';
import { HitDispositionService } from '../../screening/index.js';

export const MAX_COUNT = 1_000;

/** Counts of pending work, up to `MAX_COUNT`; null if the reader may not see it. */
export interface WaitingCounts {
  readonly open: number | null;
  readonly mine: number | null;
  readonly unassigned: number | null;
  readonly overdue: number | null;
  readonly myOverdue: number | null;
  readonly hits: number | null;
  readonly toApprove: number;
  readonly asked: number;
}

const NO_CASES = { open: null, mine: null, unassigned: null, overdue: null, myOverdue: null };

/**
 * Counts the pending work of an operator. Each count stops at 1,000, so that its cost does not grow with the history.
 */
@Injectable()
export class WaitingCountsService {
  constructor(
    private readonly clock: Clock,
    private readonly reviews: ReviewQueries,
    private readonly hits: HitDispositionService,
    private readonly approvals: ApprovalReaderService,
    private readonly operators: OperatorLookup,
  ) {}

  async countWaiting(operator: OperatorPrincipal): Promise<WaitingCounts> {
    const { organisationId, id, permissions } = operator;
    const now = new Date(this.clock.now());
    const [cases, hits, approvals] = await Promise.all([
      permissions.has('reviews:read')
        ? this.reviews.countBadges(organisationId, id, now, MAX_COUNT)
        : NO_CASES,
      permissions.has('screening:read') ? this.hits.countOpen(organisationId, MAX_COUNT) : null,
      this.approvals.countOpen(operator, MAX_COUNT),
    ]);
    return { ...cases, hits, ...approvals };
  }

  /** Returns the enabled operators of the organisation: possible assignees, and names for ids. */
  listAssignees(organisationId: string): Promise<OperatorSummary[]> {
    return this.operators.listEnabled(organisationId);
  }
}
