import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyRing } from './key-ring.js';

/** What a blind index is over; part of the hash, so that equal texts of two kinds do not meet. */
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

// The same customers, devices and accounts come again and again; 50,000 entries are about 10 MB.
const CACHE_ENTRIES = 50_000;

/** Equality search over values that are stored encrypted: HMAC-SHA-256 under a key per organisation. */
@Injectable()
export class BlindIndex {
  private cache = new Map<string, Buffer>();
  private older = new Map<string, Buffer>();

  constructor(private readonly keys: KeyRing) {}

  of(organisationId: string, kind: IndexKind, value: string): Buffer {
    const name = `${organisationId}\0${kind}\0${value}`;
    const recent = this.cache.get(name);
    if (recent) return recent;
    const index = this.older.get(name) ?? this.compute(organisationId, kind, value);
    // Two generations instead of a list in order of use: whatever was used lately survives one change of generation.
    if (this.cache.size >= CACHE_ENTRIES) {
      this.older = this.cache;
      this.cache = new Map();
    }
    this.cache.set(name, index);
    return index;
  }

  private compute(organisationId: string, kind: IndexKind, value: string): Buffer {
    const digest = createHmac('sha256', this.keys.indexKey(organisationId))
      .update(`${kind}\0${value}`)
      .digest();
    return digest.subarray(0, BYTES);
  }
}
