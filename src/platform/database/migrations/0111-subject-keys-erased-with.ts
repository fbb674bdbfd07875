import { SqlMigration } from './sql-migration.js';

/**
 * With whose erasure a key goes: the customer whose `customer.erased` entry names it. A key that is gone and that no entry
 * names was destroyed by somebody else.
 */
export class SubjectKeysErasedWith1764000000111 extends SqlMigration {
  override readonly name = 'SubjectKeysErasedWith1764000000111';
  protected override readonly statements = [`ALTER TABLE subject_keys ADD COLUMN erased_with uuid`];
}
