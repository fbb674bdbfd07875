import { protect } from './protect.js';
import { SqlMigration } from './sql-migration.js';

const NEWEST = `SELECT t.review_id, t.transaction_ref, t.evaluation_version, e.risk_score,
    CASE WHEN k.currency = 'BRL' THEN round(k.amount * 100)::bigint END AS amount_cents,
    jsonb_path_query_array(e.receipt::jsonb, '$.reasons[*]') AS reasons
  FROM review_transactions t
  JOIN kyt_evaluations e USING (transaction_ref, evaluation_version)
  JOIN kyt_transactions k ON k.id = t.transaction_ref
  WHERE t.origin <> 'RELATED'`;

/**
 * The reasons, amount and countries of an alert stand with it, and those of its alerts with a case: a page of cases is read
 * without a transaction being opened.
 */
export class ReviewsAlerts1764000000070 extends SqlMigration {
  override readonly name = 'ReviewsAlerts1764000000070';
  protected override readonly statements = [
    `ALTER TABLE review_transactions
       ADD COLUMN points integer, ADD COLUMN amount_cents bigint, ADD COLUMN lead jsonb,
       ADD COLUMN rules text[] NOT NULL DEFAULT '{}', ADD COLUMN countries text[] NOT NULL DEFAULT '{}'`,
    `ALTER TABLE reviews ADD COLUMN amount_cents bigint, ADD COLUMN lead jsonb`,
    // Labels by which cases are found. Rows, because the policies allow no index over an array.
    `CREATE TABLE review_labels (
       review_id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       kind text NOT NULL CHECK (kind IN ('RULE', 'COUNTRY')),
       value text NOT NULL,
       PRIMARY KEY (review_id, kind, value, organisation_id),
       CONSTRAINT review_labels_race FOREIGN KEY (review_id, organisation_id) REFERENCES reviews
     )`,
    `CREATE INDEX review_labels_of ON review_labels (organisation_id, kind, value, review_id)`,
    ...protect('review_labels'),
    `GRANT SELECT, INSERT, DELETE ON review_labels TO vigia_app`,
    `UPDATE review_transactions t SET points = n.risk_score, amount_cents = n.amount_cents,
       rules = ARRAY(SELECT x ->> 'ruleId' FROM jsonb_array_elements(n.reasons) x ORDER BY 1),
       lead = (SELECT jsonb_build_object('code', x -> 'ruleId', 'points', x -> 'points', 'title', x -> 'name',
                 'text', x -> 'message')
               FROM jsonb_array_elements(n.reasons) x ORDER BY (x ->> 'points')::numeric DESC LIMIT 1)
     FROM (${NEWEST}) n
     WHERE (t.review_id, t.transaction_ref, t.evaluation_version)
       = (n.review_id, n.transaction_ref, n.evaluation_version)`,
    `UPDATE reviews r SET amount_cents = s.amount_cents, lead = s.lead
     FROM (SELECT review_id, sum(amount_cents)::bigint AS amount_cents,
             (array_agg(lead ORDER BY (lead ->> 'points')::numeric DESC NULLS LAST))[1] AS lead
           FROM (SELECT DISTINCT ON (review_id, transaction_ref) * FROM review_transactions
                 WHERE origin <> 'RELATED' ORDER BY review_id, transaction_ref, evaluation_version DESC) newest
           GROUP BY review_id) s
     WHERE r.id = s.review_id`,
    `INSERT INTO review_labels (review_id, organisation_id, kind, value)
     SELECT DISTINCT review_id, organisation_id, 'RULE', unnest(rules) FROM review_transactions`,
    // Open cases in each order in which they are listed: as large as the backlog, not as the history.
    `CREATE INDEX reviews_open_queue ON reviews (organisation_id, priority, due_at, id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_open_due ON reviews (organisation_id, due_at, id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_open_amount ON reviews (organisation_id, coalesce(amount_cents, -1), id)
       WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_open_points ON reviews (organisation_id, points, id) WHERE status <> 'CLOSED'`,
    `CREATE INDEX reviews_by_age ON reviews (organisation_id, id)`,
  ];
}
