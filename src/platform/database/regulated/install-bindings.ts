import { createHash } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';
import { bindingStatements, boundTables, hashOfTables, stateFunction } from './bindings.js';
import type { BoundTable } from './regulated.js';

/**
 * Creates the functions and triggers for regulated tables, after the migrations, in the transaction of `runner`. If
 * the regulated columns of a subject type have changed, the states of its subjects are recorded again; subjects whose
 * rows differ from their bound state are left out, so that verification still finds them. Returns the statements.
 * @param step the entry of this transaction that the new states name as their step, `type:id#seq`
 */
export async function installBindings(
  runner: QueryRunner,
  { entityMetadatas }: DataSource,
  step: string,
): Promise<readonly string[]> {
  const kinds = boundTables(entityMetadatas);
  const statements = bindingStatements(kinds, boundTables(entityMetadatas, 'ENTRY'));
  const version = createHash('sha256').update(statements.join('\n')).digest('hex');
  if ((await commentOn(runner, 'audit_bind')) === version) return statements;
  const changed: [string, readonly BoundTable[]][] = [];
  for (const [kind, own] of kinds) {
    const known = await commentOn(runner, stateFunction(kind));
    if (known === hashOfTables(own)) continue;
    await setAside(runner, kind, known !== null);
    changed.push([kind, own]);
  }
  for (const statement of statements) await runner.query(statement);
  for (const [kind, own] of changed) await bindAll(runner, kind, own, step);
  await runner.query(`COMMENT ON FUNCTION audit_bind(uuid, text, uuid, text, text) IS '${version}'`);
  return statements;
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
async function setAside(runner: QueryRunner, kind: string, isKnown: boolean): Promise<void> {
  await runner.query(`CREATE TEMP TABLE aside_${kind} (organisation uuid, subject uuid) ON COMMIT DROP`);
  if (!isKnown) return;
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
