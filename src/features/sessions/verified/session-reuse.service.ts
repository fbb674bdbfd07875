import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError, orThrow, publicId } from '../../../platform/kernel/index.js';
import type { SessionActorContext } from '../actor-context.js';
import { reusableSteps } from '../domain/flow-life/reuse.js';
import type { SessionRow } from '../domain/records.js';
import { SessionEntity } from '../store/entities.js';
import { SessionRepository } from '../store/session.repository.js';
import { VerificationRepository } from '../store/verification.repository.js';

/** The maximum age, in months, of a verification that another session may reuse. */
const MONTHS = 12;

/** An earlier verification that a session may reuse. */
export interface ReusableVerification {
  readonly source: SessionRow;
  /** The steps of this session that need not be done. */
  readonly steps: readonly string[];
}

/**
 * Lets a session reuse the evidence of an earlier, approved session of the same customer, with the person's consent:
 * documents, proofs of address and answers. A selfie is never reused: it proves that the same person consents.
 */
@Injectable()
export class SessionReuseService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly sessions: SessionRepository,
    private readonly verifications: VerificationRepository,
  ) {}

  /** Returns the verification that may be reused; null if there is none, or the session already reuses one. */
  async findOffer(session: SessionRow): Promise<ReusableVerification | null> {
    if (session.status !== 'PENDING' || session.round > 1 || session.reusedSessionId !== null) return null;
    const storedVerification = await this.verifications.findByCustomer(
      session.organisationId,
      session.customerId,
    );
    if (!storedVerification) return null;
    const now = new Date(this.clock.now());
    const oldest = new Date(now);
    oldest.setUTCMonth(oldest.getUTCMonth() - MONTHS);
    const hasEnded =
      storedVerification.documentExpiresOn !== null &&
      storedVerification.documentExpiresOn <= now.toISOString().slice(0, 10);
    if (storedVerification.verifiedAt < oldest || hasEnded) return null;
    const source = await this.sessions.find(session.organisationId, storedVerification.sessionId);
    if (source?.outcome !== 'APPROVED' || source.defensible !== true || source.reusedSessionId !== null) {
      return null;
    }
    const steps = reusableSteps(session.flow, source.flow);
    return steps.length > 0 ? { source, steps } : null;
  }

  /** Records the person's consent. From then on the session reuses the earlier session. */
  async recordConsent(ctx: SessionActorContext, session: SessionRow): Promise<void> {
    const offered = orThrow(await this.findOffer(session), 'STATE_CONFLICT');
    const { id, organisationId } = session;
    const now = new Date(this.clock.now());
    await this.uow.run(organisationId, async (tx) => {
      if ((await this.sessions.lockOpen(tx, session)) !== 'OPEN') throw new DomainError('SESSION_EXPIRED');
      await tx.update(SessionEntity, { id, organisationId }, { reusedSessionId: offered.source.id });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', id, 'session.evidence_reused', now, {
          from: publicId('kys', offered.source.id),
          steps: offered.steps,
        }),
      );
    });
  }
}
