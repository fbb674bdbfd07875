import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring.js';

/** The kind of an indexed value; part of the hash, so that equal texts of two kinds do not meet. */
export type IndexKind =
  | 'document'
  | 'document-masked'
  | 'customer'
  | 'account'
  | 'device'
  | 'ip'
  | 'name'
  | 'wallet'
  | 'artifact'
  | 'unattributed'
  | 'organisation';

// 128 bits: a collision is out of reach and the index stays half as large as with the full 256.
const BYTES = 16;

// The same customers, devices and accounts come again and again; 100,000 entries are about 20 MB, and there are two such
// generations: a transaction has seven, so that is room for some thirty thousand customers of the last minutes.
const CACHE_ENTRIES = 100_000;

/** Indexes by organisation, kind and value: no text is put together to look one up. */
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

/** Equality search over values that are stored encrypted: HMAC-SHA-256 under a key per organisation. */
@Injectable()
export class BlindIndex {
  private recent = new Remembered();
  private older = new Remembered();

  constructor(private readonly keys: KeyRing) {}

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

  private compute(organisationId: string, kind: IndexKind, value: string): Buffer {
    const digest = createHmac('sha256', this.keys.indexKey(organisationId))
      .update(`${kind}\0${value}`)
      .digest();
    return digest.subarray(0, BYTES);
  }
}
