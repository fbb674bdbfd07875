import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, MoreThanOrEqual, Raw } from 'typeorm';
import { system, UnitOfWork, type Reader, type Tx } from '../database/index.js';
import { KeyRing } from './key-ring.js';
import type { DataKey } from './sealed.js';
import { SubjectKeyEntity } from './store/entities.js';
import { keysById, keysOfSubjects, storeNewKeys, type SubjectRef } from './store/subject-key.statements.js';
import { newDataKey, unwrap, wrap } from './wrapped-key.js';

export type { SubjectRef };

/** A data key whose erasure was requested. */
interface ErasedKey {
  readonly keyId: string;
  readonly subject: SubjectRef;
}

/** A stored key without its bytes. */
export interface StoredSubjectKey {
  readonly id: string;
  /** The erased customer; null if none. */
  readonly erasedWith: string | null;
  readonly isErased: boolean;
  /** True if the key ring can decrypt the key. */
  readonly opens: boolean;
}

interface CachedKey {
  readonly key: DataKey;
  readonly readAt: number;
}

// A cached key may be used this long after it was read or after the last lookup of erasures (`ErasureWatch`), so that
// no process uses an erased key for longer.
const CACHE_MS = 30_000;
// After a longer gap between two lookups an erasure may have been missed, so the whole cache is dropped.
const MAX_BLIND_MS = 45_000;
// Extra validity for keys that expire between `ensureKeys` and the encryption that follows.
const GRACE_MS = 20_000;
// Key bytes are destroyed after this time, when no process can still encrypt with them.
export const ERASE_AFTER_SECONDS = 120;
// An entry takes about 200 bytes, so the cache takes at most 20 MB.
const CACHE_ENTRIES = 100_000;

export const subjectKeyOf = (subject: SubjectRef): string =>
  subject.organisationId + subject.index.toString('latin1');

/**
 * One random data key per subject, encrypted under a key of the organisation. All data of a person is encrypted under
 * that person's key; destroying the key erases the person everywhere, backups included.
 */
@Injectable()
export class SubjectKeys {
  private readonly bySubject = new Map<string, CachedKey>();
  private readonly byId = new Map<string, CachedKey>();
  /** The time of the last lookup of erasures; before the first lookup, the start of this process. */
  private lookedAt = performance.now();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keyRing: KeyRing,
  ) {}

  /** Returns the key to encrypt with, if it is cached and still valid. */
  findCachedKey(subject: SubjectRef): DataKey | null {
    const cachedKey = this.bySubject.get(subjectKeyOf(subject));
    return cachedKey && this.isFresh(cachedKey, performance.now() - GRACE_MS) ? cachedKey.key : null;
  }

  /** Caches a key for every subject, so that `findCachedKey` returns it. Creates missing keys in one statement. */
  async ensureKeys(subjects: Iterable<SubjectRef>): Promise<void> {
    const subjectsByKey = new Map<string, SubjectRef>();
    const now = performance.now();
    for (const subject of subjects) {
      const name = subjectKeyOf(subject);
      const cachedKey = this.bySubject.get(name);
      if (!cachedKey || !this.isFresh(cachedKey, now)) subjectsByKey.set(name, subject);
    }
    if (subjectsByKey.size === 0) return;
    const existingKeys = new Set(await this.loadKeys([...subjectsByKey.values()]));
    const missingSubjects = [...subjectsByKey]
      .filter(([name]) => !existingKeys.has(name))
      .map(([, subject]) => subject);
    if (missingSubjects.length === 0) return;
    const createdKeys = new Set(await this.createKeys(missingSubjects));
    const createdElsewhere = missingSubjects.filter((subject) => !createdKeys.has(subjectKeyOf(subject)));
    if (createdElsewhere.length > 0) await this.loadKeys(createdElsewhere);
  }

  /**
   * Runs `work` with keys that are stored nowhere, and drops them: what is encrypted for these subjects can never be
   * read. For subjects that are made up.
   */
  async withMadeUpKeys<T>(subjects: readonly SubjectRef[], work: () => Promise<T>): Promise<T> {
    const keys = subjects.map((subject) => ({ name: subjectKeyOf(subject), key: newDataKey() }));
    const now = performance.now();
    for (const { name, key } of keys) this.bySubject.set(name, { key, readAt: now });
    try {
      return await work();
    } finally {
      for (const { name } of keys) this.bySubject.delete(name);
    }
  }

  /** Returns the keys for decryption by id. An erased key is absent, even while its bytes still exist. */
  async findByKeyId(ids: Iterable<string>): Promise<Map<string, DataKey>> {
    const keyById = new Map<string, DataKey>();
    const missingIds: string[] = [];
    const now = performance.now();
    for (const id of ids) {
      const cached = this.byId.get(id);
      if (cached && this.isFresh(cached, now)) keyById.set(id, cached.key);
      else missingIds.push(id);
    }
    if (missingIds.length > 0) {
      const rows = await this.uow.read(system('privacy.keys-by-id'), (db) => keysById(db, missingIds));
      for (const row of rows) {
        const key = unwrap(this.keyRing, row);
        addToCache(this.byId, row.id, key);
        keyById.set(row.id, key);
      }
    }
    return keyById;
  }

  /**
   * Customer erasure: marks the keys of a subject as erased and returns their ids. This process stops using them now,
   * others within 2 s (`ErasureWatch`). New data of the same person gets a new key immediately. `destroyRequested` destroys
   * the bytes later, when no process can still use them.
   */
  async requestErasure(tx: Tx, subject: SubjectRef, customerId: string): Promise<string[]> {
    const open = {
      organisationId: subject.organisationId,
      subjectIndex: subject.index,
      eraseRequestedAt: IsNull(),
    };
    const keys = await tx.find(SubjectKeyEntity, {
      select: { id: true, organisationId: true },
      where: open,
      lock: { mode: 'pessimistic_write' },
    });
    await tx.update(SubjectKeyEntity, open, { eraseRequestedAt: () => 'now()', erasedWith: customerId });
    const name = subjectKeyOf(subject);
    const cachedKey = this.bySubject.get(name);
    if (cachedKey) this.byId.delete(cachedKey.key.id);
    this.bySubject.delete(name);
    return keys.map(({ id }) => id);
  }

  /** Returns stored keys of an organisation in order of id: a page after `after`, or the keys in `ids`. */
  async readStoredKeys(
    organisationId: string,
    which: { readonly after: string; readonly limit: number } | { readonly ids: readonly string[] },
  ): Promise<StoredSubjectKey[]> {
    const id = 'after' in which ? MoreThan(which.after) : In([...which.ids]);
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(SubjectKeyEntity, {
        where: { organisationId, id },
        order: { id: 'ASC' },
        ...('after' in which && { take: which.limit }),
      }),
    );
    return rows.map((row) => ({
      id: row.id,
      erasedWith: row.erasedWith,
      isErased: row.eraseRequestedAt !== null,
      opens: this.canOpen(row),
    }));
  }

  private canOpen(row: SubjectKeyEntity): boolean {
    try {
      return row.wrappedKey !== null && unwrap(this.keyRing, row).bytes.length > 0;
    } catch {
      return false; // the bytes were changed or moved, or the ring key is missing
    }
  }

  /** Returns the keys whose erasure was requested in the last `seconds`. */
  async listErasedSince(db: Reader, seconds: number): Promise<ErasedKey[]> {
    const rows = await db.find(SubjectKeyEntity, {
      select: { id: true, organisationId: true, subjectIndex: true },
      where: {
        eraseRequestedAt: Raw((at) => `${at} > now() - make_interval(secs => :seconds)`, { seconds }),
        destroyedAt: IsNull(),
      },
    });
    return rows.map(({ id, organisationId, subjectIndex: index }) => ({
      keyId: id,
      subject: { organisationId, index },
    }));
  }

  /**
   * Drops the recently erased keys from the cache, and extends the validity of all others.
   * @param lookedAt the time before the lookup, by `performance.now()`
   */
  confirmErasures(erased: readonly ErasedKey[], lookedAt: number): void {
    if (lookedAt - this.lookedAt > MAX_BLIND_MS) {
      this.bySubject.clear();
      this.byId.clear();
    }
    this.lookedAt = lookedAt;
    for (const { keyId, subject } of erased) {
      this.byId.delete(keyId);
      const name = subjectKeyOf(subject);
      // A person with new data after an erasure has another key by now.
      if (this.bySubject.get(name)?.key.id === keyId) this.bySubject.delete(name);
    }
  }

  /** Destroys the keys whose erasure was requested at least `afterSeconds` ago. Returns their number. */
  async destroyRequested(tx: Tx, afterSeconds = ERASE_AFTER_SECONDS): Promise<number> {
    const { affected } = await tx.update(
      SubjectKeyEntity,
      {
        destroyedAt: IsNull(),
        eraseRequestedAt: Raw((at) => `${at} < now() - make_interval(secs => :afterSeconds)`, {
          afterSeconds,
        }),
      },
      { wrappedKey: null, destroyedAt: () => 'now()' },
    );
    return affected ?? 0;
  }

  /** Returns the ids of the keys destroyed since then. Data encrypted under them cannot be recovered. */
  async listDestroyedSince(db: Reader, since: Date): Promise<string[]> {
    const rows = await db.find(SubjectKeyEntity, {
      select: { id: true },
      where: { destroyedAt: MoreThanOrEqual(since) },
    });
    return rows.map(({ id }) => id);
  }

  private isFresh({ readAt }: CachedKey, now: number): boolean {
    return Math.max(readAt, this.lookedAt) + CACHE_MS > now;
  }

  private async loadKeys(subjects: readonly SubjectRef[]): Promise<string[]> {
    const organisations = subjects.map((subject) => subject.organisationId);
    const rows = await this.uow.read(organisations, (db) => keysOfSubjects(db, subjects));
    return rows.map((row) =>
      this.cacheKey(
        { organisationId: row.organisationId, index: row.subjectIndex },
        unwrap(this.keyRing, row),
      ),
    );
  }

  /**
   * Creates a key for each subject. Returns the subjects whose key was stored; where another process was faster,
   * `loadKeys` finds its key.
   */
  private async createKeys(subjects: readonly SubjectRef[]): Promise<string[]> {
    const keysById = new Map(
      subjects.map((subject) => {
        const key = newDataKey();
        return [key.id, { key, subject, wrapped: wrap(this.keyRing, key, subject.organisationId) }];
      }),
    );
    const rows = [...keysById.values()];
    const storedRows = await storeNewKeys(
      this.uow,
      rows.map(({ key, subject, wrapped }) => ({ id: key.id, subject, wrapped })),
      this.keyRing.currentId,
    );
    return storedRows.flatMap(({ id }) => {
      const newKey = keysById.get(id);
      return newKey ? [this.cacheKey(newKey.subject, newKey.key)] : [];
    });
  }

  private cacheKey(subject: SubjectRef, key: DataKey): string {
    const name = subjectKeyOf(subject);
    addToCache(this.bySubject, name, key);
    addToCache(this.byId, key.id, key);
    return name;
  }
}

function addToCache(cache: Map<string, CachedKey>, name: string, key: DataKey): void {
  // A Map iterates in insertion order, so the first entry is the oldest.
  if (cache.size >= CACHE_ENTRIES) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.delete(name);
  cache.set(name, { key, readAt: performance.now() });
}
