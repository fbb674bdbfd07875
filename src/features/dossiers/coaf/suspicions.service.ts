import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry } from '../../audit/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { reportDeadline } from '../../reviews/index.js';
import { CommunicationRepository } from '../store/communication.repository.js';

const ACTOR = { type: 'system', id: 'dossiers.coaf' } as const;

/** Drafts one communication for every case closed with the decision to communicate. */
@Injectable()
export class SuspicionsService {
  constructor(
    private readonly clock: Clock,
    private readonly communications: CommunicationRepository,
  ) {}

  /** Drafts the missing communications of these closed cases. Safe to repeat. */
  async draftCommunications(refs: readonly string[]): Promise<void> {
    const cases = await this.communications.findUndrafted(refs);
    if (cases.length === 0) return;
    const createdAt = new Date(this.clock.now());
    const drafts = cases.map(({ id: reviewId, organisationId, customerId, decidedAt, ...decided }) => {
      const id = newUuid();
      const dueAt = decided.dueAt ?? reportDeadline(decidedAt);
      const entry = composeEntry(
        {
          subject: { organisationId, type: 'communication', id },
          action: 'communication.drafted',
          actor: ACTOR,
          requestId: null,
          correlationId: null,
          occurredAt: createdAt,
          content: { kind: 'SUSPICION', reviewId, dueAt: dueAt.toISOString() },
        },
        CHAIN_START,
      );
      const row = {
        ...{ id, organisationId, reviewId, customerId, decidedAt, dueAt, createdAt },
        kind: 'SUSPICION' as const,
        transactionRef: null,
        code: null,
        amountBrl: null,
        trailHash: entry.hash,
      };
      return { row, entry };
    });
    await this.communications.insert(drafts);
  }
}
