import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, newUuid, required } from '../../../platform/kernel/index.js';
import type { UnfinishedScope } from '../../../platform/queue/index.js';
import {
  CaseReopeningService,
  decisionContentOf,
  ReviewEffectsService,
  type DecidedReview,
} from '../../reviews/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { DecidedEventsService } from './decided-events.service.js';
import { KytDecisionEntity } from '../store/entities.js';
import { DecisionRepository } from '../store/decision.repository.js';

const NAME = 'kyt.review-decided';
const TARGET = 'KYT';
// A case about missing data can have hundreds of transactions; each page is one commit.
const PAGE = 100;

/**
 * Applies the decision of a case to its transactions: stores the outcome and an event, and no new evaluation. What must
 * not be released stays on HOLD, in the reopened case.
 */
@Injectable()
export class ReviewDecisionsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly effects: ReviewEffectsService,
    private readonly reopening: CaseReopeningService,
    private readonly decisions: DecisionRepository,
    private readonly decidedEvents: DecidedEventsService,
    private readonly events: EventPublisher,
  ) {}

  /** Returns decisions that are not applied yet and that no job announces. */
  findWaiting(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.effects.findWaiting(tx, TARGET, which);
  }

  /** Applies the decisions of these reviews that are not applied yet, page by page. */
  async applyDecisions(reviewIds: readonly string[]): Promise<void> {
    await this.effects.applyDecisions(TARGET, reviewIds, async (decided) => {
      let after: string | null = null;
      for (;;) {
        const links = await this.effects.listTransactions(decided, after, PAGE);
        const last = links.at(-1);
        const refs = links.map(({ transactionRef }) => transactionRef);
        await this.effects.commitEffect(TARGET, decided, links.length < PAGE, () =>
          this.decide(decided, refs),
        );
        if (!last || links.length < PAGE) break;
        after = last.transactionRef;
      }
    });
  }

  private async decide(decided: DecidedReview, refs: readonly string[]): Promise<(tx: Tx) => Promise<void>> {
    const { organisationId, reviewId, outcome, decidedAt } = decided;
    const undecidedRows = await this.decisions.findUndecided(organisationId, reviewId, refs, decidedAt);
    const events = await this.decidedEvents.compose(decided, undecidedRows);
    return async (tx) => {
      const heldRefs = await this.reopening.holdBack(
        tx,
        decided,
        undecidedRows.map(({ id }) => id),
      );
      const open = undecidedRows.filter(({ id }) => !heldRefs.has(id));
      if (open.length === 0) return;
      const entries = await this.audit.record(
        tx,
        open.map((one) => ({
          subject: { organisationId, type: 'transaction', id: one.id },
          action: 'transaction.decided',
          actor: { type: 'system', id: NAME },
          requestId: null,
          correlationId: one.correlationId,
          occurredAt: new Date(this.clock.now()),
          content: { ...decisionContentOf(decided), evaluationVersion: one.version },
        })),
      );
      await tx.insert(
        KytDecisionEntity,
        open.map((one, i) => ({
          id: newUuid(),
          organisationId,
          transactionRef: one.id,
          evaluationVersion: one.version,
          reviewId,
          outcome,
          eventSequence: one.newestSequence + 1,
          decidedAt,
          singleControl: decided.singleControl,
          trailHash: required(entries[i], 'the audit entry of a decision').hash,
        })),
      );
      await this.events.publish(
        tx,
        open.flatMap(({ id }) => events.get(id) ?? []),
      );
    };
  }
}
