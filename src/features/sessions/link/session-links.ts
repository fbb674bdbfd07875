import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';

// 256 bits; the checklist asks for 160.
const RANDOM_BYTES = 32;
const FORM = /^ses_[A-Za-z0-9_-]{43}$/;

/**
 * Links of sessions. Whoever has the id has the session, so it is random, is looked up by a keyed hash only, and stands
 * in no log.
 */
@Injectable()
export class SessionLinks {
  constructor(private readonly settings: Settings) {}

  /** A new session id, and its hash. */
  make(): { readonly sessionId: string; readonly linkHash: Buffer } {
    const sessionId = `ses_${randomBytes(RANDOM_BYTES).toString('base64url')}`;
    return { sessionId, linkHash: this.keyed(sessionId) };
  }

  /** The hash by which a session is found; null for a malformed id. */
  hashOf(sessionId: string): Buffer | null {
    return FORM.test(sessionId) ? this.keyed(sessionId) : null;
  }

  /** The hash that tells the same submission from another. Keyed: a plain hash of a few known fields could be guessed. */
  fingerprint(id: string, userData: Readonly<Record<string, unknown>>): Buffer {
    return this.keyed(`${id}\0${canonicalJson(userData)}`, 'submission');
  }

  private keyed(text: string, what = 'session'): Buffer {
    return createHmac('sha256', this.settings.clientSecretPepper).update(`${what}\0${text}`).digest();
  }

  /** The URL of the hosted page of a session. */
  urlOf(sessionId: string): string {
    return new URL(`/verify/${sessionId}`, baseUrlOf(this.settings)).href;
  }
}
