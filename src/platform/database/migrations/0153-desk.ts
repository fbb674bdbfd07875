import { SqlMigration } from './sql-migration.js';

/**
 * Indexes over the few among the many, for lists of operators: nothing is added to what a transaction writes.
 *
 * - Deliveries that failed. Their status is in no index: a claim changes it in place.
 * - Events of other types than the two of every transaction, in the order of the feed.
 * - Leaves about other subjects than transactions, deliveries, states and accesses, in the order of the log; and entries of
 *   rare actions. `log.queries.ts` has the same names.
 */
export class Desk1764000000153 extends SqlMigration {
  override readonly name = 'Desk1764000000153';
  protected override readonly statements = [
    `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, id)
       WHERE finished_at IS NOT NULL AND last_error IS NOT NULL`,
    `CREATE INDEX events_other ON events (client_app_id, type, position, id)
       WHERE type NOT IN ('kyt.transaction.queued', 'kyt.transaction.pipeline.completed')`,
    `CREATE INDEX audit_leaves_other ON audit_leaves (organisation_id, leaf_index)
       WHERE subject_type NOT IN ('transaction', 'delivery', 'state', 'access')`,
    `CREATE INDEX audit_leaves_other_subject ON audit_leaves (organisation_id, subject_type, leaf_index)
       WHERE subject_type NOT IN ('transaction', 'delivery', 'state', 'access')`,
    `CREATE INDEX audit_entries_rare ON audit_entries (organisation_id, action, subject_id)
       WHERE action IN ('transaction.decided', 'transaction.dead_lettered', 'transaction.replayed', 'transaction.discarded',
         'transaction.conflict_refused', 'transaction.late_noted', 'state.altered', 'delivery.exhausted',
         'delivery.cancelled', 'delivery.retried', 'delivery.recovered')`,
  ];
}
