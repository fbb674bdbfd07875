import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Tx } from '../../platform/database/index.js';
import { Vault, type SubjectRef } from '../../platform/privacy/index.js';
import { profileContextOf, parseProfile } from './customer-seal.js';
import { CustomerEntity } from './store/entities.js';
import type { CustomerProfile, CustomerWithProfile } from './domain/customer.js';
import { CustomerRecordRepository } from './store/customer-record.repository.js';
import { CustomerRepository } from './store/customer.repository.js';

/** A customer with the decrypted profile, and with who identified it and when. */
export interface CustomerWithIdentification
  extends CustomerWithProfile, Readonly<Pick<CustomerEntity, 'clientAppId' | 'assurance' | 'identifiedAt'>> {}

/** Finds customers by id; the id of a merged record finds the surviving customer. */
@Injectable()
export class CustomersService {
  constructor(
    private readonly vault: Vault,
    private readonly customers: CustomerRepository,
    private readonly records: CustomerRecordRepository,
  ) {}

  /** Returns the subject whose key seals data about a customer; null if the customer is unknown or erased. */
  async findKeySubject(organisationId: string, id: string): Promise<SubjectRef | null> {
    const customer = await this.customers.find(organisationId, id);
    return customer && !customer.erasedAt ? { organisationId, index: customer.subjectIndex } : null;
  }

  /** Returns the id of the record, or of its surviving record after a merge; null if the id is unknown. */
  async findSurvivingId(organisationId: string, id: string): Promise<string | null> {
    return (await this.customers.find(organisationId, id))?.id ?? null;
  }

  /**
   * Returns the id to filter by: the id of the surviving record if `id` was merged. An unknown id is returned as it is,
   * and matches nothing.
   */
  async resolveId(organisationId: string, id: string | undefined): Promise<string | undefined> {
    return id === undefined ? undefined : ((await this.findSurvivingId(organisationId, id)) ?? id);
  }

  /** Returns the external ids of the customer and of the records merged into it (`known`), the customer's own first. */
  async findExternalIds(
    { id, organisationId, profile }: Pick<CustomerWithIdentification, 'id' | 'organisationId' | 'profile'>,
    known?: readonly CustomerEntity[],
  ): Promise<string[]> {
    const records = known ?? (await this.records.mergedInto(organisationId, id));
    const merged = await this.decryptProfiles(records.filter(({ externalIndex }) => externalIndex !== null));
    const all = [profile, ...merged].map((one) => one?.externalCustomerId ?? null);
    return [...new Set(all.filter((one) => one !== null))];
  }

  /** Returns the customer with the decrypted profile; null if the customer is unknown or erased. */
  async find(organisationId: string, id: string): Promise<CustomerWithIdentification | null> {
    const row = await this.customers.find(organisationId, id);
    const [profile] = row ? await this.decryptProfiles([row]) : [];
    return row && profile ? Object.assign(row, { profile }) : null;
  }

  async count(tx: Tx, organisationId: string): Promise<number> {
    return tx.countBy(CustomerEntity, { organisationId, mergedInto: IsNull() });
  }

  /** Returns a page of customers in the order of ids, with decrypted profiles; erased ones are left out. */
  async page(
    organisationId: string,
    after: string | null,
    limit: number,
  ): Promise<{ readonly customers: readonly CustomerWithProfile[]; readonly last: string | null }> {
    const rows = await this.customers.page(organisationId, after, limit);
    const profiles = await this.decryptProfiles(rows);
    return {
      customers: rows.flatMap((row, i) => {
        const profile = profiles[i];
        const { id, personType, subjectIndex } = row;
        return profile ? [{ id, organisationId, personType, subjectIndex, profile }] : [];
      }),
      last: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
    };
  }

  private async decryptProfiles(
    rows: readonly Pick<CustomerEntity, 'id' | 'organisationId' | 'sealed'>[],
  ): Promise<(CustomerProfile | null)[]> {
    const plaintexts = await this.vault.openMany(
      rows.map((row) => ({ sealed: row.sealed, context: profileContextOf(row) })),
    );
    return plaintexts.map((plain) => plain && parseProfile(plain));
  }
}
