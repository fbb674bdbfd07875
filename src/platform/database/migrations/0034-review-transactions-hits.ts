import { SERVICE } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

/**
 * `review_transactions.hit_ids`: the hits about the parties of a payment, as far as its evaluations and look-backs have
 * found them. A payment keeps them in whichever case it is, so that no decision releases it while one of them waits.
 */
export class ReviewTransactionsHits1765000000034 extends SqlMigration {
  protected override readonly statements = [
    `ALTER TABLE review_transactions ADD COLUMN hit_ids uuid[] NOT NULL DEFAULT '{}'`,
    // Nobody knows which hit of an earlier case is about which of its payments: each gets all of them, and those of the
    // cases that were split off.
    `UPDATE review_transactions l SET hit_ids = f.hits
     FROM (WITH RECURSIVE parts AS (
             SELECT id, id AS whole FROM reviews WHERE split_from IS NULL
             UNION ALL SELECT r.id, p.whole FROM parts p JOIN reviews r ON r.split_from = p.id)
           SELECT p.id, array_agg(DISTINCT h.hit_id) AS hits
           FROM parts p JOIN parts o ON o.whole = p.whole JOIN review_hits h ON h.review_id = o.id GROUP BY p.id) f
     WHERE l.review_id = f.id AND l.origin <> 'RELATED'`,
    `GRANT UPDATE (hit_ids) ON review_transactions TO vigia_app`,
    `CREATE FUNCTION keep_hits_of_payment() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT NEW.hit_ids @> OLD.hit_ids OR (to_jsonb(OLD) - 'hit_ids') <> (to_jsonb(NEW) - 'hit_ids') THEN
         RAISE EXCEPTION 'a payment of a case keeps its hits' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NEW;
     END $$`,
    `DROP TRIGGER review_transactions_moved ON review_transactions`,
    `CREATE TRIGGER review_transactions_moved BEFORE UPDATE ON review_transactions FOR EACH ROW
       WHEN (${SERVICE} AND OLD.hit_ids = NEW.hit_ids) EXECUTE FUNCTION move_between_cases()`,
    `CREATE TRIGGER review_transactions_hits BEFORE UPDATE ON review_transactions FOR EACH ROW
       WHEN (${SERVICE} AND OLD.hit_ids <> NEW.hit_ids) EXECUTE FUNCTION keep_hits_of_payment()`,
    `CREATE FUNCTION require_decided_hits() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF EXISTS (SELECT FROM review_transactions l
         JOIN screening_hits h ON h.organisation_id = l.organisation_id AND h.id = ANY (l.hit_ids)
         WHERE l.organisation_id = NEW.organisation_id AND l.transaction_ref = NEW.transaction_ref
           AND h.mandatory AND h.status = 'PENDING') THEN
         RAISE EXCEPTION 'a transaction is released while a hit about it is undecided' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER kyt_decisions_hits AFTER INSERT ON kyt_decisions DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE} AND NEW.outcome = 'APPROVED') EXECUTE FUNCTION require_decided_hits()`,
  ];
}
