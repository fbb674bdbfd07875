import { Injectable } from '@nestjs/common';
import type { PreparedDeclaration } from '../../customers/index.js';
import type { Tx } from '../../database/index.js';
import { ReviewsService } from '../../reviews/index.js';
import { feedsProfile } from '../domain/declared-answers.js';
import type { Answers } from '../domain/flow/flow.js';
import type { SessionResult, SessionRow } from '../domain/records.js';
import { SessionDeclarations } from './session-declarations.service.js';
import { SessionEnds } from './session-ends.js';

/** Other writes in the commit that ends a session. */
@Injectable()
export class SessionCompletion {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly declarations: SessionDeclarations,
    private readonly ends: SessionEnds,
  ) {}

  /** Prepares what the profile takes over of the answers; null when that is nothing, or not before a person decided. */
  async declared(
    session: SessionRow,
    answers: Answers | null,
    result: SessionResult & { readonly customerId: string },
  ): Promise<PreparedDeclaration | null> {
    const { customerId, evidence, outcome } = result;
    return feedsProfile({ asked: session.customerId, customerId, evidence, outcome })
      ? this.declarations.prepare(session, answers, customerId)
      : null;
  }

  /** Opens a case for what a person has to look at, and lets the transactions know that asked for the session. */
  async announce(
    tx: Tx,
    session: SessionRow,
    result: SessionResult,
    hitIds: readonly string[],
    declaration: PreparedDeclaration | null,
  ): Promise<void> {
    if (declaration) await this.declarations.write(tx, session, declaration, 'sessions.checks');
    if (result.outcome === 'REVIEW') {
      const lists = result.evidence.find(({ name }) => name === 'LISTS');
      const sanctions = lists?.reason === 'SANCTIONS_HIT';
      await this.reviews.open(
        tx,
        [
          {
            organisationId: session.organisationId,
            kind: 'SESSION',
            theme: 'IDENTITY',
            customerId: session.customerId,
            clientAppId: session.clientAppId,
            sessionRef: session.id,
            hitIds,
            sanctions,
            priority: sanctions ? 'CRITICAL' : hitIds.length > 0 ? 'HIGH' : 'MEDIUM',
            riskScore: result.riskScore,
            occurredAt: session.submittedAt ?? session.createdAt,
            requestId: null,
            correlationId: session.correlationId,
          },
        ],
        { type: 'system', id: 'sessions.checks' },
      );
    }
    await this.ends.tell(tx, session);
  }
}
