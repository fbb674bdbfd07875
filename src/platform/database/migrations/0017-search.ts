import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * Finds customers by the words of their names without storing a word in clear text.
 *
 * - `name_words`: each word of a customer's name as a keyed hash. `words` is the number of words in the name, so that
 *   exact matches rank first.
 * - `name_keys`: the search keys of a word (its sound, its prefixes, the word without one letter), stored once per word
 *   for all customers.
 * - `name_changes`: customers whose profile changed after their words were written. A trigger fills it, so that every
 *   change of a profile is noticed.
 *
 * None of them has a foreign key to `customers`: a profile change locks the customer's row and waits for the writer of
 * the words, so that writer must not wait for the row. Rows of customers are never deleted.
 */
export class Search1765000000017 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE name_words (
       customer_id uuid NOT NULL,
       word bytea NOT NULL,
       words smallint NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       PRIMARY KEY (customer_id, word, organisation_id)
     )`,
    `CREATE INDEX name_words_found ON name_words (organisation_id, word, words, customer_id)`,
    `CREATE TABLE name_keys (
       key bytea NOT NULL,
       word bytea NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       PRIMARY KEY (key, word, organisation_id)
     )`,
    `CREATE INDEX name_keys_word ON name_keys (organisation_id, word)`,
    `CREATE TABLE name_changes (
       customer_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       PRIMARY KEY (customer_id, organisation_id)
     ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    ...protect('name_words', 'name_keys', 'name_changes'),
    `GRANT SELECT, INSERT, DELETE ON name_keys, name_changes TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON name_words TO vigia_app`,
    `CREATE FUNCTION note_new_names() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO name_changes (customer_id, organisation_id) SELECT id, organisation_id FROM added
       ON CONFLICT DO NOTHING;
       RETURN NULL;
     END $$`,
    `CREATE FUNCTION note_changed_name() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO name_changes (customer_id, organisation_id) VALUES (NEW.id, NEW.organisation_id)
       ON CONFLICT DO NOTHING;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER customers_new_names AFTER INSERT ON customers REFERENCING NEW TABLE AS added
       FOR EACH STATEMENT EXECUTE FUNCTION note_new_names()`,
    `CREATE TRIGGER customers_changed_name AFTER UPDATE OF sealed ON customers FOR EACH ROW
       WHEN (NEW.erased_at IS NULL AND OLD.sealed IS DISTINCT FROM NEW.sealed) EXECUTE FUNCTION note_changed_name()`,
  ];
}
