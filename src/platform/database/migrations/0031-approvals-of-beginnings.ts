import { SqlMigration } from './sql-migration.js';

const SERVICE = `current_user = 'vigia_app'`;

/** Refuses a row of the service that begins as something that only an approved request makes of it. */
const begins = (table: string, name: string, when: string): string =>
  `CREATE TRIGGER ${table}_${name} BEFORE INSERT ON ${table} FOR EACH ROW
     WHEN (${SERVICE} AND ${when}) EXECUTE FUNCTION refuse_beginning()`;

/** Narrows what the service may change to these columns, so that what was asked for is what takes effect. */
const changes = (table: string, ...columns: string[]): string[] => [
  `REVOKE UPDATE ON ${table} FROM vigia_app`,
  `GRANT UPDATE (${columns.join(', ')}) ON ${table} TO vigia_app`,
];

/**
 * Another way in is closed to what nobody does alone: no row begins as what two people make of it, what a request is about
 * stays as it was asked for, and a transaction gets the outcome of a case by that case alone.
 */
export class ApprovalsOfBeginnings1764000000031 extends SqlMigration {
  override readonly name = 'ApprovalsOfBeginnings1764000000031';
  protected override readonly statements = [
    `CREATE FUNCTION refuse_beginning() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'a row of % begins as a request', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
     END $$`,
    begins('reviews', 'begin_open', `NEW.status IN ('PENDING_APPROVAL', 'CLOSED')`),
    begins('coaf_communications', 'begin_drafted', `NEW.status <> 'DRAFT'`),
    begins('audit_repairs', 'begin_requested', `NEW.status <> 'REQUESTED'`),
    begins('audit_reincarnations', 'begin_requested', `NEW.status <> 'REQUESTED'`),
    begins('screening_snapshots', 'begin_reading', `NEW.status <> 'READING'`),
    ...changes('audit_repairs', 'status', 'decided_by', 'decided_at'),
    ...changes('audit_reincarnations', 'status', 'approved_by', 'approved_at'),
    ...changes('dead_letter_discards', 'status', 'discarded', 'decided_by', 'decided_at'),
    // Whether this transaction has an entry about the subject by the service itself, and not by an operator.
    `CREATE FUNCTION by_system(organisation uuid, kind text, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = organisation
         AND e.subject_type = kind AND e.subject_id = subject::text AND e.xmin = pg_current_xact_id()::xid
         AND starts_with(convert_from(e.canonical, 'UTF8')::json ->> 'actor', 'system:'))
     $$`,
    // The rulesets of the product begin as published, by whoever runs the command line.
    `CREATE FUNCTION require_seed() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT by_system(NEW.organisation_id, 'ruleset', NEW.id) THEN
         RAISE EXCEPTION 'a ruleset begins as a draft' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER rulesets_seeded AFTER INSERT ON rulesets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (${SERVICE} AND NEW.status <> 'DRAFT') EXECUTE FUNCTION require_seed()`,
    // An account stays of the person, or of the machine, for whom it was made.
    `CREATE FUNCTION refuse_other_identity() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'an account is not given to somebody else' USING ERRCODE = 'restrict_violation';
     END $$`,
    `CREATE TRIGGER operators_identity BEFORE UPDATE ON operators FOR EACH ROW WHEN (${SERVICE}
         AND ((OLD.kind, OLD.email) IS DISTINCT FROM (NEW.kind, NEW.email)
           OR (OLD.oidc_subject IS NOT NULL
             AND (OLD.oidc_issuer, OLD.oidc_subject) IS DISTINCT FROM (NEW.oidc_issuer, NEW.oidc_subject))))
       EXECUTE FUNCTION refuse_other_identity()`,
    // When a transaction came to a case the database says: a decision is about those that were there when it was proposed.
    `CREATE FUNCTION time_of_link() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.linked_at := clock_timestamp();
       RETURN NEW;
     END $$`,
    `CREATE TRIGGER review_transactions_timed BEFORE INSERT ON review_transactions FOR EACH ROW
       WHEN (${SERVICE}) EXECUTE FUNCTION time_of_link()`,
    `CREATE FUNCTION require_decided_case() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM reviews r
         JOIN review_transactions l ON l.review_id = r.id AND l.organisation_id = r.organisation_id
         JOIN approvals a ON a.id = r.approval_id AND a.organisation_id = r.organisation_id
         WHERE r.organisation_id = NEW.organisation_id AND r.id = NEW.review_id AND r.status = 'CLOSED'
           AND r.single_control = NEW.single_control AND r.closed_at = NEW.decided_at
           AND (r.resolution = 'REJECTED') = (NEW.outcome = 'REJECTED')
           AND a.act = 'case.close' AND a.status = 'APPLIED'
           AND l.transaction_ref = NEW.transaction_ref AND l.origin <> 'RELATED' AND l.linked_at <= a.asked_at) THEN
         RAISE EXCEPTION 'a transaction is decided without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER kyt_decisions_approved AFTER INSERT ON kyt_decisions DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW WHEN (${SERVICE}) EXECUTE FUNCTION require_decided_case()`,
    // A dead letter is queued again or stays, discarded or not; it does not go.
    `CREATE FUNCTION refuse_loss() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'a dead letter does not go' USING ERRCODE = 'restrict_violation';
     END $$`,
    `CREATE TRIGGER kyt_work_dead_kept BEFORE DELETE ON kyt_work FOR EACH ROW
       WHEN (${SERVICE} AND OLD.status = 'DEAD_LETTERED') EXECUTE FUNCTION refuse_loss()`,
    `CREATE TRIGGER kyt_work_dead_queued BEFORE UPDATE OF status ON kyt_work FOR EACH ROW
       WHEN (${SERVICE} AND OLD.status = 'DEAD_LETTERED' AND NEW.status NOT IN ('DEAD_LETTERED', 'QUEUED'))
       EXECUTE FUNCTION refuse_loss()`,
  ];
}
