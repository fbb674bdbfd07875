import { createHash } from 'node:crypto';
import type { EntityMetadata } from 'typeorm';
import { rederivationStatements } from './rederivation.js';
import { regulationOf, type BoundTable, type Regulation } from './regulated.js';

/** Returns the regulated tables of these entities, by subject type. */
export function boundTables(
  entities: readonly EntityMetadata[],
  bound: Regulation['bound'] = 'STATE',
): ReadonlyMap<string, readonly BoundTable[]> {
  const kinds = new Map<string, BoundTable[]>();
  // The same statements for each process, whatever the order in which its modules load.
  const inOrder = [...entities].sort((a, b) => (a.tableName < b.tableName ? -1 : 1));
  for (const { target, tableName, columns } of inOrder) {
    const regulation = regulationOf(target);
    if (regulation?.bound !== bound) continue;
    const inDigest = columns.filter(({ propertyName }) => !(propertyName in regulation.free));
    const nameOf = new Map(inDigest.map(({ propertyName, databaseName }) => [propertyName, databaseName]));
    const name = (property: string): string => {
      const columnName = nameOf.get(property);
      if (columnName === undefined) throw new Error(`${tableName} has no regulated column ${property}`);
      return columnName;
    };
    const leased = Object.entries(regulation.leased).map(
      ([property, values]) => [name(property), values] as const,
    );
    const tablesOfKind = kinds.get(regulation.of) ?? [];
    tablesOfKind.push({
      table: tableName,
      of: regulation.of,
      by: name(regulation.by),
      columns: [...nameOf.values()],
      bound,
      ...(leased.length > 0 && { leased: Object.fromEntries(leased) }),
      isLink: false,
    });
    kinds.set(regulation.of, tablesOfKind);
    for (const [of, by] of Object.entries(regulation.links)) {
      const linked = kinds.get(of) ?? [];
      linked.push({ table: tableName, of, by: name(by), columns: ['id', name(by)], bound, isLink: true });
      kinds.set(of, linked);
    }
  }
  return new Map([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a hash of the tables and columns of a subject type. If it changes, equal rows give another digest. */
export const hashOfTables = (tables: readonly BoundTable[]): string =>
  createHash('sha256')
    .update(JSON.stringify([...tables].sort((a, b) => (a.table < b.table ? -1 : 1))))
    .digest('hex');

export const stateFunction = (kind: string): string => `audit_state_${kind}`;

const SAME_TEXT = `SET TimeZone = 'UTC' SET bytea_output = 'hex' SET extra_float_digits = 1 SET search_path = public, pg_temp`;
// A connection caches the plans of a function until it closes, and the tables may be empty when a plan is made. So the
// plans use indexes, which suit tables of any size, and are made once: planning took longer than the work.
const PLANNED_ONCE = `SET plan_cache_mode = force_generic_plan SET enable_seqscan = off`;
const BY_INDEX = `${PLANNED_ONCE} SET enable_hashjoin = off SET enable_mergejoin = off`;

/** The SQL list of values that go into the digest of a row; all `leased` values of a column count as the first of them. */
const valuesOf = ({ columns, leased = {} }: BoundTable, row: string): string =>
  columns
    .map((column) => {
      const values = leased[column]?.map((value) => `'${value}'`);
      const columnName = `${row}.${column}`;
      return values
        ? `CASE WHEN ${columnName} IN (${values.join(', ')}) THEN ${values[0] ?? columnName} ELSE ${columnName} END`
        : columnName;
    })
    .join(', ');

const statesFunction = (kind: string): string => `audit_states_${kind}`;

/** Creates the functions that return, by table, the number and the digest of the rows of many subjects, and of one. */
const digestsOf = (kind: string, tables: readonly BoundTable[]): string[] => {
  const each = tables.map(
    (bound) => `SELECT r.subject, '${bound.table}' AS name, count(*) AS rows,
      encode(sha256(convert_to(string_agg(line, E'\\n' ORDER BY line COLLATE "C"), 'UTF8')), 'hex') AS digest
    FROM (SELECT r.${bound.by} AS subject, jsonb_build_array(${valuesOf(bound, 'r')})::text AS line
          FROM ${bound.table} r WHERE r.organisation_id = organisation AND r.${bound.by} = ANY (subjects)) r GROUP BY r.subject`,
  );
  return [
    `CREATE OR REPLACE FUNCTION ${statesFunction(kind)}(organisation uuid, subjects uuid[])
    RETURNS TABLE (subject uuid, state text) LANGUAGE sql STABLE ${SAME_TEXT} AS $$
    SELECT t.subject, '{' || string_agg('"' || name || '":"' || rows || ' ' || digest || '"', ',' ORDER BY name COLLATE "C") || '}'
    FROM (${each.join(' UNION ALL ')}) t GROUP BY t.subject $$`,
    `CREATE OR REPLACE FUNCTION ${stateFunction(kind)}(organisation uuid, subject uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT s.state FROM ${statesFunction(kind)}(organisation, ARRAY[subject]) s $$`,
  ];
};

/** Creates the functions that call the function of a kind. */
const dispatchFunctions = (kinds: readonly string[]): string[] => [
  `CREATE OR REPLACE FUNCTION
  audit_state(organisation uuid, kind text, subject uuid) RETURNS text LANGUAGE plpgsql STABLE ${BY_INDEX} AS $$
  BEGIN
    RETURN CASE kind ${kinds.map((kind) => `WHEN '${kind}' THEN ${stateFunction(kind)}(organisation, subject)`).join(' ')} END;
  END $$`,
  `CREATE OR REPLACE FUNCTION audit_states(organisation uuid, kind text, subjects uuid[])
  RETURNS TABLE (subject uuid, state text) LANGUAGE plpgsql STABLE ${BY_INDEX} AS $$
  BEGIN
    CASE kind ${kinds.map((kind) => `WHEN '${kind}' THEN RETURN QUERY SELECT * FROM ${statesFunction(kind)}(organisation, subjects);`).join(' ')} END CASE;
  END $$`,
];

const IN_UTC = `SET TimeZone = 'UTC' SET search_path = public, pg_temp`;

/** Returns the SQL of the canonical bytes of a state entry; `seq` is the number of the entry before it, or null. */
const stateEntry = (action: string, actor: string, content: string, step: string): string => `convert_to(
      '{"action":"' || ${action} || '","actor":"' || ${actor} || '","content":' || ${content} || ',"correlationId":'
      || coalesce('"' || ${step} || '"', 'null') || ',"occurredAt":"' || to_char(moment, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","organisation":"' || organisation
      || '","previous":' || coalesce('"' || encode(previous, 'hex') || '"', 'null') || ',"requestId":null,"seq":'
      || coalesce(seq, 0) + 1 || ',"subject":"state:' || chain || '","v":1}', 'UTF8')`;

/** Returns a query for the number and the hash of the newest entry of a state trail. It also counts leaves, so that the number of a deleted entry is not reused. */
const newestEntry = (organisation: string, chain: string): string => `SELECT s.subject_seq, s.hash FROM (
      (SELECT e.subject_seq, e.hash FROM audit_entries e
       WHERE e.organisation_id = ${organisation} AND e.subject_type = 'state' AND e.subject_id = ${chain}
       ORDER BY e.subject_seq DESC LIMIT 1)
      UNION ALL
      (SELECT l.subject_seq, l.hash FROM audit_leaves l
       WHERE l.organisation_id = ${organisation} AND l.subject_type = 'state' AND l.subject_id = ${chain}
       ORDER BY l.subject_seq DESC LIMIT 1)) s ORDER BY s.subject_seq DESC LIMIT 1`;

const STATE_COLUMNS =
  '(organisation_id, subject_type, subject_id, subject_seq, action, previous_hash, recorded_at, canonical)';

const APPEND = `CREATE OR REPLACE FUNCTION
  audit_append_state(organisation uuid, chain text, action text, actor text, content text, step text) RETURNS void LANGUAGE plpgsql ${BY_INDEX} ${IN_UTC} AS $$
  DECLARE
    seq integer; previous bytea;
    moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  BEGIN
    ${newestEntry('organisation', 'chain').replace('SELECT s.subject_seq, s.hash', 'SELECT s.subject_seq, s.hash INTO seq, previous')};
    INSERT INTO audit_entries ${STATE_COLUMNS}
    VALUES (organisation, 'state', chain, coalesce(seq, 0) + 1, action, previous, moment, ${stateEntry('action', 'actor', 'content', 'step')});
  END $$`;

const LOCK = `pg_advisory_xact_lock(hashtextextended('audit chain ' || organisation || '|state|' || chain, 0))`;

// Returns a query for the newest entry of a trail, if the present transaction wrote it.
const stepIn = (organisation: string, type: string, id: string): string => `(SELECT e.place FROM (
    SELECT a.xmin AS writer, a.subject_type || ':' || a.subject_id || '#' || a.subject_seq AS place FROM audit_entries a
    WHERE a.organisation_id = ${organisation} AND a.subject_type = ${type} AND a.subject_id = ${id}
    ORDER BY a.subject_seq DESC LIMIT 1) e WHERE e.writer = pg_current_xact_id()::xid)`;

// Finds the entry of this transaction that explains the change of a subject, as `type:id#seq`: an entry about the
// subject itself, else about its linked row (`via`), else the last pending entry. The transaction that wrote an entry
// is known by xmin, which no client can set. Refuses a change that no entry of the transaction tells of: the service
// writes both together, and this catches code that forgets the entry.
const STEP = `CREATE OR REPLACE FUNCTION audit_step(organisation uuid, kind text, subject uuid, via text) RETURNS text
  LANGUAGE plpgsql ${BY_INDEX} AS $$
  DECLARE
    step text := ${stepIn('organisation', 'kind', 'subject::text')};
  BEGIN
    IF step IS NULL AND via IS NOT NULL THEN
      step := ${stepIn('organisation', `split_part(via, ':', 1)`, `split_part(via, ':', 2)`)};
    END IF;
    IF step IS NULL AND starts_with(current_setting('vigia.step', true), organisation || ' ') THEN
      step := split_part(current_setting('vigia.step', true), ' ', 2);
    END IF;
    IF step IS NULL THEN
      SELECT p.subject_types[1] || ':' || p.subject_ids[1] || '#' || p.subject_seqs[1] INTO step FROM audit_pending p
      WHERE p.organisation_id = organisation AND p.subject_types[1] <> 'state' AND p.xmin = pg_current_xact_id()::xid
      ORDER BY p.position DESC LIMIT 1;
      IF step IS NULL THEN
        RAISE EXCEPTION 'a change of % without an audit entry', kind USING ERRCODE = 'restrict_violation';
      END IF;
      PERFORM set_config('vigia.step', organisation || ' ' || step, true);
    END IF;
    RETURN step;
  END $$`;

/** Returns the SQL condition that the text of an entry has `content`. */
const hasContent = (canonical: string, content: string): string =>
  `position(convert_to('"content":' || ${content} || ',"correlationId":', 'UTF8') IN ${canonical}) > 0`;

// Records the state of a subject. `alone` is the step of a migration, which needs no lock, because nobody else writes.
const BIND = `CREATE OR REPLACE FUNCTION audit_bind(organisation uuid, kind text, subject uuid, via text, alone text DEFAULT NULL)
  RETURNS void LANGUAGE plpgsql ${BY_INDEX} AS $$
  DECLARE
    chain text := kind || ':' || subject;
    known boolean; mine boolean;
  BEGIN
    SELECT true, e.action = 'state.bound' AND e.xmin = pg_current_xact_id()::xid INTO known, mine FROM audit_entries e
    WHERE e.organisation_id = organisation AND e.subject_type = 'state' AND e.subject_id = chain
    ORDER BY e.subject_seq DESC LIMIT 1;
    IF mine THEN RETURN; END IF;
    IF alone IS NULL AND known THEN PERFORM ${LOCK}; END IF;
    PERFORM audit_append_state(organisation, chain, 'state.bound',
      CASE WHEN alone IS NULL THEN 'system:audit.state' ELSE 'system:migration' END,
      coalesce(audit_state(organisation, kind, subject), '{}'), coalesce(alone, audit_step(organisation, kind, subject, via)));
  END $$`;

// Records the states of the subjects in `vigia.begun` that differ from their newest entry, with one statement: a
// transaction may add hundreds of customers. `vigia.bound` is how much of the list is done.
const BIND_BEGUN = `CREATE OR REPLACE FUNCTION audit_bind_begun() RETURNS void
  LANGUAGE plpgsql ${PLANNED_ONCE} ${IN_UTC} AS $$
  DECLARE
    begun text := current_setting('vigia.begun', true);
    lines text[] := string_to_array(rtrim(substr(begun, coalesce(nullif(current_setting('vigia.bound', true), ''), '0')::integer + 1), E'\\n'), E'\\n');
    moment timestamptz := date_trunc('milliseconds', clock_timestamp());
  BEGIN
    PERFORM set_config('vigia.bound', octet_length(begun)::text, true);
    -- A scalar query, because EXISTS may be planned as a join that reads the state entries of all subjects.
    PERFORM ${LOCK} FROM (SELECT split_part(line, ' ', 1)::uuid AS organisation, split_part(line, ' ', 2) AS chain FROM unnest(lines) line) c
    WHERE (SELECT true FROM audit_entries e
      WHERE e.organisation_id = c.organisation AND e.subject_type = 'state' AND e.subject_id = c.chain LIMIT 1);
    WITH changed AS MATERIALIZED (
      SELECT DISTINCT ON (1, 2) split_part(line, ' ', 1)::uuid AS organisation, split_part(line, ' ', 2) AS chain, nullif(split_part(line, ' ', 3), '') AS via
      FROM unnest(lines) WITH ORDINALITY l (line, n) ORDER BY 1, 2, n
    ), grouped AS MATERIALIZED (
      SELECT organisation, split_part(chain, ':', 1) AS kind, array_agg(split_part(chain, ':', 2)::uuid) AS subjects
      FROM changed GROUP BY 1, 2
    ), states AS MATERIALIZED (
      SELECT g.organisation, g.kind || ':' || s.subject AS chain, s.state
      FROM grouped g CROSS JOIN LATERAL audit_states(g.organisation, g.kind, g.subjects) s
    )
    INSERT INTO audit_entries ${STATE_COLUMNS}
    SELECT organisation, 'state', chain, coalesce(seq, 0) + 1, 'state.bound', previous, moment,
      ${stateEntry(`'state.bound'`, `'system:audit.state'`, 'content', 'step')}
    FROM (
      SELECT c.organisation, c.chain, n.subject_seq AS seq, n.hash AS previous, coalesce(s.state, '{}') AS content,
        coalesce(o.place, audit_step(c.organisation, c.kind, c.subject, c.via)) AS step
      FROM (SELECT *, split_part(chain, ':', 1) AS kind, split_part(chain, ':', 2)::uuid AS subject FROM changed) c
      LEFT JOIN states s USING (organisation, chain)
      LEFT JOIN LATERAL (${newestEntry('c.organisation', 'c.chain')}) n ON true
      LEFT JOIN LATERAL (SELECT e.canonical, e.action = 'state.bound' AND e.xmin = pg_current_xact_id()::xid AS mine FROM audit_entries e
        WHERE n.subject_seq IS NOT NULL AND e.organisation_id = c.organisation AND e.subject_type = 'state' AND e.subject_id = c.chain
        ORDER BY e.subject_seq DESC LIMIT 1) e ON true
      LEFT JOIN LATERAL ${stepIn('c.organisation', 'c.kind', 'c.subject::text')} o ON true
      WHERE e.mine IS NOT TRUE AND NOT coalesce(${hasContent('e.canonical', `coalesce(s.state, '{}')`)}, n.subject_seq IS NULL AND s.state IS NULL)
    ) bound;
  END $$`;

// Runs for each changed row at the end of the transaction; the first run records the states of all subjects.
const BIND_ONCE = `CREATE OR REPLACE FUNCTION audit_bind_once(organisation uuid, kind text, subject uuid, via text)
  RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    begun integer := octet_length(current_setting('vigia.begun', true));
  BEGIN
    IF coalesce(begun, 0) = 0 THEN
      PERFORM audit_bind(organisation, kind, subject, via);
    ELSIF begun > coalesce(nullif(current_setting('vigia.bound', true), ''), '0')::integer THEN
      PERFORM audit_bind_begun();
    END IF;
  END $$`;

// Runs before a transaction first changes a subject. Rows that differ from their bound state are recorded as
// `state.altered`, because the state after this transaction will include them. Rows and entry are committed together,
// so one statement reads both. It runs again under the lock, because another transaction may be recording the same.
const BEGIN = `CREATE OR REPLACE FUNCTION audit_begin(organisation uuid, kind text, subject uuid, is_new boolean, via text)
  RETURNS void LANGUAGE plpgsql ${BY_INDEX} AS $$
  DECLARE
    chain text := kind || ':' || subject;
    mark text := organisation || ' ' || chain || ' ';
    begun text := coalesce(current_setting('vigia.begun', true), '');
    found text; is_told boolean;
  BEGIN
    IF NOT is_new AND strpos(begun, mark) > 0 THEN RETURN; END IF;
    PERFORM set_config('vigia.begun', begun || (mark || coalesce(via, '') || E'\\n'), true);
    IF is_new AND (NOT EXISTS (SELECT FROM audit_entries e
      WHERE e.organisation_id = organisation AND e.subject_type = 'state' AND e.subject_id = chain) OR strpos(begun, mark) > 0) THEN RETURN; END IF;
    FOR turn IN 1..2 LOOP
      SELECT s.state, coalesce(${hasContent('e.canonical', 's.state')}, s.state = '{}') INTO found, is_told
      FROM (SELECT coalesce(audit_state(organisation, kind, subject), '{}') AS state) s LEFT JOIN LATERAL (
        SELECT canonical FROM audit_entries e WHERE e.organisation_id = organisation AND e.subject_type = 'state'
          AND e.subject_id = chain ORDER BY e.subject_seq DESC LIMIT 1) e ON true;
      IF is_told THEN RETURN; END IF;
      IF turn = 1 THEN PERFORM ${LOCK}; END IF;
    END LOOP;
    PERFORM audit_append_state(organisation, chain, 'state.altered', 'system:audit.state', found, NULL);
  END $$`;

const boundFunction = ({ of, by, isLink }: BoundTable): string =>
  `audit_${isLink ? 'linked' : 'bound'}_${of}_by_${by}`;

const viaOf = ({ isLink }: BoundTable, row: string): string =>
  isLink ? `TG_ARGV[0] || ':' || ${row}.id` : 'NULL';

const boundTriggerFunction = (table: BoundTable): string => {
  const bind = (row: string): string =>
    `PERFORM audit_bind_once(${row}.organisation_id, '${table.of}', ${row}.${table.by}, ${viaOf(table, row)})`;
  return `CREATE OR REPLACE FUNCTION ${boundFunction(table)}() RETURNS trigger
  LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'DELETE' AND NEW.${table.by} IS NOT NULL THEN
      ${bind('NEW')};
    END IF;
    IF TG_OP <> 'INSERT' AND OLD.${table.by} IS NOT NULL AND (TG_OP = 'DELETE' OR OLD.${table.by} <> NEW.${table.by}
      OR NEW.${table.by} IS NULL) THEN
      ${bind('OLD')};
    END IF;
    RETURN NULL;
  END $$`;
};

const beginFunction = ({ of, by, isLink }: BoundTable): string =>
  `audit_begin_${isLink ? 'linked_' : ''}${of}_by_${by}`;

const beginTriggerFunction = (
  table: BoundTable,
): string => `CREATE OR REPLACE FUNCTION ${beginFunction(table)}() RETURNS trigger
  LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' AND OLD.${table.by} IS NOT NULL THEN
      PERFORM audit_begin(OLD.organisation_id, '${table.of}', OLD.${table.by}, false, ${viaOf(table, 'OLD')});
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.${table.by} IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.${table.by} IS DISTINCT FROM NEW.${table.by}) THEN
      PERFORM audit_begin(NEW.organisation_id, '${table.of}', NEW.${table.by}, ${table.by === 'id'}, ${viaOf(table, 'NEW')});
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  END $$`;

/** True for the role of the service. A change by another role records no state, and is therefore detected. */
const SERVICE = `current_user = 'vigia_app'`;

// PostgreSQL fires triggers in the order of their names: an entry is looked for before the approval of a new row, and
// after what keeps a row from its removal.
const ORDERED = { INSERT: 'added_', UPDATE: '', DELETE: 'removed_' } as const;

function triggerStatements(bound: BoundTable, owner: string): string[] {
  const { table, of, isLink } = bound;
  const suffix = `bound${isLink ? `_to_${of}` : ''}`;
  const prefix = `${table}_${suffix}`;
  const row = (name: string): string => `(${valuesOf(bound, name)})`;
  const owned = isLink ? `'${owner}'` : '';
  const on = (event: keyof typeof ORDERED, when: string): string[] => [
    `CREATE CONSTRAINT TRIGGER ${table}_${ORDERED[event]}${suffix}_${event.toLowerCase()} AFTER ${event} ON ${table}
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${boundFunction(bound)}(${owned})`,
    `CREATE TRIGGER ${prefix}_begin_${event.toLowerCase()} BEFORE ${event} ON ${table}
       FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${beginFunction(bound)}(${owned})`,
  ];
  return [
    ...on('INSERT', SERVICE),
    ...on('UPDATE', `${SERVICE} AND ${row('OLD')} IS DISTINCT FROM ${row('NEW')}`),
    ...on('DELETE', SERVICE),
  ];
}

// Reads a page of a table in the order of subjects. Returns the last subject of the page, and the subjects without any
// entry. The page computes the ids of their trails: under row-level security no index is used for the result of a cast.
const unboundFunction = (tables: readonly BoundTable[]): string => {
  const chain = ({ of, by, bound }: BoundTable): string =>
    bound === 'STATE' ? `'${of}:' || ${by}` : `${by}::text`;
  const trail = ({ of, bound }: BoundTable): string => `'${bound === 'STATE' ? 'state' : of}', p.chain`;
  const missingRowsQuery = (table: BoundTable): string => `SELECT p.subject FROM page p
    WHERE NOT EXISTS (SELECT FROM audit_entries e
      WHERE (e.organisation_id, e.subject_type, e.subject_id) = (organisation, ${trail(table)}))
    AND NOT EXISTS (SELECT FROM audit_leaves l
      WHERE (l.organisation_id, l.subject_type, l.subject_id) = (organisation, ${trail(table)}))`;
  const whens = tables
    .filter(({ isLink }) => !isLink)
    .map(
      (table) => `WHEN '${table.table}' THEN RETURN QUERY
      WITH page AS MATERIALIZED (SELECT DISTINCT ${table.by} AS subject, ${chain(table)} AS chain FROM ${table.table}
        WHERE organisation_id = organisation AND ${table.by} > after ORDER BY 1 LIMIT size)
      SELECT (SELECT p.subject FROM page p ORDER BY 1 DESC LIMIT 1), ARRAY(${missingRowsQuery(table)})`,
    );
  return `CREATE OR REPLACE FUNCTION audit_unbound(organisation uuid, which text, after uuid, size integer)
    RETURNS TABLE (reached uuid, missing uuid[]) LANGUAGE plpgsql STABLE ${BY_INDEX} AS $$
    BEGIN
      CASE which ${whens.map((when) => `${when};`).join('\n')} END CASE;
    END $$`;
};

/** Returns the statements that create the functions and triggers. They record the state of each changed subject. */
export function bindingStatements(
  kinds: ReadonlyMap<string, readonly BoundTable[]>,
  byEntry: ReadonlyMap<string, readonly BoundTable[]>,
): string[] {
  const tables = [...kinds.values()].flat();
  const owners = new Map(tables.filter(({ isLink }) => !isLink).map(({ table, of }) => [table, of]));
  return [
    ...[...kinds].flatMap(([kind, own]) => digestsOf(kind, own)),
    ...dispatchFunctions([...kinds.keys()]),
    APPEND,
    STEP,
    BIND,
    BIND_BEGUN,
    BIND_ONCE,
    BEGIN,
    unboundFunction([...kinds.values(), ...byEntry.values()].flat()),
    ...new Map(tables.map((table) => [boundFunction(table), boundTriggerFunction(table)])).values(),
    ...new Map(tables.map((table) => [beginFunction(table), beginTriggerFunction(table)])).values(),
    ...rederivationStatements(
      tables.filter(({ isLink }) => !isLink),
      [...byEntry.values()].flat(),
      valuesOf,
    ),
    ...tables.flatMap((table) => triggerStatements(table, owners.get(table.table) ?? '')),
  ];
}
