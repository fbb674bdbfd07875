import type { Guard, SubjectSheet } from '../../sheets/index.js';
import { permissionsOfRole, roles, type Permission } from '../../http/access/permissions.js';

/** The condition that limits a trigger to the role of the service. */
const SERVICE = `current_user = 'vigia_app'`;
// An act that no sheet has takes no effect: a check that compares with NULL would let it pass.
const NEVER = `interval '1000 years'`;
const AT_COMMIT = 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';

const sqlListOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

function triggerStatement(act: string, guard: Guard): string {
  const { table, name, when } = guard;
  const condition = `WHEN (${SERVICE} AND (${when}))`;
  if (guard.kind === 'INSERTS') {
    return `CREATE TRIGGER ${table}_${name} BEFORE INSERT ON ${table} FOR EACH ROW
      ${condition} EXECUTE FUNCTION refuse_beginning()`;
  }
  const values = Object.entries(guard.values).map(([column, value]) => `${column}=${value}`);
  const call =
    guard.kind === 'CHANGED'
      ? `require_approval(${sqlListOf([act, guard.id, ...values])})`
      : `require_exact_approval(${sqlListOf([
          guard.orCommandLine ? `!${act}` : act,
          ...values,
          ...Object.entries(guard.request).map(([column, of]) => `@${column}=${of}`),
        ])})`;
  return `CREATE CONSTRAINT TRIGGER ${table}_${name} AFTER ${guard.on} ON ${table} ${AT_COMMIT}
    ${condition} EXECUTE FUNCTION ${call}`;
}

const rolesWith = (permission: Permission): string =>
  `ARRAY[${sqlListOf(roles.filter((role) => permissionsOfRole[role].includes(permission)))}]::text[]`;

/**
 * Returns the statements that create the functions and triggers by which the database itself holds the acts of two people:
 * who may ask and approve, how long an approval waits, which change needs one.
 */
export function guardStatements(sheets: readonly SubjectSheet[]): string[] {
  const acts = sheets.flatMap(({ acts: own = {} }) =>
    Object.entries(own).flatMap(([act, one]) => (one ? [{ ...one, act }] : [])),
  );
  const byAct = (
    signature: string,
    values: readonly (readonly [act: string, value: string])[],
    otherwise: string,
  ): string =>
    `CREATE OR REPLACE FUNCTION ${signature} LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE act ${values.map(([act, value]) => `WHEN '${act}' THEN ${value}`).join(' ')} ELSE ${otherwise} END $$`;
  const byCommandLine = sheets.filter(({ acts: own = {} }) =>
    Object.values(own).some((one) =>
      one?.guards?.some((guard) => guard.kind === 'EXACT' && guard.orCommandLine),
    ),
  );
  return [
    byAct(
      'vigia_asking_roles(act text) RETURNS text[]',
      acts.map(({ act, ask }) => [act, rolesWith(ask)]),
      `'{}'::text[]`,
    ),
    byAct(
      'vigia_approving_roles(act text) RETURNS text[]',
      acts.map(({ act, approve }) => [act, rolesWith(approve)]),
      `'{}'::text[]`,
    ),
    byAct(
      'vigia_waits_for(act text) RETURNS interval',
      acts.map(({ act, waitsHours = 0 }) => [act, `interval '${waitsHours} hours'`]),
      NEVER,
    ),
    // True if this transaction wrote an entry about the subject as the system, not as an operator.
    `CREATE OR REPLACE FUNCTION by_command_line(organisation uuid, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = organisation
        AND e.subject_type IN (${sqlListOf(byCommandLine.map(({ type }) => type))})
        AND e.subject_id = subject::text AND e.xmin = pg_current_xact_id()::xid
        AND starts_with(convert_from(e.canonical, 'UTF8')::json ->> 'actor', 'system:')) $$`,
    `CREATE OR REPLACE FUNCTION audit_is_prunable(subject_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
      SELECT subject_type IN (${sqlListOf(sheets.filter((one) => one.isPrunable).map(({ type }) => type))}) $$`,
    ...acts.flatMap(({ act, guards = [] }) => guards.map((guard) => triggerStatement(act, guard))),
  ];
}
