import { Injectable } from '@nestjs/common';
import type { PreparedDeclaration } from '../../customers/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { NO_FACTS, ReviewsService, leadReasonOfSession } from '../../reviews/index.js';
import { today } from '../../screening/index.js';
import { sessionSystemActor } from '../actor-context.js';
import type { SessionEvidence } from '../checks/session-findings.service.js';
import { updatesProfile } from '../domain/declared-answers.js';
import { resubmissionNeeds, type ResubmissionNeeds } from '../domain/resubmission-needs.js';
import type { SessionResult, SessionRow } from '../domain/records.js';
import { composeResult, type ComposedResult } from '../domain/result.js';
import { SessionAnswersService } from '../link/session-answers.service.js';
import { SessionPeopleService, type PreparedPeople } from '../people/session-people.service.js';
import { VerificationRepository } from '../store/verification.repository.js';
import { SessionDeclarationsService } from './session-declarations.service.js';
import { SessionCompletionNotifier } from './session-completion-notifier.js';
import { SessionRoundsService, type PreparedRound } from './session-rounds.service.js';

const ACTOR_ID = 'sessions.checks';

/** The effects of the end of a session, prepared before the database transaction. */
export interface PreparedCompletion {
  readonly declaration: PreparedDeclaration | null;
  readonly people: PreparedPeople;
  readonly documentExpiresOn: string | null;
}

/** Prepares and writes the effects of the end of a session, in the same commit. */
@Injectable()
export class SessionCompletionService {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly declarations: SessionDeclarationsService,
    private readonly sessionCompletionNotifier: SessionCompletionNotifier,
    private readonly rounds: SessionRoundsService,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly people: SessionPeopleService,
    private readonly clock: Clock,
    private readonly verifications: VerificationRepository,
  ) {}

  /** Returns the result of the checks, and the resubmission round that is needed first, or null. */
  async conclude(
    session: SessionRow,
    { evidence, answers }: SessionEvidence,
  ): Promise<{ readonly composed: ComposedResult; readonly round: PreparedRound | null }> {
    const needs = await this.findNeeds(session, evidence, answers);
    const composed = composeResult(evidence, session.flowSingleControl, needs.against);
    const round = needs.asked.length > 0 ? await this.rounds.prepareRound(session, needs.asked) : null;
    return { composed, round };
  }

  /** Starts a round that the checks request; false if another worker has taken the session over. */
  async requestSteps(
    tx: Tx,
    session: SessionRow,
    evidence: SessionResult['evidence'],
    round: PreparedRound,
  ): Promise<boolean> {
    const ctx = sessionSystemActor(session.organisationId, ACTOR_ID, { ...session, requestId: null });
    return this.rounds.begin(tx, ctx, session, 'PROCESSING', evidence, round);
  }

  /** Prepares the effects of a result: profile updates, and the company's people. */
  async prepareCompletion(
    session: SessionRow,
    found: SessionEvidence,
    result: SessionResult,
  ): Promise<PreparedCompletion> {
    const { customerId, answers } = found;
    const { evidence, outcome } = result;
    const feeds = updatesProfile({ asked: session.customerId, customerId, evidence, outcome });
    return {
      declaration: feeds
        ? await this.declarations.prepareDeclaration(session, answers, customerId, outcome === 'APPROVED')
        : null,
      people: await this.people.prepareChildSessions(session, found.people),
      documentExpiresOn: found.documentExpiresOn,
    };
  }

  /** Writes the effects of a result, opens a case for REVIEW, and notifies the requesting transactions. */
  async writeEffects(
    tx: Tx,
    session: SessionRow,
    result: SessionResult,
    hitIds: readonly string[],
    { declaration, people, documentExpiresOn }: PreparedCompletion,
  ): Promise<void> {
    if (declaration) await this.declarations.recordDeclaration(tx, session, declaration, ACTOR_ID);
    await this.people.recordPeople(tx, session, people, { ...result, customerId: session.customerId });
    if (result.outcome === 'APPROVED') {
      await this.verifications.recordVerification(tx, {
        ...{ customerId: session.customerId, organisationId: session.organisationId, sessionId: session.id },
        ...{ verifiedAt: new Date(this.clock.now()), documentExpiresOn },
      });
    }
    if (result.outcome === 'REVIEW') {
      const lists = result.evidence.find(({ name }) => name === 'LISTS');
      const sanctions = lists?.reason === 'SANCTIONS_HIT';
      await this.reviews.openCases(
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
            facts: { ...NO_FACTS, lead: leadReasonOfSession(checksToReview(result), result.riskScore ?? 0) },
            occurredAt: session.submittedAt ?? session.createdAt,
            requestId: null,
            correlationId: session.correlationId,
          },
        ],
        { type: 'system', id: ACTOR_ID },
      );
    }
    // After a resubmission the transactions are notified again, because the outcome may differ.
    if (session.round > 1) await this.sessionCompletionNotifier.renotify(tx, session);
    else await this.sessionCompletionNotifier.notify(tx, session);
  }

  private async findNeeds(
    session: SessionRow,
    evidence: SessionEvidence['evidence'],
    answers: SessionEvidence['answers'],
  ): Promise<ResubmissionNeeds> {
    if (!answers) return { asked: [], against: [] };
    const progress = await this.sessionAnswers.readAfterSubmission(session, answers);
    return resubmissionNeeds(session, evidence, progress, today(this.clock.now()));
  }
}

/** Returns the checks that a person has to review. */
const checksToReview = ({ evidence }: SessionResult): string[] =>
  evidence.filter(({ state }) => state !== 'NO_HIT' && state !== 'SKIPPED').map(({ name }) => name);
