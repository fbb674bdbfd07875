import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';

// 256 bits; the security checklist requires 160.
const RANDOM_BYTES = 32;
const FORM = /^ses_[A-Za-z0-9_-]{43}$/;

/**
 * Creates links of sessions. The secret id gives access to the session, so it is random, stored only as a keyed hash or
 * encrypted, and never logged.
 */
@Injectable()
export class SessionLinkFactory {
  constructor(private readonly settings: Settings) {}

  /** Returns a new secret id, and its hash. */
  create(): { readonly sessionId: string; readonly linkHash: Buffer } {
    const sessionId = `ses_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
    return { sessionId, linkHash: this.keyedHash(sessionId) };
  }

  /** Returns the hash that finds a session; null if the id is malformed. */
  hashOf(sessionId: string): Buffer | null {
    return FORM.test(sessionId) ? this.keyedHash(sessionId) : null;
  }

  /** Returns a hash to detect a repeated submission. Keyed, so that its few fields cannot be guessed. */
  fingerprint(id: string, userData: Readonly<Record<string, unknown>>): Buffer {
    return this.keyedHash(`${id}\0${canonicalJson(userData)}`, 'submission');
  }

  private keyedHash(text: string, what = 'session'): Buffer {
    return createHmac('sha256', this.settings.clientSecretPepper).update(`${what}\0${text}`).digest();
  }

  /** Returns the URL of the hosted page. */
  urlOf(sessionId: string): string {
    return new URL(`/verify/${sessionId}`, baseUrlOf(this.settings)).href;
  }
}
