import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { isDatabaseUnavailable, UnitOfWork } from '../../../platform/database/index.js';
import { Clock, pick } from '../../../platform/kernel/index.js';
import { ArtifactsService } from '../../uploads/index.js';
import { sessionSystemActor } from '../actor-context.js';
import type { SessionRow } from '../domain/records.js';
import { SessionCompletionService } from '../outcome/session-completion.service.js';
import { SessionEventPublisher } from '../outcome/session-event-publisher.js';
import { SessionFindingsService, type SessionEvidence } from './session-findings.service.js';
import { SessionRepository } from '../store/session.repository.js';
import { SessionWorkRepository, type ClaimedSession } from '../store/session-work.repository.js';

// This is longer than all checks together may take, with the timeouts of the providers.
const LEASE_SECONDS = 60;
// After this many attempts a session ends with the findings so far: a fault of the service must not block it for ever.
const MAX_ATTEMPTS = 5;
const RETRY_SECONDS = [1, 5, 20, 60] as const;

/**
 * Runs the checks of submitted sessions and ends each session once. Slow work happens before the commit. A worker that
 * crashes, or whose lease another worker has taken, changes nothing.
 */
@Injectable()
export class SessionChecksService {
  private readonly logger = new Logger(SessionChecksService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly events: SessionEventPublisher,
    private readonly findings: SessionFindingsService,
    private readonly artifacts: ArtifactsService,
    private readonly sessionCompletion: SessionCompletionService,
    private readonly sessions: SessionRepository,
    private readonly work: SessionWorkRepository,
  ) {}

  /** Runs the checks of the sessions that no other worker holds, and ends them. */
  async advance(ids: readonly string[]): Promise<void> {
    for (const claimed of await this.work.claim(ids, LEASE_SECONDS)) {
      try {
        await this.check(claimed);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error; // the lease expires, and the reconciler queues it again
        this.logger.warn(
          `checks of a session failed, attempt ${claimed.attempts}: ${error instanceof Error ? error.name : 'unknown error'}`,
        );
        await this.work.release(claimed, RETRY_SECONDS[claimed.attempts - 1] ?? 60);
      }
    }
  }

  private async check(claimed: ClaimedSession): Promise<void> {
    const session = await this.sessions.find(claimed.organisationId, claimed.sessionId);
    if (session?.status !== 'PROCESSING') throw new Error('work without a session in PROCESSING');
    await this.conclude(
      claimed,
      session,
      await this.findings.collect(session, claimed.attempts > MAX_ATTEMPTS),
    );
  }

  private async conclude(
    claimed: ClaimedSession,
    session: SessionRow,
    found: SessionEvidence,
  ): Promise<void> {
    const { evidence, customerId, hitIds } = found;
    const { composed, round } = await this.sessionCompletion.conclude(session, found);
    if (round) {
      await this.uow.run(session.organisationId, async (tx) => {
        if (await this.work.finish(tx, claimed)) {
          await this.sessionCompletion.requestSteps(tx, session, evidence, round);
        }
      });
      return;
    }
    const result = { ...composed, evidence };
    const occurredAt = new Date(this.clock.now());
    const prepared = await this.sessionCompletion.prepareCompletion(session, found, result);
    const event = await this.events.composeEnded(session, occurredAt, result, customerId);
    const ctx = sessionSystemActor(session.organisationId, 'sessions.checks', {
      ...session,
      requestId: null,
    });
    await this.uow.run(session.organisationId, async (tx) => {
      if (!(await this.work.finish(tx, claimed))) return;
      if (!(await this.sessions.conclude(tx, session, result, customerId))) return;
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', session.id, 'session.completed', occurredAt, {
          ...pick(result, 'outcome', 'riskScore', 'composition', 'defensible', 'nonDefensibleReasons'),
          evidence: evidence.map(({ name, state }) => `${name}:${state}`),
          customerId,
        }),
      );
      await this.events.publish(tx, event);
      if (customerId !== session.customerId) {
        const owner = { type: 'SESSION', id: session.id } as const;
        await this.artifacts.moveOwnedFiles(tx, ctx, owner, { from: session.customerId, to: customerId });
      }
      await this.sessionCompletion.writeEffects(tx, { ...session, customerId }, result, hitIds, prepared);
    });
  }
}
