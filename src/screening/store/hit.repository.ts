import { Injectable } from '@nestjs/common';
import { sqlArray, UnitOfWork, type Reader, type Tx } from '../../database/index.js';
import type { Disposition, HitStatus } from '../domain/hit.js';
import type { ListKind } from '../domain/list-entry.js';
import type { HitRow } from '../domain/records.js';
import type { PartyRole } from '../domain/party.js';
import type { Qualifier, Strength } from '../domain/qualify.js';

/** What names a hit: the person, the list, and what the list calls the entry. */
export interface HitName {
  readonly subjectIndex: Buffer;
  readonly listId: string;
  readonly entryKey: string;
}

export interface KnownHit extends HitName {
  readonly id: string;
  readonly status: HitStatus;
  readonly entryHash: string;
  readonly mandatory: boolean;
}

/** A hit that holds whatever its person does, also where the person is not named. */
export interface StandingHit {
  readonly hitId: string;
  /** Nobody has decided about it yet. */
  readonly pending: boolean;
  readonly subjectIndex: Buffer;
  readonly listKey: string;
  readonly listKind: ListKind;
  readonly strength: Strength;
  readonly nameScore: number;
  readonly qualifiers: readonly Qualifier[];
}

export interface FoundHit extends HitName {
  readonly id: string;
  readonly customerId: string | null;
  readonly transactionRef: string | null;
  readonly role: PartyRole;
  readonly entryId: string;
  readonly entryHash: string;
  readonly snapshotId: string;
  readonly scorerVersion: string;
  readonly score: number;
  readonly nameScore: number;
  readonly strength: Strength;
  readonly mandatory: boolean;
  readonly qualifiers: readonly Qualifier[];
  readonly sealedExplanation: Buffer;
}

const HIT = `h.id, h.organisation_id AS "organisationId", h.customer_id AS "customerId",
  h.transaction_ref AS "transactionRef", h.role, h.list_id AS "listId", l.key AS "listKey", l.kind AS "listKind",
  h.entry_key AS "entryKey", h.entry_id AS "entryId", encode(h.entry_hash, 'hex') AS "entryHash",
  h.snapshot_id AS "snapshotId", h.scorer_version AS "scorerVersion", h.score::float8 AS score,
  h.name_score::float8 AS "nameScore", h.strength, h.mandatory, h.qualifiers,
  h.sealed_explanation AS "sealedExplanation", h.status, h.reopened, h.decided_by AS "decidedBy",
  h.decided_at AS "decidedAt", h.decided_as AS "decidedAs", h.justification, h.created_at AS "createdAt", h.last_seen_at AS "lastSeenAt"`;
const FROM = 'FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id';

export interface HitFilter {
  readonly status?: HitStatus | undefined;
  readonly mandatory?: boolean | undefined;
  readonly listId?: string | undefined;
  readonly customerId?: string | undefined;
}

/** Hits, one for each person and entry. */
@Injectable()
export class HitRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async known(organisationId: string, names: readonly HitName[]): Promise<KnownHit[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT h.id, h.subject_index AS "subjectIndex", h.list_id AS "listId", h.entry_key AS "entryKey", h.status,
                encode(h.entry_hash, 'hex') AS "entryHash", h.mandatory
         FROM unnest($2::bytea[], $3::uuid[], $4::text[]) AS n (subject_index, list_id, entry_key)
         JOIN screening_hits h ON h.organisation_id = $1 AND h.subject_index = n.subject_index
           AND h.list_id = n.list_id AND h.entry_key = n.entry_key`,
        [
          organisationId,
          sqlArray.bytes(names.map(({ subjectIndex }) => subjectIndex)),
          sqlArray.plain(names.map(({ listId }) => listId)),
          sqlArray.text(names.map(({ entryKey }) => entryKey)),
        ],
      ),
    );
  }

  /** Inserts hits and returns the ids of those that nobody else has inserted meanwhile. */
  async insert(tx: Tx, organisationId: string, hits: readonly FoundHit[]): Promise<Set<string>> {
    const rows: { id: string }[] = await tx.query(
      `INSERT INTO screening_hits
         (id, organisation_id, subject_index, customer_id, transaction_ref, role, list_id, entry_key, entry_id, entry_hash,
          snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed_explanation)
       SELECT s.id, $2, s.subject_index, s.customer_id, s.transaction_ref, s.role, s.list_id, s.entry_key, s.entry_id,
              s.entry_hash, s.snapshot_id, s.scorer_version, s.score, s.name_score, s.strength, s.mandatory,
              string_to_array(s.qualifiers, ','), s.sealed
       FROM unnest($1::uuid[], $3::bytea[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::uuid[],
                   $10::bytea[], $11::uuid[], $12::text[], $13::float8[], $14::float8[], $15::text[], $16::boolean[],
                   $17::text[], $18::bytea[])
         AS s (id, subject_index, customer_id, transaction_ref, role, list_id, entry_key, entry_id, entry_hash,
               snapshot_id, scorer_version, score, name_score, strength, mandatory, qualifiers, sealed)
       ORDER BY s.subject_index, s.list_id, s.entry_key
       ON CONFLICT ON CONSTRAINT screening_hits_once_race DO NOTHING RETURNING id`,
      [
        sqlArray.plain(hits.map(({ id }) => id)),
        organisationId,
        sqlArray.bytes(hits.map(({ subjectIndex }) => subjectIndex)),
        sqlArray.plain(hits.map(({ customerId }) => customerId)),
        sqlArray.plain(hits.map(({ transactionRef }) => transactionRef)),
        sqlArray.text(hits.map(({ role }) => role)),
        sqlArray.plain(hits.map(({ listId }) => listId)),
        sqlArray.text(hits.map(({ entryKey }) => entryKey)),
        sqlArray.plain(hits.map(({ entryId }) => entryId)),
        sqlArray.bytes(hits.map(({ entryHash }) => Buffer.from(entryHash, 'hex'))),
        sqlArray.plain(hits.map(({ snapshotId }) => snapshotId)),
        sqlArray.text(hits.map(({ scorerVersion }) => scorerVersion)),
        sqlArray.plain(hits.map(({ score }) => score)),
        sqlArray.plain(hits.map(({ nameScore }) => nameScore)),
        sqlArray.text(hits.map(({ strength }) => strength)),
        sqlArray.plain(hits.map(({ mandatory }) => mandatory)),
        sqlArray.text(hits.map(({ qualifiers }) => qualifiers.join(','))),
        sqlArray.bytes(hits.map(({ sealedExplanation }) => sealedExplanation)),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Lets a hit wait again because its entry says something else now; false when somebody else has. */
  async reopen(tx: Tx, organisationId: string, id: string, found: FoundHit): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE screening_hits SET status = 'PENDING', reopened = reopened + 1, decided_by = NULL, decided_at = NULL,
         decided_as = NULL, justification = NULL, entry_id = $3, entry_hash = $4, snapshot_id = $5, scorer_version = $6, score = $7,
         name_score = $8, strength = $9, mandatory = $10, qualifiers = $11, sealed_explanation = $12, role = $13,
         transaction_ref = coalesce($14, transaction_ref), customer_id = coalesce($15, customer_id),
         seen = seen + 1, last_seen_at = now()
       WHERE organisation_id = $1 AND id = $2 AND entry_hash <> $4 RETURNING id`,
      [
        organisationId,
        id,
        found.entryId,
        Buffer.from(found.entryHash, 'hex'),
        found.snapshotId,
        found.scorerVersion,
        found.score,
        found.nameScore,
        found.strength,
        found.mandatory,
        [...found.qualifiers],
        found.sealedExplanation,
        found.role,
        found.transactionRef,
        found.customerId,
      ],
    );
    return rows.length > 0;
  }

  /** The same person now with a fact that forces a decision, where before there was only a name. */
  async strengthen(tx: Tx, organisationId: string, id: string, found: FoundHit): Promise<void> {
    await tx.query(
      `UPDATE screening_hits SET mandatory = true, strength = $3, score = $4, qualifiers = $5, sealed_explanation = $6,
         last_seen_at = now()
       WHERE organisation_id = $1 AND id = $2 AND NOT mandatory`,
      [organisationId, id, found.strength, found.score, [...found.qualifiers], found.sealedExplanation],
    );
  }

  async decide(
    tx: Tx,
    organisationId: string,
    id: string,
    from: readonly HitStatus[],
    decision: { readonly status: Disposition; readonly by: string; readonly justification: Buffer },
  ): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE screening_hits SET status = $4, decided_by = $5, decided_at = now(), decided_as = NULL, justification = $6
       WHERE organisation_id = $1 AND id = $2 AND status = ANY ($3::text[]) RETURNING id`,
      [organisationId, id, [...from], decision.status, decision.by, decision.justification],
    );
    return rows.length > 0;
  }

  async find(organisationId: string, id: string): Promise<HitRow | null> {
    const rows: HitRow[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${HIT} ${FROM} WHERE h.organisation_id = $1 AND h.id = $2`, [organisationId, id]),
    );
    return rows[0] ?? null;
  }

  async byIds(organisationId: string, ids: readonly string[]): Promise<HitRow[]> {
    if (ids.length === 0) return [];
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${HIT} ${FROM} WHERE h.organisation_id = $1 AND h.id = ANY ($2::uuid[]) ORDER BY h.id`,
        [organisationId, sqlArray.plain(ids)],
      ),
    );
  }

  /** Notes that these hits have no transaction that would open a case for them. */
  async awaitCases(tx: Tx, organisationId: string, ids: readonly string[]): Promise<string[]> {
    const [rows]: [{ id: string }[], number] = await tx.query(
      `UPDATE screening_hits SET awaits_case = true
       WHERE organisation_id = $1 AND id = ANY ($2::uuid[]) AND mandatory AND status = 'PENDING' RETURNING id`,
      [organisationId, sqlArray.plain(ids)],
    );
    return rows.map(({ id }) => id);
  }

  /** Of these hits, those that still wait for a case, held for this transaction. */
  async lockAwaiting(tx: Tx, ids: readonly string[]): Promise<HitRow[]> {
    return tx.query(
      `SELECT ${HIT} ${FROM} WHERE h.id = ANY ($1::uuid[]) AND h.awaits_case ORDER BY h.id FOR UPDATE OF h`,
      [sqlArray.plain(ids)],
    );
  }

  async haveCases(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(`UPDATE screening_hits SET awaits_case = false WHERE id = ANY ($1::uuid[])`, [
      sqlArray.plain(ids),
    ]);
  }

  /** Whose hits these are. */
  async organisationsOf(db: Reader, ids: readonly string[]): Promise<string[]> {
    const rows: { organisation: string }[] = await db.query(
      `SELECT DISTINCT organisation_id AS organisation FROM screening_hits WHERE id = ANY ($1::uuid[]) AND awaits_case`,
      [sqlArray.plain(ids)],
    );
    return rows.map(({ organisation }) => organisation);
  }

  /** Hits that have waited for a case for so many seconds. */
  async awaiting(tx: Tx, olderThanSeconds: number): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(
      `SELECT id FROM screening_hits
       WHERE awaits_case AND last_seen_at < now() - make_interval(secs => $1) ORDER BY id LIMIT 1000`,
      [olderThanSeconds],
    );
    return rows.map(({ id }) => id);
  }

  async undecided(
    reader: Reader,
    organisationId: string,
    of: { readonly customerIds: readonly string[]; readonly hitIds: readonly string[] },
  ): Promise<string[]> {
    const rows: { id: string }[] = await reader.query(
      `SELECT id FROM screening_hits
       WHERE organisation_id = $1 AND mandatory AND status = 'PENDING'
         AND (id = ANY ($2::uuid[]) OR customer_id = ANY ($3::uuid[])) ORDER BY id`,
      [organisationId, sqlArray.plain(of.hitIds), sqlArray.plain(of.customerIds)],
    );
    return rows.map(({ id }) => id);
  }

  async page(
    organisationId: string,
    filter: HitFilter,
    before: string | null,
    limit: number,
  ): Promise<HitRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${HIT} ${FROM}
         WHERE h.organisation_id = $1 AND ($2::uuid IS NULL OR h.id < $2) AND ($3::text IS NULL OR h.status = $3)
           AND ($4::boolean IS NULL OR h.mandatory = $4) AND ($5::uuid IS NULL OR h.list_id = $5)
           AND ($6::uuid IS NULL OR h.customer_id = $6)
         ORDER BY h.id DESC LIMIT $7`,
        [
          organisationId,
          before,
          filter.status ?? null,
          filter.mandatory ?? null,
          filter.listId ?? null,
          filter.customerId ?? null,
          limit + 1,
        ],
      ),
    );
  }

  /** Hits about these people that force a decision and were not dismissed. */
  async standing(organisationId: string, subjects: readonly Buffer[]): Promise<StandingHit[]> {
    if (subjects.length === 0) return [];
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT h.id AS "hitId", h.subject_index AS "subjectIndex", l.key AS "listKey", l.kind AS "listKind", h.strength,
                h.name_score::float8 AS "nameScore", h.qualifiers, h.status = 'PENDING' AS pending
         ${FROM} WHERE h.organisation_id = $1 AND h.subject_index = ANY ($2::bytea[]) AND h.mandatory
           AND h.status <> 'DISMISSED_FALSE_POSITIVE' AND l.archived_at IS NULL`,
        [organisationId, sqlArray.bytes(subjects)],
      ),
    );
  }
}
