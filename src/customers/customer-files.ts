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
  readonly riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  readonly legalHold: boolean;
  /** The keys under which transactions are found: ids and documents of the customer, and of those merged into it. */
  readonly transactionKeys: readonly Buffer[];
  /** Null when the person was erased. */
  readonly profile: CustomerProfile | null;
}

interface Row extends Omit<CustomerFile, 'transactionKeys' | 'profile'> {
  readonly keys: readonly (Buffer | null)[];
  readonly sealed: Buffer;
}

/** Opens one customer for whoever writes a file about it. */
@Injectable()
export class CustomerFiles {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
  ) {}

  /** The customers whose records are kept whatever anybody asks. */
  async onHold(organisationId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT id FROM customers WHERE organisation_id = $1 AND legal_hold_at IS NOT NULL`, [
        organisationId,
      ]),
    );
    return rows.map(({ id }) => id);
  }

  /** The customer of this stored id, or whom it was merged into; null when the organisation has none. */
  async open(organisationId: string, id: string): Promise<CustomerFile | null> {
    const [row]: Row[] = await this.uow.read(organisationId, (db) =>
      db.query(
        `WITH one AS (SELECT coalesce(merged_into, id) AS id FROM customers WHERE organisation_id = $1 AND id = $2)
         SELECT id, organisation_id AS "organisationId", person_type AS "personType", assurance,
                identified_by AS "identifiedBy", identified_at AS "identifiedAt", updated_at AS "updatedAt",
                subject_index AS "subjectIndex", risk_level AS "riskLevel", legal_hold_at IS NOT NULL AS "legalHold",
                sealed,
                (SELECT array_agg(external_index) || array_agg(document_index) FROM customers m
                 WHERE m.organisation_id = $1
                   AND (m.id = (SELECT id FROM one) OR m.merged_into = (SELECT id FROM one))) AS keys
         FROM customers WHERE organisation_id = $1 AND id = (SELECT id FROM one)`,
        [organisationId, id],
      ),
    );
    if (!row) return null;
    const { keys, sealed, ...file } = row;
    const context = sealContext('customers', row.id, organisationId);
    const [opened = null] = await this.vault.openMany([{ sealed, context }]);
    return {
      ...file,
      transactionKeys: keys.filter((key) => key !== null),
      profile: opened && (JSON.parse(opened.toString('utf8')) as CustomerProfile),
    };
  }
}
