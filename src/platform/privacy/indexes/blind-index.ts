import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalValue, type ValueKind } from '../../kernel/values/canonical/canonical-value.js';
import { IndexKeys, type IndexKey } from './index-keys.js';

/** The kind of an indexed value; part of the hash, so that equal texts of two kinds do not meet. */
export type IndexKind =
  | 'document'
  | 'document-masked'
  | 'customer'
  | 'account'
  | 'device'
  | 'ip'
  | 'card'
  | 'house'
  | 'name'
  | 'name-word'
  | 'name-key'
  | 'wallet'
  | 'artifact'
  | 'unattributed'
  | 'session-code'
  | 'organisation';

/** Kinds whose values are indexed in their canonical form, so that every spelling has one index. */
const kindOfIndexed: Partial<Record<IndexKind, ValueKind>> = {
  document: 'DOCUMENT',
  account: 'ACCOUNT',
  device: 'DEVICE',
  ip: 'IP',
  wallet: 'WALLET',
};

function indexedText(kind: IndexKind, value: string): string {
  const known = kindOfIndexed[kind];
  return (known === undefined ? null : canonicalValue(known, value)) ?? value.normalize('NFC');
}

// 128 bits: a collision is out of reach and the index stays half as large as with the full 256.
const BYTES = 16;

// Customers, devices and accounts recur. 100,000 entries are about 20 MB, and there are two such generations; with seven
// entries for a transaction they hold some thirty thousand customers of the last minutes.
const CACHE_ENTRIES = 100_000;

/** Caches indexes by organisation, kind and value, so that a lookup composes no text. */
class Remembered {
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

/** The names for which an organisation itself has an index. */
export const ownNames = ['secrets', 'list-entries'] as const;

/** Equality search over values that are stored encrypted: HMAC-SHA-256 under a key per organisation. */
@Injectable()
export class BlindIndex {
  private recent = new Remembered();
  private older = new Remembered();

  constructor(private readonly keys: IndexKeys) {}

  of(organisationId: string, kind: IndexKind, value: string): Buffer {
    const known = this.recent.get(organisationId, kind, value);
    if (known) return known;
    const index = this.older.get(organisationId, kind, value) ?? this.compute(organisationId, kind, value);
    // Two generations instead of a list in order of use: whatever was used lately survives one change of generation.
    if (this.recent.size >= CACHE_ENTRIES) {
      this.older = this.recent;
      this.recent = new Remembered();
    }
    this.recent.set(organisationId, kind, value, index);
    return index;
  }

  /** Indexes a value of the organisation itself, not of a person. */
  ofOrganisation(organisationId: string, name: (typeof ownNames)[number]): Buffer {
    return this.of(organisationId, 'organisation', name);
  }

  /** As `of`, for values that do not come again soon and would only push others out of memory. */
  once(organisationId: string, kind: IndexKind, value: string): Buffer {
    return this.compute(organisationId, kind, value);
  }

  private compute(organisationId: string, kind: IndexKind, value: string): Buffer {
    const text = indexedText(kind, value);
    const under = (key: IndexKey): Buffer =>
      createHmac('sha256', key.derive('index', organisationId))
        .update(`${kind}\0${text}`)
        .digest()
        .subarray(0, BYTES);
    return this.keys.find(under).index;
  }
}
