import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';

export interface TokenSigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

// RFC 8410: an Ed25519 private key in PKCS #8 is this prefix followed by the 32-byte seed.
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The Ed25519 signing keys of access tokens, derived from the keys of KEY_RING with HKDF-SHA-256 (RFC 5869). They
 * rotate with the ring: the first key signs, and tokens of the other keys stay valid until they expire.
 */
@Injectable()
export class TokenKeys {
  readonly current: TokenSigningKey;
  private readonly publicKeys = new Map<string, KeyObject>();

  constructor(settings: Settings) {
    const keys = settings.keyRing.map(({ id, bytes }) => {
      const seed = Buffer.from(hkdfSync('sha256', bytes, settings.environment, 'vigia:operator-token', 32));
      const privateKey = createPrivateKey({
        key: Buffer.concat([PKCS8_ED25519, seed]),
        format: 'der',
        type: 'pkcs8',
      });
      this.publicKeys.set(id, createPublicKey(privateKey));
      return { kid: id, privateKey };
    });
    const [current] = keys;
    if (!current) throw new Error('KEY_RING is empty');
    this.current = current;
  }

  publicKey(kid: string): KeyObject | undefined {
    return this.publicKeys.get(kid);
  }
}
