import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  type Approval,
  ApprovalsService,
  CurrentValues,
  type ChangedValues,
} from '../../approvals/index.js';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, invalid, orThrow } from '../../../platform/kernel/index.js';
import type { Communication } from '../domain/coaf/communication.js';
import {
  uneditedFields,
  applyPartyEdits,
  withEdits,
  type CommunicationChange,
  type EditableField,
  type EditedParty,
} from '../domain/coaf/editing.js';
import { UNKNOWN_PARTY } from '../domain/coaf/drafting.js';
import type { CommunicationRow } from '../domain/records.js';
import { CommunicationRepository, lockCommunication } from '../store/communication.repository.js';
import { CoafCommunicationEntity, CoafEditEntity } from '../store/entities.js';
import { CommunicationContents, type DecryptedEdit } from './communication-contents.js';

export interface CommunicationEditRequest {
  /** The revision that the operator was editing. If a later revision exists, the edit is refused. */
  readonly revision: number;
  readonly change: Omit<CommunicationChange, 'parties'>;
  readonly parties: readonly EditedParty[] | undefined;
  readonly reason: string;
}

/** The data of the edit screen of a communication. */
export interface EditedCommunication {
  readonly row: CommunicationRow;
  /** Null if the person was erased. */
  readonly content: Communication | null;
  readonly edits: readonly DecryptedEdit[];
  readonly drafted: readonly EditableField[];
}

/** Edits drafts of communications, with a reason for each edit. Two people can dismiss a wrong draft. */
@Injectable()
export class CoafEditsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly communications: CommunicationRepository,
    private readonly communicationContents: CommunicationContents,
    private readonly approvals: ApprovalsService,
  ) {}

  async openEditor(organisationId: string, id: string): Promise<EditedCommunication> {
    const row = orThrow(await this.communications.find(organisationId, id), 'COMMUNICATION_NOT_FOUND');
    const edits = (await this.communicationContents.listEdits(row)) ?? [];
    return {
      row,
      content: await this.communicationContents.readContent(row),
      edits,
      drafted: uneditedFields(edits),
    };
  }

  async edit(ctx: ActorContext, id: string, request: CommunicationEditRequest): Promise<EditedCommunication> {
    const { organisationId } = ctx;
    const row = orThrow(await this.communications.find(organisationId, id), 'COMMUNICATION_NOT_FOUND');
    if (row.status !== 'DRAFT' || row.revision !== request.revision) throw new DomainError('STATE_CONFLICT');
    const content = orThrow(await this.communicationContents.readContent(row), 'COMMUNICATION_NOT_FOUND');
    const change = resolveChange(request, content);
    const after = withEdits(content, [{ change, reason: request.reason }]);
    if (dayNumber(after.from) > dayNumber(after.to)) {
      throw invalid('to', 'OUT_OF_RANGE', 'Must not lie before the first day.');
    }
    const revision = row.revision + 1;
    const sealed = await this.communicationContents.sealEdit(row, revision, {
      change,
      reason: request.reason,
    });
    const now = new Date(this.clock.now());
    const fields = Object.keys(change).sort();
    await this.uow.run(organisationId, async (tx) => {
      const { affected } = await tx.update(
        CoafCommunicationEntity,
        { organisationId, id, status: 'DRAFT', revision: row.revision },
        { revision },
      );
      if (affected !== 1) throw new DomainError('STATE_CONFLICT');
      await tx.insert(CoafEditEntity, {
        ...{ organisationId, communicationId: id, revision, editedBy: ctx.actor.id },
        ...{ editedAt: now, fields, sealed },
      });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'communication', id, 'communication.edited', now, { fields, revision }),
      );
    });
    return this.openEditor(organisationId, id);
  }

  async requestDismissal(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const { status, revision } = await lockCommunication(tx, organisationId, id);
      if (status !== 'DRAFT') throw new DomainError('STATE_CONFLICT');
      return this.approvals.request(tx, ctx, {
        act: 'communication.dismiss',
        subjectId: id,
        before: { status, revision },
        after: { status: 'DISMISSED', revision },
        reason,
      });
    });
  }

  @CurrentValues('communication.dismiss')
  async currentValues(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { status, revision } = await lockCommunication(tx, organisationId, subjectId);
    return { status, revision };
  }

  @ApplyAct('communication.dismiss')
  async dismiss(tx: Tx, ctx: ActorContext, { organisationId, subjectId: id }: Approval): Promise<void> {
    await lockCommunication(tx, organisationId, id);
    await tx.update(CoafCommunicationEntity, { organisationId, id }, { status: 'DISMISSED' });
    const now = new Date(this.clock.now());
    await this.audit.record(tx, auditDraftOf(ctx, 'communication', id, 'communication.dismissed', now, {}));
  }
}

function resolveChange(
  { change, parties }: CommunicationEditRequest,
  content: Communication,
): CommunicationChange {
  const people = parties && applyPartyEdits(content.parties, parties, UNKNOWN_PARTY);
  if (people === null) {
    throw invalid('parties', 'VALUE_NOT_ALLOWED', 'A position that nobody has.');
  }
  const wholeChange = { ...change, ...(people && { parties: people }) };
  if (Object.keys(wholeChange).length === 0) throw invalid('', 'REQUIRED', 'Something has to be different.');
  return wholeChange;
}

const dayNumber = ({ year, month, day }: Communication['from']): number => (year * 100 + month) * 100 + day;
