import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { sha256 } from '../../../platform/kernel/values/digest.js';
import type { AuditAction, SubjectType } from '../../../sheets.js';

export { subjectTypes, type AuditAction, type SubjectType } from '../../../sheets.js';

/** The author of an entry: a client application, a session link, an operator, or the service itself. */
export type Actor =
  | { readonly type: 'client'; readonly id: string }
  | { readonly type: 'operator'; readonly id: string }
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'system'; readonly id: string };

/** Organisation id of entries that concern the whole installation, or an unknown organisation. */
export const OPERATIONS = '00000000-0000-0000-0000-000000000000';

export interface AuditSubject {
  readonly organisationId: string;
  readonly type: SubjectType;
  readonly id: string;
}

/** A subject without its organisation. */
export type Subject = Pick<AuditSubject, 'type' | 'id'>;

/** Ids, digests, codes and numbers, never personal data: the caller masks the content. */
export type AuditContent = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditDraft {
  readonly subject: AuditSubject;
  readonly action: AuditAction;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  /** Time of the step by the database's clock; the column `recorded_at` has the same. */
  readonly occurredAt: Date;
  readonly content: AuditContent;
}

export interface ChainPosition {
  readonly seq: number;
  readonly previousHash: Buffer | null;
}

export const CHAIN_START: ChainPosition = { seq: 1, previousHash: null };

/** An entry as it is stored: the exact bytes that are hashed, and their hash. */
export interface ComposedEntry {
  readonly subject: AuditSubject;
  readonly action: AuditAction;
  readonly position: ChainPosition;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  /** Equals `occurredAt` in the hashed bytes. */
  readonly recordedAt: Date;
}

// The version of the hash formula, in the hashed bytes: old entries are still verified by their own formula.
export const HASH_FORMULA = 1;
const LEAF_PREFIX = Buffer.from([0]);

/** SHA-256 over 0x00 and the stored bytes: the leaf hash of RFC 6962, which the database also computes. */
export const entryHash = (canonical: Buffer): Buffer => sha256(Buffer.concat([LEAF_PREFIX, canonical]));

/** Builds the bytes and the hash of an entry at its position in the chain. Pure: equal arguments give equal bytes. */
export function composeEntry(draft: AuditDraft, position: ChainPosition): ComposedEntry {
  const canonical = Buffer.from(
    canonicalJson({
      v: HASH_FORMULA,
      organisation: draft.subject.organisationId,
      subject: `${draft.subject.type}:${draft.subject.id}`,
      seq: position.seq,
      previous: position.previousHash?.toString('hex') ?? null,
      action: draft.action,
      actor: `${draft.actor.type}:${draft.actor.id}`,
      requestId: draft.requestId,
      correlationId: draft.correlationId,
      occurredAt: draft.occurredAt.toISOString(),
      content: draft.content,
    }),
  );
  const { subject, action, occurredAt: recordedAt } = draft;
  return { subject, action, position, canonical, hash: entryHash(canonical), recordedAt };
}
