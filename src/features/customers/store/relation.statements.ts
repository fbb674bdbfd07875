import { column, prepared, properties } from '../../../platform/database/index.js';
import { CustomerEntity } from './entities.js';

/** True if the record `c`, or a record merged into it, is a company with a current owner or representative. */
export const HAS_PEOPLE = `EXISTS (
  SELECT FROM customer_relations r
  WHERE r.organisation_id = c.organisation_id AND r.ended_at IS NULL
    AND (r.company_id = c.id OR r.company_id IN (SELECT m.id FROM customers m WHERE m.merged_into = c.id)))`;

/** Current owners and representatives of companies. On both sides, a merged record counts as its surviving record. */
export const FIND_COMPANY_PEOPLE = prepared(
  'customers-people-of-companies',
  `SELECT c.id AS "companyId", p.organisation_id AS "organisationId", p.id AS "personId",
          p.subject_index AS "subjectIndex"
   FROM customers c
     JOIN customer_relations r ON r.organisation_id = c.organisation_id AND r.ended_at IS NULL
       AND (r.company_id = c.id OR r.company_id IN (SELECT m.id FROM customers m WHERE m.merged_into = c.id))
     JOIN customers named ON named.id = r.person_id AND named.organisation_id = r.organisation_id
     JOIN customers p ON p.id = coalesce(named.merged_into, named.id) AND p.organisation_id = r.organisation_id
   WHERE c.organisation_id = ANY ($1::uuid[]) AND c.id = ANY ($2::uuid[]) AND p.erased_at IS NULL`,
  {
    companyId: column(CustomerEntity, 'id'),
    personId: column(CustomerEntity, 'id'),
    ...properties(CustomerEntity, 'organisationId', 'subjectIndex'),
  },
);
