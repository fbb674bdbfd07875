import { SqlMigration } from './sql-migration.js';

/** Cases about people: one for each customer and theme takes the alerts that come, until a decision is proposed. */
export class ReviewsOfPeople1764000000026 extends SqlMigration {
  override readonly name = 'ReviewsOfPeople1764000000026';
  protected override readonly statements = [
    `ALTER TABLE reviews
       ADD COLUMN theme text CHECK (theme IN ('SCREENING', 'STRUCTURING', 'ACCOUNT_TAKEOVER', 'FRAUD', 'GEOGRAPHY',
         'CUSTOMER', 'IDENTITY', 'DATA_GAP', 'OTHER')),
       ADD COLUMN points integer NOT NULL DEFAULT 0,
       ADD COLUMN collects boolean NOT NULL DEFAULT false`,
    `UPDATE reviews SET points = coalesce(risk_score, 0), theme = CASE kind
       WHEN 'HIT' THEN 'SCREENING' WHEN 'SESSION' THEN 'IDENTITY' WHEN 'DATA_GAP' THEN 'DATA_GAP' ELSE 'OTHER' END`,
    `ALTER TABLE reviews ALTER COLUMN theme SET NOT NULL`,
    `DROP INDEX reviews_data_gap_race`,
    // A name that ends in _race: the writer planned with a state that is no longer so, and plans again.
    `CREATE UNIQUE INDEX reviews_collecting_race ON reviews (organisation_id, customer_id, theme) WHERE collects`,
    `ALTER TABLE reviews ADD CONSTRAINT reviews_collects CHECK (NOT collects OR
       (customer_id IS NOT NULL AND moved_from IS NULL AND status IN ('OPEN', 'IN_ANALYSIS', 'AWAITING_INFO')))`,
    // RELATED: belongs to what the case tells, and its decision does not change it.
    `ALTER TABLE review_transactions DROP CONSTRAINT review_transactions_origin_check, ADD CONSTRAINT
       review_transactions_origin_check CHECK (origin IN ('EVALUATION', 'OPERATOR', 'REOPENED', 'RELATED'))`,
    // An alert stays in its case.
    `CREATE POLICY only_related ON review_transactions AS RESTRICTIVE FOR DELETE USING (origin = 'RELATED')`,
    `GRANT DELETE ON review_transactions TO vigia_app`,
  ];
}
