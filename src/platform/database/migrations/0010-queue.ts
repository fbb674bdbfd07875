import { withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';

/**
 * The outbox: references to queue jobs, written in the transaction that needs the job and deleted when the queue has
 * it.
 */
export class Queue1765000000010 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE outbox (
       id uuid PRIMARY KEY,
       queue text NOT NULL,
       payload jsonb NOT NULL,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
    `CREATE TABLE queue_epoch (
       singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
       epoch text NOT NULL,
       set_at timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
    ...withoutOrganisation(
      'outbox',
      'references of queued work, deleted within milliseconds, read by the relay of all',
    ),
    ...withoutOrganisation('queue_epoch', 'one value: which filling of the queue is the present one'),
    `GRANT SELECT, INSERT, UPDATE ON queue_epoch TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO vigia_app`,
  ];
}
