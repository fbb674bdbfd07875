import { Injectable } from '@nestjs/common';
import { systemActor } from '../../audit/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { HitDispositionService, HitReopeningService } from '../../screening/index.js';
import { ReviewQueries } from '../store/review.queries.js';
import { CaseReopeningService } from './case-reopening.service.js';
import type { DecidedReview } from './review-effects.service.js';

/** Holds back what an approved decision would release although a hit about it has changed since the approval. */
@Injectable()
export class HeldReleasesService {
  constructor(
    private readonly queries: ReviewQueries,
    private readonly hits: HitDispositionService,
    private readonly dismissals: HitReopeningService,
    private readonly reopening: CaseReopeningService,
  ) {}

  /**
   * Returns those of the transactions that must not be released: a mandatory hit about them or their customer is
   * undecided, or was decided after the approval. Their case is reopened with them in `tx`, so that two people decide.
   * The others are noted as cleared by their dismissed hits: they are judged again when a dismissal is taken back.
   */
  async holdBack(
    tx: Tx,
    { organisationId, reviewId, outcome, decidedAt }: DecidedReview,
    transactionRefs: readonly string[],
  ): Promise<ReadonlySet<string>> {
    if (outcome === 'REJECTED' || transactionRefs.length === 0) return new Set();
    const about = await this.queries.listHitsOfTransactions(tx, organisationId, transactionRefs);
    const changed = await this.hits.findUndecided(tx, organisationId, {
      hitIds: about.flatMap(({ hitId }) => hitId ?? []),
      customerIds: [...new Set(about.flatMap(({ customerId }) => customerId ?? []))],
      decidedAfter: decidedAt,
    });
    const ids = new Set(
      changed.flatMap(({ id, customerId }) => [id, ...(customerId === null ? [] : [customerId])]),
    );
    const held = new Set(
      about.flatMap(({ ref, hitId, customerId }) => (ids.has(hitId ?? customerId ?? '') ? [ref] : [])),
    );
    if (held.size > 0) {
      await this.reopening.giveBack(tx, systemActor(organisationId, 'reviews.effects'), reviewId, [...held]);
    }
    await this.dismissals.recordReleases(
      tx,
      organisationId,
      about.flatMap(({ ref, hitId }) =>
        hitId === null || held.has(ref) ? [] : [{ hitId, transactionRef: ref }],
      ),
    );
    return held;
  }
}
