import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Returns the function that holds the life of a request. `about`: the first arguments of `vigia_independent`, which says
 * whether two people count as two.
 */
export const guardApproval = (about: string): string =>
  `CREATE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
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
               AND vigia_independent(${about}, NEW.requested_by, o.id)) THEN
             RAISE EXCEPTION 'somebody independent may approve this' USING ERRCODE = 'restrict_violation';
           END IF;
         ELSIF NOT vigia_independent(${about}, NEW.requested_by, NEW.decided_by) THEN
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
     END $$`;

/**
 * Requests for changes that need two people. Only people request and approve: a machine's secret is held by a person,
 * so a machine is no second person. A removal of the only other approver does not let one person decide alone.
 *
 * `require_approval` and `require_exact_approval` refuse a change if its transaction applied no approved request for
 * exactly this change. The triggers are made from the sheets of subjects. They apply to the role of the service.
 */
export class Approvals1765000000006 extends SqlMigration {
  protected override readonly statements = [
    // True if two operators count as two people: in the last 30 days, neither changed the access of the other, and no
    // one person changed the access of both alone (single control).
    `CREATE FUNCTION vigia_independent(organisation uuid, one uuid, other uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
       WITH recent AS (
         SELECT operator_id, by_id, single_control FROM operator_lineage
         WHERE organisation_id = organisation AND operator_id IN (one, other)
           AND at > clock_timestamp() - interval '30 days'
       )
       SELECT one <> other
         AND NOT EXISTS (SELECT FROM recent WHERE by_id IN (one, other))
         AND NOT EXISTS (SELECT FROM recent a JOIN recent b USING (by_id)
           WHERE a.operator_id = one AND b.operator_id = other AND a.single_control AND b.single_control)
     $$`,
    // `guardStatements` replaces this function, `vigia_waits_for` and `by_command_line` by what the sheets of subjects
    // say. Until then nobody approves, nothing takes effect, and the command line may nothing alone.
    `CREATE FUNCTION vigia_approving_roles(act text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT '{}'::text[] $$`,
    // True if in the last 30 days one of the two disabled another operator or removed roles, or anybody took them from
    // an operator who could have approved the act. Single control is then refused.
    `CREATE FUNCTION vigia_was_taken_away(organisation uuid, act text, one uuid, other uuid) RETURNS boolean
     LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM operator_lineage l WHERE l.organisation_id = organisation AND l.kind = 'REMOVED'
         AND (l.by_id IN (one, other) OR l.roles && vigia_approving_roles(act))
         AND l.at > clock_timestamp() - interval '30 days')
     $$`,
    `CREATE FUNCTION vigia_waits_for(act text) RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '1000 years' $$`,
    // asked_at: by the clock of the database, like the times of the changes that the request is compared with.
    `CREATE TABLE approvals (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       act text NOT NULL,
       subject_id text NOT NULL,
       change jsonb NOT NULL CHECK (change ? 'before' AND change ? 'after'),
       digest bytea NOT NULL CHECK (length(digest) = 32),
       sealed_reason bytea NOT NULL,
       status text NOT NULL DEFAULT 'REQUESTED' CHECK
         (status IN ('REQUESTED', 'APPROVED', 'APPLIED', 'REFUSED', 'WITHDRAWN', 'EXPIRED', 'FAILED')),
       requested_by uuid NOT NULL,
       requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       expires_at timestamptz NOT NULL,
       decided_by uuid,
       decided_at timestamptz,
       sealed_decision_reason bytea,
       effective_at timestamptz,
       applied_at timestamptz,
       applied_in text,
       single_control boolean NOT NULL DEFAULT false,
       asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (requested_by, organisation_id) REFERENCES operators,
       FOREIGN KEY (decided_by, organisation_id) REFERENCES operators,
       CONSTRAINT approvals_four_eyes CHECK
         (status NOT IN ('APPROVED', 'APPLIED') OR single_control OR decided_by IS DISTINCT FROM requested_by),
       CONSTRAINT approvals_decided CHECK (status NOT IN ('APPROVED', 'APPLIED')
         OR (decided_by IS NOT NULL AND decided_at IS NOT NULL AND effective_at >= decided_at + vigia_waits_for(act))),
       CONSTRAINT approvals_applied CHECK ((status = 'APPLIED') = (applied_at IS NOT NULL AND applied_in IS NOT NULL))
     )`,
    `CREATE UNIQUE INDEX approvals_open_race ON approvals (organisation_id, act, subject_id)
       WHERE status IN ('REQUESTED', 'APPROVED')`,
    `CREATE INDEX approvals_organisation ON approvals (organisation_id, id)`,
    `CREATE INDEX approvals_subject ON approvals (organisation_id, subject_id, act)`,
    `CREATE INDEX approvals_due ON approvals (expires_at) WHERE status IN ('REQUESTED', 'APPROVED')`,
    guardApproval('NEW.organisation_id'),
    `CREATE TRIGGER approvals_guarded BEFORE INSERT OR UPDATE ON approvals FOR EACH ROW
       WHEN (current_user = 'vigia_app') EXECUTE FUNCTION guard_approval()`,
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
       IF NEW.single_control AND vigia_was_taken_away(NEW.organisation_id, NEW.act, NEW.requested_by, NEW.decided_by) THEN
         RAISE EXCEPTION 'nobody decides alone after somebody was taken away' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER approvals_asked_by_people BEFORE INSERT ON approvals FOR EACH ROW
       WHEN (current_user = 'vigia_app') EXECUTE FUNCTION guard_people_of_approval()`,
    `CREATE TRIGGER approvals_by_people BEFORE UPDATE OF status ON approvals FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND NEW.status = 'APPROVED') EXECUTE FUNCTION guard_people_of_approval()`,
    `CREATE FUNCTION by_command_line(organisation uuid, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT false $$`,
    // True if this transaction wrote an entry about the subject as the system, not as an operator.
    `CREATE FUNCTION by_system(organisation uuid, kind text, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = organisation
         AND e.subject_type = kind AND e.subject_id = subject::text AND e.xmin = pg_current_xact_id()::xid
         AND starts_with(convert_from(e.canonical, 'UTF8')::json ->> 'actor', 'system:'))
     $$`,
    // First argument: the acts. Second: the columns of the subject; the first one with a value counts. Others: the
    // columns that need an approval, as column=name in the request. Changed columns must have the values of the
    // request.
    `CREATE FUNCTION require_approval() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       now_row jsonb := to_jsonb(NEW);
       old_row jsonb := CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) ELSE '{}'::jsonb END;
       changed jsonb := '{}';
       pair text[];
       subject text;
     BEGIN
       SELECT now_row ->> name INTO subject FROM unnest(string_to_array(TG_ARGV[1], ',')) WITH ORDINALITY AS one (name, n)
       WHERE now_row ->> name IS NOT NULL ORDER BY n LIMIT 1;
       FOR i IN 2 .. TG_NARGS - 1 LOOP
         pair := string_to_array(TG_ARGV[i], '=');
         IF TG_OP = 'INSERT' OR now_row -> pair[1] IS DISTINCT FROM old_row -> pair[1] THEN
           -- A time as the request has it: ISO 8601 in UTC, with milliseconds.
           changed := changed || jsonb_build_object(pair[2], CASE
             WHEN now_row ->> pair[1] ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}' THEN to_jsonb(to_char(
               (now_row ->> pair[1])::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
             ELSE now_row -> pair[1] END);
         END IF;
       END LOOP;
       IF NOT EXISTS (SELECT FROM approvals a
         WHERE a.organisation_id = NEW.organisation_id AND a.act = ANY (string_to_array(TG_ARGV[0], ','))
           AND a.subject_id = subject AND a.status = 'APPLIED'
           AND a.applied_in = pg_current_xact_id()::text
           AND NOT EXISTS (SELECT FROM jsonb_each(changed) c
             WHERE a.change -> 'after' -> c.key IS DISTINCT FROM c.value)) THEN
         RAISE EXCEPTION 'a change of % without an approved request', TG_TABLE_NAME
           USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    // Like `require_approval`, for rows that store a change before it takes effect: all values are compared, changed or
    // not. First argument: the act, with ! if the command line needs no approval. Others: column=name in the request,
    // or @column=column of the request.
    `CREATE FUNCTION require_exact_approval() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       now_row jsonb := to_jsonb(NEW);
       request jsonb;
       pair text[];
     BEGIN
       IF starts_with(TG_ARGV[0], '!') AND by_command_line(NEW.organisation_id, NEW.id) THEN
         RETURN NULL;
       END IF;
       SELECT to_jsonb(a) INTO request FROM approvals a
       WHERE a.organisation_id = NEW.organisation_id AND a.act = ltrim(TG_ARGV[0], '!') AND a.subject_id = NEW.id::text
         AND a.status = 'APPLIED' AND a.applied_in = pg_current_xact_id()::text;
       FOR i IN 1 .. TG_NARGS - 1 LOOP
         pair := string_to_array(ltrim(TG_ARGV[i], '@'), '=');
         -- Bytes are hexadecimal digits in a request.
         IF (CASE WHEN starts_with(TG_ARGV[i], '@') THEN request ->> pair[2]
                  ELSE request -> 'change' -> 'after' ->> pair[2] END)
            IS DISTINCT FROM regexp_replace(now_row ->> pair[1], '^\\\\x', '') THEN
           request := NULL;
         END IF;
       END LOOP;
       IF request IS NULL THEN
         RAISE EXCEPTION 'a change of % without an approved request', TG_TABLE_NAME
           USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    // Refuses an insert that would bypass the approval: a row that already has the state which only an approval gives.
    `CREATE FUNCTION refuse_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'a row of % begins as a request', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
     END $$`,
    ...protect('approvals'),
    `GRANT SELECT, INSERT ON approvals TO vigia_app`,
    `GRANT UPDATE (status, decided_by, decided_at, sealed_decision_reason, effective_at, applied_at, single_control)
       ON approvals TO vigia_app`,
  ];
}
