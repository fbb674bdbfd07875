import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { UnitOfWork } from '../../platform/database/index.js';
import { Vault } from '../../platform/privacy/index.js';
import { profileContextOf, subjectIndexesOf, parseProfile } from './customer-seal.js';
import type { CustomerProfile } from './domain/customer.js';
import { CustomerRecordRepository } from './store/customer-record.repository.js';
import { CustomerRepository } from './store/customer.repository.js';
import { CustomerEntity } from './store/entities.js';

type ShownColumn =
  'id' | 'personType' | 'assurance' | 'identifiedBy' | 'identifiedAt' | 'updatedAt' | 'riskLevel';

/** A decrypted customer, for the head of a dossier or export. */
export interface CustomerFile extends Readonly<
  Pick<CustomerEntity, ShownColumn | 'organisationId' | 'subjectIndex'>
> {
  readonly legalHold: boolean;
  /** Blind indexes that find the transactions of the customer and of the records merged into it. */
  readonly transactionKeys: readonly Buffer[];
  /** Null when the person was erased. */
  readonly profile: CustomerProfile | null;
}

/** Reads and decrypts one customer for a dossier or export. */
@Injectable()
export class CustomerFilesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly customers: CustomerRepository,
    private readonly records: CustomerRecordRepository,
  ) {}

  /** Returns the ids of all customers under legal hold, without paging. */
  async findOnLegalHold(organisationId: string): Promise<string[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(CustomerEntity, {
        select: { id: true },
        where: { organisationId, legalHoldAt: Not(IsNull()) },
      }),
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the customer with this id, or the surviving customer of a merged record; null if unknown. */
  async readFile(organisationId: string, id: string): Promise<CustomerFile | null> {
    const customer = await this.customers.find(organisationId, id);
    if (!customer) return null;
    const merged = await this.records.mergedInto(organisationId, customer.id);
    const [opened] = await this.vault.openMany([
      { sealed: customer.sealed, context: profileContextOf(customer) },
    ]);
    return Object.assign(customer, {
      legalHold: customer.legalHoldAt !== null,
      transactionKeys: subjectIndexesOf(customer, merged),
      profile: opened ? parseProfile(opened) : null,
    });
  }
}
