import { SqlMigration } from './sql-migration.js';

/** `client_app.grant`: two people, or the command line, let further addresses use an application with `customers:write`. */
export class ClientAppsAddressesByTwo1765000000042 extends SqlMigration {
  protected override readonly statements = [
    `CREATE FUNCTION lets_more_in(before text[], after text[]) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
       SELECT cardinality(before) > 0 AND (cardinality(after) = 0 OR EXISTS (
         SELECT FROM unnest(after) AS a (block)
         WHERE NOT EXISTS (SELECT FROM unnest(before) AS b (block) WHERE a.block::inet <<= b.block::inet)))
     $$`,
  ];
}
