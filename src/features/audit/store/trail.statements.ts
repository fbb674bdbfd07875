import {
  column,
  columns,
  execute,
  isIn,
  nullable,
  prepared,
  sqlArray,
  statement,
  unnested,
  type Clause,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { AuditSubject, ComposedEntry, SubjectType } from '../domain/entry.js';
import { AuditEntryEntity, AuditLateSealEntity, AuditLeafEntity } from './entities.js';

/**
 * An entry joined with its leaf and its late seal. The columns of an entry, leaf or late seal that is not stored are
 * null.
 */
export type EntryWithLeaf = Rows<typeof FIND_VERIFIED_ROWS>;

const ENTRIES = unnested<ComposedEntry>(
  { uuid: ['subject.organisationId'], text: { subjectType: 'subject.type', subjectId: 'subject.id' } },
  { int: { subjectSeq: 'position.seq' }, text: ['action'], bytea: ['canonical', 'position.previousHash'] },
  { timestamptz: ['recordedAt'] },
);
const INSERT = `INSERT INTO audit_entries (${ENTRIES.columns}) SELECT s.* FROM ${ENTRIES.from()}`;

const APPEND = prepared('audit-append', INSERT);

const TAKE_TURNS = statement(
  'audit.take-turns',
  `SELECT pg_advisory_xact_lock(turn)::text AS taken FROM (
     SELECT hashtextextended('audit chain ' || name, 0) AS turn FROM unnest($1::text[]) AS name
     ORDER BY turn) AS turns`,
  { taken: 'text' },
);

const SUBJECTS = unnested<AuditSubject>({ uuid: ['organisationId'], text: ['type', 'id'] });
const CHAIN_ENDS = statement(
  'audit.chain-ends',
  `SELECT s.i AS ordinal, e.subject_seq AS seq, e.hash
   FROM ${SUBJECTS.from(1, 's', 'i')}
   CROSS JOIN LATERAL (
     (SELECT subject_seq, hash FROM audit_entries a
      WHERE a.organisation_id = s.organisation_id AND a.subject_type = s.type AND a.subject_id = s.id
      ORDER BY subject_seq DESC LIMIT 1)
     UNION ALL
     (SELECT subject_seq, hash FROM audit_leaves l
      WHERE l.organisation_id = s.organisation_id AND l.subject_type = s.type AND l.subject_id = s.id
      ORDER BY subject_seq DESC LIMIT 1)
     ORDER BY subject_seq DESC LIMIT 1) AS e`,
  { ordinal: 'bigint', seq: 'integer', hash: 'bytea' },
);

const ofSubjects = (table: string): string =>
  `(SELECT * FROM ${table} WHERE organisation_id = $1 AND subject_type = ANY($2::text[]) AND subject_id = ANY($3::text[]))`;

// One statement, for one snapshot: two queries could read an entry before, and its leaf after the sealing.
const FIND_VERIFIED_ROWS = statement(
  'audit.judged-rows',
  `SELECT subject_type, subject_id,
     e.subject_seq, e.action, e.canonical, e.hash, e.previous_hash, e.recorded_at,
     l.subject_seq AS leaf_seq, l.leaf_index, l.hash AS leaf_hash, z.subject_seq AS late_seq, z.waited_seconds
   FROM ${ofSubjects('audit_entries')} e
   FULL JOIN ${ofSubjects('audit_leaves')} l USING (subject_type, subject_id, subject_seq)
   FULL JOIN ${ofSubjects('audit_late_seals')} z USING (subject_type, subject_id, subject_seq)
   ORDER BY subject_type, subject_id, coalesce(e.subject_seq, l.subject_seq, z.subject_seq)`,
  {
    ...columns(AuditEntryEntity, 'hash', 'previousHash'),
    subject_type: column(AuditEntryEntity, 'subjectType'),
    subject_id: 'text',
    subject_seq: nullable(column(AuditEntryEntity, 'subjectSeq')),
    action: nullable(column(AuditEntryEntity, 'action')),
    canonical: nullable(column(AuditEntryEntity, 'canonical')),
    recorded_at: nullable(column(AuditEntryEntity, 'recordedAt')),
    leaf_seq: nullable(column(AuditLeafEntity, 'subjectSeq')),
    leaf_index: nullable(column(AuditLeafEntity, 'leafIndex')),
    leaf_hash: nullable(column(AuditLeafEntity, 'hash')),
    late_seq: nullable(column(AuditLateSealEntity, 'subjectSeq')),
    waited_seconds: nullable(column(AuditLateSealEntity, 'waitedSeconds')),
  },
);

const ACCESSES = statement(
  'audit.accesses',
  `SELECT (EXISTS (SELECT FROM audit_entries WHERE organisation_id = $1 AND subject_type = $2 AND subject_id = $3)
       OR EXISTS (SELECT FROM audit_leaves WHERE organisation_id = $1 AND subject_type = $2 AND subject_id = $3)) AS known,
     EXISTS (SELECT FROM (
       SELECT canonical, recorded_at FROM audit_entries
       WHERE organisation_id = $1 AND subject_type = 'access' AND subject_id = $2 || ':' || $3
       ORDER BY subject_seq DESC LIMIT 500) last
     WHERE recorded_at >= date_trunc('hour', now(), 'UTC')
       AND convert_from(canonical, 'UTF8')::jsonb ->> 'actor' = $4) AS noted`,
  { known: 'boolean', noted: 'boolean' },
);

/** Appends entries. Fails the transaction if a position in a chain is already taken. */
export const appendEntries = (tx: Tx, entries: readonly ComposedEntry[]): Promise<unknown> =>
  execute(tx, APPEND, ENTRIES.arrays(entries));

/** A clause that appends entries like `appendEntries`, but only for subjects whose id the clause `onlyFor` returned. */
export const appendClause = (entries: readonly ComposedEntry[], onlyFor: string): Clause => ({
  name: 'audited',
  text: `${INSERT} WHERE ${isIn('s.subject_id::uuid', onlyFor)}`,
  values: ENTRIES.arrays(entries),
});

/** Locks chains by their names until the transaction ends, always in the same order, which avoids deadlocks. */
export const lockChains = (tx: Tx, names: readonly string[]): Promise<unknown> =>
  execute(tx, TAKE_TURNS, [sqlArray.text(names)]);

/** Returns the last entry of each chain that has one; `ordinal` is the index in `subjects`, from 1. */
export const readChainEnds = (
  db: Pick<Reader, 'queryRunner'>,
  subjects: readonly AuditSubject[],
): Promise<Rows<typeof CHAIN_ENDS>[]> => execute(db, CHAIN_ENDS, SUBJECTS.arrays(subjects));

/** Reads the entries, with their leaves, of the subjects with these types and ids. */
export const readEntriesWithLeaves = (
  db: Reader,
  organisationId: string,
  types: readonly SubjectType[],
  ids: readonly string[],
): Promise<EntryWithLeaf[]> =>
  execute(db, FIND_VERIFIED_ROWS, [organisationId, sqlArray.text(types), sqlArray.text(ids)]);

/** Returns whether the subject exists, and whether an access of the actor is recorded in this hour. */
export async function readAccess(
  tx: Tx,
  { organisationId, type, id }: AuditSubject,
  actor: string,
): Promise<Rows<typeof ACCESSES>> {
  const [row] = await execute(tx, ACCESSES, [organisationId, type, id, actor]);
  if (!row) throw new Error('a statement without a condition returned no row');
  return row;
}
