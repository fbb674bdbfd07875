import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';
import { sealContext, Vault } from '../privacy/index.js';
import type { CustomerProfile, PersonType } from './domain/customer.js';

/** What a file about a customer begins with. */
export interface CustomerFile {
  readonly id: string;
  readonly organisationId: string;
  readonly personType: PersonType | null;
  readonly assurance: 'DECLARED' | 'DOCUMENT' | 'VERIFIED';
  readonly identifiedBy: 'KYT' | 'SESSION' | 'OPERATOR';
  readonly identifiedAt: Date;
  readonly updatedAt: Date;
  readonly subjectIndex: Buffer;
  /** The keys under which transactions of the customer are found: of its id and of its document. */
  readonly transactionKeys: readonly Buffer[];
  /** Null when the person was erased. */
  readonly profile: CustomerProfile | null;
}

interface Row extends Omit<CustomerFile, 'transactionKeys' | 'profile'> {
  readonly external: Buffer | null;
  readonly document: Buffer | null;
  readonly sealed: Buffer;
}

/** Opens one customer for whoever writes a file about it. */
@Injectable()
export class CustomerFiles {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  /** The customer of this stored id; null when the organisation has none. */
  async open(organisationId: string, id: string): Promise<CustomerFile | null> {
    const [row]: Row[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id, organisation_id AS "organisationId", person_type AS "personType", assurance,
                identified_by AS "identifiedBy", identified_at AS "identifiedAt", updated_at AS "updatedAt",
                subject_index AS "subjectIndex", external_index AS external, document_index AS document, sealed
         FROM customers WHERE organisation_id = $1 AND id = $2`,
        [organisationId, id],
      ),
    );
    if (!row) return null;
    const { external, document, sealed, ...file } = row;
    const context = sealContext('customers', id, organisationId);
    const [opened = null] = await this.vault.openMany([{ sealed, context }]);
    return {
      ...file,
      transactionKeys: [external, document].filter((key) => key !== null),
      profile: opened && (JSON.parse(opened.toString('utf8')) as CustomerProfile),
    };
  }
}
