import { SqlMigration } from './sql-migration.js';

/** Lets the service forget what receivers answered once thirty days are over; the attempts stay. */
export class WebhookAttemptsAnswers1764000000181 extends SqlMigration {
  override readonly name = 'WebhookAttemptsAnswers1764000000181';
  protected override readonly statements = [
    `CREATE INDEX webhook_attempts_answers ON webhook_attempts (started_at) WHERE response_excerpt IS NOT NULL`,
    `GRANT UPDATE (response_excerpt) ON webhook_attempts TO vigia_app`,
  ];
}
