import { SqlMigration } from './sql-migration.js';

/**
 * Columns for the inputs that an application has said not to send, and whether one person alone approved it. Processes learn of it with the
 * rulesets, by the epoch.
 */
export class ClientAppsInputs1765000000047 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE client_apps
       ADD COLUMN without_inputs text[] NOT NULL DEFAULT '{}'
         CHECK (without_inputs <@ ARRAY['DICT', 'DEVICE', 'PROFILE', 'COUNTERPARTY_DOCUMENT']),
       ADD COLUMN inputs_single_control boolean NOT NULL DEFAULT false`,
    `CREATE TRIGGER client_apps_epoch_inserted AFTER INSERT ON client_apps
       FOR EACH ROW WHEN (NEW.without_inputs <> '{}') EXECUTE FUNCTION advance_ruleset_epoch()`,
    `CREATE TRIGGER client_apps_epoch AFTER UPDATE OF without_inputs, inputs_single_control ON client_apps
       FOR EACH ROW WHEN ((OLD.without_inputs, OLD.inputs_single_control)
         IS DISTINCT FROM (NEW.without_inputs, NEW.inputs_single_control))
       EXECUTE FUNCTION advance_ruleset_epoch()`,
  ];
}
