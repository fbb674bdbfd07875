import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the key of a record changed (what every process looks for each second), and from which hit of the same person a
 * disposition was taken over.
 */
export class CustomerKeys1763600000140 implements MigrationInterface {
  name = 'CustomerKeys1763600000140';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}

const up = [
  `ALTER TABLE customers ADD COLUMN keys_changed_at timestamptz`,
  `CREATE INDEX customers_keys_changed ON customers (keys_changed_at) WHERE keys_changed_at IS NOT NULL`,
  `ALTER TABLE screening_hits ADD COLUMN decided_as uuid REFERENCES screening_hits (id)`,
  // Moving a hit under another key may meet one that is being stored: the work is then done again.
  `ALTER TABLE screening_hits RENAME CONSTRAINT screening_hits_once TO screening_hits_once_race`,
  // Of records that were merged, or got a document, before: what was decided stands under the key that is asked now.
  `UPDATE screening_hits h SET subject_index = one.subject_index
   FROM (SELECT DISTINCT ON (h.organisation_id, c.subject_index, h.list_id, h.entry_key) h.id, c.subject_index
         FROM screening_hits h JOIN customers c ON c.id = h.customer_id
         WHERE h.subject_index <> c.subject_index AND c.erased_at IS NULL
           AND NOT EXISTS (SELECT FROM screening_hits o
                           WHERE o.organisation_id = h.organisation_id AND o.subject_index = c.subject_index
                             AND o.list_id = h.list_id AND o.entry_key = h.entry_key)
         ORDER BY h.organisation_id, c.subject_index, h.list_id, h.entry_key,
                  array_position(ARRAY['CONFIRMED', 'ESCALATED', 'PENDING', 'DISMISSED_FALSE_POSITIVE'], h.status)) one
   WHERE h.id = one.id`,
];

// Hits stay under the key of the record that has them.
const down = [
  `ALTER TABLE screening_hits RENAME CONSTRAINT screening_hits_once_race TO screening_hits_once`,
  `ALTER TABLE screening_hits DROP COLUMN decided_as`,
  `DROP INDEX customers_keys_changed`,
  `ALTER TABLE customers DROP COLUMN keys_changed_at`,
];
