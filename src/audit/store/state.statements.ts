import {
  column,
  execute,
  nullable,
  sqlArray,
  statement,
  type Reader,
  type Rows,
} from '../../database/index.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';

/** A subject as its rows are now, beside the last entry of its state trail. */
export type BoundState = Rows<typeof BOUND>;

// In one statement: the entry commits with the rows.
const BOUND = statement(
  'audit.bound-states',
  `SELECT s.chain, e.canonical, e.subject_seq AS seq,
     audit_state($1, split_part(s.chain, ':', 1), split_part(s.chain, ':', 2)::uuid) AS state
   FROM unnest($2::text[]) AS s (chain)
   LEFT JOIN LATERAL (
     SELECT canonical, subject_seq FROM audit_entries a
     WHERE a.organisation_id = $1 AND a.subject_type = 'state' AND a.subject_id = s.chain
     ORDER BY subject_seq DESC LIMIT 1) e ON true`,
  {
    chain: 'text',
    canonical: nullable(column(AuditEntryEntity, 'canonical')),
    seq: nullable(column(AuditEntryEntity, 'subjectSeq')),
    state: 'text | null',
  },
);

/** @param chains `kind:id` */
export const boundStates = (
  db: Reader,
  organisationId: string,
  chains: readonly string[],
): Promise<BoundState[]> => execute(db, BOUND, [organisationId, sqlArray.text(chains)]);

const UNBOUND = statement(
  'audit.unbound-rows',
  `SELECT reached, missing FROM audit_unbound($1, $2, $3, $4)`,
  { reached: 'uuid | null', missing: 'uuid[]' },
);

/** The next page of a table: how far it goes, and the subjects of rows that no entry tells of. */
export async function unboundRows(
  db: Reader,
  organisationId: string,
  table: string,
  after: string,
  size: number,
): Promise<Rows<typeof UNBOUND>> {
  const [page] = await execute(db, UNBOUND, [organisationId, table, after, size]);
  if (!page) throw new Error('a page of rows was not read');
  return page;
}
