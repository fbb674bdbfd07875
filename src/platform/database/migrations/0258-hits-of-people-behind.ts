import { SqlMigration } from './sql-migration.js';

/** A hit may be about somebody who owns or represents a participant, as a submission names them. */
export class HitsOfPeopleBehind1764000000258 extends SqlMigration {
  override readonly name = 'HitsOfPeopleBehind1764000000258';
  protected override readonly statements = [
    `ALTER TABLE screening_hits DROP CONSTRAINT screening_hits_role_check, ADD CONSTRAINT screening_hits_role_check
       CHECK (role IN ('CUSTOMER', 'ORIGIN', 'DESTINATION', 'OWNER', 'REPRESENTATIVE'))`,
  ];
}
