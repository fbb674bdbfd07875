import { Injectable } from '@nestjs/common';
import {
  ApplyAct,
  areValuesEqual,
  type Approval,
  ApprovalsService,
  CurrentValues,
  SummarizeSubjects,
  type ChangedValues,
  type SubjectSummary,
  type SummaryFact,
} from '../../approvals/index.js';
import { AuditTrail, type ActorContext, type AuditAction, type TrailEntry } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { conflict, DomainError } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import { compareUnconfirmed, unconfirmedValues, type UnconfirmedValue } from '../domain/confirmation.js';
import type { CustomerRiskLevel } from '../domain/merging.js';
import { countMergedRecords, CustomerRecordRepository } from '../store/customer-record.repository.js';
import type { CustomerEntity } from '../store/entities.js';
import { CustomerChangesService, isLowerRisk } from './customer-changes.service.js';
import { CustomerErasureService } from './customer-erasure.service.js';
import { CustomerRecordsService, displayNameOf, type DecryptedCustomer } from './customer-records.service.js';

/** Requests changes of a customer that two people decide: lower risk, the end of a legal hold, the erasure. */
@Injectable()
export class CustomerApprovalsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly approvals: ApprovalsService,
    private readonly changes: CustomerChangesService,
    private readonly erasure: CustomerErasureService,
    private readonly records: CustomerRecordRepository,
    private readonly customers: CustomerRecordsService,
    private readonly outbox: Outbox,
  ) {}

  async requestLowerRisk(
    ctx: ActorContext,
    id: string,
    riskLevel: CustomerRiskLevel,
    reason: string,
  ): Promise<Approval> {
    return this.requestApproval(ctx, id, (before, mergedRecords) => {
      if (!isLowerRisk(riskLevel, before.riskLevel)) {
        throw notFromHereError('riskLevel', 'The level is not lower.');
      }
      const change = { before: { riskLevel: before.riskLevel, mergedRecords }, after: { riskLevel } };
      return { act: 'customer.lower_risk' as const, ...change, reason };
    });
  }

  /**
   * Requests that a second person confirms what one operator wrote down; then it also counts in favour of the customer.
   */
  async requestConfirmation(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    const { customer, profile } = await this.customers.get(ctx.organisationId, id);
    return this.requestApproval(ctx, id, ({ profileVersion, riskLevel, riskConfirmed, riskLevelBy }) => {
      if (profileVersion !== customer.profileVersion) throw new DomainError('STATE_CONFLICT');
      const fields = unconfirmedValues(profile, { riskLevel, riskConfirmed, riskLevelBy });
      if (fields.length === 0) throw notFromHereError('', 'Nothing waits for a second person.');
      const change = { before: { profileVersion, riskLevel }, after: { fields } };
      return { act: 'fact.confirm' as const, ...change, reason };
    });
  }

  async requestHoldLift(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    return this.requestApproval(ctx, id, (before, mergedRecords) => {
      if (!before.legalHoldAt) throw notFromHereError('legalHold', 'There is no legal hold.');
      const change = { before: { legalHold: true, mergedRecords }, after: { legalHold: false } };
      return { act: 'customer.lift_legal_hold' as const, ...change, reason };
    });
  }

  /** Requests an erasure, to run 72 hours after its approval. Throws RETENTION_REQUIRED if records must be kept. */
  async requestErasure(ctx: ActorContext, id: string, reason: string): Promise<Approval> {
    await this.erasure.requireErasable(ctx, id);
    return this.requestApproval(ctx, id, () => {
      const change = { before: { erased: false }, after: { erased: true } };
      return { act: 'customer.erase' as const, ...change, reason };
    });
  }

  @CurrentValues('customer.lower_risk')
  async currentRisk(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { riskLevel } = await this.lock(tx, organisationId, subjectId);
    return { riskLevel, mergedRecords: await countMergedRecords(tx, organisationId, subjectId) };
  }

  @ApplyAct('customer.lower_risk')
  async lowerRisk(tx: Tx, ctx: ActorContext, { subjectId, change, singleControl }: Approval): Promise<void> {
    const level = change.after['riskLevel'] as CustomerRiskLevel;
    await this.changes.lowerRiskLevel(tx, ctx, subjectId, level, singleControl);
  }

  @CurrentValues('fact.confirm')
  async currentFacts(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const { profileVersion, riskLevel } = await this.lock(tx, organisationId, subjectId);
    return { profileVersion, riskLevel };
  }

  @ApplyAct('fact.confirm')
  async confirm(tx: Tx, ctx: ActorContext, approval: Approval): Promise<void> {
    const { id, subjectId, singleControl } = approval;
    await this.changes.confirm(tx, ctx, subjectId, fieldsOf(approval), singleControl);
    this.outbox.append(tx, 'kyt.facts-confirmed', [id]);
  }

  @CurrentValues('customer.lift_legal_hold')
  async currentHold(tx: Tx, { organisationId, subjectId }: Approval): Promise<ChangedValues> {
    const legalHold = (await this.lock(tx, organisationId, subjectId)).legalHoldAt !== null;
    return { legalHold, mergedRecords: await countMergedRecords(tx, organisationId, subjectId) };
  }

  @ApplyAct('customer.lift_legal_hold')
  async liftHold(tx: Tx, ctx: ActorContext, { subjectId }: Approval): Promise<void> {
    await this.changes.liftHold(tx, ctx, subjectId);
  }

  @CurrentValues('customer.erase')
  async currentlyErased(tx: Tx, approval: Approval): Promise<ChangedValues> {
    await this.lock(tx, approval.organisationId, approval.subjectId);
    return { erased: false };
  }

  @ApplyAct('customer.erase')
  async erase(tx: Tx, ctx: ActorContext, { subjectId }: Approval): Promise<void> {
    await this.erasure.erase(tx, ctx, subjectId);
  }

  @SummarizeSubjects('customer')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    const ids = approvals.map(({ subjectId }) => subjectId);
    const customers = await this.customers.getMany(organisationId, ids);
    const customerById = new Map(customers.map((one) => [one.customer.id, one]));
    const facts = await this.readFacts(
      organisationId,
      approvals,
      customerById,
      permissions.has('customers:read'),
    );
    return new Map(
      approvals.map(({ id, subjectId }) => {
        const one = customerById.get(subjectId);
        const customerName = one ? displayNameOf(one, permissions) : null;
        return [id, { customerId: subjectId, customerName, facts: facts.get(id) ?? [] }];
      }),
    );
  }

  /**
   * Returns the values that open confirmations are about, keyed by request; requests that no longer fit are left out.
   */
  private async readFacts(
    organisationId: string,
    approvals: readonly Approval[],
    known: ReadonlyMap<string, DecryptedCustomer>,
    isShown: boolean,
  ): Promise<ReadonlyMap<string, readonly SummaryFact[]>> {
    const waiting = approvals.flatMap((approval) => {
      const one = known.get(approval.subjectId);
      return one && isUnchanged(approval, one) ? [{ ...one, approval }] : [];
    });
    if (waiting.length === 0) return new Map();
    const ids = [...new Set(waiting.map(({ customer }) => customer.id))];
    const entries = await this.audit.readEntriesOfMany(organisationId, 'customer', ids, WRITING_ACTIONS);
    return new Map(
      waiting.map(({ approval, customer, profile }) => {
        const writings = entries.get(customer.id) ?? [];
        const facts = compareUnconfirmed(profile, customer).map((value) => ({
          field: value.field,
          ...(isShown ? { before: value.before, after: value.after } : { before: null, after: null }),
          withheld: !isShown,
          ...findWriting(writings, value),
        }));
        return [approval.id, facts];
      }),
    );
  }

  private async requestApproval(
    ctx: ActorContext,
    id: string,
    wanted: (
      before: CustomerEntity,
      mergedRecords: number,
    ) => Omit<Parameters<ApprovalsService['request']>[2], 'subjectId'>,
  ): Promise<Approval> {
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const before = await this.lock(tx, organisationId, id);
      const mergedRecords = await countMergedRecords(tx, organisationId, id);
      return this.approvals.request(tx, ctx, { subjectId: id, ...wanted(before, mergedRecords) });
    });
  }

  private async lock(tx: Tx, organisationId: string, id: string): Promise<CustomerEntity> {
    const customer = await this.records.lock(tx, organisationId, id);
    if (!customer || customer.erasedAt) throw new DomainError('CUSTOMER_NOT_FOUND');
    if (customer.mergedInto !== null) {
      throw conflict('id', 'MERGED', 'The record was merged into another: ask for that one.');
    }
    return customer;
  }
}

const notFromHereError = (path: string, message: string): DomainError =>
  conflict(path, 'NOT_FROM_HERE', message);

/** The steps that write a value about a customer, and the merge, which may bring values of another record. */
const WRITING_ACTIONS: readonly AuditAction[] = [
  'customer.profile_changed',
  'customer.risk_changed',
  'customer.absorbed',
];

const fieldsOf = ({ change }: Approval): readonly string[] => change.after['fields'] as readonly string[];

/** True if a pending confirmation would still confirm exactly what was requested. */
function isUnchanged(approval: Approval, { customer, profile }: DecryptedCustomer): boolean {
  const { act, status, change } = approval;
  if (act !== 'fact.confirm' || status !== 'REQUESTED' || !profile) return false;
  const { profileVersion, riskLevel } = customer;
  if (!areValuesEqual(change.before, { profileVersion, riskLevel })) return false;
  const fields = fieldsOf(approval);
  return unconfirmedValues(profile, customer).every((field) => fields.includes(field));
}

/** Finds who wrote a value, and when; null where a session brought it, or a merge hides it. */
function findWriting(
  entries: readonly TrailEntry[],
  { field, session }: UnconfirmedValue,
): Pick<SummaryFact, 'writtenBy' | 'writtenAt'> {
  const merged = entries.findLastIndex(({ action }) => action === 'customer.absorbed');
  const writing = entries.slice(merged + 1).findLast(({ action, actor, content }) => {
    const fields = action === 'customer.risk_changed' ? ['riskLevel'] : (content['fields'] as string[]);
    const isOwn = session === null ? actor.startsWith(OPERATOR) : content['ref'] === session;
    return isOwn && fields.includes(field) && content['confirmed'] !== true;
  });
  if (!writing) return { writtenBy: null, writtenAt: null };
  const { actor, occurredAt } = writing;
  return {
    writtenBy: session === null ? actor.slice(OPERATOR.length) : null,
    writtenAt: new Date(occurredAt),
  };
}

const OPERATOR = 'operator:';
