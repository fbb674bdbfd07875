import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, DomainError, newUuid } from '../../../platform/kernel/index.js';
import { sessionSystemActor, type SessionActorContext } from '../actor-context.js';
import { FlowsService } from '../flows/flows.service.js';
import { SessionIssuerService } from '../session-issuer.service.js';
import { ReverificationTermsEntity } from '../store/entities.js';
import { VerificationRepository, type DueVerification } from '../store/verification.repository.js';

const BATCH = 50;

export type ReverificationSettings = Pick<
  ReverificationTermsEntity,
  'flowKey' | 'lowMonths' | 'mediumMonths' | 'highMonths' | 'documentDays' | 'enabled'
>;

/** Requests the re-verification of customers: by their level of risk, and before their document expires. */
@Injectable()
export class ReverificationService {
  private readonly logger = new Logger(ReverificationService.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly flows: FlowsService,
    private readonly issuer: SessionIssuerService,
    private readonly verifications: VerificationRepository,
  ) {}

  async readTerms(organisationId: string): Promise<ReverificationTermsEntity | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(ReverificationTermsEntity, { organisationId }));
  }

  async setTerms(
    ctx: SessionActorContext,
    terms: ReverificationSettings,
  ): Promise<ReverificationTermsEntity> {
    const { organisationId } = ctx;
    await this.flows.readOrCreateCurrent(organisationId, terms.flowKey);
    const before = await this.readTerms(organisationId);
    const changedAt = new Date(this.clock.now());
    const row = {
      ...{ id: before?.id ?? newUuid(), organisationId, ...terms },
      ...{ changedBy: formatActor(ctx), changedAt },
    };
    await this.uow.run(organisationId, async (tx) => {
      await tx.upsert(ReverificationTermsEntity, row, ['id', 'organisationId']);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'reverification', row.id, 'reverification.changed', changedAt, { ...terms }),
      );
    });
    return row;
  }

  /** Creates a session for each customer whose re-verification is due. Returns how many. */
  async openDueSessions(): Promise<number> {
    let openedCount = 0;
    for (const due of await this.verifications.findDue(BATCH)) {
      try {
        await this.askOne(due);
        openedCount += 1;
      } catch (error) {
        // A customer without an application, or beyond the quota of sessions, must not block the others.
        if (!(error instanceof DomainError)) throw error;
        this.logger.warn(`a customer could not be asked to verify again: ${error.code}`);
      }
    }
    return openedCount;
  }

  private async askOne({ organisationId, customerId, flowKey }: DueVerification): Promise<void> {
    const request = { requestId: null, correlationId: newUuid(), traceparent: null };
    const ctx = sessionSystemActor(organisationId, 'sessions.reverification', request);
    const prepared = await this.issuer.prepareSession(ctx, {
      flowKey,
      trigger: 'REVERIFICATION',
      customerId,
    });
    await this.uow.run(organisationId, async (tx) => {
      await this.issuer.store(tx, prepared);
      await this.verifications.recordReverificationSession(tx, organisationId, customerId, prepared.row.id);
    });
  }
}
