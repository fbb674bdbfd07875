import { hkdfSync, randomBytes } from 'node:crypto';
import { SettingsError } from '../../config/index.js';
import { sqlStateOf, system, type UnitOfWork } from '../../database/index.js';
import { seal, unseal } from '../sealed.js';
import type { IndexKeyEntity } from '../store/entities.js';
import {
  FIRST_KEY,
  indexKeys,
  knownIndexes,
  storeAdoptedKey,
  storeFirstKey,
  type SealedIndexKey,
} from '../store/index-key.statements.js';
import { IndexPrefixFilter } from './index-prefix-filter.js';

const UNDEFINED_TABLE = '42P01';
const NO_ID = '00000000-0000-0000-0000-000000000000';

const deriveBytes = (secret: Buffer, salt: string, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, `vigia:${purpose}`, bytes));

/** Returns a check value that identifies an INDEX_KEY without revealing it. */
export const keyCheckValueOf = (indexKey: Buffer): string =>
  deriveBytes(indexKey, '', 'index-key-check', 8).toString('hex');

const contextOf = (number: number): string => `index_keys|${number}`;
const wrappingKeyOf = (indexKey: Buffer): { id: string; bytes: Buffer } => ({
  id: NO_ID,
  bytes: deriveBytes(indexKey, '', 'index-key-wrap'),
});

export const sealKey = (secret: Buffer, number: number, indexKey: Buffer): SealedIndexKey => ({
  number,
  sealed: seal(secret, wrappingKeyOf(indexKey), contextOf(number)),
});

/** One key for blind indexes. Each rotation of INDEX_KEY adds a key. */
export class IndexKey {
  private readonly derivedKeys = new Map<string, Buffer>();

  /** @param known the indexes stored under this key; null for the newest key, which indexes new values */
  constructor(
    readonly number: number,
    readonly secret: Buffer,
    private readonly knownIndexes: IndexPrefixFilter | null,
  ) {}

  /** Derives a key for one purpose (HKDF-SHA-256). With the organisation as salt, each organisation gets its own. */
  derive(purpose: string, salt = ''): Buffer {
    const name = `${purpose}:${salt}`;
    let key = this.derivedKeys.get(name);
    if (!key) this.derivedKeys.set(name, (key = deriveBytes(this.secret, salt, purpose)));
    return key;
  }

  /** True if a value may be stored under this index. A false positive is harmless (`IndexPrefixFilter`). */
  mayContain(index: Buffer): boolean {
    return this.knownIndexes === null || this.knownIndexes.has(index);
  }
}

/**
 * The keys for blind indexes. A value has exactly one index in all processes: under the older key if it was stored
 * under that, else under the newest. The keys are random and stored encrypted under INDEX_KEY, so that neither the
 * database nor INDEX_KEY alone reveals them.
 */
export class IndexKeys {
  readonly newest: IndexKey;

  /** @param keys the oldest first */
  constructor(readonly keys: readonly IndexKey[]) {
    const newest = keys.at(-1);
    if (!newest) throw new Error('there is no key for the blind indexes');
    this.newest = newest;
  }

  /** Loads the keys, or creates the first key. Throws SettingsError if another INDEX_KEY encrypts them. */
  static async load(uow: UnitOfWork, indexKey: Buffer): Promise<IndexKeys> {
    const rows = await readStoredKeys(uow, indexKey);
    const check = keyCheckValueOf(indexKey);
    if (rows.some(({ sealedBy }) => sealedBy !== check)) {
      throw new SettingsError([
        'INDEX_KEY is not the one that the indexes of this database are sealed under: nothing that is stored would be found',
      ]);
    }
    const keys: IndexKey[] = [];
    for (const { number, sealed } of rows) {
      if (sealed === null) throw new Error('a key of the blind indexes is not sealed');
      const parts =
        number === rows.at(-1)?.number
          ? null
          : await uow.read(system('privacy.index-keys'), (db) => knownIndexes(db, number));
      const filter = parts && new IndexPrefixFilter(parts.map(({ beginnings }) => beginnings));
      keys.push(new IndexKey(number, unseal(sealed, wrappingKeyOf(indexKey), contextOf(number)), filter));
    }
    return new IndexKeys(keys);
  }

  /** Returns the key under which a value is stored or would be stored, and its index under that key. */
  find(indexUnder: (key: IndexKey) => Buffer): { readonly key: IndexKey; readonly index: Buffer } {
    for (const key of this.keys) {
      const index = indexUnder(key);
      if (key.mayContain(index)) return { key, index };
    }
    throw new Error('the newest key has whatever is new');
  }
}

/** Returns the stored keys, all encrypted. Creates the first key if there is none. */
async function readStoredKeys(uow: UnitOfWork, indexKey: Buffer): Promise<readonly IndexKeyEntity[]> {
  const readKeys = (): Promise<IndexKeyEntity[]> => uow.read(system('privacy.index-keys'), indexKeys);
  const found = await readKeys().catch((error: unknown) => {
    if (sqlStateOf(error) !== UNDEFINED_TABLE) throw error;
    throw new SettingsError([
      'DATABASE_URL leads to a database without the migrations of this release: vigia migrate',
    ]);
  });
  const [first] = found;
  if (first?.sealed) return found;
  const check = keyCheckValueOf(indexKey);
  await uow.run(system('privacy.index-keys'), (tx) =>
    first
      ? storeAdoptedKey(tx, sealKey(indexKey, FIRST_KEY, indexKey).sealed, check)
      : storeFirstKey(tx, sealKey(randomBytes(32), FIRST_KEY, indexKey).sealed, check),
  );
  const storedKeys = await readKeys();
  if (storedKeys.length > 0) return storedKeys;
  throw new SettingsError([
    'DATABASE_URL leads to a database that has lost the keys of its indexes (table index_keys): put them back from a backup',
  ]);
}
