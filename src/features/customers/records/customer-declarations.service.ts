import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail } from '../../audit/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Clock, DomainError } from '../../../platform/kernel/index.js';
import { Vault } from '../../../platform/privacy/index.js';
import { customerAuditDraft } from '../audit-step.js';
import { profileContextOf, parseProfile } from '../customer-seal.js';
import { applyNewerValues, removeWeakeningMembers } from '../domain/declarations.js';
import type { Declaration, DeclarationSource } from '../domain/customer.js';
import { CustomerRecordRepository } from '../store/customer-record.repository.js';
import { CustomerRepository } from '../store/customer.repository.js';
import { CustomerEntity } from '../store/entities.js';

/** A profile with a new declaration, encrypted but not stored yet. */
export interface PreparedDeclaration {
  readonly id: string;
  readonly before: Buffer;
  readonly sealed: Buffer;
  readonly fields: readonly string[];
  readonly statement: DeclarationSource;
}

/** Adds declarations of sessions to profiles: encrypted before the database transaction, stored in its commit. */
@Injectable()
export class CustomerDeclarationsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly customers: CustomerRepository,
    private readonly records: CustomerRecordRepository,
  ) {}

  /**
   * Encrypts the profile with the declaration; null if nothing is new or the person was erased. Unless `isApproved`
   * (the session ended APPROVED), values that can lower a score are left out.
   */
  async prepareDeclaration(
    organisationId: string,
    named: string,
    change: Declaration,
    statement: DeclarationSource,
    isApproved: boolean,
  ): Promise<PreparedDeclaration | null> {
    const customer = await this.customers.find(organisationId, named);
    if (!customer || customer.erasedAt) return null;
    const context = profileContextOf(customer);
    const [plain] = await this.vault.openMany([{ sealed: customer.sealed, context }]);
    const profile = plain ? parseProfile(plain) : null;
    const countedDeclaration = isApproved ? change : removeWeakeningMembers(profile?.declared, change);
    const fuller = profile && applyNewerValues(profile.declared, countedDeclaration, statement);
    if (!fuller) return null;
    const sealed = await this.vault.sealOne(
      JSON.stringify({ ...profile, declared: fuller.profile }),
      { organisationId, index: customer.subjectIndex },
      context,
    );
    const fields = [...fuller.members].sort();
    return { id: customer.id, before: customer.sealed, sealed, fields, statement };
  }

  /**
   * Stores the declaration; throws STATE_CONFLICT when the record was changed, merged or erased since
   * `prepareDeclaration`.
   */
  async recordDeclaration(
    tx: Tx,
    ctx: ActorContext,
    { id, before, sealed, fields, statement }: PreparedDeclaration,
  ): Promise<void> {
    const customer = await this.records.lock(tx, ctx.organisationId, id);
    if (!customer || customer.erasedAt || customer.mergedInto || !customer.sealed.equals(before)) {
      throw new DomainError('STATE_CONFLICT');
    }
    const set = { sealed, profileVersion: customer.profileVersion + 1, updatedAt: () => 'now()' };
    await tx.update(CustomerEntity, { id }, set);
    const content = { fields, by: statement.by, ref: statement.ref };
    const now = new Date(this.clock.now());
    await this.audit.record(tx, customerAuditDraft(ctx, id, 'customer.profile_changed', now, content));
  }
}
