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
  | 'unattributed'
  | 'organisation';

// 128 bits: a collision is out of reach and the index stays half as large as with the full 256.
const BYTES = 16;

/** Equality search over values that are stored encrypted: HMAC-SHA-256 under a key per organisation. */
@Injectable()
export class BlindIndex {
  constructor(private readonly keys: KeyRing) {}

  of(organisationId: string, kind: IndexKind, value: string): Buffer {
    return createHmac('sha256', this.keys.indexKey(organisationId))
      .update(`${kind}\0${value}`)
      .digest()
      .subarray(0, BYTES);
  }
}
