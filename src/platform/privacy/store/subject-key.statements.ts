import {
  columns,
  execute,
  prepared,
  properties,
  selectColumns,
  sqlArray,
  statement,
  unnested,
  type Reader,
  type Rows,
  type UnitOfWork,
} from '../../database/index.js';
import { SubjectKeyEntity } from './entities.js';

/** A person of an organisation, by blind index: the subject of the data key that encrypts the person's data. */
export interface SubjectRef {
  readonly organisationId: string;
  readonly index: Buffer;
}

/** A stored data key, encrypted under the key that its organisation derives from a ring key. */
export type WrappedKey = Pick<SubjectKeyEntity, 'id' | 'organisationId' | 'ringKeyId' | 'wrappedKey'>;

export type KeyRow = Rows<typeof FIND_KEYS_BY_ID>;

const KEY_COLUMNS = selectColumns(
  SubjectKeyEntity,
  'k',
  'id',
  'organisationId',
  'subjectIndex',
  'ringKeyId',
  'wrappedKey',
);

const FIND_KEYS_BY_ID = prepared(
  'subject-keys-by-id',
  `SELECT ${KEY_COLUMNS.sql} FROM subject_keys k
   WHERE k.id = ANY($1::uuid[]) AND k.wrapped_key IS NOT NULL AND k.erase_requested_at IS NULL`,
  KEY_COLUMNS.shape,
);

const FIND_KEYS_BY_SUBJECT = prepared(
  'subject-keys-by-subject',
  `SELECT ${KEY_COLUMNS.sql} FROM unnest($1::uuid[], $2::bytea[]) AS s (organisation_id, subject_index)
   JOIN subject_keys k ON k.organisation_id = s.organisation_id AND k.subject_index = s.subject_index
   WHERE k.erase_requested_at IS NULL AND k.wrapped_key IS NOT NULL`,
  KEY_COLUMNS.shape,
);

/** A new data key, wrapped under the ring key. */
interface NewKey {
  readonly id: string;
  readonly subject: SubjectRef;
  readonly wrapped: Buffer;
}

const NEW_KEYS = unnested<NewKey>(
  { uuid: ['id', 'subject.organisationId'] },
  { bytea: { subjectIndex: 'subject.index', wrappedKey: 'wrapped' } },
);
const CREATE = prepared(
  'subject-keys-create',
  `INSERT INTO subject_keys (id, organisation_id, subject_index, generation, ring_key_id, wrapped_key)
   SELECT s.id, s.organisation_id, s.subject_index,
          1 + coalesce((SELECT max(k.generation) FROM subject_keys k
                        WHERE k.organisation_id = s.organisation_id AND k.subject_index = s.subject_index), 0),
          $1, s.wrapped_key
   FROM ${NEW_KEYS.from(2)}
   ORDER BY s.organisation_id, s.subject_index
   ON CONFLICT ON CONSTRAINT subject_keys_subject DO NOTHING RETURNING id`,
  columns(SubjectKeyEntity, 'id'),
);

const COUNT_PER_RING_KEY = statement(
  'privacy.keys-per-ring-key',
  `SELECT ring_key_id AS "ringKeyId", count(*)::int AS count FROM subject_keys
   WHERE wrapped_key IS NOT NULL GROUP BY 1`,
  { ...properties(SubjectKeyEntity, 'ringKeyId'), count: 'integer' },
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
  execute(db, FIND_KEYS_BY_ID, [sqlArray.uuids(ids)]);

export const keysOfSubjects = (db: Reader, subjects: readonly SubjectRef[]): Promise<KeyRow[]> =>
  execute(db, FIND_KEYS_BY_SUBJECT, [
    sqlArray.plain(subjects.map(({ organisationId }) => organisationId)),
    sqlArray.bytes(subjects.map(({ index }) => index)),
  ]);

/** Stores a key for each subject; returns the stored ids, without subjects for which another process was faster. */
export const storeNewKeys = (
  uow: UnitOfWork,
  keys: readonly NewKey[],
  ringKeyId: string,
): Promise<Rows<typeof CREATE>[]> =>
  uow.write(
    keys.map(({ subject }) => subject.organisationId),
    CREATE,
    [ringKeyId, ...NEW_KEYS.arrays(keys)],
  );

export const keysPerRingKey = (db: Reader): Promise<Rows<typeof COUNT_PER_RING_KEY>[]> =>
  execute(db, COUNT_PER_RING_KEY, []);

/** Stores rewrapped keys, except those changed since they were read; returns the stored ids. */
export const storeRewrapped = (
  uow: UnitOfWork,
  rows: readonly WrappedKey[],
  wrapped: readonly Buffer[],
  ringKeyId: string,
): Promise<Rows<typeof REWRAP>[]> =>
  uow.write(
    rows.map((row) => row.organisationId),
    REWRAP,
    [
      sqlArray.plain(rows.map((row) => row.id)),
      sqlArray.text(rows.map((row) => row.ringKeyId)),
      sqlArray.bytes(wrapped),
      ringKeyId,
    ],
  );
