import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../database/index.js';
import { Clock, DomainError } from '../../kernel/index.js';
import { Vault } from '../../privacy/index.js';
import { stepOf } from '../audit-step.js';
import { contextOf } from '../customer-seal.js';
import type { DeclaredProfile, PersonType } from '../domain/customer.js';
import { CustomerRecordRepository } from '../store/customer-record.repository.js';
import { CustomerEntity } from '../store/entities/customer.entity.js';
import { CustomerRecordsService, type CustomerDetail } from './customer-records.service.js';

/** The changes to a profile; an omitted field stays. */
export type ProfileChange = Partial<Omit<DeclaredProfile, 'asOf'>> & {
  readonly personType?: PersonType | undefined;
};

const NOW = (): string => 'now()';

const NOTHING_DECLARED: Omit<DeclaredProfile, 'asOf'> = {
  monthlyIncome: null,
  monthlyRevenue: null,
  nightLimit: null,
  nightStartHour: null,
  pep: null,
};

/** Changes customers for operators, each step with its audit entry in one commit. */
@Injectable()
export class CustomerChanges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly customers: CustomerRecordsService,
    private readonly records: CustomerRecordRepository,
  ) {}

  /** Shows what is masked everywhere else, and writes down who asked and why. */
  async reveal(ctx: ActorContext, id: string, reason: string): Promise<CustomerDetail> {
    const detail = await this.customers.get(ctx.organisationId, id);
    if (!detail.profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const sealed = await this.sealReason(detail.customer, reason, 'revealed');
    await this.change(ctx, id, (tx, _customer, at) =>
      this.audit
        .record(tx, [
          stepOf(ctx, id, 'customer.revealed', at, {
            sealedReason: sealed.toString('base64'),
          }),
        ])
        .then(() => undefined),
    );
    return detail;
  }

  /** Writes down what the customer declared or chose. */
  async declare(
    ctx: ActorContext,
    id: string,
    { personType, ...change }: ProfileChange,
  ): Promise<CustomerDetail> {
    const { customer, profile } = await this.customers.get(ctx.organisationId, id);
    if (!profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const at = new Date(this.clock.now());
    const declared: DeclaredProfile = {
      ...NOTHING_DECLARED,
      ...profile.declared,
      ...change,
      asOf: at.toISOString(),
    };
    const subject = { organisationId: ctx.organisationId, index: customer.subjectIndex };
    const sealed = await this.vault.sealOne(
      JSON.stringify({ ...profile, declared }),
      subject,
      contextOf(customer),
    );
    await this.change(ctx, id, async (tx) => {
      // The version says that nobody else has changed it meanwhile.
      const { affected } = await tx.update(
        CustomerEntity,
        { id, profileVersion: customer.profileVersion, erasedAt: IsNull() },
        {
          ...(personType && { personType }),
          sealed,
          profileVersion: customer.profileVersion + 1,
          updatedAt: NOW,
        },
      );
      if (affected !== 1) throw new DomainError('STATE_CONFLICT');
      const fields = [...Object.keys(change), ...(personType === undefined ? [] : ['personType'])].sort();
      await this.audit.record(tx, [stepOf(ctx, id, 'customer.profile_changed', at, { fields })]);
    });
    return this.customers.get(ctx.organisationId, id);
  }

  async setRiskLevel(
    ctx: ActorContext,
    id: string,
    level: 'LOW' | 'MEDIUM' | 'HIGH',
  ): Promise<CustomerDetail> {
    await this.change(ctx, id, async (tx, { riskLevel }, at) => {
      await tx.update(
        CustomerEntity,
        { id },
        { riskLevel: level, riskLevelBy: 'OPERATOR', updatedAt: NOW },
      );
      await this.audit.record(tx, [
        stepOf(ctx, id, 'customer.risk_changed', at, { level, before: riskLevel }),
      ]);
    });
    return this.customers.get(ctx.organisationId, id);
  }

  /** Writes down when the relationship ended, from which retention is counted; null when it goes on. */
  async endRelationship(ctx: ActorContext, id: string, day: string | null): Promise<CustomerDetail> {
    await this.change(ctx, id, async (tx, { relationshipEndedOn }, at) => {
      await tx.update(CustomerEntity, { id }, { relationshipEndedOn: day, updatedAt: NOW });
      await this.audit.record(tx, [
        stepOf(ctx, id, 'customer.relationship_changed', at, {
          endedOn: day,
          before: relationshipEndedOn,
        }),
      ]);
    });
    return this.customers.get(ctx.organisationId, id);
  }

  /** Keeps the records whatever anybody asks, until the hold is lifted. */
  async placeHold(ctx: ActorContext, id: string, reason: string): Promise<CustomerDetail> {
    const customer = await this.customers.find(ctx.organisationId, id);
    const sealed = await this.sealReason(customer, reason, 'legal-hold');
    await this.change(ctx, id, async (tx, { legalHoldAt }, at) => {
      if (legalHoldAt) throw new DomainError('STATE_CONFLICT');
      await tx.update(
        CustomerEntity,
        { id },
        { legalHoldBy: ctx.actor.id, legalHoldAt: at, legalHoldReason: sealed, updatedAt: NOW },
      );
      await this.audit.record(tx, [stepOf(ctx, id, 'customer.legal_hold_placed', at, {})]);
    });
    return this.customers.get(ctx.organisationId, id);
  }

  async liftHold(ctx: ActorContext, id: string): Promise<CustomerDetail> {
    await this.change(ctx, id, async (tx, { legalHoldAt }, at) => {
      if (!legalHoldAt) throw new DomainError('STATE_CONFLICT');
      await tx.update(
        CustomerEntity,
        { id },
        { legalHoldBy: null, legalHoldAt: null, legalHoldReason: null, updatedAt: NOW },
      );
      await this.audit.record(tx, [stepOf(ctx, id, 'customer.legal_hold_lifted', at, {})]);
    });
    return this.customers.get(ctx.organisationId, id);
  }

  private async sealReason(customer: CustomerEntity, reason: string, what: string): Promise<Buffer> {
    const subject = this.vault.organisationSubject(customer.organisationId);
    return this.vault.sealOne(reason, subject, `${contextOf(customer)}|${what}`);
  }

  /** Runs one step on a customer that is held meanwhile; of an erased one nothing can be changed. */
  private async change(
    ctx: ActorContext,
    id: string,
    step: (tx: Tx, customer: CustomerEntity, at: Date) => Promise<void>,
  ): Promise<void> {
    await this.uow.run(ctx.organisationId, async (tx) => {
      const customer = await this.records.lock(tx, ctx.organisationId, id);
      if (!customer || customer.erasedAt) throw new DomainError('CUSTOMER_NOT_FOUND');
      await step(tx, customer, new Date(this.clock.now()));
    });
  }
}
