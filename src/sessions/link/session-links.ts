import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';

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

  /** The hash that a session is found by; null for what no session id can look like. */
  hashOf(sessionId: string): Buffer | null {
    return FORM.test(sessionId) ? this.keyed(sessionId) : null;
  }

  private keyed(sessionId: string): Buffer {
    return createHmac('sha256', this.settings.clientSecretPepper).update(`session\0${sessionId}`).digest();
  }

  /** Where the hosted page of a session is. */
  urlOf(sessionId: string): string {
    const base = this.settings.publicUrl ?? `http://${this.settings.host}:${this.settings.port}`;
    return new URL(`/verify/${sessionId}`, base).href;
  }
}
