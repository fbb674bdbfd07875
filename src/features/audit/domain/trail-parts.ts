import type { AuditAction, AuditContent } from './entry.js';

/** One stored entry of a subject, as it was read back. */
export interface StoredEntry {
  readonly seq: number;
  readonly action: string;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  readonly previousHash: Buffer | null;
  /** The column beside the bytes, if it was read. */
  readonly recordedAt?: Date | null;
}

/** The entries that a subject must have in its present state. */
export interface TrailExpectation {
  /** The allowed order of the actions; any order if left out. */
  readonly grammar?: TrailGrammar | undefined;
  readonly anchors: readonly TrailAnchor[];
  /** Actions whose every entry needs a stored row that names it: the service writes none without a row. */
  readonly bound?: readonly AuditAction[];
  /** Content that the newest entry of an action must have, because the rows have it now. */
  readonly told?: readonly {
    readonly action: AuditAction | readonly AuditAction[];
    readonly says: AuditContent;
  }[];
  /** Gaps that were found without the entries. */
  readonly found?: readonly TrailGap[];
  /** The number of stored events, and the actions that write one each unless the entry has `event: false`. */
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
  /** Actions, such as refusals, that may stand anywhere after the first and do not change what may follow. */
  readonly beside?: readonly AuditAction[];
}

/** The leaf of an entry in the log of its organisation, with the hash that was sealed. */
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
 * From the best to the worst. PRUNED: entries are gone after their retention; the log names them and has their leaf
 * hashes. ATTESTED_GAP: two people have answered for a gap; nothing behind it can be defended, but a person may decide.
 * MISSING: the entries tell of rows that are gone. SEALED_LATE: an entry was not queued for its seal for a minute or
 * more. LOG_ROLLED_BACK: the log of the organisation is behind a checkpoint that was handed out.
 */
export type TrailStatus = (typeof trailStatuses)[number];

export interface TrailGap {
  readonly kind: TrailStatus;
  readonly seq: number | null;
  readonly detail: string;
  /** True if the gap is only the consequence of one in another subject or in the log. */
  readonly linked?: boolean;
  /** The table whose rows differ from their bound state. */
  readonly table?: string;
  /** True if somebody other than the service has bound the rows. */
  readonly forged?: boolean;
  /** Index of the entry in the log, if the damage is in the log. */
  readonly leaf?: number;
  /** The check of the log that found the gap, and its name for the place. */
  readonly check?: LogPlace;
}

/** A place that belongs to no single subject: the check of the log that reads it, and its name there. */
export interface LogPlace {
  readonly of: string;
  readonly place: string;
}
