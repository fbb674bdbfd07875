import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Look-backs: a run applies a version of a ruleset, or a list, to transactions evaluated before it existed. Its
 * findings open cases or are added to cases, so two people approve a run; its alerts and hits name it.
 */
export class KytLookBacks1765000000020 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE look_backs (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('RULESET', 'LIST')),
       ruleset_key text,
       ruleset_version integer,
       content_hash bytea,
       list_id uuid,
       days integer NOT NULL CHECK (days BETWEEN 1 AND 366),
       from_at timestamptz NOT NULL,
       to_at timestamptz NOT NULL,
       status text NOT NULL DEFAULT 'QUEUED'
         CHECK (status IN ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED')),
       total bigint,
       done bigint NOT NULL DEFAULT 0,
       reached uuid,
       counts jsonb NOT NULL,
       report jsonb,
       failure_code text,
       requested_by uuid NOT NULL,
       approved_by uuid NOT NULL,
       approval_id uuid NOT NULL,
       single_control boolean NOT NULL DEFAULT false,
       cancelled_by text,
       attempts integer NOT NULL DEFAULT 0,
       fence integer NOT NULL DEFAULT 0,
       lease_until timestamptz NOT NULL DEFAULT clock_timestamp(),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals,
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists,
       CONSTRAINT look_backs_range CHECK (to_at > from_at),
       CONSTRAINT look_backs_of CHECK (CASE kind
         WHEN 'LIST' THEN list_id IS NOT NULL AND ruleset_key IS NULL
         ELSE list_id IS NULL AND ruleset_key IS NOT NULL AND ruleset_version IS NOT NULL AND content_hash IS NOT NULL END),
       CONSTRAINT look_backs_report CHECK ((status = 'FINISHED') = (report IS NOT NULL))
     )`,
    `CREATE INDEX look_backs_open ON look_backs (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
    // The scope of a run stays as approved, and its result never changes.
    `CREATE FUNCTION refuse_look_back_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.status NOT IN ('QUEUED', 'RUNNING')
          OR (OLD.kind, OLD.ruleset_key, OLD.ruleset_version, OLD.content_hash, OLD.list_id, OLD.from_at, OLD.to_at,
              OLD.approval_id) IS DISTINCT FROM
             (NEW.kind, NEW.ruleset_key, NEW.ruleset_version, NEW.content_hash, NEW.list_id, NEW.from_at, NEW.to_at,
              NEW.approval_id) THEN
         RAISE EXCEPTION 'a look-back is what was approved, and ends once' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER look_backs_frozen BEFORE UPDATE ON look_backs
       FOR EACH ROW EXECUTE FUNCTION refuse_look_back_change()`,
    `CREATE TRIGGER look_backs_kept BEFORE DELETE ON look_backs FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    ...protect('look_backs'),
    `GRANT SELECT, INSERT, UPDATE ON look_backs TO vigia_app`,
  ];
}
