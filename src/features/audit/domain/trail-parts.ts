import type { AuditAction, AuditContent } from './entry.js';

/** One stored entry of a subject, as it was read back. */
export interface StoredEntry {
  readonly seq: number;
  readonly action: string;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  readonly previousHash: Buffer | null;
  /** The column beside the bytes; null where there is none. */
  readonly recordedAt?: Date | null;
}

/** The entries that a subject must show for the stage of life it is in. */
export interface TrailExpectation {
  /** Orders the actions, as a regular grammar: one alternative has to match. Left out, any order will do. */
  readonly grammar?: TrailGrammar | undefined;
  readonly anchors: readonly TrailAnchor[];
  /** Actions of which each entry has a stored row that names it: an entry without one was not written by the service. */
  readonly bound?: readonly AuditAction[];
  /** The newest entry of an action has to say this, because the rows say so now. */
  readonly told?: readonly {
    readonly action: AuditAction | readonly AuditAction[];
    readonly says: AuditContent;
  }[];
  /** Gaps that are known without the entries. */
  readonly found?: readonly TrailGap[];
  /** How many events there are about the subject, and the actions each of which comes with one, unless its entry says not. */
  readonly counted?: { readonly rows: number; readonly by: readonly AuditAction[] };
}

/** The hash that a business row committed to when it was written. */
export interface TrailAnchor {
  /** The action that the row was written with. */
  readonly action: AuditAction;
  /** The hash of that entry. */
  readonly hash: Buffer;
  /** Content of the row; the entry must have the same. */
  readonly says?: AuditContent;
}

/** The order in which actions may follow each other, and which of them may be the last one now. */
export interface TrailGrammar {
  readonly first: readonly AuditAction[];
  readonly follows: Readonly<Partial<Record<AuditAction, readonly AuditAction[]>>>;
  readonly last: readonly AuditAction[];
  /** Actions that may stand anywhere behind the first one and change nothing of what may follow, such as refusals. */
  readonly beside?: readonly AuditAction[];
}

/** The leaf of an entry in the log of its organisation: what was sealed at its place. */
export interface SealedLeaf {
  readonly seq: number;
  readonly index: number;
  readonly hash: Buffer;
}

export const trailStatuses = [
  'COMPLETE',
  'PRUNED',
  'ATTESTED_GAP',
  'MISSING_EVENTS',
  'MISSING',
  'SEALED_LATE',
  'STATE_MISMATCH',
  'CHAIN_BROKEN',
  'TAMPERED',
  'LOG_ROLLED_BACK',
] as const;
/**
 * From the best to the worst. PRUNED: its entries were kept as long as they had to be and are gone, named by the log; their
 * leaf hashes are there. ATTESTED_GAP: two people have answered for what is missing; nothing of it can be defended,
 * but a person may decide. MISSING: its entries tell of rows that are not there. SEALED_LATE: nothing awaited the seal of an
 * entry for more than a minute. LOG_ROLLED_BACK: the log of the
 * organisation is behind what was handed out of it.
 */
export type TrailStatus = (typeof trailStatuses)[number];

export interface TrailGap {
  readonly kind: TrailStatus;
  readonly seq: number | null;
  readonly detail: string;
  /** Another subject, or the log, has the gap for itself: this one only suffers from it. */
  readonly linked?: boolean;
  /** The table whose rows are not what was left behind. */
  readonly table?: string;
  /** Somebody has written down himself what is there. */
  readonly forged?: boolean;
  /** The place in the log of the entry that it is about, where the log is what is damaged. */
  readonly leaf?: number;
  /** The check of the log that has found it, and what it calls the place. */
  readonly check?: LogPlace;
}

/** A place in what belongs to no single subject: a check of the log that looks there, and what it calls the place. */
export interface LogPlace {
  readonly of: string;
  readonly place: string;
}
