import type { Client } from 'pg';
import { execute, sqlArray, statement, type Reader, type Rows, type Tx } from '../../database/index.js';
import { IndexKeyEntity, KnownIndexEntity } from './entities.js';

/** The number of the first key of an installation. */
export const FIRST_KEY = 1;

const MAKE_FIRST_KEY = statement(
  'privacy.make-index-key',
  `INSERT INTO index_keys (number, sealed, sealed_by)
   SELECT ${FIRST_KEY}, $1::bytea, $2::text WHERE NOT EXISTS (SELECT FROM subject_keys) ON CONFLICT DO NOTHING`,
);

// An older installation has a key that is not encrypted yet.
const ADOPT = statement(
  'privacy.adopt-index-key',
  `UPDATE index_keys SET sealed = $1::bytea, sealed_by = $2::text WHERE number = ${FIRST_KEY} AND sealed IS NULL`,
);

const SEAL_ANEW = statement(
  'privacy.seal-index-keys',
  `UPDATE index_keys k SET sealed = s.sealed, sealed_by = $3::text
   FROM unnest($1::smallint[], $2::bytea[]) AS s (number, sealed) WHERE k.number = s.number`,
);

export interface SealedIndexKey {
  readonly number: number;
  readonly sealed: Buffer;
}

export const indexKeys = (db: Reader): Promise<IndexKeyEntity[]> =>
  db.find(IndexKeyEntity, { order: { number: 'ASC' } });

export const knownIndexes = (db: Reader, keyNumber: number): Promise<KnownIndexEntity[]> =>
  db.find(KnownIndexEntity, { where: { keyNumber }, order: { part: 'ASC' } });

/** Stores the first key, unless another process was faster or indexes exist already. */
export const storeFirstKey = (tx: Tx, sealed: Buffer, sealedBy: string): Promise<unknown> =>
  execute(tx, MAKE_FIRST_KEY, [sealed, sealedBy]);

export const storeAdoptedKey = (tx: Tx, sealed: Buffer, sealedBy: string): Promise<unknown> =>
  execute(tx, ADOPT, [sealed, sealedBy]);

export const storeReencrypted = (
  tx: Tx,
  keys: readonly SealedIndexKey[],
  sealedBy: string,
): Promise<unknown> =>
  execute(tx, SEAL_ANEW, [
    sqlArray.plain(keys.map(({ number }) => number)),
    sqlArray.bytes(keys.map(({ sealed }) => sealed)),
    sealedBy,
  ]);

const FIND_NEWEST_KEY = statement(
  'privacy.newest-index-key',
  'SELECT max(number)::int AS number FROM index_keys',
  {
    number: 'integer | null',
  },
);

/**
 * Throws unless `number` is the newest key in the database. A process that was disconnected during a rotation does not
 * know the new key.
 */
export async function requireNewest(client: Pick<Client, 'query'>, number: number): Promise<void> {
  // oxlint-disable-next-line house/no-bare-query -- the connection is not one of the pool yet
  const { rows } = await client.query<Rows<typeof FIND_NEWEST_KEY>>({ text: FIND_NEWEST_KEY.text });
  if (rows[0]?.number === number) return;
  const message = 'INDEX_KEY was rotated since this process began, which has to begin anew';
  throw Object.assign(new Error(message), { code: '57P03' });
}
