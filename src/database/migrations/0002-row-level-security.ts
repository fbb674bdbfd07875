import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protect, protectThrough, withoutOrganisation } from './protect.js';

/**
 * The second wall between organisations: a connection sees and writes only the rows of the organisations in its
 * setting `vigia.organisations`, or all of them with `vigia.system` set to a reason.
 */
export class RowLevelSecurity1763600000002 implements MigrationInterface {
  name = 'RowLevelSecurity1763600000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Row-level security is not taken away again.');
  }
}

const statements = [
  ...protect('organisations', 'id'),
  ...[
    'client_apps',
    'subject_keys',
    'audit_entries',
    'events',
    'webhook_endpoints',
    'webhook_deliveries',
    'rulesets',
    'kyt_transactions',
    'kyt_work',
    'kyt_evaluations',
  ].flatMap((table) => protect(table)),
  ...protectThrough('client_secrets', 'client_apps', 'client_app_id'),
  ...protectThrough('webhook_attempts', 'webhook_deliveries', 'delivery_id'),
  ...withoutOrganisation(
    'outbox',
    'references of queued work, deleted within milliseconds, read by the relay of all',
  ),
  ...withoutOrganisation('queue_epoch', 'one value: which filling of the queue is the present one'),
  ...withoutOrganisation('schema_migrations', 'the names of the migrations that have run'),
];
