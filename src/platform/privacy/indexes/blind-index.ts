import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalValue, type ValueKind } from '../../kernel/values/canonical/canonical-value.js';
import { IndexKeys, type IndexKey } from './index-keys.js';

/** The kind of an indexed value. It is part of the hash, so that equal texts of two kinds get different indexes. */
export type IndexKind =
  | 'document'
  | 'document-masked'
  | 'customer'
  | 'account'
  | 'device'
  | 'ip'
  | 'card'
  | 'custom'
  | 'name'
  | 'name-word'
  | 'name-key'
  | 'artifact'
  | 'unattributed'
  | 'session-code'
  | 'organisation';

/** Kinds whose values are brought into their canonical form first, so that all spellings share one index. */
const kindOfIndexed: Partial<Record<IndexKind, ValueKind>> = {
  document: 'DOCUMENT',
  account: 'ACCOUNT',
  device: 'DEVICE',
  ip: 'IP',
};

function indexedText(kind: IndexKind, value: string): string {
  const identifierType = kindOfIndexed[kind];
  return (
    (identifierType === undefined ? null : canonicalValue(identifierType, value)) ?? value.normalize('NFC')
  );
}

// With 128 bits, a collision is out of reach, and the index takes half the space of the full 256.
const INDEX_BYTES = 16;

// 100,000 entries take about 20 MB, and the cache has two generations of them. With seven entries per transaction it
// holds about 30,000 recently active customers.
const CACHE_ENTRIES = 100_000;

/** Caches indexes in nested maps by organisation, kind and value, so that a lookup does not have to build a key text. */
class IndexCache {
  private readonly byOrganisation = new Map<string, Map<IndexKind, Map<string, Buffer>>>();
  size = 0;

  get(organisationId: string, kind: IndexKind, value: string): Buffer | undefined {
    return this.byOrganisation.get(organisationId)?.get(kind)?.get(value);
  }

  set(organisationId: string, kind: IndexKind, value: string, index: Buffer): void {
    let kinds = this.byOrganisation.get(organisationId);
    if (!kinds) this.byOrganisation.set(organisationId, (kinds = new Map<IndexKind, Map<string, Buffer>>()));
    let values = kinds.get(kind);
    if (!values) kinds.set(kind, (values = new Map<string, Buffer>()));
    values.set(value, index);
    this.size += 1;
  }
}

/** Names of data that belongs to the organisation and not to a person. */
export const ownNames = ['secrets', 'list-entries'] as const;

/** Makes encrypted values searchable by equality: HMAC-SHA-256 under a key per organisation. */
@Injectable()
export class BlindIndex {
  private recent = new IndexCache();
  private older = new IndexCache();

  constructor(private readonly indexKeys: IndexKeys) {}

  computeIndex(organisationId: string, kind: IndexKind, value: string): Buffer {
    const cachedIndex = this.recent.get(organisationId, kind, value);
    if (cachedIndex) return cachedIndex;
    const index = this.older.get(organisationId, kind, value) ?? this.compute(organisationId, kind, value);
    // Two generations are simpler than an LRU list: an entry in recent use survives a change of generation.
    if (this.recent.size >= CACHE_ENTRIES) {
      this.older = this.recent;
      this.recent = new IndexCache();
    }
    this.recent.set(organisationId, kind, value, index);
    return index;
  }

  /** Indexes a name of the organisation's own data, not of a person. */
  computeForOrganisation(organisationId: string, name: (typeof ownNames)[number]): Buffer {
    return this.computeIndex(organisationId, 'organisation', name);
  }

  /** Computes an index without the cache, for values that will not recur soon and would only evict others. */
  computeUncached(organisationId: string, kind: IndexKind, value: string): Buffer {
    return this.compute(organisationId, kind, value);
  }

  private compute(organisationId: string, kind: IndexKind, value: string): Buffer {
    const text = indexedText(kind, value);
    const under = (key: IndexKey): Buffer =>
      createHmac('sha256', key.derive('index', organisationId))
        .update(`${kind}\0${text}`)
        .digest()
        .subarray(0, INDEX_BYTES);
    return this.indexKeys.find(under).index;
  }
}
