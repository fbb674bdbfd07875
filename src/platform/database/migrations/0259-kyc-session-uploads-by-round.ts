import { SqlMigration } from './sql-migration.js';

/** A file may be sent once more in each round of a session, so an artifact has a row for each of them. */
export class KycSessionUploadsByRound1764000000259 extends SqlMigration {
  override readonly name = 'KycSessionUploadsByRound1764000000259';
  protected override readonly statements = [`DROP INDEX kyc_session_uploads_once`];
}
