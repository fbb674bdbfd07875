import { createHash } from 'node:crypto';
import type { EntityMetadata } from 'typeorm';
import { regulationOf, type Regulation } from './regulated.js';

/** A table whose rows are bound by the state trail of their subject, as the entity declares it. */
export interface BoundTable {
  readonly table: string;
  readonly of: string;
  /** The column that names the subject. */
  readonly by: string;
  readonly columns: readonly string[];
  readonly bound: Regulation['bound'];
  /** Only which rows there are: what they say is bound by another subject. */
  readonly isLink: boolean;
}

/** The bound tables of these entities, by the kind of their subject. */
export function boundTables(
  entities: readonly EntityMetadata[],
  bound: Regulation['bound'] = 'STATE',
): ReadonlyMap<string, readonly BoundTable[]> {
  const kinds = new Map<string, BoundTable[]>();
  for (const { target, tableName, columns } of entities) {
    const regulation = regulationOf(target);
    if (regulation?.bound !== bound) continue;
    const nameOf = new Map(columns.map(({ propertyName, databaseName }) => [propertyName, databaseName]));
    const name = (property: string): string => {
      const found = nameOf.get(property);
      if (found === undefined) throw new Error(`${tableName} declares ${property} and has no such column`);
      return found;
    };
    const undeclared = [...nameOf.keys()].filter(
      (property) => !regulation.columns.includes(property) && !(property in regulation.free),
    );
    if (undeclared.length > 0) throw new Error(`${tableName} does not declare ${undeclared.join(', ')}`);
    const own = kinds.get(regulation.of) ?? [];
    own.push({
      table: tableName,
      of: regulation.of,
      by: name(regulation.by),
      columns: regulation.columns.map(name),
      bound,
      isLink: false,
    });
    kinds.set(regulation.of, own);
    for (const [of, by] of Object.entries(regulation.links)) {
      const linked = kinds.get(of) ?? [];
      linked.push({ table: tableName, of, by: name(by), columns: ['id', name(by)], bound, isLink: true });
      kinds.set(of, linked);
    }
  }
  return new Map([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Changes with the meaning of the digests of a kind. */
export const shapeOf = (tables: readonly BoundTable[]): string =>
  createHash('sha256')
    .update(JSON.stringify([...tables].sort((a, b) => (a.table < b.table ? -1 : 1))))
    .digest('hex');

export const stateFunction = (kind: string): string => `audit_state_${kind}`;

const SAME_TEXT = `SET TimeZone = 'UTC' SET bytea_output = 'hex' SET extra_float_digits = 1 SET search_path = public, pg_temp`;
// Planned for tables of any size: a plan lives as long as its connection, and the table may be empty when it is made.
const BY_INDEX = `SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;

/** Each table as how many rows of the subject it has and their digest; null when there is no row in any of them. */
const digestOf = (kind: string, tables: readonly BoundTable[]): string => {
  const each = tables.map(
    ({ table, by, columns }) => `SELECT '${table}' AS name, count(*) AS rows,
      encode(sha256(convert_to(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), 'UTF8')), 'hex') AS digest
    FROM (SELECT jsonb_build_array(${columns.map((column) => `r.${column}`).join(', ')})::text AS line
          FROM ${table} r WHERE r.organisation_id = organisation AND r.${by} = subject) lines`,
  );
  return `CREATE OR REPLACE FUNCTION ${stateFunction(kind)}(organisation uuid, subject uuid) RETURNS text
    LANGUAGE sql STABLE ${SAME_TEXT} AS $$
    SELECT '{' || string_agg('"' || name || '":"' || rows || ' ' || digest || '"', ',' ORDER BY name COLLATE "C") || '}'
    FROM (${each.join(' UNION ALL ')}) tables WHERE rows > 0 $$`;
};

const dispatch = (kinds: readonly string[]): string => `CREATE OR REPLACE FUNCTION
  audit_state(organisation uuid, kind text, subject uuid) RETURNS text LANGUAGE plpgsql STABLE ${BY_INDEX} AS $$
  BEGIN
    RETURN CASE kind ${kinds.map((kind) => `WHEN '${kind}' THEN ${stateFunction(kind)}(organisation, subject)`).join(' ')} END;
  END $$`;

// Once for each subject and transaction: all changes are made when the deferred triggers run. Behind the last leaf, too:
// an entry that somebody has deleted keeps its place. `alone`: nobody else writes, so nobody takes turns.
const BIND = `CREATE OR REPLACE FUNCTION audit_bind(organisation uuid, kind text, subject uuid, alone boolean DEFAULT false)
  RETURNS void LANGUAGE plpgsql ${BY_INDEX} SET TimeZone = 'UTC' SET search_path = public, pg_temp AS $$
  DECLARE
    chain text := kind || ':' || subject;
    seq integer; previous bytea; mine boolean;
  BEGIN
    SELECT e.subject_seq, e.hash, e.xmin = pg_current_xact_id()::xid INTO seq, previous, mine FROM audit_entries e
    WHERE e.organisation_id = organisation AND e.subject_type = 'state' AND e.subject_id = chain
    ORDER BY e.subject_seq DESC LIMIT 1;
    IF mine THEN RETURN; END IF;
    IF NOT alone AND seq IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('audit chain ' || organisation || '|state|' || chain, 0));
    END IF;
    SELECT s.subject_seq, s.hash INTO seq, previous FROM (
      (SELECT e.subject_seq, e.hash FROM audit_entries e
       WHERE e.organisation_id = organisation AND e.subject_type = 'state' AND e.subject_id = chain
       ORDER BY e.subject_seq DESC LIMIT 1)
      UNION ALL
      (SELECT l.subject_seq, l.hash FROM audit_leaves l
       WHERE l.organisation_id = organisation AND l.subject_type = 'state' AND l.subject_id = chain
       ORDER BY l.subject_seq DESC LIMIT 1)) s ORDER BY s.subject_seq DESC LIMIT 1;
    INSERT INTO audit_entries (organisation_id, subject_type, subject_id, subject_seq, action, previous_hash, canonical)
    VALUES (organisation, 'state', chain, coalesce(seq, 0) + 1, 'state.bound', previous, convert_to(
      '{"action":"state.bound","actor":"system:' || CASE WHEN alone THEN 'migration' ELSE 'audit.state' END
      || '","content":' || coalesce(audit_state(organisation, kind, subject), '{}') || ',"correlationId":null,"occurredAt":"'
      || to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","organisation":"' || organisation
      || '","previous":' || coalesce('"' || encode(previous, 'hex') || '"', 'null') || ',"requestId":null,"seq":'
      || coalesce(seq, 0) + 1 || ',"subject":"state:' || chain || '","v":1}', 'UTF8'));
  END $$`;

const hearing = ({ of, by }: BoundTable): string => `audit_bound_${of}_by_${by}`;

const heard = (table: BoundTable): string => `CREATE OR REPLACE FUNCTION ${hearing(table)}() RETURNS trigger
  LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'DELETE' AND NEW.${table.by} IS NOT NULL THEN
      PERFORM audit_bind(NEW.organisation_id, '${table.of}', NEW.${table.by});
    END IF;
    IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND OLD.${table.by} IS DISTINCT FROM NEW.${table.by}) THEN
      PERFORM audit_bind(OLD.organisation_id, '${table.of}', OLD.${table.by});
    END IF;
    RETURN NULL;
  END $$`;

/** The role that the service has; what anybody else changes is bound by nothing, and so it is found. */
const SERVICE = `current_user = 'vigia_app'`;

function triggers(bound: BoundTable): string[] {
  const { table, columns, of, isLink } = bound;
  const prefix = `${table}_bound${isLink ? `_to_${of}` : ''}`;
  const row = (name: string): string => `(${columns.map((column) => `${name}.${column}`).join(', ')})`;
  const on = (event: string, when: string): string[] => [
    `DROP TRIGGER IF EXISTS ${prefix}_${event.toLowerCase()} ON ${table}`,
    `CREATE CONSTRAINT TRIGGER ${prefix}_${event.toLowerCase()} AFTER ${event} ON ${table}
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${hearing(bound)}()`,
  ];
  return [
    ...on('INSERT', SERVICE),
    ...on('UPDATE', `${SERVICE} AND ${row('OLD')} IS DISTINCT FROM ${row('NEW')}`),
    ...on('DELETE', SERVICE),
  ];
}

// A page of the rows of a kind in the order of their subjects: how far it goes, and the subjects that no entry tells of.
const unbound = (tables: readonly BoundTable[]): string => {
  const chain = ({ of, bound }: BoundTable): string =>
    bound === 'STATE' ? `'state', '${of}:' || p.subject` : `'${of}', p.subject::text`;
  const missing = (table: BoundTable): string => `SELECT p.subject FROM page p
    WHERE NOT EXISTS (SELECT FROM audit_entries e
      WHERE (e.organisation_id, e.subject_type, e.subject_id) = (organisation, ${chain(table)}))
    AND NOT EXISTS (SELECT FROM audit_leaves l
      WHERE (l.organisation_id, l.subject_type, l.subject_id) = (organisation, ${chain(table)}))`;
  const whens = tables
    .filter(({ isLink }) => !isLink)
    .map(
      (table) => `WHEN '${table.table}' THEN RETURN QUERY
      WITH page AS MATERIALIZED (SELECT DISTINCT ${table.by} AS subject FROM ${table.table}
        WHERE organisation_id = organisation AND ${table.by} > after ORDER BY 1 LIMIT size)
      SELECT (SELECT p.subject FROM page p ORDER BY 1 DESC LIMIT 1), ARRAY(${missing(table)})`,
    );
  return `CREATE OR REPLACE FUNCTION audit_unbound(organisation uuid, which text, after uuid, size integer)
    RETURNS TABLE (reached uuid, missing uuid[]) LANGUAGE plpgsql STABLE ${BY_INDEX} AS $$
    BEGIN
      CASE which ${whens.map((when) => `${when};`).join('\n')} END CASE;
    END $$`;
};

/** Returns what makes the database bind the state of every subject at the end of each transaction that changes it. */
export function bindingStatements(
  kinds: ReadonlyMap<string, readonly BoundTable[]>,
  byEntry: ReadonlyMap<string, readonly BoundTable[]>,
): string[] {
  const tables = [...kinds.values()].flat();
  return [
    ...[...kinds].map(([kind, own]) => digestOf(kind, own)),
    dispatch([...kinds.keys()]),
    BIND,
    unbound([...kinds.values(), ...byEntry.values()].flat()),
    ...new Map(tables.map((table) => [hearing(table), heard(table)])).values(),
    ...tables.flatMap(triggers),
  ];
}
