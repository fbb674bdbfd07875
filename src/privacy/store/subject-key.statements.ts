import { IsNull, MoreThanOrEqual, Not } from 'typeorm';
import {
  column,
  columns,
  execute,
  prepared,
  present,
  properties,
  sqlArray,
  statement,
  type Reader,
  type Rows,
  type Tx,
  type UnitOfWork,
} from '../../database/index.js';
import { SubjectKeyEntity } from './entities/subject-key.entity.js';

/** Whom a data key protects: a person (by blind index) of an organisation. */
export interface SubjectRef {
  readonly organisationId: string;
  readonly index: Buffer;
}

export type KeyRow = Rows<typeof BY_ID>;

/** A key that was not destroyed. */
export type HeldKey = Rows<typeof OUTDATED>;

/** A data key whose erasure was requested. */
export interface ErasedKey {
  readonly keyId: string;
  readonly subject: SubjectRef;
}

const HELD = {
  ...columns(SubjectKeyEntity, 'id', 'organisationId', 'ringKeyId'),
  wrapped_key: present(column(SubjectKeyEntity, 'wrappedKey')),
};

const BY_ID = prepared(
  'subject-keys-by-id',
  `SELECT id, organisation_id, subject_index, ring_key_id, wrapped_key FROM subject_keys
   WHERE id = ANY($1::uuid[]) AND wrapped_key IS NOT NULL AND erase_requested_at IS NULL`,
  { ...HELD, ...columns(SubjectKeyEntity, 'subjectIndex') },
);

const BY_SUBJECT = prepared(
  'subject-keys-by-subject',
  `SELECT k.id, k.organisation_id, k.subject_index, k.ring_key_id, k.wrapped_key
   FROM unnest($1::uuid[], $2::bytea[]) AS s (organisation_id, subject_index)
   JOIN subject_keys k ON k.organisation_id = s.organisation_id AND k.subject_index = s.subject_index
   WHERE k.erase_requested_at IS NULL AND k.wrapped_key IS NOT NULL`,
  { ...HELD, ...columns(SubjectKeyEntity, 'subjectIndex') },
);

const CREATE = prepared(
  'subject-keys-create',
  `INSERT INTO subject_keys (id, organisation_id, subject_index, generation, ring_key_id, wrapped_key)
   SELECT s.id, s.organisation_id, s.subject_index,
          1 + coalesce((SELECT max(k.generation) FROM subject_keys k
                        WHERE k.organisation_id = s.organisation_id AND k.subject_index = s.subject_index), 0),
          $4, s.wrapped_key
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $5::bytea[])
     AS s (id, organisation_id, subject_index, wrapped_key)
   ORDER BY s.organisation_id, s.subject_index
   ON CONFLICT ON CONSTRAINT subject_keys_subject DO NOTHING RETURNING id`,
  columns(SubjectKeyEntity, 'id'),
);

const ERASED_LATELY = statement(
  'privacy.erased-lately',
  `SELECT id, organisation_id AS "organisationId", subject_index AS "subjectIndex" FROM subject_keys
   WHERE erase_requested_at > now() - make_interval(secs => $1) AND destroyed_at IS NULL`,
  properties(SubjectKeyEntity, 'id', 'organisationId', 'subjectIndex'),
);

const DESTROY = statement(
  'privacy.destroy-requested',
  `UPDATE subject_keys SET wrapped_key = NULL, destroyed_at = now()
   WHERE destroyed_at IS NULL AND erase_requested_at < now() - make_interval(secs => $1) RETURNING id`,
  columns(SubjectKeyEntity, 'id'),
);

const PER_RING_KEY = statement(
  'privacy.keys-per-ring-key',
  `SELECT ring_key_id AS "ringKeyId", count(*)::int AS count FROM subject_keys
   WHERE wrapped_key IS NOT NULL GROUP BY 1`,
  { ...properties(SubjectKeyEntity, 'ringKeyId'), count: 'integer' },
);

const OUTDATED = statement(
  'privacy.outdated-keys',
  `SELECT id, organisation_id, ring_key_id, wrapped_key FROM subject_keys
   WHERE id > $1 AND ring_key_id <> $2 AND wrapped_key IS NOT NULL ORDER BY id LIMIT $3`,
  HELD,
);

const REWRAP = statement(
  'privacy.store-rewrapped-keys',
  `UPDATE subject_keys k SET ring_key_id = $4, wrapped_key = s.wrapped_key
   FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS s (id, ring_key_id, wrapped_key)
   WHERE k.id = s.id AND k.ring_key_id = s.ring_key_id AND k.wrapped_key IS NOT NULL
   RETURNING k.id`,
  columns(SubjectKeyEntity, 'id'),
);

export const keysById = (db: Reader, ids: readonly string[]): Promise<KeyRow[]> =>
  execute(db, BY_ID, [sqlArray.uuids(ids)]);

export const keysOfSubjects = (db: Reader, subjects: readonly SubjectRef[]): Promise<KeyRow[]> =>
  execute(db, BY_SUBJECT, [
    sqlArray.plain(subjects.map(({ organisationId }) => organisationId)),
    sqlArray.bytes(subjects.map(({ index }) => index)),
  ]);

/** Stores the next generation for each subject; returns the ids of those that nobody stored meanwhile. */
export const storeNewKeys = (
  uow: UnitOfWork,
  keys: readonly { readonly id: string; readonly subject: SubjectRef; readonly wrapped: Buffer }[],
  ringKeyId: string,
): Promise<Rows<typeof CREATE>[]> =>
  uow.write(
    keys.map(({ subject }) => subject.organisationId),
    CREATE,
    [
      sqlArray.plain(keys.map(({ id }) => id)),
      sqlArray.plain(keys.map(({ subject }) => subject.organisationId)),
      sqlArray.bytes(keys.map(({ subject }) => subject.index)),
      ringKeyId,
      sqlArray.bytes(keys.map(({ wrapped }) => wrapped)),
    ],
  );

export const requestErasure = (tx: Tx, { organisationId, index }: SubjectRef): Promise<unknown> =>
  tx.update(
    SubjectKeyEntity,
    { organisationId, subjectIndex: index, eraseRequestedAt: IsNull() },
    { eraseRequestedAt: () => 'now()' },
  );

export async function erasedLately(db: Reader, seconds: number): Promise<ErasedKey[]> {
  const rows = await execute(db, ERASED_LATELY, [seconds]);
  return rows.map(({ id, organisationId, subjectIndex }) => ({
    keyId: id,
    subject: { organisationId, index: subjectIndex },
  }));
}

/** Destroys the keys whose erasure was requested longer ago than this; returns how many. */
export const destroyRequested = async (tx: Tx, afterSeconds: number): Promise<number> =>
  (await execute(tx, DESTROY, [afterSeconds])).length;

export async function destroyedSince(db: Reader, since: Date): Promise<string[]> {
  const rows = await db.find(SubjectKeyEntity, {
    select: { id: true },
    where: { destroyedAt: MoreThanOrEqual(since) },
  });
  return rows.map(({ id }) => id);
}

/** How many data keys each ring key wraps. */
export const keysPerRingKey = (db: Reader): Promise<Rows<typeof PER_RING_KEY>[]> =>
  execute(db, PER_RING_KEY, []);

/** Up to `limit` keys behind this id that another ring key wraps. */
export const outdatedKeys = (
  db: Reader,
  after: string,
  ringKeyId: string,
  limit: number,
): Promise<HeldKey[]> => execute(db, OUTDATED, [after, ringKeyId, limit]);

export const countOutdated = (db: Reader, ringKeyId: string): Promise<number> =>
  db.countBy(SubjectKeyEntity, { ringKeyId: Not(ringKeyId), wrappedKey: Not(IsNull()) });

/** Stores keys wrapped anew, but for those that changed since they were read; returns the ids of the stored. */
export const storeRewrapped = (
  uow: UnitOfWork,
  rows: readonly HeldKey[],
  wrapped: readonly Buffer[],
  ringKeyId: string,
): Promise<Rows<typeof REWRAP>[]> =>
  uow.write(
    rows.map((row) => row.organisation_id),
    REWRAP,
    [
      sqlArray.plain(rows.map((row) => row.id)),
      sqlArray.text(rows.map((row) => row.ring_key_id)),
      sqlArray.bytes(wrapped),
      ringKeyId,
    ],
  );
