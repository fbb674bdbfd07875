import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  ReleaseAct,
  SummarizeSubjects,
  type ChangedValues,
  type SubjectSummary,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { CustomerRecordsService } from '../../customers/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import {
  Clock,
  conflict,
  DomainError,
  orThrow,
  publicId,
  requireReportedTime,
} from '../../../platform/kernel/index.js';
import { ReviewRepository } from '../../reviews/index.js';
import { CommunicationRepository, lockCommunication } from '../store/communication.repository.js';
import { CoafCommunicationEntity } from '../store/entities.js';
import { CommunicationContents } from './communication-contents.js';

/** The details that a person enters after filing a communication with COAF. */
export interface FilingDetails {
  readonly filingNumber: string;
  readonly acknowledgement: string | null;
  /** When COAF received the communication. */
  readonly receivedAt: Date;
}

/** The values of the filing columns in a draft. */
const UNFILED = {
  status: 'DRAFT',
  filingNumber: null,
  acknowledgement: null,
  receivedAt: null,
  recordedBy: null,
  recordedAt: null,
  sealedContent: null,
  contentHash: null,
  approvalId: null,
} as const;

/** Records that a person filed a communication with COAF, and freezes its content. A second person confirms. */
@Injectable()
export class CoafFilingsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly communications: CommunicationRepository,
    private readonly communicationContents: CommunicationContents,
    private readonly reviews: ReviewRepository,
    private readonly approvals: ApprovalsService,
    private readonly customers: CustomerRecordsService,
  ) {}

  async record(ctx: ActorContext, id: string, filing: FilingDetails): Promise<Approval> {
    const { organisationId, actor } = ctx;
    const row = orThrow(await this.communications.find(organisationId, id), 'COMMUNICATION_NOT_FOUND');
    const { sealed, hash } = await this.communicationContents.sealContent(row);
    const recordedAt = new Date(this.clock.now());
    const decision = { at: row.decidedAt, name: 'the decision to communicate' };
    requireReportedTime('receivedAt', filing.receivedAt, decision, recordedAt);
    const institution = await this.communicationContents.findInstitution(organisationId);
    if (institution === null) {
      throw conflict(
        'institution',
        'INSTITUTION_MISSING',
        'It is not known yet which institution communicates.',
      );
    }
    const { filingNumber, acknowledgement, receivedAt } = filing;
    const recorded = {
      filingNumber,
      acknowledged: acknowledgement !== null,
      receivedAt: receivedAt.toISOString(),
      contentHash: hash.toString('hex'),
    };
    return this.uow.run(organisationId, async (tx) => {
      const request = await this.approvals.request(tx, ctx, {
        act: 'communication.file',
        subjectId: id,
        before: { status: 'RECORDED', contentHash: recorded.contentHash },
        after: { status: 'FILED', ...recorded },
        reason: `Filed with COAF under ${filingNumber}.`,
      });
      const { affected } = await tx.update(
        CoafCommunicationEntity,
        // Fails if an edit was made concurrently: the frozen content would lack it.
        { organisationId, id, status: 'DRAFT', revision: row.revision },
        {
          ...{
            status: 'RECORDED',
            filingNumber,
            acknowledgement,
            receivedAt,
            recordedBy: actor.id,
            recordedAt,
          },
          ...{ sealedContent: sealed, contentHash: hash, approvalId: request.id },
        },
      );
      if (affected !== 1) throw new DomainError('STATE_CONFLICT');
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'communication', id, 'communication.filing_recorded', recordedAt, recorded),
      );
      return request;
    });
  }

  @SummarizeSubjects('communication')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('reviews:read')) return new Map();
    const ids = approvals.map(({ subjectId }) => subjectId);
    const rows = await this.communications.findMany(organisationId, ids);
    const customerIds = rows.flatMap(({ customerId }) => customerId ?? []);
    const names = await this.customers.readDisplayNames(organisationId, customerIds, permissions);
    const contents = await Promise.all(rows.map((row) => this.communicationContents.summarize(row)));
    const communicationById = new Map(
      rows.map((row, i) => [row.id, { ...row, communication: contents[i] ?? null }]),
    );
    return new Map(
      approvals.flatMap(({ id, subjectId }) => {
        const row = communicationById.get(subjectId);
        if (!row) return [];
        const { customerId, amountBrl: amount, communication } = row;
        const customerName = customerId === null ? null : (names.get(customerId) ?? null);
        return [[id, { customerId, customerName, amount, communication }] as const];
      }),
    );
  }

  @CurrentValues('communication.file')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { status, contentHash } = await lockCommunication(tx, organisationId, subjectId);
    return { status, contentHash: contentHash?.toString('hex') ?? null };
  }

  @ApplyAct('communication.file')
  async confirm(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { organisationId, subjectId: id, decidedBy, singleControl } = approval;
    const { filingNumber, reviewId, receivedAt } = await lockCommunication(tx, organisationId, id);
    const now = new Date(this.clock.now());
    const filed = { status: 'FILED', confirmedBy: decidedBy, confirmedAt: now, singleControl } as const;
    await tx.update(CoafCommunicationEntity, { organisationId, id }, filed);
    const content = { filingNumber, ...(singleControl && { singleControl }) };
    const steps = [auditDraftOf(ctx, 'communication', id, 'communication.filed', now, content)];
    // Stops the reporting deadline of the case.
    if (reviewId !== null && receivedAt !== null) {
      if (await this.reviews.markReported(tx, organisationId, reviewId, receivedAt)) {
        const confirmation = { communication: publicId('com', id), receivedAt: receivedAt.toISOString() };
        steps.push(auditDraftOf(ctx, 'review', reviewId, 'review.reported', now, confirmation));
      }
    }
    await this.audit.record(tx, steps);
  }

  /** Reverts an unconfirmed filing to a draft. */
  @ReleaseAct('communication.file')
  async withdrawFiling(
    tx: Tx,
    ctx: ActorContext,
    { organisationId, subjectId: id }: Approval,
  ): Promise<void> {
    const { filingNumber } = await lockCommunication(tx, organisationId, id);
    await tx.update(CoafCommunicationEntity, { organisationId, id, status: 'RECORDED' }, UNFILED);
    const now = new Date(this.clock.now());
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'communication', id, 'communication.filing_refused', now, { filingNumber }),
    );
  }
}
