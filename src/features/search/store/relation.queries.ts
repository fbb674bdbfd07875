import { Injectable } from '@nestjs/common';
import { CustomerEntity } from '../../customers/index.js';
import {
  column,
  notNullColumn,
  sqlArray,
  statement,
  UnitOfWork,
  type Rows,
} from '../../../platform/database/index.js';
import { ReviewEntity } from '../../reviews/index.js';
import type { SharedKind, SharedIdentifier } from '../domain/relations.js';

const TIMES = {
  count: 'integer',
  lastAt: 'timestamptz | null',
  lastRef: 'uuid | null',
} as const;

// Reads only the newest transactions under each key, because one person may have millions. A row KEY has a key of the
// person: an index of the customer or of a record merged into it.
const TRACES = statement(
  'search.traces',
  `WITH records AS (
     SELECT c.id AS person, c.external_index, c.document_index FROM customers c
     WHERE c.organisation_id = $1 AND c.id = ANY ($2::uuid[])
     UNION ALL
     SELECT c.merged_into, c.external_index, c.document_index FROM customers c
     WHERE c.organisation_id = $1 AND c.merged_into = ANY ($2::uuid[])),
   keys AS (
     SELECT r.person, v.key FROM records r CROSS JOIN LATERAL (VALUES (r.external_index), (r.document_index)) AS v (key)
     WHERE v.key IS NOT NULL)
   SELECT t.person, v.kind, v.key, count(*)::int AS count, max(t.occurred_at) AS "lastAt",
          (array_agg(t.id ORDER BY t.occurred_at DESC))[1] AS "lastRef"
   FROM (SELECT k.person, n.* FROM keys k CROSS JOIN LATERAL (
           SELECT id, occurred_at, device_key, ip_key, account_key, counterparty_key FROM kyt_transactions
           WHERE organisation_id = $1 AND customer_key = k.key ORDER BY occurred_at DESC, seq DESC LIMIT $3) n) t
   CROSS JOIN LATERAL (VALUES ('DEVICE', t.device_key), ('ADDRESS', t.ip_key), ('ACCOUNT', t.account_key),
                              ('COUNTERPARTY', t.counterparty_key)) AS v (kind, key)
   WHERE v.key IS NOT NULL GROUP BY t.person, v.kind, v.key
   UNION ALL
   SELECT a.customer_id, 'DOCUMENT', a.content_index, count(*)::int, max(a.created_at), NULL FROM artifacts a
   WHERE a.organisation_id = $1 AND a.customer_id IN (SELECT person FROM keys)
     AND a.kind IN ('DOCUMENT', 'PROOF_OF_ADDRESS', 'SELFIE')
   GROUP BY a.customer_id, a.content_index
   UNION ALL
   SELECT person, 'KEY', key, 0, NULL, NULL FROM keys`,
  { person: 'uuid', kind: 'text', key: 'bytea', ...TIMES },
);

const rowsBy = (kind: SharedKind, field: string): string =>
  `(SELECT id, occurred_at, customer_key FROM kyt_transactions WHERE s.kind = '${kind}' AND organisation_id = $1
      AND ${field} = s.key AND customer_key IS NOT NULL ORDER BY occurred_at DESC LIMIT $4)`;

const SHARERS = statement(
  'search.sharers',
  `WITH used AS (
     SELECT s.kind, s.key, t.customer_key, count(*)::int AS count, max(t.occurred_at) AS "lastAt",
            (array_agg(t.id ORDER BY t.occurred_at DESC))[1] AS "lastRef"
     FROM unnest($2::text[], $3::bytea[]) AS s (kind, key) CROSS JOIN LATERAL (
       ${rowsBy('DEVICE', 'device_key')} UNION ALL ${rowsBy('ADDRESS', 'ip_key')} UNION ALL
       ${rowsBy('COUNTERPARTY', 'counterparty_key')} UNION ALL
       ${rowsBy('ACCOUNT', 'account_key')}) t
     GROUP BY s.kind, s.key, t.customer_key),
   people AS (
     SELECT u.kind, u.key, u.count, u."lastAt", u."lastRef", coalesce(d.id, e.merged_into, e.id) AS person
     FROM used u
     LEFT JOIN customers d ON d.organisation_id = $1 AND d.document_index = u.customer_key
     LEFT JOIN customers e ON e.organisation_id = $1 AND e.external_index = u.customer_key)
   SELECT kind, key, person, sum(count)::int AS count, max("lastAt") AS "lastAt",
          (array_agg("lastRef" ORDER BY "lastAt" DESC))[1] AS "lastRef"
   FROM people WHERE person IS NOT NULL GROUP BY kind, key, person
   UNION ALL
   SELECT 'DOCUMENT', a.content_index, a.customer_id, count(*)::int, max(a.created_at), NULL
   FROM unnest($2::text[], $3::bytea[]) AS s (kind, key)
   JOIN artifacts a ON a.organisation_id = $1 AND a.content_index = s.key AND a.customer_id IS NOT NULL
   WHERE s.kind = 'DOCUMENT' GROUP BY a.content_index, a.customer_id`,
  { kind: 'text', key: 'bytea', person: 'uuid', ...TIMES, lastAt: 'timestamptz' },
);

// The counterparty of a payment may be a customer with the same document.
const PEOPLE = statement(
  'search.people-by-document',
  `SELECT document_index AS key, id FROM customers WHERE organisation_id = $1 AND document_index = ANY ($2::bytea[])
     AND erased_at IS NULL`,
  { key: notNullColumn(column(CustomerEntity, 'documentIndex')), id: column(CustomerEntity, 'id') },
);

const OPEN_CASES = statement(
  'search.open-cases',
  `SELECT customer_id AS person, count(*)::int AS count FROM reviews
   WHERE organisation_id = $1 AND customer_id = ANY ($2::uuid[]) AND status <> 'CLOSED' AND status <> 'MERGED' GROUP BY customer_id`,
  { person: notNullColumn(column(ReviewEntity, 'customerId')), count: 'integer' },
);

/** A person, a thing that the person used, and how often. */
export type IdentifierTrace = Rows<typeof TRACES> & { readonly lastAt: Date };

const isTrace = (row: Rows<typeof TRACES>): row is IdentifierTrace => row.lastAt !== null;

/** Reads the things that people share, by indexes over keyed hashes. */
@Injectable()
export class RelationQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the keys of these people, and the things that they used in the newest transactions under each key. */
  async findIdentifiers(
    organisationId: string,
    customerIds: readonly string[],
    newest: number,
  ): Promise<{
    readonly keys: readonly { readonly person: string; readonly key: Buffer }[];
    readonly traces: readonly IdentifierTrace[];
  }> {
    const values = [organisationId, sqlArray.uuids(customerIds), newest];
    const rows = await this.uow.rows(organisationId, TRACES, values);
    return { keys: rows.filter(({ kind }) => kind === 'KEY'), traces: rows.filter(isTrace) };
  }

  /** Returns the users of these things, in the newest transactions of each thing. */
  findSharers(
    organisationId: string,
    things: readonly SharedIdentifier[],
    newest: number,
  ): Promise<readonly IdentifierTrace[]> {
    return this.uow.rows(organisationId, SHARERS, [
      organisationId,
      sqlArray.text(things.map(({ kind }) => kind)),
      sqlArray.bytes(things.map(({ key }) => key)),
      newest,
    ]);
  }

  /** Returns the customers with these documents, keyed by the document's key. */
  async findCustomersByDocument(
    organisationId: string,
    documents: readonly Buffer[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.uow.rows(organisationId, PEOPLE, [organisationId, sqlArray.bytes(documents)]);
    return new Map(rows.map(({ key, id }) => [key.toString('latin1'), id]));
  }

  async countOpenCases(
    organisationId: string,
    customerIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.uow.rows(organisationId, OPEN_CASES, [
      organisationId,
      sqlArray.uuids(customerIds),
    ]);
    return new Map(rows.map(({ person, count }) => [person, count]));
  }
}
