import { exactly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const SERVICE = `current_user = 'vigia_app'`;

/** Exchange rates and versions of flows come by a request that somebody else approved, or by the command line. */
export class ApprovalsOfRatesAndFlows1764000000035 extends SqlMigration {
  override readonly name = 'ApprovalsOfRatesAndFlows1764000000035';
  protected override readonly statements = [
    // Whether one person alone approved them.
    `ALTER TABLE fx_imports ADD COLUMN single_control boolean NOT NULL DEFAULT false`,
    `ALTER TABLE flows ADD COLUMN single_control boolean NOT NULL DEFAULT false`,
    // The roles that approve an act, as the permissions of the service say.
    `CREATE OR REPLACE FUNCTION vigia_approving_roles(act text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
       SELECT CASE
         WHEN act = 'dead_letter.discard' THEN ARRAY['COMPLIANCE_OFFICER', 'DEVELOPER']
         WHEN act = 'flow.publish' THEN ARRAY['ADMIN', 'COMPLIANCE_OFFICER']
         WHEN act = 'fx.import' OR starts_with(act, 'operator.') THEN ARRAY['ADMIN']
         ELSE ARRAY['COMPLIANCE_OFFICER']
       END
     $$`,
    // Whether this transaction has an entry about the subject by the service itself, and not by an operator.
    `CREATE OR REPLACE FUNCTION by_command_line(organisation uuid, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = organisation
         AND e.subject_type IN ('operator', 'operator_invitation', 'fx_import', 'flow') AND e.subject_id = subject::text
         AND e.xmin = pg_current_xact_id()::xid
         AND starts_with(convert_from(e.canonical, 'UTF8')::json ->> 'actor', 'system:'))
     $$`,
    ...exactly('fx_imports', {
      on: 'INSERT',
      act: 'fx.import',
      orCommandLine: true,
      when: 'true',
      values: { source: 'source', content_hash: 'contentHash' },
      request: { single_control: 'single_control' },
    }),
    // Also a rate that is added to an earlier import. In a request a rate is `2026-11-19 EUR 6.2345`.
    `CREATE FUNCTION require_rates() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF EXISTS (
         SELECT c.organisation_id, c.import_id::text, c.rate_date, c.currency, c.rate FROM came c
         WHERE c.import_id NOT IN (SELECT d.import_id FROM (SELECT DISTINCT organisation_id, import_id FROM came) d
           WHERE by_command_line(d.organisation_id, d.import_id))
         EXCEPT
         SELECT a.organisation_id, a.subject_id, split_part(one, ' ', 1)::date, split_part(one, ' ', 2),
           split_part(one, ' ', 3)::numeric
         FROM approvals a, jsonb_array_elements_text(a.change -> 'after' -> 'rates') one
         WHERE (a.organisation_id, a.subject_id) IN (SELECT organisation_id, import_id::text FROM came)
           AND a.act = 'fx.import' AND a.status = 'APPLIED' AND a.applied_in = pg_current_xact_id()::text
       ) THEN
         RAISE EXCEPTION 'a rate without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER fx_rates_approved AFTER INSERT ON fx_rates REFERENCING NEW TABLE AS came FOR EACH STATEMENT
       WHEN (${SERVICE}) EXECUTE FUNCTION require_rates()`,
    ...exactly('flows', {
      on: 'INSERT',
      act: 'flow.publish',
      orCommandLine: true,
      when: 'true',
      values: { key: 'key', version: 'version', definition: 'definition', content_hash: 'contentHash' },
      request: { single_control: 'single_control' },
    }),
  ];
}
