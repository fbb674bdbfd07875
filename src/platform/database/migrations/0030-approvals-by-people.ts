import { SqlMigration } from './sql-migration.js';

/**
 * Who asks and who approves are people who may: a machine has somebody who holds its secret, and that is no second person.
 * Nobody decides alone after having taken the second person away: `operator_lineage` keeps that, too.
 */
export class ApprovalsByPeople1764000000030 extends SqlMigration {
  override readonly name = 'ApprovalsByPeople1764000000030';
  protected override readonly statements = [
    `ALTER TABLE operator_lineage DROP CONSTRAINT operator_lineage_kind_check,
       ADD CONSTRAINT operator_lineage_kind_check CHECK (kind IN ('INVITED', 'RESET', 'EMPOWERED', 'REMOVED'))`,
    // By the clock of the database, as that of what a request can have been about.
    `ALTER TABLE approvals ADD COLUMN asked_at timestamptz NOT NULL DEFAULT clock_timestamp()`,
    `CREATE FUNCTION guard_people_of_approval() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'INSERT' THEN
         NEW.asked_at := clock_timestamp();
         IF NOT EXISTS (SELECT FROM operators o WHERE o.organisation_id = NEW.organisation_id AND o.id = NEW.requested_by
             AND o.kind = 'PERSON' AND o.status = 'ENABLED') THEN
           RAISE EXCEPTION 'a request is made by a person' USING ERRCODE = 'restrict_violation';
         END IF;
         RETURN NEW;
       END IF;
       IF NOT EXISTS (SELECT FROM operators o WHERE o.organisation_id = NEW.organisation_id AND o.id = NEW.decided_by
           AND o.kind = 'PERSON' AND o.status = 'ENABLED' AND o.roles && vigia_approving_roles(NEW.act)) THEN
         RAISE EXCEPTION 'a request is approved by a person who may' USING ERRCODE = 'restrict_violation';
       END IF;
       IF NEW.single_control AND EXISTS (SELECT FROM operator_lineage l WHERE l.organisation_id = NEW.organisation_id
           AND l.kind = 'REMOVED' AND l.by_id IN (NEW.requested_by, NEW.decided_by)
           AND l.at > clock_timestamp() - interval '30 days') THEN
         RAISE EXCEPTION 'nobody decides alone who took somebody away' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `REVOKE UPDATE ON approvals FROM vigia_app`,
    `GRANT UPDATE (status, decided_by, decided_at, sealed_decision_reason, effective_at, applied_at, single_control)
       ON approvals TO vigia_app`,
    `CREATE TRIGGER approvals_asked_by_people BEFORE INSERT ON approvals FOR EACH ROW
       WHEN (current_user = 'vigia_app') EXECUTE FUNCTION guard_people_of_approval()`,
    `CREATE TRIGGER approvals_by_people BEFORE UPDATE OF status ON approvals FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND NEW.status = 'APPROVED') EXECUTE FUNCTION guard_people_of_approval()`,
  ];
}
