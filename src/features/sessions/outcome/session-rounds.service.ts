import { Injectable } from '@nestjs/common';
import { AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, invalid } from '../../../platform/kernel/index.js';
import { today } from '../../screening/index.js';
import type { ComposedEvent } from '../../webhooks/index.js';
import type { SessionActorContext } from '../actor-context.js';
import { resolveConditions } from '../domain/flow/conditions.js';
import { visibleSteps } from '../domain/flow/flow.js';
import { MAX_RESUBMISSIONS, type StepResubmission } from '../domain/plan.js';
import type { SessionResult, SessionRow } from '../domain/records.js';
import { SessionAnswersService } from '../link/session-answers.service.js';
import { RoundRepository } from '../store/round.repository.js';
import { SessionRepository } from '../store/session.repository.js';
import { SessionEventPublisher } from './session-event-publisher.js';

const MINUTE_MS = 60_000;

/** A resubmission round before it is stored. */
export interface PreparedRound {
  readonly asked: readonly StepResubmission[];
  readonly messagesSealed: Buffer;
  readonly event: ComposedEvent;
  readonly occurredAt: Date;
}

/** Requests single steps of a session again, with the same link, at most three times. */
@Injectable()
export class SessionRoundsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly events: SessionEventPublisher,
    private readonly rounds: RoundRepository,
    private readonly sessions: SessionRepository,
  ) {}

  /** Requests steps for a reviewer. Throws STATE_CONFLICT unless the session is under review. */
  async requestResubmission(
    ctx: SessionActorContext,
    session: SessionRow,
    asked: readonly StepResubmission[],
  ): Promise<void> {
    if (session.status !== 'COMPLETED' || session.outcome !== 'REVIEW' || session.decidedAt !== null) {
      throw conflict(
        'status',
        'NOT_UNDER_REVIEW',
        'Steps can be asked for again while the session is under review.',
      );
    }
    if (session.round > MAX_RESUBMISSIONS) {
      throw conflict(
        'status',
        'NO_ROUND_LEFT',
        `Steps are asked for again at most ${MAX_RESUBMISSIONS} times.`,
      );
    }
    const answers = (await this.sessionAnswers.readAnswers(session)) ?? {};
    const { flow } = resolveConditions(session.flow, answers, session.evidence, today(this.clock.now()));
    const steps = visibleSteps(flow, answers).filter(({ type }) => type !== 'INFO');
    const unknown = asked.findIndex(({ stepId }) => !steps.some(({ id }) => id === stepId));
    if (unknown >= 0) {
      const message = 'The session has no such step that asks for something.';
      throw invalid(`steps[${unknown}].stepId`, 'VALUE_NOT_ALLOWED', message);
    }
    const prepared = await this.prepareRound(session, asked);
    await this.uow.run(session.organisationId, async (tx) => {
      const hasBegun = await this.begin(tx, ctx, session, 'COMPLETED', session.evidence, prepared);
      if (!hasBegun) throw conflict('status', 'CHANGED', 'Somebody was quicker; read the session again.');
    });
  }

  /** Prepares a round, without a database transaction. */
  async prepareRound(session: SessionRow, asked: readonly StepResubmission[]): Promise<PreparedRound> {
    const occurredAt = new Date(this.clock.now());
    const until = occurredAt.getTime() + session.flow.expiresInMinutes * MINUTE_MS;
    const expiresAt = new Date(Math.max(until, session.expiresAt.getTime()));
    return {
      asked,
      messagesSealed: await this.sessionAnswers.encryptMessages(session, session.round + 1, asked),
      event: await this.events.composeReopened(session, asked, expiresAt, occurredAt),
      occurredAt,
    };
  }

  /** Starts a round in the caller's transaction; false if the status of the session is no longer `from`. */
  async begin(
    tx: Tx,
    ctx: SessionActorContext,
    session: SessionRow,
    from: 'PROCESSING' | 'COMPLETED',
    evidence: SessionResult['evidence'],
    { asked, messagesSealed, event, occurredAt }: PreparedRound,
  ): Promise<boolean> {
    const minutes = session.flow.expiresInMinutes;
    if (!(await this.sessions.reopen(tx, session, from, { evidence, minutes }))) return false;
    const round = session.round + 1;
    await this.rounds.insert(tx, {
      ...{ sessionId: session.id, organisationId: session.organisationId, round },
      ...{ askedBy: formatActor(ctx), askedAt: occurredAt, messagesSealed },
      asked: asked.map(({ stepId, code }) => ({ stepId, code })),
    });
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'session', session.id, 'session.reopened', occurredAt, {
        round,
        steps: asked.map(({ stepId, code }) => `${stepId}:${code}`),
      }),
    );
    await this.events.publish(tx, event);
    return true;
  }
}
