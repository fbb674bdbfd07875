import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const CLOSED = `('CONFIRMED', 'DISMISSED_FALSE_POSITIVE')`;

/**
 * Returns the function that guards hits. A later migration adds `reopens`, statements that return where a closed hit
 * may be opened, and `takenOver`, a condition for a disposition `o` that `NEW` takes over.
 */
export const guardHitMemory = ({ reopens = '', takenOver = '' } = {}): string =>
  `CREATE FUNCTION guard_hit_memory() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'INSERT' THEN
         IF NEW.status <> 'PENDING' THEN
           RAISE EXCEPTION 'a hit begins open' USING ERRCODE = 'restrict_violation';
         END IF;
         RETURN NULL;
       END IF;
       -- The entry says something else now, or the time of the memory is over.
       IF NEW.status = 'PENDING' AND (OLD.entry_hash <> NEW.entry_hash OR NOT OLD.mandatory
           OR OLD.status NOT IN ${CLOSED} OR OLD.expires_at <= clock_timestamp() + interval '1 minute') THEN
         RETURN NULL;
       END IF;
       IF OLD.mandatory AND NOT NEW.mandatory THEN
         RAISE EXCEPTION 'a hit that forces a decision does so until its entry changes' USING ERRCODE = 'restrict_violation';
       END IF;
       IF NOT NEW.mandatory THEN RETURN NULL; END IF;
       IF NEW.status NOT IN ${CLOSED} THEN
         IF OLD.status NOT IN ${CLOSED} OR NOT OLD.mandatory THEN RETURN NULL; END IF;
         -- A disposition is taken back; with it those that were taken over from it.
         IF EXISTS (SELECT FROM approvals a WHERE a.organisation_id = NEW.organisation_id AND a.act = 'hit.reopen'
             AND a.applied_in = pg_current_xact_id()::text AND a.subject_id IN (NEW.id::text, OLD.decided_as::text)) THEN
           RETURN NULL;
         END IF;
         -- Two records are one now: what was escalated for one of them is open for both.
         IF NEW.status = 'ESCALATED' AND NEW.decided_as IS NOT NULL THEN RETURN NULL; END IF;${reopens}
         RAISE EXCEPTION 'a disposition is taken back without an approved request' USING ERRCODE = 'restrict_violation';
       END IF;
       IF NEW.decided_as IS NOT NULL AND (OLD.status, OLD.decided_as) IS DISTINCT FROM (NEW.status, NEW.decided_as) THEN
         IF NOT EXISTS (SELECT FROM screening_hits o WHERE o.organisation_id = NEW.organisation_id AND o.id = NEW.decided_as
             AND o.id <> NEW.id AND (o.mandatory OR NEW.status = 'CONFIRMED') AND o.decided_as IS NULL AND o.status = NEW.status
             AND (o.list_id, o.entry_key, o.entry_hash, o.single_control) = (NEW.list_id, NEW.entry_key, NEW.entry_hash, NEW.single_control)
             AND o.expires_at IS NOT DISTINCT FROM NEW.expires_at
             AND o.for_customer_id IS NOT DISTINCT FROM NEW.for_customer_id${takenOver}
             AND EXISTS (SELECT FROM customers c WHERE c.organisation_id = NEW.organisation_id
               AND (c.id = o.customer_id OR c.subject_index = o.subject_index)
               AND (c.subject_index = NEW.subject_index OR c.id = NEW.customer_id OR EXISTS (SELECT FROM customers m
                 WHERE m.organisation_id = NEW.organisation_id AND m.id = NEW.customer_id AND m.merged_into = c.id)))) THEN
           RAISE EXCEPTION 'a disposition is taken over from no equal hit' USING ERRCODE = 'restrict_violation';
         END IF;
         RETURN NULL;
       END IF;
       IF OLD.status IS DISTINCT FROM NEW.status THEN
         -- That there is a request for this status another trigger has seen.
         IF NOT EXISTS (SELECT FROM approvals a WHERE a.organisation_id = NEW.organisation_id AND a.act = 'hit.decide'
             AND a.applied_in = pg_current_xact_id()::text AND a.subject_id = NEW.id::text
             AND a.single_control = NEW.single_control)
           OR NEW.expires_at > clock_timestamp() + interval '366 days' THEN
           RAISE EXCEPTION 'a memory is not what was approved' USING ERRCODE = 'restrict_violation';
         END IF;
         RETURN NULL;
       END IF;
       IF NOT OLD.mandatory OR NEW.expires_at > OLD.expires_at OR OLD.single_control > NEW.single_control
           OR (OLD.list_id, OLD.entry_key, OLD.entry_hash) IS DISTINCT FROM (NEW.list_id, NEW.entry_key, NEW.entry_hash)
           OR (OLD.decided_as IS NOT NULL AND NEW.decided_as IS NULL) THEN
         RAISE EXCEPTION 'a memory is not changed' USING ERRCODE = 'restrict_violation';
       END IF;
       -- It goes with its person: under the key by which the record is known now, or to the record that stays.
       IF OLD.subject_index <> NEW.subject_index AND NOT EXISTS (SELECT FROM customers c
           WHERE c.organisation_id = NEW.organisation_id AND c.id = NEW.customer_id AND c.subject_index = NEW.subject_index)
         OR OLD.for_customer_id IS DISTINCT FROM NEW.for_customer_id AND NOT EXISTS (SELECT FROM customers c
           WHERE c.organisation_id = NEW.organisation_id AND c.id = OLD.for_customer_id AND c.merged_into = NEW.for_customer_id) THEN
         RAISE EXCEPTION 'a memory stays with its person' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`;

/**
 * Hits with their dispositions, and freezes.
 *
 * A disposition by two people is remembered as a memory: for one counterparty, one customer who deals with it, and one
 * entry, until it expires. Each use is recorded, so that the transaction can be re-evaluated if the disposition is
 * revoked. A confirmed designation freezes the customer.
 */
export class ScreeningHits1765000000019 extends SqlMigration {
  protected override readonly statements = [
    // _race: the key to which a hit is moved may meet a hit that is just being stored; the writer then repeats its
    // work. awaits_case: a round over the customers found the hit, and it has no case yet. decided_as: the hit of the
    // same person whose disposition it took.
    `CREATE TABLE screening_hits (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       subject_index bytea NOT NULL,
       customer_id uuid,
       transaction_ref uuid,
       role text NOT NULL CHECK (role IN ('CUSTOMER', 'ORIGIN', 'DESTINATION', 'OWNER', 'REPRESENTATIVE')),
       list_id uuid NOT NULL,
       entry_key text NOT NULL,
       entry_id uuid NOT NULL,
       entry_hash bytea NOT NULL,
       snapshot_id uuid NOT NULL,
       scorer_version text NOT NULL,
       score real NOT NULL,
       name_score real NOT NULL,
       strength text NOT NULL CHECK (strength IN ('DOCUMENT', 'STRONG', 'NAME', 'CONTRADICTED')),
       mandatory boolean NOT NULL,
       qualifiers text[] NOT NULL,
       sealed_explanation bytea NOT NULL,
       status text NOT NULL DEFAULT 'PENDING'
         CHECK (status IN ('PENDING', 'CONFIRMED', 'DISMISSED_FALSE_POSITIVE', 'ESCALATED')),
       reopened integer NOT NULL DEFAULT 0,
       decided_by text,
       decided_at timestamptz,
       justification bytea,
       seen integer NOT NULL DEFAULT 1,
       created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       awaits_case boolean NOT NULL DEFAULT false,
       decided_as uuid,
       for_customer_id uuid,
       expires_at timestamptz,
       single_control boolean NOT NULL DEFAULT false,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers,
       FOREIGN KEY (list_id, organisation_id) REFERENCES screening_lists,
       FOREIGN KEY (decided_as, organisation_id) REFERENCES screening_hits,
       FOREIGN KEY (for_customer_id, organisation_id) REFERENCES customers,
       CONSTRAINT screening_hits_once_race
         UNIQUE NULLS NOT DISTINCT (organisation_id, subject_index, list_id, entry_key, for_customer_id),
       CONSTRAINT screening_hits_expire CHECK ((status = 'DISMISSED_FALSE_POSITIVE') = (expires_at IS NOT NULL))
     )`,
    `CREATE INDEX screening_hits_page ON screening_hits (organisation_id, id)`,
    `CREATE INDEX screening_hits_open ON screening_hits (organisation_id, status, mandatory, id)`,
    `CREATE INDEX screening_hits_customer ON screening_hits (organisation_id, customer_id, id)`,
    `CREATE INDEX screening_hits_awaiting ON screening_hits (id) WHERE awaits_case`,
    `CREATE INDEX screening_hits_expiring ON screening_hits (expires_at) WHERE expires_at IS NOT NULL`,
    `CREATE INDEX screening_hits_for_customer ON screening_hits (organisation_id, for_customer_id)
       WHERE for_customer_id IS NOT NULL`,
    // A hit is inserted as open. A mandatory hit is closed, reopened or moved only by an approved request, or together
    // with the hit or record that it depends on.
    guardHitMemory(),
    `CREATE CONSTRAINT TRIGGER screening_hits_memory AFTER INSERT OR UPDATE OF status, mandatory, entry_hash, entry_key,
       list_id, subject_index, for_customer_id, expires_at, single_control, decided_as ON screening_hits
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_user = 'vigia_app') EXECUTE FUNCTION guard_hit_memory()`,
    // Transactions that passed because of a memory.
    `CREATE TABLE hit_uses (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       hit_id uuid NOT NULL,
       transaction_ref uuid NOT NULL,
       used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       reopened_at timestamptz,
       judged_at timestamptz,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (hit_id, organisation_id) REFERENCES screening_hits,
       CONSTRAINT hit_uses_once_race UNIQUE (organisation_id, hit_id, transaction_ref)
     )`,
    `CREATE INDEX hit_uses_page ON hit_uses (organisation_id, hit_id, id)`,
    `CREATE INDEX hit_uses_open ON hit_uses (reopened_at) WHERE reopened_at IS NOT NULL AND judged_at IS NULL`,
    `CREATE TABLE freezes (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       hit_id uuid NOT NULL,
       customer_id uuid,
       subject_index bytea NOT NULL,
       frozen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       frozen_by text NOT NULL,
       lifted_at timestamptz,
       lifted_by text,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (hit_id, organisation_id) REFERENCES screening_hits,
       FOREIGN KEY (customer_id, organisation_id) REFERENCES customers
     )`,
    `CREATE UNIQUE INDEX freezes_standing_race ON freezes (organisation_id, hit_id) WHERE lifted_at IS NULL`,
    `CREATE INDEX freezes_page ON freezes (organisation_id, id)`,
    `CREATE FUNCTION guard_freeze() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF OLD.subject_index <> NEW.subject_index AND NOT EXISTS (SELECT FROM customers c
           WHERE c.organisation_id = NEW.organisation_id AND c.id = NEW.customer_id AND c.subject_index = NEW.subject_index)
         OR OLD.customer_id IS DISTINCT FROM NEW.customer_id AND NOT EXISTS (SELECT FROM customers c
           WHERE c.organisation_id = NEW.organisation_id AND c.id = OLD.customer_id AND c.merged_into = NEW.customer_id) THEN
         RAISE EXCEPTION 'a freeze stays with its person' USING ERRCODE = 'restrict_violation';
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE CONSTRAINT TRIGGER freezes_stay AFTER UPDATE OF subject_index, customer_id ON freezes
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (current_user = 'vigia_app') EXECUTE FUNCTION guard_freeze()`,
    // Notices of a freeze: recipient, time, sender and reference.
    `CREATE TABLE freeze_notices (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       freeze_id uuid NOT NULL,
       told text NOT NULL CHECK (told IN ('MJSP', 'COAF', 'BCB', 'CVM', 'SUSEP', 'COURT', 'OTHER')),
       reference text NOT NULL,
       told_at timestamptz NOT NULL,
       told_by text NOT NULL,
       noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (freeze_id, organisation_id) REFERENCES freezes
     )`,
    `CREATE INDEX freeze_notices_freeze ON freeze_notices (organisation_id, freeze_id, id)`,
    ...appendOnly('freeze_notices'),
    ...protect('screening_hits', 'hit_uses', 'freezes', 'freeze_notices'),
    `GRANT SELECT, INSERT, UPDATE ON screening_hits TO vigia_app`,
    `GRANT SELECT, INSERT ON hit_uses, freezes, freeze_notices TO vigia_app`,
    `GRANT UPDATE (reopened_at, judged_at, used_at) ON hit_uses TO vigia_app`,
    `GRANT UPDATE (lifted_at, lifted_by, subject_index, customer_id) ON freezes TO vigia_app`,
  ];
}
