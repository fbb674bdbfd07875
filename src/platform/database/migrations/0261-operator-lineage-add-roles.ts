import { SqlMigration } from './sql-migration.js';

/**
 * Who was disabled or lost a role that approves an act makes nobody alone for 30 days: the lineage keeps which roles were
 * taken away.
 */
export class OperatorLineageAddRoles1764000000261 extends SqlMigration {
  override readonly name = 'OperatorLineageAddRoles1764000000261';
  protected override readonly statements = [
    `ALTER TABLE operator_lineage ADD COLUMN roles text[] NOT NULL DEFAULT '{}'`,
    // By one of the two, or by anybody from somebody who could have approved.
    `CREATE FUNCTION vigia_was_taken_away(organisation uuid, act text, one uuid, other uuid) RETURNS boolean
     LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM operator_lineage l WHERE l.organisation_id = organisation AND l.kind = 'REMOVED'
         AND (l.by_id IN (one, other) OR l.roles && vigia_approving_roles(act))
         AND l.at > clock_timestamp() - interval '30 days')
     $$`,
    `CREATE OR REPLACE FUNCTION guard_people_of_approval() RETURNS trigger LANGUAGE plpgsql AS $$
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
       IF NEW.single_control AND vigia_was_taken_away(NEW.organisation_id, NEW.act, NEW.requested_by, NEW.decided_by) THEN
         RAISE EXCEPTION 'nobody decides alone after somebody was taken away' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
  ];
}
