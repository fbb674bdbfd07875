import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/index.js';

/**
 * The keys that encrypt data keys: one per organisation, derived from KEY_RING (HKDF-SHA-256, RFC 5869). The leaked key
 * of one organisation decrypts nothing of another.
 */
@Injectable()
export class KeyRing {
  readonly currentId: string;
  /** The ids of all keys of this process, the current one first. */
  readonly ids: readonly string[];
  private readonly derivedKeys = new Map<string, Buffer>();

  constructor(private readonly settings: Settings) {
    const [current] = settings.keyRing;
    if (!current) throw new Error('KEY_RING is empty');
    this.currentId = current.id;
    this.ids = settings.keyRing.map(({ id }) => id);
  }

  /** Returns the key that encrypts the data keys of an organisation, derived from the ring key `ringKeyId`. */
  wrappingKey(organisationId: string, ringKeyId: string): Buffer {
    const ringKey = this.settings.keyRing.find((candidate) => candidate.id === ringKeyId);
    if (!ringKey) throw new Error(`KEY_RING lacks the key ${ringKeyId}, which stored data needs`);
    return this.derive(ringKey.bytes, `wrap:${ringKeyId}`, organisationId);
  }

  private derive(secret: Buffer, purpose: string, organisationId: string): Buffer {
    const cacheKey = `${purpose}:${organisationId}`;
    let bytes = this.derivedKeys.get(cacheKey);
    if (!bytes) {
      bytes = Buffer.from(hkdfSync('sha256', secret, organisationId, `vigia:${purpose}`, 32));
      this.derivedKeys.set(cacheKey, bytes);
    }
    return bytes;
  }
}
