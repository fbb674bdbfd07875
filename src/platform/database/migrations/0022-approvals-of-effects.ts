import { approved } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const RANK = (row: string): string => `array_position(ARRAY['LOW', 'MEDIUM', 'HIGH'], ${row}.risk_level)`;

/** The effects that need an approved request, table by table. */
export class ApprovalsOfEffects1764000000022 extends SqlMigration {
  override readonly name = 'ApprovalsOfEffects1764000000022';
  protected override readonly statements = [
    ...approved('screening_hits', {
      name: 'approved',
      acts: ['hit.decide'],
      // A hit that was joined with another one has the disposition of that one.
      when: `NEW.mandatory AND NEW.decided_as IS NULL AND NEW.status IN ('CONFIRMED', 'DISMISSED_FALSE_POSITIVE')
        AND OLD.status IS DISTINCT FROM NEW.status`,
      columns: { status: 'disposition' },
    }),
    ...approved('rule_snoozes', {
      name: 'approved',
      acts: ['rule.snooze'],
      on: 'INSERT',
      when: 'true',
      columns: { ruleset_key: 'ruleset', rule_key: 'rule', ends_at: 'endsAt' },
    }),
    ...approved('rule_snoozes', {
      name: 'not_extended',
      acts: ['rule.snooze'],
      when: `NEW.ends_at > OLD.ends_at OR (OLD.lifted_at IS NOT NULL AND NEW.lifted_at IS NULL)
        OR (OLD.ruleset_key, OLD.rule_key) IS DISTINCT FROM (NEW.ruleset_key, NEW.rule_key)`,
      columns: { ruleset_key: 'ruleset', rule_key: 'rule', ends_at: 'endsAt' },
    }),
    ...approved('screening_lists', {
      name: 'approved',
      acts: ['list.change'],
      when: `(OLD.evidence_threshold, OLD.mandatory_threshold, OLD.stale_after_days, OLD.archived_at, OLD.kind)
        IS DISTINCT FROM (NEW.evidence_threshold, NEW.mandatory_threshold, NEW.stale_after_days, NEW.archived_at, NEW.kind)`,
      columns: {
        evidence_threshold: 'evidenceThreshold',
        mandatory_threshold: 'mandatoryThreshold',
        stale_after_days: 'staleAfterDays',
        kind: 'kind',
      },
    }),
    ...approved('screening_snapshots', {
      name: 'approved',
      acts: ['list.import'],
      when: `OLD.status = 'AWAITING_CONFIRMATION' AND NEW.status = 'PUBLISHED'`,
    }),
    ...approved('customers', {
      name: 'risk_approved',
      acts: ['customer.lower_risk'],
      when: `OLD.risk_level IS NOT NULL
        AND (NEW.risk_level IS NULL OR ${RANK('NEW')} < ${RANK('OLD')})`,
      columns: { risk_level: 'riskLevel' },
    }),
    ...approved('customers', {
      name: 'hold_approved',
      acts: ['customer.lift_legal_hold'],
      when: 'OLD.legal_hold_at IS NOT NULL AND NEW.legal_hold_at IS NULL',
    }),
    ...approved('customers', {
      name: 'erasure_approved',
      acts: ['customer.erase'],
      // A record that was merged is erased with the one that it was merged into.
      id: 'merged_into,id',
      when: 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
    }),
    // The approval says who the two people are.
    `ALTER TABLE dead_letter_discards DROP CONSTRAINT dead_letter_discards_four_eyes`,
    ...approved('dead_letter_discards', {
      name: 'approved',
      acts: ['dead_letter.discard'],
      on: 'INSERT OR UPDATE',
      when: `NEW.status = 'APPROVED'`,
    }),
    `CREATE FUNCTION require_discard() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM approvals a
         JOIN dead_letter_discards d ON d.id::text = a.subject_id AND d.organisation_id = a.organisation_id
         WHERE a.organisation_id = NEW.organisation_id AND a.act = 'dead_letter.discard'
           AND a.applied_in = pg_current_xact_id()::text AND NEW.transaction_ref = ANY (d.transaction_refs)) THEN
         RAISE EXCEPTION 'a transaction is discarded without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER kyt_work_discard_approved AFTER UPDATE OF discarded_at ON kyt_work
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (current_user = 'vigia_app' AND OLD.discarded_at IS NULL AND NEW.discarded_at IS NOT NULL)
       EXECUTE FUNCTION require_discard()`,
  ];
}
