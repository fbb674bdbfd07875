import { exactly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/** Cases are closed, communications filed and rulesets published by a request that somebody else approved. */
export class ApprovalsOfCases1764000000023 extends SqlMigration {
  override readonly name = 'ApprovalsOfCases1764000000023';
  protected override readonly statements = [
    `ALTER TABLE reviews
       ADD COLUMN approval_id uuid,
       ADD COLUMN single_control boolean NOT NULL DEFAULT false,
       ADD FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals,
       DROP CONSTRAINT reviews_four_eyes,
       ADD CONSTRAINT reviews_four_eyes CHECK (closed_by IS NULL OR closed_by <> proposed_by OR single_control)`,
    `ALTER TABLE kyt_decisions ADD COLUMN single_control boolean NOT NULL DEFAULT false`,
    // Whether this transaction has an entry about the subject by the service itself, and not by an operator.
    `CREATE FUNCTION by_command_line(organisation uuid, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = organisation
         AND e.subject_type IN ('operator', 'operator_invitation') AND e.subject_id = subject::text
         AND e.xmin = pg_current_xact_id()::xid
         AND starts_with(convert_from(e.canonical, 'UTF8')::json ->> 'actor', 'system:'))
     $$`,
    // As `require_approval`, for what stands in the row before it takes effect: all of it is compared, changed or not. The
    // first argument names the act, with ! when the command line needs none; the others are column=name of the value, or
    // @column=column of the request.
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
    // Also a closed case that is closed differently, or opened again.
    ...exactly('reviews', {
      act: 'case.close',
      when: `(NEW.status = 'CLOSED' OR OLD.status = 'CLOSED')
        AND (OLD.status, OLD.resolution, OLD.report, OLD.proposed_by, OLD.closed_by, OLD.closed_at, OLD.approval_id,
             OLD.single_control) IS DISTINCT FROM
            (NEW.status, NEW.resolution, NEW.report, NEW.proposed_by, NEW.closed_by, NEW.closed_at, NEW.approval_id,
             NEW.single_control)`,
      values: { status: 'status', resolution: 'resolution', report: 'report' },
      request: {
        approval_id: 'id',
        proposed_by: 'requested_by',
        closed_by: 'decided_by',
        single_control: 'single_control',
      },
    }),
    `ALTER TABLE coaf_communications
       ADD COLUMN approval_id uuid,
       ADD COLUMN single_control boolean NOT NULL DEFAULT false,
       ADD FOREIGN KEY (approval_id, organisation_id) REFERENCES approvals,
       DROP CONSTRAINT coaf_communications_four_eyes,
       ADD CONSTRAINT coaf_communications_four_eyes CHECK
         (confirmed_by IS NULL OR confirmed_by <> recorded_by OR single_control)`,
    ...exactly('coaf_communications', {
      act: 'communication.file',
      when: `(NEW.status = 'FILED' OR OLD.status = 'FILED')
        AND (OLD.status, OLD.filing_number, OLD.content_hash, OLD.confirmed_by) IS DISTINCT FROM
            (NEW.status, NEW.filing_number, NEW.content_hash, NEW.confirmed_by)`,
      values: { status: 'status', filing_number: 'filingNumber', content_hash: 'contentHash' },
      request: {
        approval_id: 'id',
        recorded_by: 'requested_by',
        confirmed_by: 'decided_by',
        single_control: 'single_control',
      },
    }),
    `ALTER TABLE rulesets
       ADD COLUMN single_control boolean NOT NULL DEFAULT false,
       DROP CONSTRAINT rulesets_four_eyes,
       ADD CONSTRAINT rulesets_four_eyes CHECK (status <> 'PUBLISHED' OR origin = 'SEED'
         OR (requested_by IS NOT NULL AND approved_by IS NOT NULL AND (approved_by <> requested_by OR single_control)))`,
    // The product's own rulesets are inserted as published, by whoever runs the command line.
    ...exactly('rulesets', {
      act: 'ruleset.publish',
      when: `NEW.status = 'PUBLISHED' AND OLD.status IS DISTINCT FROM NEW.status`,
      values: { status: 'status', key: 'key', version: 'version', content_hash: 'contentHash' },
      request: { single_control: 'single_control' },
    }),
  ];
}
