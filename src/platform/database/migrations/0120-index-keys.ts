import { withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The keys of the blind indexes, sealed under INDEX_KEY, and what was stored under each but the newest.
 *
 * - `index_keys`: made at the first start; an installation that stored something before has INDEX_KEY itself as its first
 *   one, which the next start seals. `sealed_by` tells under which INDEX_KEY all of them are.
 * - `known_indexes`: the first four bytes of each index that was stored under a key, in order; `reached` is the last
 *   transaction of a part.
 */
export class IndexKeys1764000000120 extends SqlMigration {
  override readonly name = 'IndexKeys1764000000120';
  protected override readonly statements = [
    `CREATE TABLE index_keys (
       number smallint PRIMARY KEY CHECK (number > 0),
       sealed bytea,
       sealed_by text,
       made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       CHECK ((sealed IS NULL) = (sealed_by IS NULL))
     )`,
    `CREATE TABLE known_indexes (
       key_number smallint NOT NULL REFERENCES index_keys (number),
       part integer NOT NULL,
       beginnings bytea NOT NULL CHECK (length(beginnings) % 4 = 0),
       reached uuid,
       PRIMARY KEY (key_number, part)
     )`,
    ...withoutOrganisation('index_keys', 'the keys of the blind indexes of all, sealed under INDEX_KEY'),
    ...withoutOrganisation(
      'known_indexes',
      'beginnings of blind indexes, which name nobody and no organisation',
    ),
    `GRANT SELECT, INSERT, UPDATE ON index_keys TO vigia_app`,
    `GRANT SELECT, INSERT ON known_indexes TO vigia_app`,
    `INSERT INTO index_keys (number) SELECT 1 WHERE EXISTS (SELECT FROM subject_keys)`,
  ];
}
