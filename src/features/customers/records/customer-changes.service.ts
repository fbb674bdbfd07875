import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, type AuditAction, type AuditContent } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { Vault } from '../../../platform/privacy/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { profileContextOf } from '../customer-seal.js';
import type { CustomerProfile, Declaration, PersonType } from '../domain/customer.js';
import { confirmedRiskOf, unconfirmedValues } from '../domain/confirmation.js';
import { applyDeclaration, confirmMembers } from '../domain/declarations.js';
import type { CustomerRiskLevel } from '../domain/merging.js';
import { CustomerRecordRepository } from '../store/customer-record.repository.js';
import { CustomerEntity } from '../store/entities.js';
import { CustomerRecordsService, type CustomerDetail } from './customer-records.service.js';

/** The changes to a profile; an omitted field stays. */
export type ProfileChange = Declaration & { readonly personType?: PersonType | undefined };

/** One operation on a customer: its audit entry and, unless it only reads, the changed columns. */
type Step = (
  customer: CustomerEntity,
  now: Date,
) => {
  readonly action: AuditAction;
  readonly content: AuditContent;
  readonly set?: Partial<CustomerEntity>;
  readonly at?: Date;
};

/** Changes customers for operators, each step with its audit entry in one commit. */
@Injectable()
export class CustomerChangesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly customers: CustomerRecordsService,
    private readonly records: CustomerRecordRepository,
  ) {}

  /** Returns the profile unmasked, and records who asked and why. */
  async reveal(ctx: ActorContext, id: string, reason: string): Promise<CustomerDetail> {
    const detail = await this.customers.get(ctx.organisationId, id);
    if (!detail.profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const sealed = await this.sealReason(detail.customer, reason, 'revealed');
    const content = { sealedReason: sealed.toString('base64') };
    await this.runStep(ctx, id, () => ({ action: 'customer.revealed', content }));
    return detail;
  }

  /** Records values that the customer declared or chose; a second person confirms them. */
  async declare(
    ctx: ActorContext,
    id: string,
    { personType, ...change }: ProfileChange,
  ): Promise<CustomerDetail> {
    const { customer, profile } = await this.customers.get(ctx.organisationId, id);
    if (!profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const at = new Date(this.clock.now());
    const isChanged = Object.keys(change).length > 0;
    const sealed = await this.sealProfile(customer, {
      ...profile,
      ...(isChanged && { declared: applyDeclaration(profile.declared, change, at.toISOString()) }),
    });
    const fields = [...Object.keys(change), ...(personType === undefined ? [] : ['personType'])].sort();
    return this.changeAndRead(ctx, id, ({ profileVersion, sealed: now }) => {
      // Other bytes mean that somebody changed the profile since it was read.
      if (!now.equals(customer.sealed)) throw new DomainError('STATE_CONFLICT');
      const set = { ...(personType && { personType }), sealed, profileVersion: profileVersion + 1 };
      return { action: 'customer.profile_changed', content: { fields }, set, at };
    });
  }

  /**
   * Records that a second person stands behind what one operator wrote down about the customer. Throws STATE_CONFLICT
   * if that is more than the fields `asked`.
   */
  async confirm(
    tx: Tx,
    ctx: ActorContext,
    id: string,
    asked: readonly string[],
    singleControl: boolean,
  ): Promise<void> {
    const { customer, profile } = await this.customers.get(ctx.organisationId, id);
    if (!profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const fields = unconfirmedValues(profile, customer);
    if (fields.some((field) => !asked.includes(field))) throw new DomainError('STATE_CONFLICT');
    const { declared } = profile;
    const confirmed: CustomerProfile = {
      ...profile,
      ...{ birthDateUnconfirmed: false, nameUnconfirmed: false },
      ...(declared && { declared: confirmMembers(declared, singleControl) }),
    };
    const sealed = await this.sealProfile(customer, confirmed);
    await this.runStepIn(tx, ctx, id, ({ profileVersion, sealed: now, riskLevel, ...risk }) => {
      if (!now.equals(customer.sealed)) throw new DomainError('STATE_CONFLICT');
      const set = {
        ...{ sealed, profileVersion: profileVersion + 1, riskConfirmed: riskLevel },
        // Makes every process read the customer again: each caches whether the name is known.
        ...(fields.includes('name') && { named: true, keysChangedAt: new Date(this.clock.now()) }),
        riskSingleControl: risk.riskSingleControl || (singleControl && fields.includes('riskLevel')),
      };
      const content = { fields, confirmed: true, ...(singleControl && { singleControl }) };
      return { action: 'customer.profile_changed', content, set };
    });
  }

  /** Sets the first risk level, or a higher level; a lower level needs an approval. */
  async raiseRiskLevel(ctx: ActorContext, id: string, level: CustomerRiskLevel): Promise<CustomerDetail> {
    return this.changeAndRead(ctx, id, (customer) => {
      if (isLowerRisk(level, customer.riskLevel)) throw new DomainError('FOUR_EYES_REQUIRED');
      return riskStep(level, customer.riskLevel, confirmedRiskOf(customer));
    });
  }

  async lowerRiskLevel(
    tx: Tx,
    ctx: ActorContext,
    id: string,
    level: CustomerRiskLevel,
    singleControl: boolean,
  ): Promise<void> {
    await this.runStepIn(tx, ctx, id, ({ riskLevel }) => riskStep(level, riskLevel, level, singleControl));
  }

  /** Records the day on which the relationship ended, from which retention is counted; null if it lasts. */
  async endRelationship(ctx: ActorContext, id: string, day: string | null): Promise<CustomerDetail> {
    return this.changeAndRead(ctx, id, ({ relationshipEndedOn }) => ({
      action: 'customer.relationship_changed',
      content: { endedOn: day, before: relationshipEndedOn },
      set: { relationshipEndedOn: day },
    }));
  }

  /** Places a legal hold: the customer cannot be erased until it is lifted. */
  async placeHold(ctx: ActorContext, id: string, reason: string): Promise<CustomerDetail> {
    const customer = await this.customers.find(ctx.organisationId, id);
    const sealed = await this.sealReason(customer, reason, 'legal-hold');
    return this.changeAndRead(ctx, id, ({ legalHoldAt }, at) => {
      if (legalHoldAt) throw new DomainError('STATE_CONFLICT');
      const set = { legalHoldBy: ctx.actor.id, legalHoldAt: at, legalHoldReason: sealed };
      return { action: 'customer.legal_hold_placed', content: {}, set };
    });
  }

  async liftHold(tx: Tx, ctx: ActorContext, id: string): Promise<void> {
    await this.runStepIn(tx, ctx, id, ({ legalHoldAt }) => {
      if (!legalHoldAt) throw new DomainError('STATE_CONFLICT');
      const set = { legalHoldBy: null, legalHoldAt: null, legalHoldReason: null };
      return { action: 'customer.legal_hold_lifted', content: {}, set };
    });
  }

  private async sealProfile(customer: CustomerEntity, profile: CustomerProfile): Promise<Buffer> {
    const subject = { organisationId: customer.organisationId, index: customer.subjectIndex };
    return this.vault.sealOne(JSON.stringify(profile), subject, profileContextOf(customer));
  }

  private async sealReason(customer: CustomerEntity, reason: string, what: string): Promise<Buffer> {
    const subject = this.vault.organisationSubject(customer.organisationId);
    return this.vault.sealOne(reason, subject, `${profileContextOf(customer)}|${what}`);
  }

  private async changeAndRead(ctx: ActorContext, id: string, step: Step): Promise<CustomerDetail> {
    await this.runStep(ctx, id, step);
    return this.customers.get(ctx.organisationId, id);
  }

  /** Runs a step on the locked row; throws CUSTOMER_NOT_FOUND for an erased customer. */
  private async runStep(ctx: ActorContext, id: string, step: Step): Promise<void> {
    await this.uow.run(ctx.organisationId, (tx) => this.runStepIn(tx, ctx, id, step));
  }

  private async runStepIn(tx: Tx, ctx: ActorContext, id: string, step: Step): Promise<void> {
    const customer = await this.records.lock(tx, ctx.organisationId, id);
    if (!customer || customer.erasedAt) throw new DomainError('CUSTOMER_NOT_FOUND');
    const now = new Date(this.clock.now());
    const { action, content, set, at = now } = step(customer, now);
    if (set) await tx.update(CustomerEntity, { id }, { ...set, updatedAt: () => 'now()' });
    await this.audit.record(tx, customerAuditDraft(ctx, id, action, at, content));
  }
}

const LEVELS: readonly CustomerRiskLevel[] = ['LOW', 'MEDIUM', 'HIGH'];

/** True if a level is below the level in force; false if none is in force. */
export const isLowerRisk = (level: CustomerRiskLevel, before: CustomerRiskLevel | null): boolean =>
  before !== null && LEVELS.indexOf(level) < LEVELS.indexOf(before);

const riskStep = (
  level: CustomerRiskLevel,
  before: CustomerRiskLevel | null,
  confirmed: CustomerRiskLevel | null,
  singleControl = false,
): ReturnType<Step> => ({
  action: 'customer.risk_changed',
  content: { level, before, ...(singleControl && { singleControl }) },
  set: {
    ...{ riskLevel: level, riskLevelBy: 'OPERATOR', riskConfirmed: confirmed },
    riskSingleControl: singleControl,
  },
});
