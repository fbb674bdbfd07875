import { protect } from './protect.js';
import { SERVICE, appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Rules and rulesets with their versions, publication by two people, snoozes, back-tests and cooldowns.
 *
 * Published content never changes: triggers refuse other content and any change of status that is not in the life
 * cycle. Every change that evaluations must see increases the epoch of the organisation, so that a process reads one
 * number to learn whether its cached copy is current.
 *
 * - `custom_field_schemas`: the custom fields, which define the organisation's own metadata. A version never changes, and the
 *   newest one is in force. Each version needs an approved request, because it can make the service refuse transactions
 *   or remove fields that rules read.
 * - `custom_field_backfills`: custom fields whose values are still to be read from the bodies of earlier transactions. Progress
 *   changes the history that evaluations may use, and so increases the epoch.
 * - `aggregate_reaches`: per log of transactions, the longest time that aggregates of the organisation have ever looked
 *   back. It never shrinks.
 */
export class Rules1765000000015 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE rules (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       key text NOT NULL,
       version integer NOT NULL CHECK (version > 0),
       status text NOT NULL CHECK (status IN ('DRAFT', 'RELEASED')),
       revision integer NOT NULL DEFAULT 1,
       content jsonb NOT NULL,
       content_hash bytea NOT NULL,
       author text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       released_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT rules_version UNIQUE (organisation_id, key, version),
       CONSTRAINT rules_released CHECK ((status = 'RELEASED') = (released_at IS NOT NULL))
     )`,
    `CREATE UNIQUE INDEX rules_one_draft ON rules (organisation_id, key) WHERE status = 'DRAFT'`,
    `CREATE FUNCTION refuse_rule_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.status <> 'DRAFT' OR NEW.organisation_id <> OLD.organisation_id OR NEW.key <> OLD.key
          OR NEW.version <> OLD.version THEN
         RAISE EXCEPTION 'a released rule is never changed' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER rules_frozen BEFORE UPDATE ON rules FOR EACH ROW EXECUTE FUNCTION refuse_rule_change()`,
    `CREATE TABLE rulesets (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       key text NOT NULL,
       version integer NOT NULL CHECK (version > 0),
       status text NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'ARCHIVED')),
       content jsonb NOT NULL,
       content_hash bytea NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       published_at timestamptz,
       origin text NOT NULL DEFAULT 'SEED' CHECK (origin IN ('SEED', 'DRAFT', 'ROLLBACK')),
       revision integer NOT NULL DEFAULT 1,
       author text NOT NULL DEFAULT 'system:migration',
       rollback_of integer,
       requested_by text,
       requested_at timestamptz,
       approved_by text,
       approved_at timestamptz,
       backtest_id uuid,
       updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       archived_at timestamptz,
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT rulesets_version UNIQUE (organisation_id, key, version),
       CONSTRAINT rulesets_four_eyes CHECK (status <> 'PUBLISHED' OR origin = 'SEED'
         OR (requested_by IS NOT NULL AND approved_by IS NOT NULL AND (approved_by <> requested_by OR single_control))),
       CONSTRAINT rulesets_tested CHECK (status <> 'PUBLISHED' OR origin <> 'DRAFT' OR backtest_id IS NOT NULL)
     )`,
    `CREATE UNIQUE INDEX rulesets_one_live ON rulesets (organisation_id, key) WHERE status = 'PUBLISHED'`,
    `CREATE FUNCTION refuse_ruleset_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NEW.organisation_id <> OLD.organisation_id OR NEW.key <> OLD.key OR NEW.version <> OLD.version
          OR NEW.origin <> OLD.origin THEN
         RAISE EXCEPTION 'a ruleset keeps its name and origin' USING ERRCODE = 'restrict_violation';
       END IF;
       IF OLD.status <> 'DRAFT' AND (NEW.content <> OLD.content OR NEW.content_hash <> OLD.content_hash) THEN
         RAISE EXCEPTION 'a published ruleset is never changed' USING ERRCODE = 'restrict_violation';
       END IF;
       IF NEW.status <> OLD.status
          AND NOT (OLD.status = 'DRAFT' AND NEW.status IN ('PUBLISHED', 'ARCHIVED'))
          AND NOT (OLD.status = 'PUBLISHED' AND NEW.status = 'ARCHIVED') THEN
         RAISE EXCEPTION 'a ruleset does not go from % to %', OLD.status, NEW.status
           USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER rulesets_frozen BEFORE UPDATE ON rulesets
       FOR EACH ROW EXECUTE FUNCTION refuse_ruleset_change()`,
    `CREATE TRIGGER rulesets_kept BEFORE DELETE ON rulesets FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    // Only the command line inserts the rulesets of the product, already published.
    `CREATE FUNCTION require_seed() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT by_system(NEW.organisation_id, 'ruleset', NEW.id) THEN
         RAISE EXCEPTION 'a ruleset begins as a draft' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER rulesets_seeded AFTER INSERT ON rulesets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (${SERVICE} AND NEW.status <> 'DRAFT') EXECUTE FUNCTION require_seed()`,
    // single_control: one person alone snoozed the rule.
    `CREATE TABLE rule_snoozes (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       ruleset_key text NOT NULL,
       rule_key text NOT NULL,
       reason text NOT NULL,
       begins_at timestamptz NOT NULL,
       ends_at timestamptz NOT NULL,
       created_by text NOT NULL,
       lifted_at timestamptz,
       lifted_by text,
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT rule_snoozes_end CHECK (ends_at > begins_at),
       CONSTRAINT rule_snoozes_lifted CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
     )`,
    `CREATE INDEX rule_snoozes_open ON rule_snoozes (organisation_id, ends_at) WHERE lifted_at IS NULL`,
    `CREATE TABLE ruleset_epochs (
       organisation_id uuid PRIMARY KEY REFERENCES organisations (id),
       epoch bigint NOT NULL
     )`,
    `CREATE FUNCTION advance_ruleset_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO ruleset_epochs (organisation_id, epoch) VALUES (NEW.organisation_id, 1)
       ON CONFLICT (organisation_id) DO UPDATE SET epoch = ruleset_epochs.epoch + 1;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER rulesets_epoch_inserted AFTER INSERT ON rulesets
       FOR EACH ROW WHEN (NEW.status = 'PUBLISHED') EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TRIGGER rulesets_epoch_moved AFTER UPDATE ON rulesets
       FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TRIGGER rule_snoozes_epoch AFTER INSERT OR UPDATE ON rule_snoozes
       FOR EACH ROW EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TABLE backtests (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       ruleset_key text NOT NULL,
       ruleset_version integer NOT NULL,
       content_hash bytea NOT NULL,
       content jsonb NOT NULL,
       status text NOT NULL DEFAULT 'QUEUED'
         CHECK (status IN ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED')),
       from_at timestamptz NOT NULL,
       to_at timestamptz NOT NULL,
       total bigint,
       done bigint NOT NULL DEFAULT 0,
       checkpoint jsonb,
       report jsonb,
       failure_code text,
       requested_by text NOT NULL,
       cancel_requested_by text,
       attempts integer NOT NULL DEFAULT 0,
       fence integer NOT NULL DEFAULT 0,
       lease_until timestamptz NOT NULL DEFAULT clock_timestamp(),
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT backtests_range CHECK (to_at > from_at),
       CONSTRAINT backtests_report CHECK ((status = 'FINISHED') = (report IS NOT NULL))
     )`,
    `CREATE INDEX backtests_of ON backtests (organisation_id, ruleset_key, ruleset_version, id)`,
    `CREATE INDEX backtests_open ON backtests (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
    // A publication refers to a finished back-test.
    `CREATE FUNCTION refuse_backtest_change() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.status NOT IN ('QUEUED', 'RUNNING') OR NEW.content_hash <> OLD.content_hash
          OR NEW.content <> OLD.content THEN
         RAISE EXCEPTION 'an ended back-test is never changed' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER backtests_frozen BEFORE UPDATE ON backtests
       FOR EACH ROW EXECUTE FUNCTION refuse_backtest_change()`,
    `CREATE TRIGGER backtests_kept BEFORE DELETE ON backtests FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    // The last time that each rule with a cooldown counted.
    `CREATE TABLE rule_cooldowns (
       organisation_id uuid NOT NULL,
       ruleset_key text NOT NULL,
       rule_key text NOT NULL,
       customer_key bytea NOT NULL,
       counted_at timestamptz NOT NULL,
       transaction_ref uuid NOT NULL,
       PRIMARY KEY (organisation_id, customer_key, ruleset_key, rule_key)
     ) WITH (fillfactor = 80)`,
    `CREATE TABLE custom_field_schemas (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       version integer NOT NULL CHECK (version > 0),
       fields jsonb NOT NULL,
       content_hash bytea NOT NULL,
       created_by text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT custom_field_schemas_version UNIQUE (organisation_id, version)
     )`,
    ...appendOnly('custom_field_schemas'),
    `CREATE TRIGGER custom_field_schemas_epoch AFTER INSERT ON custom_field_schemas
       FOR EACH ROW EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TABLE custom_field_backfills (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       schema_version integer NOT NULL,
       fields integer[] NOT NULL CHECK (cardinality(fields) > 0),
       status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED')),
       begins_at timestamptz NOT NULL,
       done bigint NOT NULL DEFAULT 0,
       filled bigint NOT NULL DEFAULT 0,
       unreadable bigint NOT NULL DEFAULT 0,
       total bigint,
       after uuid,
       until uuid,
       attempts integer NOT NULL DEFAULT 0,
       fence integer NOT NULL DEFAULT 0,
       lease_until timestamptz NOT NULL DEFAULT now(),
       failure_code text,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       started_at timestamptz,
       finished_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT custom_field_backfills_finished CHECK ((status IN ('FINISHED', 'FAILED')) = (finished_at IS NOT NULL))
     )`,
    `CREATE INDEX custom_field_backfills_open ON custom_field_backfills (lease_until) WHERE status IN ('QUEUED', 'RUNNING')`,
    `CREATE TRIGGER custom_field_backfills_epoch AFTER INSERT OR UPDATE OF status ON custom_field_backfills
       FOR EACH ROW WHEN (NEW.status IN ('QUEUED', 'FINISHED')) EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TABLE aggregate_reaches (
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       log text NOT NULL CHECK (log IN ('customer', 'device', 'ip', 'counterparty', 'account', 'card', 'custom')),
       minutes integer NOT NULL CHECK (minutes > 0),
       PRIMARY KEY (organisation_id, log)
     )`,
    ...protect('rules', 'rulesets', 'rule_snoozes', 'ruleset_epochs', 'backtests', 'rule_cooldowns'),
    ...protect('custom_field_schemas', 'custom_field_backfills', 'aggregate_reaches'),
    `GRANT SELECT, INSERT ON custom_field_schemas TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON rules, rulesets, rule_snoozes, ruleset_epochs, backtests, rule_cooldowns, custom_field_backfills,
       aggregate_reaches TO vigia_app`,
  ];
}
