import { Injectable } from '@nestjs/common';
import type { Permission } from '../../../platform/http/index.js';
import { invalid, orThrow } from '../../../platform/kernel/index.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { BlindIndex, Vault } from '../../../platform/privacy/index.js';
import { profileContextOf, subjectIndexesOf, parseProfile } from '../customer-seal.js';
import { CustomersService } from '../customers.service.js';
import { confirmedPartOf } from '../domain/confirmation.js';
import { maskedName } from '../domain/masking.js';
import type { CustomerProfile, CustomerRiskProfile } from '../domain/customer.js';
import { retentionOf, type Retention } from '../domain/retention.js';
import { CustomerRecordRepository, type StoredRiskProfile } from '../store/customer-record.repository.js';
import type { CustomerEntity } from '../store/entities.js';
import { LastOperationFinder } from './last-operation-finder.js';

/** A customer with the decrypted profile; null when the person was erased. */
export interface DecryptedCustomer {
  readonly customer: CustomerEntity;
  readonly profile: CustomerProfile | null;
}

export interface CustomerDetail extends DecryptedCustomer {
  /** Stored ids of the records that were merged into the customer. */
  readonly mergedIds: readonly string[];
  /** The external ids of the customer and of the records merged into it, the customer's own first. */
  readonly externalIds: readonly string[];
  readonly retention: Retention;
}

export interface CustomerSearch {
  readonly document?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  readonly riskLevel?: CustomerEntity['riskLevel'] | undefined;
}

@Injectable()
export class CustomerRecordsService {
  constructor(
    private readonly vault: Vault,
    private readonly index: BlindIndex,
    private readonly lastOperationFinder: LastOperationFinder,
    private readonly customers: CustomersService,
    private readonly records: CustomerRecordRepository,
  ) {}

  /** Returns customers, the newest first. A document is found by its blind index, because it is stored encrypted. */
  async search(
    organisationId: string,
    { document, externalCustomerId, riskLevel }: CustomerSearch,
    before: string | null,
    limit: number,
  ): Promise<DecryptedCustomer[]> {
    const filter = {
      document: document === undefined ? undefined : this.computeDocumentIndex(organisationId, document),
      external:
        externalCustomerId === undefined
          ? undefined
          : this.index.computeIndex(organisationId, 'customer', externalCustomerId),
      riskLevel,
    };
    return this.decryptRows(await this.records.page(organisationId, filter, before, limit));
  }

  /** Returns the customers with these ids, each once and in this order; unknown and erased ones are left out. */
  async getMany(organisationId: string, ids: readonly string[]): Promise<DecryptedCustomer[]> {
    const records = await this.records.findMany(organisationId, ids);
    const survivors = new Map(records.map(({ id, mergedInto }) => [id, mergedInto ?? id]));
    const survivorIds = [...new Set(ids.flatMap((id) => survivors.get(id) ?? []))];
    const recordById = new Map(records.map((row) => [row.id, row]));
    const missingIds = survivorIds.filter((id) => !recordById.has(id));
    for (const row of await this.records.findMany(organisationId, missingIds)) recordById.set(row.id, row);
    return this.decryptRows(
      survivorIds.flatMap((id) => recordById.get(id) ?? []).filter(({ erasedAt }) => !erasedAt),
    );
  }

  /** Returns the names of customers, keyed by id; masked unless the reader may see customers. */
  async readDisplayNames(
    organisationId: string,
    ids: readonly string[],
    permissions: ReadonlySet<Permission>,
  ): Promise<ReadonlyMap<string, string | null>> {
    const customers = await this.getMany(organisationId, ids);
    return new Map(customers.map((one) => [one.customer.id, displayNameOf(one, permissions)]));
  }

  /** Returns the id of the record, or of its surviving record after a merge; throws CUSTOMER_NOT_FOUND. */
  async findSurvivingId(organisationId: string, id: string): Promise<string> {
    return orThrow(await this.customers.findSurvivingId(organisationId, id), 'CUSTOMER_NOT_FOUND');
  }

  /** Throws CUSTOMER_NOT_FOUND. `known`: the customer, if the caller has read it. */
  async get(organisationId: string, id: string, known?: DecryptedCustomer): Promise<CustomerDetail> {
    const customer = known?.customer ?? (await this.find(organisationId, id));
    const [[opened], merged] = await Promise.all([
      known ? [known] : this.decryptRows([customer]),
      this.records.mergedInto(organisationId, id),
    ]);
    const { profile } = opened;
    return {
      customer,
      profile,
      externalIds: profile
        ? await this.customers.findExternalIds({ id, organisationId, profile }, merged)
        : [],
      retention: await this.retentionOf(customer, merged),
      mergedIds: merged.map((one) => one.id),
    };
  }

  /** Returns the values of these customers that rules read, keyed by id; customers without such values are left out. */
  async readRiskProfiles(
    customers: readonly { readonly organisationId: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, CustomerRiskProfile>> {
    return this.decryptRiskProfiles(await this.readStoredRiskProfiles(customers));
  }

  /** Returns the rows of `readRiskProfiles` encrypted, for a caller that decrypts them later. */
  async readStoredRiskProfiles(
    customers: readonly { readonly organisationId: string; readonly id: string }[],
  ): Promise<readonly StoredRiskProfile[]> {
    if (customers.length === 0) return [];
    const organisations = [...new Set(customers.map(({ organisationId }) => organisationId))];
    return this.records.findRiskProfiles(organisations, [...new Set(customers.map(({ id }) => id))]);
  }

  /** Decrypts rows of `readStoredRiskProfiles`; returns them by customer id. */
  async decryptRiskProfiles(
    rows: readonly StoredRiskProfile[],
  ): Promise<ReadonlyMap<string, CustomerRiskProfile>> {
    const stated = rows.flatMap((row) => (row.sealed ? [{ row, sealed: row.sealed }] : []));
    const plaintexts = await this.vault.openMany(
      stated.map(({ row, sealed }) => ({ sealed, context: profileContextOf(row) })),
    );
    const profiles = new Map(
      stated.map(({ row }, i) => {
        const plaintext = plaintexts[i];
        return [row.id, plaintext ? parseProfile(plaintext) : null] as const;
      }),
    );
    return new Map(
      rows.map((row) => {
        const { id, riskLevel, riskSingleControl } = row;
        const profile = profiles.get(id) ?? null;
        const { birthDate = null, nationalities = [], declared = null } = profile ?? {};
        const confirmed = confirmedPartOf(profile, row);
        return [id, { declared, birthDate, nationalities, riskLevel, riskSingleControl, confirmed }] as const;
      }),
    );
  }

  async find(organisationId: string, id: string): Promise<CustomerEntity> {
    return orThrow(await this.records.find(organisationId, id), 'CUSTOMER_NOT_FOUND');
  }

  /** Returns how long the records of a customer must be kept. */
  async retentionOf(customer: CustomerEntity, merged: readonly CustomerEntity[]): Promise<Retention> {
    const lastOperationAt = await this.lastOperationFinder.findLast(
      customer.organisationId,
      subjectIndexesOf(customer, merged),
    );
    return retentionOf({ lastOperationAt, relationshipEndedOn: customer.relationshipEndedOn });
  }

  private computeDocumentIndex(organisationId: string, text: string): Buffer {
    const parsed = TaxId.parse(text);
    if (!parsed.ok || parsed.id.isMasked) {
      throw invalid('document', 'TAX_ID_INVALID', 'Must be a full CPF or CNPJ.');
    }
    return this.index.computeIndex(organisationId, 'document', parsed.id.canonical());
  }

  private async decryptRows(rows: readonly CustomerEntity[]): Promise<DecryptedCustomer[]> {
    const alive = rows.filter(({ erasedAt }) => !erasedAt);
    const plaintexts = await this.vault.openMany(
      alive.map((row) => ({ sealed: row.sealed, context: profileContextOf(row) })),
    );
    const profiles = new Map(alive.map((row, i) => [row.id, plaintexts[i] ?? null]));
    return rows.map((customer) => {
      const plaintext = profiles.get(customer.id);
      return { customer, profile: plaintext ? parseProfile(plaintext) : null };
    });
  }
}

/** Returns the name of a customer; masked unless the reader may see customers. */
export function displayNameOf(
  { profile }: DecryptedCustomer,
  permissions: ReadonlySet<Permission>,
): string | null {
  const name = profile?.name ?? null;
  return permissions.has('customers:read') ? name : maskedName(name);
}
