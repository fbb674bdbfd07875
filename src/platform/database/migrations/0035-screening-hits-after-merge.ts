import { guardHitMemory } from './0019-screening-hits.js';
import { SqlMigration } from './sql-migration.js';

/** Rows that another process wrote for a merged record follow within a minute. */
const LATELY = "clock_timestamp() - interval '5 minutes'";

/**
 * No dismissal is inherited: when two records become one, or a record gets another key, a dismissal is taken back
 * without a request, and none is taken over but one that is being approved.
 */
export class ScreeningHitsAfterMerge1765000000035 extends SqlMigration {
  protected override readonly statements = [
    guardHitMemory({
      reopens: `
         IF NEW.status = 'PENDING' AND OLD.status = 'DISMISSED_FALSE_POSITIVE' AND EXISTS (SELECT FROM customers c
             WHERE c.organisation_id = NEW.organisation_id
               AND (c.merged_at > ${LATELY} AND (c.merged_into IN (NEW.customer_id, NEW.for_customer_id) OR c.id = NEW.for_customer_id)
                 OR c.keys_changed_at > ${LATELY} AND c.id = NEW.customer_id)) THEN
           RETURN NULL;
         END IF;`,
      takenOver: `
             AND (o.status <> 'DISMISSED_FALSE_POSITIVE' OR EXISTS (SELECT FROM approvals a
               WHERE a.organisation_id = NEW.organisation_id AND a.act = 'hit.decide'
               AND a.applied_in = pg_current_xact_id()::text AND a.subject_id = o.id::text))`,
    }).replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'),
  ];
}
