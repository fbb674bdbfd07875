/**
 * The kept part of an unfinished session: in this tab only, until it is sent or over. Nothing that was typed is written
 * anywhere else.
 */
import type { Drafts } from './answers.js';

export interface Kept {
  readonly drafts: Drafts;
  /** The steps that the person has been through. */
  readonly passed: readonly string[];
  /** Uploads that the service has confirmed, as `step/document/side`. */
  readonly received: readonly string[];
}

export const NOTHING: Kept = { drafts: {}, passed: [], received: [] };

const PLACE = 'verify';

export function readKept(sessionId: string): Kept {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? '{}') as Partial<Kept & { sessionId: string }>;
    if (kept.sessionId !== sessionId) {
      forget();
      return NOTHING;
    }
    const { drafts = {}, passed = [], received = [] } = kept;
    return { drafts, passed, received };
  } catch {
    return NOTHING; // a browser that keeps nothing: everything works but coming back
  }
}

export function keep(sessionId: string, kept: Kept): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ sessionId, ...kept }));
  } catch {
    // As above.
  }
}

export function forget(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // As above.
  }
}
