import { createHash } from 'node:crypto';
import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import type { SubjectSheet } from '../../sheets/index.js';
import { guardStatements } from './approval-guards.js';
import { bindingStatements, boundTables, hashOfTables, stateFunction } from './bindings.js';
import type { BoundTable } from './regulated.js';

/** A source of the descriptions of all tables. */
interface Described {
  readonly entityMetadatas: readonly EntityMetadata[];
}

interface Bindings {
  readonly kinds: ReadonlyMap<string, readonly BoundTable[]>;
  readonly statements: readonly string[];
  readonly version: string;
}

function bindingsOf({ entityMetadatas }: Described, sheets: readonly SubjectSheet[]): Bindings {
  const kinds = boundTables(entityMetadatas);
  const statements = [
    ...bindingStatements(kinds, boundTables(entityMetadatas, 'ENTRY')),
    ...guardStatements(sheets),
  ];
  return { kinds, statements, version: createHash('sha256').update(statements.join('\n')).digest('hex') };
}

/** The name in `schema_migrations` of these bindings, which a release may change without a migration. */
export const bindingsName = (source: Described, sheets: readonly SubjectSheet[]): string =>
  nameOf(bindingsOf(source, sheets));

const nameOf = ({ version }: Pick<Bindings, 'version'>): string => `Bindings-${version}`;

// Also drops triggers of tables and columns that this release no longer knows.
const DROP_TRIGGERS = `DO $$ DECLARE one record; BEGIN
  FOR one IN SELECT tgname, tgrelid::regclass AS of FROM pg_trigger JOIN pg_proc p ON p.oid = tgfoid
    WHERE NOT tgisinternal AND p.pronamespace = 'public'::regnamespace AND p.proname ~
      '^(audit_(bound|linked|begin)_.*|require_approval|require_exact_approval|refuse_beginning|require_audit_entry_by_.*)$' LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.of);
  END LOOP; END $$`;

/**
 * Before the migrations, in the transaction that runs them: if the bindings of this release differ from those of the
 * database, notes the subjects whose rows differ from their bound state, and drops the triggers, so that a migration may
 * drop a regulated column. The digests of the earlier release can be computed only while their columns are there.
 */
export async function setBindingsAside(
  runner: QueryRunner,
  source: DataSource,
  sheets: readonly SubjectSheet[],
): Promise<void> {
  const { kinds, version } = bindingsOf(source, sheets);
  if ((await commentOn(runner, 'audit_bind')) === version) return;
  for (const [kind] of await changedKinds(runner, kinds)) await setAside(runner, kind);
  await runner.query(DROP_TRIGGERS);
}

/**
 * Creates the functions and triggers for regulated tables, after the migrations, in the transaction of `runner`. If
 * the regulated columns of a subject type have changed, the states of its subjects are recorded again; subjects that were
 * set aside are left out, so that verification still finds them. Returns the statements.
 * @param step the entry of this transaction that the new states name as their step, `type:id#seq`
 */
export async function installBindings(
  runner: QueryRunner,
  source: DataSource,
  sheets: readonly SubjectSheet[],
  step: string,
): Promise<readonly string[]> {
  const { kinds, statements, version } = bindingsOf(source, sheets);
  await runner.query(
    `INSERT INTO schema_migrations ("timestamp", name)
     SELECT floor(extract(epoch FROM clock_timestamp()) * 1000), $1::text
     WHERE NOT EXISTS (SELECT FROM schema_migrations WHERE name = $1::text)`,
    [nameOf({ version })],
  );
  if ((await commentOn(runner, 'audit_bind')) === version) return statements;
  for (const statement of statements) await runner.query(statement);
  for (const [kind, own] of await changedKinds(runner, kinds)) await bindAll(runner, kind, own, step);
  await runner.query(`COMMENT ON FUNCTION audit_bind(uuid, text, uuid, text, text) IS '${version}'`);
  return statements;
}

/** The subject types whose regulated columns are not those for which the database computes digests. */
async function changedKinds(
  runner: QueryRunner,
  kinds: Bindings['kinds'],
): Promise<[string, readonly BoundTable[]][]> {
  const kindsWithChange: [string, readonly BoundTable[]][] = [];
  for (const [kind, own] of kinds) {
    if ((await commentOn(runner, stateFunction(kind))) !== hashOfTables(own)) {
      kindsWithChange.push([kind, own]);
    }
  }
  return kindsWithChange;
}

async function commentOn(runner: QueryRunner, name: string): Promise<string | null> {
  const [found] = (await runner.query(
    `SELECT obj_description(oid, 'pg_proc') AS comment FROM pg_proc
     WHERE proname = $1 AND pronamespace = 'public'::regnamespace`,
    [name],
  )) as { comment: string | null }[];
  return found?.comment ?? null;
}

/** Collects subjects whose rows differ from their bound state, by the digest function from before this change. */
async function setAside(runner: QueryRunner, kind: string): Promise<void> {
  await runner.query(`CREATE TEMP TABLE aside_${kind} (organisation uuid, subject uuid) ON COMMIT DROP`);
  if ((await commentOn(runner, stateFunction(kind))) === null) return;
  await runner.query(
    `INSERT INTO aside_${kind} SELECT organisation_id, split_part(subject_id, ':', 2)::uuid FROM (
       SELECT DISTINCT ON (organisation_id, subject_id) organisation_id, subject_id, canonical FROM audit_entries
       WHERE subject_type = 'state' AND action = 'state.bound' AND starts_with(subject_id, $1 || ':')
       ORDER BY organisation_id, subject_id, subject_seq DESC) e
     WHERE (convert_from(canonical, 'UTF8')::json ->> 'content')
       <> coalesce(audit_state(organisation_id, $1, split_part(subject_id, ':', 2)::uuid), '{}')`,
    [kind],
  );
}

async function bindAll(
  runner: QueryRunner,
  kind: string,
  own: readonly BoundTable[],
  step: string,
): Promise<void> {
  const subjects = own.map(
    ({ table, by }) =>
      `SELECT organisation_id AS organisation, ${by} AS subject FROM ${table} WHERE ${by} IS NOT NULL`,
  );
  await runner.query(
    `SELECT audit_bind(organisation, $1, subject, NULL, $2) FROM (${subjects.join(' UNION ')}
     EXCEPT SELECT organisation, subject FROM aside_${kind}) subjects`,
    [kind, step],
  );
  await runner.query(`COMMENT ON FUNCTION ${stateFunction(kind)}(uuid, uuid) IS '${hashOfTables(own)}'`);
}
