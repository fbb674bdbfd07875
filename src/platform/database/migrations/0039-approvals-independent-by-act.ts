import { SqlMigration } from './sql-migration.js';

/**
 * A role that one person gave another counts against their independence only for acts that it enables: it lets its holder
 * ask for or approve them, and nothing that the holder had before does. An invitation, a reset and a new admission
 * count for every act.
 */
export class ApprovalsIndependentByAct1765000000039 extends SqlMigration {
  protected override readonly statements = [
    // The roles that may ask for an act, as in the permissions of the service.
    `CREATE FUNCTION vigia_asking_roles(act text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
       SELECT CASE
         WHEN act = 'dead_letter.discard' THEN ARRAY['COMPLIANCE_OFFICER', 'DEVELOPER']
         WHEN act IN ('flow.publish', 'provider.publish') THEN ARRAY['ADMIN', 'COMPLIANCE_OFFICER']
         WHEN act IN ('fx.import', 'client_app.grant') OR starts_with(act, 'operator.') THEN ARRAY['ADMIN']
         WHEN act IN ('customer.declare', 'customer.lower_risk', 'fact.confirm')
           OR act LIKE ANY (ARRAY['case.%', 'communication.%', 'hit.%', 'freeze.%'])
           THEN ARRAY['ANALYST', 'COMPLIANCE_OFFICER']
         ELSE ARRAY['COMPLIANCE_OFFICER']
       END
     $$`,
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
    `CREATE OR REPLACE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'INSERT' THEN
         IF NEW.status <> 'REQUESTED' OR NEW.decided_by IS NOT NULL OR NEW.single_control THEN
           RAISE EXCEPTION 'an approval begins as a request' USING ERRCODE = 'restrict_violation';
         END IF;
         RETURN NEW;
       END IF;
       IF (OLD.id, OLD.organisation_id, OLD.act, OLD.subject_id, OLD.change, OLD.digest, OLD.sealed_reason, OLD.requested_by,
           OLD.requested_at, OLD.expires_at) IS DISTINCT FROM
          (NEW.id, NEW.organisation_id, NEW.act, NEW.subject_id, NEW.change, NEW.digest, NEW.sealed_reason, NEW.requested_by,
           NEW.requested_at, NEW.expires_at) THEN
         RAISE EXCEPTION 'a request is not changed' USING ERRCODE = 'restrict_violation';
       END IF;
       IF NOT ((OLD.status = 'REQUESTED' AND NEW.status IN ('APPROVED', 'REFUSED', 'WITHDRAWN', 'EXPIRED'))
           OR (OLD.status = 'APPROVED' AND NEW.status IN ('APPLIED', 'WITHDRAWN', 'FAILED'))) THEN
         RAISE EXCEPTION 'an approval that is % does not become %', OLD.status, NEW.status
           USING ERRCODE = 'restrict_violation';
       END IF;
       IF NEW.status = 'APPROVED' THEN
         IF NEW.expires_at <= NEW.decided_at THEN
           RAISE EXCEPTION 'the request is too old' USING ERRCODE = 'restrict_violation';
         END IF;
         IF NEW.single_control THEN
           IF EXISTS (SELECT FROM operators o WHERE o.organisation_id = NEW.organisation_id AND o.kind = 'PERSON'
               AND o.status = 'ENABLED' AND o.roles && vigia_approving_roles(NEW.act)
               AND vigia_independent(NEW.organisation_id, NEW.act, NEW.requested_by, o.id)) THEN
             RAISE EXCEPTION 'somebody independent may approve this' USING ERRCODE = 'restrict_violation';
           END IF;
         ELSIF NOT vigia_independent(NEW.organisation_id, NEW.act, NEW.requested_by, NEW.decided_by) THEN
           RAISE EXCEPTION 'maker and approver are not independent' USING ERRCODE = 'restrict_violation';
         END IF;
       ELSIF OLD.status = 'APPROVED' AND (OLD.decided_by, OLD.decided_at, OLD.effective_at, OLD.single_control)
           IS DISTINCT FROM (NEW.decided_by, NEW.decided_at, NEW.effective_at, NEW.single_control) THEN
         RAISE EXCEPTION 'a decision is not changed' USING ERRCODE = 'restrict_violation';
       END IF;
       IF NEW.status = 'APPLIED' THEN
         IF NEW.effective_at > NEW.applied_at OR NEW.effective_at > clock_timestamp() + interval '1 minute' THEN
           RAISE EXCEPTION 'its time has not come' USING ERRCODE = 'restrict_violation';
         END IF;
         NEW.applied_in := pg_current_xact_id()::text;
       END IF;
       RETURN NEW;
     END $$`,
    `DROP FUNCTION vigia_independent(uuid, uuid, uuid)`,
  ];
}
