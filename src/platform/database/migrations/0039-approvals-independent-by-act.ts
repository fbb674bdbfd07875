import { guardApproval } from './0006-approvals.js';
import { SqlMigration } from './sql-migration.js';

/**
 * A role that one person gave another counts against their independence only for acts that it enables: it lets its holder
 * ask for or approve them, and nothing that the holder had before does. An invitation, a reset and a new admission
 * count for every act.
 */
export class ApprovalsIndependentByAct1765000000039 extends SqlMigration {
  protected override readonly statements = [
    // `guardStatements` replaces it by the roles that may ask for an act.
    `CREATE FUNCTION vigia_asking_roles(act text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT '{}'::text[] $$`,
    // True if two operators count as two people for an act: in the last 30 days, neither gave the other what enables the
    // act, and no one person gave it to both alone (single control). Without a role, a change of access enables every act.
    `CREATE FUNCTION vigia_independent(organisation uuid, act text, maker uuid, checker uuid) RETURNS boolean
     LANGUAGE sql STABLE AS $$
       WITH given AS (
         SELECT l.operator_id, l.by_id, l.single_control, l.kind, l.roles AS given_roles,
           CASE l.operator_id WHEN maker THEN vigia_asking_roles(act) ELSE vigia_approving_roles(act) END AS needed
         FROM operator_lineage l
         WHERE l.organisation_id = organisation AND l.operator_id IN (maker, checker)
           AND l.at > clock_timestamp() - interval '30 days'
       ), enabled AS (
         SELECT g.operator_id, g.by_id, g.single_control FROM given g
         WHERE g.kind <> 'EMPOWERED' OR g.given_roles = '{}' OR (g.given_roles && g.needed AND NOT EXISTS (
           SELECT FROM operators o, unnest(o.roles) AS held (role)
           WHERE o.organisation_id = organisation AND o.id = g.operator_id AND held.role = ANY (g.needed)
             AND NOT EXISTS (SELECT FROM given other WHERE other.operator_id = g.operator_id
               AND other.kind = 'EMPOWERED' AND held.role = ANY (other.given_roles))))
       )
       SELECT maker <> checker
         AND NOT EXISTS (SELECT FROM enabled WHERE by_id IN (maker, checker))
         AND NOT EXISTS (SELECT FROM enabled a JOIN enabled b USING (by_id)
           WHERE a.operator_id = maker AND b.operator_id = checker AND a.single_control AND b.single_control)
     $$`,
    guardApproval('NEW.organisation_id, NEW.act').replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'),
    `DROP FUNCTION vigia_independent(uuid, uuid, uuid)`,
  ];
}
