import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import {
  column,
  execute,
  lockRow,
  properties,
  selectColumnsExcept,
  sqlArray,
  statement,
  unnested,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { newUuid, orThrow } from '../../../platform/kernel/index.js';
import type { HitStatus } from '../domain/hit.js';
import { SCORER_VERSION } from '../domain/names/pair-scorer.js';
import type { Match } from '../domain/party.js';
import type { HitRow } from '../domain/records.js';
import { ScreeningHitEntity, ScreeningListEntity } from './entities.js';

/** The natural key of a hit: the person, the list, and the list's own key of the entry. */
export type HitKey = Readonly<
  Pick<ScreeningHitEntity, 'subjectIndex' | 'listId' | 'entryKey' | 'forCustomerId'>
>;

export interface FoundHit {
  readonly id: string;
  readonly entryKey: string;
  readonly match: Match;
  readonly snapshotId: string;
  readonly sealedExplanation: Buffer;
}

const STORED_HIT = selectColumnsExcept(
  ScreeningHitEntity,
  'h',
  'subjectIndex',
  'entryHash',
  'score',
  'nameScore',
  'seen',
  'awaitsCase',
);
const HIT = `${STORED_HIT.sql}, l.key AS "listKey", l.kind AS "listKind", encode(h.entry_hash, 'hex') AS "entryHash",
  h.score::float8 AS score, h.name_score::float8 AS "nameScore"`;
const HIT_SHAPE = {
  ...STORED_HIT.shape,
  listKey: column(ScreeningListEntity, 'key'),
  listKind: column(ScreeningListEntity, 'kind'),
  entryHash: 'text',
  score: 'float8',
  nameScore: 'float8',
} as const;
const ID = properties(ScreeningHitEntity, 'id');
const FROM = 'FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id';

/** A transaction that passes because its hit is dismissed. */
export interface HitUse {
  readonly hitId: string;
  readonly transactionRef: string;
}

export interface HitFilter {
  readonly status?: HitStatus | undefined;
  readonly mandatory?: boolean | undefined;
  readonly listId?: string | undefined;
  readonly customerId?: string | undefined;
  /** The customer whose transaction names the person. */
  readonly forCustomerId?: string | undefined;
}

const COUNT_OPEN = statement(
  'screening.count-open-hits',
  `SELECT count(*)::int AS open FROM (SELECT FROM screening_hits
     WHERE organisation_id = $1 AND status IN ('PENDING', 'ESCALATED') LIMIT $2) h`,
  { open: 'integer' },
);

const NAMES = unnested<HitKey>(
  { bytea: ['subjectIndex'], uuid: ['listId'], text: ['entryKey'] },
  { uuid: ['forCustomerId'] },
);
const FIND_KNOWN_HITS = statement(
  'screening.known-hits',
  `SELECT h.id, h.subject_index AS "subjectIndex", h.list_id AS "listId", h.entry_key AS "entryKey", h.status,
            encode(h.entry_hash, 'hex') AS "entryHash", h.mandatory, h.for_customer_id AS "forCustomerId",
            h.expires_at AS "expiresAt", h.single_control AS "singleControl"
     FROM ${NAMES.from(2, 'n')}
     JOIN screening_hits h ON h.organisation_id = $1 AND h.subject_index = n.subject_index
       AND h.list_id = n.list_id AND h.entry_key = n.entry_key AND h.for_customer_id IS NOT DISTINCT FROM n.for_customer_id`,
  {
    ...properties(ScreeningHitEntity, 'id', 'subjectIndex', 'listId', 'entryKey', 'status', 'mandatory'),
    ...properties(ScreeningHitEntity, 'forCustomerId', 'expiresAt', 'singleControl'),
    entryHash: 'text',
  },
);

const NEW = unnested<FoundHit>(
  { uuid: ['id'], bytea: { subjectIndex: ({ match }) => match.party.subject.index } },
  { uuid: ['match.party.customerId', 'match.party.transactionRef'], text: ['match.party.role'] },
  { uuid: { listId: 'match.list.id' }, text: ['entryKey'] },
  { uuid: ['match.entryId'], bytea: { entryHash: ({ match }) => Buffer.from(match.entryHash, 'hex') } },
  { uuid: ['snapshotId'], text: { scorerVersion: () => SCORER_VERSION } },
  { float8: ['match.score', 'match.nameScore'], text: ['match.strength'], boolean: ['match.mandatory'] },
  { codes: ['match.qualifiers'], bytea: ['sealedExplanation'] },
  { uuid: { forCustomerId: ({ match }) => match.party.forCustomerId ?? null } },
);
const INSERT = statement(
  'screening.insert-hits',
  `INSERT INTO screening_hits (organisation_id, ${NEW.columns}) SELECT $1, ${NEW.read} FROM ${NEW.from(2)}
   ORDER BY s.subject_index, s.list_id, s.entry_key
   ON CONFLICT ON CONSTRAINT screening_hits_once_race DO NOTHING RETURNING id`,
  ID,
);

const REOPEN = statement(
  'screening.reopen-hit',
  `UPDATE screening_hits SET status = 'PENDING', reopened = reopened + 1, decided_by = NULL, decided_at = NULL,
     decided_as = NULL, justification = NULL, expires_at = NULL, single_control = false, entry_id = $3, entry_hash = $4, snapshot_id = $5, scorer_version = $6, score = $7,
     name_score = $8, strength = $9, mandatory = $10, qualifiers = $11, sealed_explanation = $12, role = $13,
     transaction_ref = coalesce($14, transaction_ref), customer_id = coalesce($15, customer_id),
     seen = seen + 1, last_seen_at = now()
   WHERE organisation_id = $1 AND id = $2 AND (entry_hash <> $4 OR expires_at <= $16
     OR ($10 AND NOT mandatory AND status IN ('CONFIRMED', 'DISMISSED_FALSE_POSITIVE'))) RETURNING id`,
  ID,
);

const STRENGTHEN = statement(
  'screening.strengthen-hit',
  `UPDATE screening_hits SET mandatory = true, strength = $3, score = $4, qualifiers = $5, sealed_explanation = $6,
     last_seen_at = now()
   WHERE organisation_id = $1 AND id = $2 AND NOT mandatory`,
);

const FIND_HITS_BY_ID = statement(
  'screening.hits-by-id',
  `SELECT ${HIT} ${FROM} WHERE h.organisation_id = $1 AND h.id = ANY ($2::uuid[]) ORDER BY h.id`,
  HIT_SHAPE,
);

const LOCK_HITS_AWAITING_CASE = statement(
  'screening.lock-awaiting-hits',
  `SELECT ${HIT} ${FROM} WHERE h.id = ANY ($1::uuid[]) AND h.awaits_case ORDER BY h.id FOR UPDATE OF h`,
  HIT_SHAPE,
);

const PAGE = statement(
  'screening.hit-page',
  `SELECT ${HIT} ${FROM}
     WHERE h.organisation_id = $1 AND ($2::uuid IS NULL OR h.id < $2) AND ($3::text IS NULL OR h.status = $3)
       AND ($4::boolean IS NULL OR h.mandatory = $4) AND ($5::uuid IS NULL OR h.list_id = $5)
       AND ($6::uuid IS NULL OR h.customer_id = $6) AND ($8::uuid IS NULL OR h.for_customer_id = $8)
     ORDER BY h.id DESC LIMIT $7`,
  HIT_SHAPE,
);

const CURRENT = statement(
  'screening.current-hits',
  `SELECT h.id AS "hitId", h.subject_index AS "subjectIndex", l.key AS "listKey", l.kind AS "listKind", h.strength,
            h.name_score::float8 AS "nameScore", h.qualifiers, h.status, h.expires_at AS "expiresAt",
            h.single_control AS "singleControl"
     ${FROM} WHERE h.organisation_id = $1 AND h.subject_index = ANY ($2::bytea[]) AND h.mandatory
       AND (h.for_customer_id IS NULL OR h.status = 'CONFIRMED') AND l.archived_at IS NULL`,
  {
    ...properties(ScreeningHitEntity, 'subjectIndex', 'strength', 'qualifiers'),
    hitId: column(ScreeningHitEntity, 'id'),
    listKey: column(ScreeningListEntity, 'key'),
    listKind: column(ScreeningListEntity, 'kind'),
    ...properties(ScreeningHitEntity, 'status', 'expiresAt', 'singleControl'),
    nameScore: 'float8',
  },
);

/** FOR SHARE: a concurrent reversal of the dismissal waits for this use, or this statement sees the reversal. */
const NOTE_USES = statement(
  'screening.note-hit-uses',
  `WITH standing AS (
     SELECT h.id FROM screening_hits h
     WHERE h.organisation_id = $1 AND h.id = ANY ($3::uuid[]) AND h.status = 'DISMISSED_FALSE_POSITIVE'
     ORDER BY h.id FOR SHARE),
   noted AS (
     INSERT INTO hit_uses (id, organisation_id, hit_id, transaction_ref)
     SELECT u.id, $1, u.hit_id, u.transaction_ref
     FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS u (id, hit_id, transaction_ref)
     JOIN standing s ON s.id = u.hit_id ORDER BY u.hit_id, u.transaction_ref
     ON CONFLICT ON CONSTRAINT hit_uses_once_race
       DO UPDATE SET used_at = clock_timestamp(), reopened_at = NULL, judged_at = NULL)
   SELECT id FROM standing`,
  ID,
);

export type KnownHit = Rows<typeof FIND_KNOWN_HITS>;

/** The columns of a hit whose disposition no longer applies. */
export const REOPENED = {
  status: 'PENDING',
  decidedBy: null,
  decidedAt: null,
  decidedAs: null,
  justification: null,
  expiresAt: null,
  singleControl: false,
  reopened: () => 'reopened + 1',
} as const;

/** A mandatory hit of a person. It also counts in transactions that do not name the person. */
export type CurrentHit = Rows<typeof CURRENT>;

/** Stores hits, one for each person and entry. */
@Injectable()
export class HitRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async findKnown(organisationId: string, names: readonly HitKey[]): Promise<KnownHit[]> {
    return this.uow.rows(organisationId, FIND_KNOWN_HITS, [organisationId, ...NAMES.arrays(names)]);
  }

  /** Inserts hits. Returns the ids of inserted hits; hits that another process inserted first are not among them. */
  async insert(tx: Tx, organisationId: string, hits: readonly FoundHit[]): Promise<Set<string>> {
    const rows = await execute(tx, INSERT, [organisationId, ...NEW.arrays(hits)]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Reopens a hit whose entry changed, dismissal expired, or decision became mandatory. False if already reopened. */
  async reopen(tx: Tx, organisationId: string, found: FoundHit, at: Date): Promise<boolean> {
    const { match } = found;
    const rows = await execute(tx, REOPEN, [
      organisationId,
      found.id,
      match.entryId,
      Buffer.from(match.entryHash, 'hex'),
      found.snapshotId,
      SCORER_VERSION,
      match.score,
      match.nameScore,
      match.strength,
      match.mandatory,
      [...match.qualifiers],
      found.sealedExplanation,
      match.party.role,
      match.party.transactionRef,
      match.party.customerId,
      at,
    ]);
    return rows.length > 0;
  }

  /** Makes a hit mandatory: a new fact about its person agrees, and not only the name. */
  async makeMandatory(tx: Tx, organisationId: string, found: FoundHit): Promise<void> {
    const { strength, score, qualifiers } = found.match;
    await execute(tx, STRENGTHEN, [
      organisationId,
      found.id,
      strength,
      score,
      [...qualifiers],
      found.sealedExplanation,
    ]);
  }

  /** Records which transactions the dismissals of hits clear. Returns the hits that are still dismissed. */
  async recordUses(tx: Tx, organisationId: string, used: readonly HitUse[]): Promise<ReadonlySet<string>> {
    // A party can match an entry twice.
    const once = [...new Map(used.map((use) => [`${use.hitId}|${use.transactionRef}`, use])).values()];
    const reusedHits = await execute(tx, NOTE_USES, [
      organisationId,
      sqlArray.plain(once.map(() => newUuid())),
      sqlArray.plain(once.map(({ hitId }) => hitId)),
      sqlArray.plain(once.map(({ transactionRef }) => transactionRef)),
    ]);
    return new Set(reusedHits.map(({ id }) => id));
  }

  /** Reopens hits whose dismissal has expired. Returns the ids of the hits that this call reopened. */
  async reopenExpired(tx: Tx, organisationId: string, ids: readonly string[], at: Date): Promise<string[]> {
    const updated = await tx
      .createQueryBuilder()
      .update(ScreeningHitEntity)
      .set(REOPENED)
      .where({ organisationId, id: In([...ids]), expiresAt: LessThanOrEqual(at) })
      .returning('id')
      .execute();
    return (updated.raw as { id: string }[]).map(({ id }) => id);
  }

  /** Returns the hits with these ids; ids of another organisation are left out. */
  async findByIds(organisationId: string, ids: readonly string[]): Promise<HitRow[]> {
    if (ids.length === 0) return [];
    return this.uow.rows(organisationId, FIND_HITS_BY_ID, [organisationId, sqlArray.plain(ids)]);
  }

  /** Marks hits as waiting for a case, because no transaction opens one for them. */
  async markAwaitingCase(tx: Tx, organisationId: string, ids: readonly string[]): Promise<string[]> {
    const updated = await tx
      .createQueryBuilder()
      .update(ScreeningHitEntity)
      .set({ awaitsCase: true })
      .where({ organisationId, id: In([...ids]), mandatory: true, status: 'PENDING' })
      .returning('id')
      .execute();
    return (updated.raw as { id: string }[]).map(({ id }) => id);
  }

  /** Returns and locks the hits that still wait for a case. */
  async lockAwaiting(tx: Tx, ids: readonly string[]): Promise<HitRow[]> {
    return execute(tx, LOCK_HITS_AWAITING_CASE, [sqlArray.plain(ids)]);
  }

  async countOpen(organisationId: string, most: number): Promise<number> {
    const [counted] = await this.uow.rows(organisationId, COUNT_OPEN, [organisationId, most]);
    return counted?.open ?? 0;
  }

  async page(
    organisationId: string,
    filter: HitFilter,
    before: string | null,
    limit: number,
  ): Promise<HitRow[]> {
    return this.uow.rows(organisationId, PAGE, [
      organisationId,
      before,
      filter.status ?? null,
      filter.mandatory ?? null,
      filter.listId ?? null,
      filter.customerId ?? null,
      limit + 1,
      filter.forCustomerId ?? null,
    ]);
  }

  /** Returns the mandatory hits about these people, dismissed ones included. */
  async currentHits(organisationId: string, subjects: readonly Buffer[]): Promise<CurrentHit[]> {
    if (subjects.length === 0) return [];
    return this.uow.rows(organisationId, CURRENT, [organisationId, sqlArray.bytes(subjects)]);
  }
}

export const lockHit = async (tx: Tx, organisationId: string, id: string): Promise<ScreeningHitEntity> =>
  orThrow(await lockRow(tx, ScreeningHitEntity, { organisationId, id }), 'HIT_NOT_FOUND');
