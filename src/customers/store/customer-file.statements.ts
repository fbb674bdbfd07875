import { execute, properties, statement, value, type Reader, type Rows } from '../../database/index.js';
import type { CustomerProfile } from '../domain/customer.js';
import { CustomerEntity } from './entities/customer.entity.js';

const FILE = statement(
  'customers.file',
  `WITH one AS (SELECT coalesce(merged_into, id) AS id FROM customers WHERE organisation_id = $1 AND id = $2)
   SELECT id, organisation_id AS "organisationId", person_type AS "personType", assurance,
          identified_by AS "identifiedBy", identified_at AS "identifiedAt", updated_at AS "updatedAt",
          subject_index AS "subjectIndex", risk_level AS "riskLevel", legal_hold_at IS NOT NULL AS "legalHold",
          sealed,
          (SELECT array_agg(external_index) || array_agg(document_index) FROM customers m
           WHERE m.organisation_id = $1
             AND (m.id = (SELECT id FROM one) OR m.merged_into = (SELECT id FROM one))) AS keys
   FROM customers WHERE organisation_id = $1 AND id = (SELECT id FROM one)`,
  {
    ...properties(CustomerEntity, 'id', 'organisationId', 'personType', 'assurance', 'identifiedBy'),
    ...properties(CustomerEntity, 'identifiedAt', 'updatedAt', 'subjectIndex', 'riskLevel', 'sealed'),
    legalHold: 'boolean',
    keys: value<readonly (Buffer | null)[]>('bytea[]'),
  },
);

/** The head of a file about a customer. */
export interface CustomerFile extends Omit<Rows<typeof FILE>, 'keys' | 'sealed'> {
  /** The keys under which transactions are found: ids and documents of the customer, and of those merged into it. */
  readonly transactionKeys: readonly Buffer[];
  /** Null when the person was erased. */
  readonly profile: CustomerProfile | null;
}

/** The customer of this id, or whom it was merged into. */
export const customerFileRow = async (
  db: Reader,
  organisationId: string,
  id: string,
): Promise<Rows<typeof FILE> | null> => (await execute(db, FILE, [organisationId, id]))[0] ?? null;
