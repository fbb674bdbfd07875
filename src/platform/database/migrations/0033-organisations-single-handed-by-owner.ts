import { SqlMigration } from './sql-migration.js';

const REQUIRE_OWNER = 'FOR EACH ROW WHEN ($) EXECUTE FUNCTION require_owner()';

/**
 * `organisations.single_handed_at`: only whoever logs in as the owner of the schema sets it or takes it back, so that the
 * service does not release itself from the second person.
 */
export class OrganisationsSingleHandedByOwner1765000000033 extends SqlMigration {
  protected override readonly statements = [
    // By the login: the owner writes as vigia_app, so that all that binds the service binds the change.
    `CREATE FUNCTION require_owner() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
         RAISE EXCEPTION 'only the owner of the schema changes this in %', TG_TABLE_NAME
           USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER organisations_begins_by_owner BEFORE INSERT ON organisations
       ${REQUIRE_OWNER.replace('$', 'NEW.single_handed_at IS NOT NULL')}`,
    `CREATE TRIGGER organisations_by_owner BEFORE UPDATE ON organisations
       ${REQUIRE_OWNER.replace('$', 'OLD.single_handed_at IS DISTINCT FROM NEW.single_handed_at')}`,
  ];
}
