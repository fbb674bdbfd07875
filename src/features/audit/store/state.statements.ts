import {
  column,
  execute,
  nullable,
  sqlArray,
  statement,
  unnested,
  type Reader,
  type Rows,
} from '../../../platform/database/index.js';
import { AuditEntryEntity } from './entities.js';

/**
 * A state trail with `bound`, its newest `state.bound` entry, and `state`, the current digest of the rows of its
 * subject; or with `found`, the rows that a step found changed when it began, and the state that was bound before.
 */
export type BoundState = Rows<typeof BOUND>;

// One statement, for one snapshot: the entry and the rows that it describes are committed together.
const BOUND = statement(
  'audit.bound-states',
  `SELECT s.chain, e.canonical AS bound, e.subject_seq AS seq,
     audit_state($1, split_part(s.chain, ':', 1), split_part(s.chain, ':', 2)::uuid) AS state, NULL AS found, -1 AS place
   FROM unnest($2::text[]) AS s (chain)
   LEFT JOIN LATERAL (
     SELECT canonical, subject_seq FROM audit_entries a
     WHERE a.organisation_id = $1 AND a.subject_type = 'state' AND a.subject_id = s.chain AND a.action = 'state.bound'
     ORDER BY subject_seq DESC LIMIT 1) e ON true
   UNION ALL
   SELECT a.subject_id, e.canonical, e.subject_seq, NULL, a.canonical, a.subject_seq FROM audit_entries a
   LEFT JOIN LATERAL (
     SELECT canonical, subject_seq FROM audit_entries b
     WHERE b.organisation_id = a.organisation_id AND b.subject_type = 'state' AND b.subject_id = a.subject_id
       AND b.subject_seq < a.subject_seq AND b.action = 'state.bound'
     ORDER BY subject_seq DESC LIMIT 1) e ON true
   WHERE a.organisation_id = $1 AND a.subject_type = 'state' AND a.action = 'state.altered' AND a.subject_id = ANY($2::text[])
   ORDER BY place`,
  {
    chain: 'text',
    bound: nullable(column(AuditEntryEntity, 'canonical')),
    seq: nullable(column(AuditEntryEntity, 'subjectSeq')),
    state: 'text | null',
    found: nullable(column(AuditEntryEntity, 'canonical')),
    place: 'integer',
  },
);

/** @param chains `kind:id` */
export const readBoundStates = (
  db: Reader,
  organisationId: string,
  chains: readonly string[],
): Promise<BoundState[]> => execute(db, BOUND, [organisationId, sqlArray.text(chains)]);

const FIND_NEWLY_ALTERED = statement(
  'audit.newly-altered-states',
  `SELECT DISTINCT subject_id AS chain FROM audit_entries
   WHERE organisation_id = $1 AND subject_type = 'state' AND action = 'state.altered'
     AND recorded_at > now() - interval '1 hour' LIMIT 100`,
  { chain: column(AuditEntryEntity, 'subjectId') },
);

/** Returns the state trails in which a step has recorded changed rows (`state.altered`) in the last hour. */
export async function findNewlyAltered(db: Reader, organisationId: string): Promise<string[]> {
  return (await execute(db, FIND_NEWLY_ALTERED, [organisationId])).map(({ chain }) => chain);
}

/** An entry of a state trail, and the entry of the step that it names as its cause. */
export interface StateCause {
  readonly chain: string;
  readonly seq: number;
  /** Organisation, subject type, subject id and number of the entry of the step. */
  readonly of: readonly [organisationId: string, type: string, id: string, seq: number];
}

const NAMED = unnested<StateCause>(
  { text: ['chain'], int: ['seq'], uuid: { organisation: ({ of }) => of[0] } },
  { text: { stepType: ({ of }) => of[1], stepId: ({ of }) => of[2] }, int: { stepSeq: ({ of }) => of[3] } },
);
// Compares the entries' xmin, the id of the transaction that wrote a row, which no client can set. If the step's entry
// was pruned, its leaf must still exist.
const STEPS = statement(
  'audit.steps-of-states',
  `SELECT b.n::int AS n FROM ${NAMED.from(2, 'b', 'n')}
   JOIN audit_entries e ON e.organisation_id = $1 AND e.subject_type = 'state' AND e.subject_id = b.chain AND e.subject_seq = b.seq
   LEFT JOIN LATERAL (SELECT a.xmin AS by FROM audit_entries a WHERE a.organisation_id = b.organisation
     AND a.subject_type = b.step_type AND a.subject_id = b.step_id AND a.subject_seq = b.step_seq) s ON true
   WHERE s.by = e.xmin OR (s.by IS NULL AND EXISTS (SELECT FROM audit_leaves l WHERE l.organisation_id = b.organisation
     AND l.subject_type = b.step_type AND l.subject_id = b.step_id AND l.subject_seq = b.step_seq))`,
  { n: 'integer' },
);

/** Returns the indices in `named` of the states that the transaction of their step wrote. */
export async function statesWrittenByStep(
  db: Reader,
  organisationId: string,
  named: readonly StateCause[],
): Promise<ReadonlySet<number>> {
  const rows = await execute(db, STEPS, [organisationId, ...NAMED.arrays(named)]);
  return new Set(rows.map(({ n }) => n - 1));
}

const UNBOUND = statement(
  'audit.unbound-rows',
  `SELECT reached, missing FROM audit_unbound($1, $2, $3, $4)`,
  { reached: 'uuid | null', missing: 'uuid[]' },
);

/** Checks a page of a table: returns its last id, and the subjects of rows that no entry binds. */
export async function findUnboundRows(
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
