import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Acting, AuditTrail } from '../audit/index.js';
import { UnitOfWork, type Tx } from '../database/index.js';
import { Clock, DomainError } from '../kernel/index.js';
import { LocalDays } from '../kernel/local-day.js';
import { TaxId } from '../kernel/tax-id.js';
import { BlindIndex, sealContext, SubjectKeys, Vault } from '../privacy/index.js';
import { stepOf } from './acting.js';
import { CustomerTies } from './customer-ties.js';
import { CustomersService } from './customers.service.js';
import type { CustomerProfile, DeclaredProfile, PersonType } from './domain/customer.js';
import { mayBeErased, retentionOf, type Retention } from './domain/retention.js';
import { LastOperations } from './last-operations.js';
import {
  CustomerDeskRepository,
  type DeskCustomer,
  type MergedCustomer,
} from './store/customer-desk.repository.js';

/** A customer with the profile opened; null when the person was erased. */
export interface OpenedCustomer {
  readonly customer: DeskCustomer;
  readonly profile: CustomerProfile | null;
}

export interface CustomerDetail extends OpenedCustomer {
  /** Stored ids of the records that were merged into this one. */
  readonly mergedIds: readonly string[];
  /** Every id of the institution by which this customer is found, the first one first. */
  readonly externalIds: readonly string[];
  readonly retention: Retention;
}

export interface CustomerSearch {
  readonly document?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  readonly riskLevel?: string | undefined;
}

/** What changes of a profile; what is left out stays. */
export type ProfileChange = Partial<Omit<DeclaredProfile, 'asOf'>> & {
  readonly personType?: PersonType | undefined;
};

const brazil = new LocalDays();
const NOTHING_DECLARED: Omit<DeclaredProfile, 'asOf'> = {
  monthlyIncome: null,
  monthlyRevenue: null,
  nightLimit: null,
  nightStartHour: null,
  pep: null,
};

/** What operators do with customers, each step with its audit entry in one commit. */
@Injectable()
export class CustomerDesk {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly vault: Vault,
    private readonly keys: SubjectKeys,
    private readonly index: BlindIndex,
    private readonly operations: LastOperations,
    private readonly ties: CustomerTies,
    private readonly customers: CustomersService,
    private readonly desk: CustomerDeskRepository,
  ) {}

  /** Customers, the newest first; by document through its blind index, which is all that is stored of it in clear. */
  async search(
    organisationId: string,
    { document, externalCustomerId, riskLevel }: CustomerSearch,
    before: string | null,
    limit: number,
  ): Promise<OpenedCustomer[]> {
    const filter = {
      document: document === undefined ? undefined : this.documentIndex(organisationId, document),
      external:
        externalCustomerId === undefined
          ? undefined
          : this.index.of(organisationId, 'customer', externalCustomerId),
      riskLevel,
    };
    return this.opened(await this.desk.page(organisationId, filter, before, limit));
  }

  /** The record that answers to this id: a merged one leads to the one that it was merged into. */
  async survivor(organisationId: string, id: string): Promise<string> {
    const found = await this.customers.survivor(organisationId, id);
    if (found === null) throw new DomainError('CUSTOMER_NOT_FOUND');
    return found;
  }

  async get(organisationId: string, id: string): Promise<CustomerDetail> {
    const customer = await this.find(organisationId, id);
    const [opened] = await this.opened([customer]);
    const merged = await this.desk.mergedInto(organisationId, id);
    const profile = opened?.profile ?? null;
    return {
      customer,
      profile,
      externalIds: profile ? await this.customers.externalIdsOf({ id, organisationId, profile }) : [],
      retention: await this.retention(customer, merged),
      mergedIds: merged.map((one) => one.id),
    };
  }

  /** Shows what is masked everywhere else, and writes down who asked and why. */
  async reveal(acting: Acting, id: string, reason: string): Promise<CustomerDetail> {
    const detail = await this.get(acting.organisationId, id);
    if (!detail.profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const sealed = await this.sealReason(detail.customer, reason, 'revealed');
    await this.change(acting, id, (tx, _customer, at) =>
      this.audit
        .record(tx, [
          stepOf(acting, id, 'customer.revealed', at, {
            sealedReason: sealed.toString('base64'),
          }),
        ])
        .then(() => undefined),
    );
    return detail;
  }

  /** Writes down what the customer declared or chose. */
  async declare(
    acting: Acting,
    id: string,
    { personType, ...change }: ProfileChange,
  ): Promise<CustomerDetail> {
    const { customer, profile } = await this.get(acting.organisationId, id);
    if (!profile) throw new DomainError('CUSTOMER_NOT_FOUND');
    const at = new Date(this.clock.now());
    const declared: DeclaredProfile = {
      ...NOTHING_DECLARED,
      ...profile.declared,
      ...change,
      asOf: at.toISOString(),
    };
    const subject = { organisationId: acting.organisationId, index: customer.subjectIndex };
    const sealed = await this.vault.sealOne(
      JSON.stringify({ ...profile, declared }),
      subject,
      contextOf(customer),
    );
    await this.change(acting, id, async (tx, { profileVersion }) => {
      const stored = { sealed, personType: personType ?? null, version: customer.profileVersion };
      if (profileVersion !== customer.profileVersion || !(await this.desk.storeProfile(tx, id, stored))) {
        throw new DomainError('STATE_CONFLICT');
      }
      const fields = [...Object.keys(change), ...(personType === undefined ? [] : ['personType'])].sort();
      await this.audit.record(tx, [stepOf(acting, id, 'customer.profile_changed', at, { fields })]);
    });
    return this.get(acting.organisationId, id);
  }

  async setRiskLevel(acting: Acting, id: string, level: 'LOW' | 'MEDIUM' | 'HIGH'): Promise<CustomerDetail> {
    await this.change(acting, id, async (tx, { riskLevel }, at) => {
      await this.desk.setRiskLevel(tx, id, level);
      await this.audit.record(tx, [
        stepOf(acting, id, 'customer.risk_changed', at, { level, before: riskLevel }),
      ]);
    });
    return this.get(acting.organisationId, id);
  }

  /** Writes down when the relationship ended, from which retention is counted; null when it goes on. */
  async endRelationship(acting: Acting, id: string, day: string | null): Promise<CustomerDetail> {
    await this.change(acting, id, async (tx, { relationshipEndedOn }, at) => {
      await this.desk.setRelationshipEnd(tx, id, day);
      await this.audit.record(tx, [
        stepOf(acting, id, 'customer.relationship_changed', at, {
          endedOn: day,
          before: relationshipEndedOn,
        }),
      ]);
    });
    return this.get(acting.organisationId, id);
  }

  /** Keeps the records whatever anybody asks, until the hold is lifted. */
  async placeHold(acting: Acting, id: string, reason: string): Promise<CustomerDetail> {
    const customer = await this.find(acting.organisationId, id);
    const sealed = await this.sealReason(customer, reason, 'legal-hold');
    await this.change(acting, id, async (tx, { legalHoldAt }, at) => {
      if (legalHoldAt) throw new DomainError('STATE_CONFLICT');
      await this.desk.setLegalHold(tx, id, { by: acting.actor.id, at, reason: sealed });
      await this.audit.record(tx, [stepOf(acting, id, 'customer.legal_hold_placed', at, {})]);
    });
    return this.get(acting.organisationId, id);
  }

  async liftHold(acting: Acting, id: string): Promise<CustomerDetail> {
    await this.change(acting, id, async (tx, { legalHoldAt }, at) => {
      if (!legalHoldAt) throw new DomainError('STATE_CONFLICT');
      await this.desk.setLegalHold(tx, id, null);
      await this.audit.record(tx, [stepOf(acting, id, 'customer.legal_hold_lifted', at, {})]);
    });
    return this.get(acting.organisationId, id);
  }

  /**
   * Erases a person by destroying the keys under which everything about them is sealed, here and in backups. While the
   * law or a hold requires the records they are restricted instead, and RETENTION_REQUIRED says until when.
   */
  async erase(acting: Acting, id: string): Promise<CustomerDetail> {
    const { organisationId } = acting;
    const customer = await this.find(organisationId, id);
    if (customer.erasedAt) return this.get(organisationId, id);
    const merged = await this.desk.mergedInto(organisationId, id);
    const retention = await this.retention(customer, merged);
    const others = await this.ties.subjects(organisationId, id);
    const refused = await this.uow.run(organisationId, async (tx) => {
      const locked = await this.desk.lock(tx, organisationId, id);
      if (!locked || locked.erasedAt) throw new DomainError('CUSTOMER_NOT_FOUND');
      const at = new Date(this.clock.now());
      const today = dayOf(at);
      const obstacle = locked.legalHoldAt ? 'LEGAL_HOLD' : mayBeErased(retention, today) ? null : 'RETENTION';
      if (obstacle !== null) {
        await this.desk.restrict(tx, id, at);
        await this.audit.record(tx, [
          stepOf(acting, id, 'customer.restricted', at, { why: obstacle, until: retention.until }),
        ]);
        return obstacle;
      }
      const records = [locked, ...merged.map((one) => ({ ...one, document: null }))];
      const own = records.flatMap(({ subjectIndex, external, document }) => [
        subjectIndex,
        external,
        document,
      ]);
      // A file without a person is sealed under the organisation's own key, which nobody's erasure takes away.
      const spared = this.vault.organisationSubject(organisationId).index;
      const indexes = [...own.filter((index) => index !== null), ...others.map(({ index }) => index)].filter(
        (index) => !index.equals(spared),
      );
      for (const index of distinctOf(indexes)) await this.keys.requestErasure(tx, { organisationId, index });
      for (const record of records) {
        await this.desk.erase(tx, record.id, at, randomBytes(record.subjectIndex.length));
        await this.audit.record(tx, [stepOf(acting, record.id, 'customer.erased', at, {})]);
      }
      return null;
    });
    if (refused !== null) {
      throw new DomainError('RETENTION_REQUIRED', {
        details: [
          {
            path: 'retainUntil',
            code: refused,
            message:
              refused === 'LEGAL_HOLD'
                ? 'A legal hold is in place.'
                : retention.until === null
                  ? 'The relationship lasts; records are kept for ten years after its end.'
                  : `Records are kept until ${retention.until}.`,
          },
        ],
      });
    }
    this.customers.forget(id);
    return this.get(organisationId, id);
  }

  /** What these customers declared, by id; those who declared nothing are left out. */
  async declaredBy(
    customers: readonly { readonly organisationId: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, DeclaredProfile>> {
    if (customers.length === 0) return new Map();
    const organisations = [...new Set(customers.map(({ organisationId }) => organisationId))];
    const rows = await this.desk.declared(organisations, [...new Set(customers.map(({ id }) => id))]);
    const opened = await this.vault.openMany(
      rows.map((row) => ({ sealed: row.sealed, context: contextOf(row) })),
    );
    return new Map(
      rows.flatMap(({ id }, i) => {
        const plain = opened[i];
        const declared = plain && (JSON.parse(plain.toString('utf8')) as CustomerProfile).declared;
        return declared ? [[id, declared] as const] : [];
      }),
    );
  }

  private documentIndex(organisationId: string, text: string): Buffer {
    const parsed = TaxId.parse(text);
    if (!parsed.ok || parsed.id.isMasked) {
      throw new DomainError('VALIDATION_FAILED', {
        details: [{ path: 'document', code: 'TAX_ID_INVALID', message: 'Must be a full CPF or CNPJ.' }],
      });
    }
    return this.index.of(organisationId, 'document', parsed.id.canonical());
  }

  private async retention(
    { organisationId, external, document, relationshipEndedOn }: DeskCustomer,
    merged: readonly MergedCustomer[],
  ): Promise<Retention> {
    const keys = [external, document, ...merged.map((one) => one.external)].filter((key) => key !== null);
    const lastOperationAt = await this.operations.of(organisationId, keys);
    return retentionOf({ lastOperationAt, relationshipEndedOn });
  }

  private async sealReason(
    { organisationId, id }: DeskCustomer,
    reason: string,
    what: string,
  ): Promise<Buffer> {
    const subject = this.vault.organisationSubject(organisationId);
    return this.vault.sealOne(reason, subject, `${sealContext('customers', id, organisationId)}|${what}`);
  }

  private async opened(rows: readonly DeskCustomer[]): Promise<OpenedCustomer[]> {
    const alive = rows.filter(({ erasedAt }) => !erasedAt);
    const opened = await this.vault.openMany(
      alive.map((row) => ({ sealed: row.sealed, context: contextOf(row) })),
    );
    const profiles = new Map(alive.map((row, i) => [row.id, opened[i] ?? null]));
    return rows.map((customer) => {
      const plain = profiles.get(customer.id);
      return { customer, profile: plain ? (JSON.parse(plain.toString('utf8')) as CustomerProfile) : null };
    });
  }

  /** Runs one step on a customer that is held meanwhile; of an erased one nothing can be changed. */
  private async change(
    acting: Acting,
    id: string,
    step: (tx: Tx, customer: DeskCustomer, at: Date) => Promise<void>,
  ): Promise<void> {
    await this.uow.run(acting.organisationId, async (tx) => {
      const customer = await this.desk.lock(tx, acting.organisationId, id);
      if (!customer || customer.erasedAt) throw new DomainError('CUSTOMER_NOT_FOUND');
      await step(tx, customer, new Date(this.clock.now()));
    });
  }

  private async find(organisationId: string, id: string): Promise<DeskCustomer> {
    const customer = await this.desk.find(organisationId, id);
    if (!customer) throw new DomainError('CUSTOMER_NOT_FOUND');
    return customer;
  }
}

const contextOf = ({ id, organisationId }: { id: string; organisationId: string }): string =>
  sealContext('customers', id, organisationId);

const distinctOf = (indexes: readonly Buffer[]): Buffer[] => [
  ...new Map(indexes.map((index) => [index.toString('latin1'), index])).values(),
];

function dayOf(at: Date): string {
  const { year, month, day } = brazil.dayOf(at.getTime());
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}`;
}
