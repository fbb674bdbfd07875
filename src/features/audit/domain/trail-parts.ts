import type { ActionOrder } from '../../../platform/sheets/index.js';
import type { AuditAction, AuditContent } from './entry.js';

/** An entry as it is stored, not verified yet. */
export interface StoredEntry {
  readonly seq: number;
  readonly action: string;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  readonly previousHash: Buffer | null;
  /** The column `recorded_at`; absent for an entry that a repair restored. */
  readonly recordedAt?: Date | null;
}

/** The requirements on the trail of a subject, derived from its current rows. */
export interface TrailExpectation {
  /** The allowed order of the actions; any order if left out. */
  readonly grammar?: TrailActionOrder | undefined;
  readonly anchors: readonly TrailAnchor[];
  /** Actions whose entries each need an anchor, because the service writes these entries only together with a row. */
  readonly bound?: readonly AuditAction[];
  /** Values in the rows that the newest entry of an action must contain. */
  readonly told?: readonly {
    readonly action: AuditAction | readonly AuditAction[];
    readonly says: AuditContent;
  }[];
  /** Gaps that the contract found in the rows alone. */
  readonly found?: readonly TrailGap[];
  /** Number of stored events, and the actions that write one event each; an entry with `event: false` writes none. */
  readonly counted?: { readonly rows: number; readonly by: readonly AuditAction[] };
}

/** The hash of an entry that a business row stores, to prove that the entry existed when the row was written. */
export interface TrailAnchor {
  /** The action of the entry that was written together with the row. */
  readonly action: AuditAction;
  readonly hash: Buffer;
  /** Values of the row that the entry must also contain. */
  readonly says?: AuditContent;
}

/** The order of the actions of a trail, and which action may be its last now. */
export interface TrailActionOrder extends ActionOrder<AuditAction> {
  readonly last: readonly AuditAction[];
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
 * From the best to the worst. PRUNED: entries were deleted after their retention; the log names them and has their
 * leaf hashes. ATTESTED_GAP: two people accepted a gap that nothing can prove; decisions and exports are possible
 * again. MISSING: rows that entries record are missing. SEALED_LATE: an entry was not queued for its seal for a
 * minute or more. LOG_ROLLED_BACK: the log of the organisation is shorter than a published checkpoint, or differs from
 * it.
 */
export type TrailStatus = (typeof trailStatuses)[number];

export interface TrailGap {
  readonly kind: TrailStatus;
  readonly seq: number | null;
  readonly detail: string;
  /** True if the gap is only the consequence of a gap in another subject or in the log. */
  readonly linked?: boolean;
  /** The table whose rows differ from their bound state. */
  readonly table?: string;
  /** True if a state entry was written by somebody other than the service. */
  readonly forged?: boolean;
  /** Index of the entry in the log, if the damage is in the log. */
  readonly leaf?: number;
  /** The place where a log check found the gap; absent for a gap of a trail. */
  readonly check?: LogCheckTarget;
}

/** A part of the log or database that no single subject owns: the key of its log check, and its name in that check. */
export interface LogCheckTarget {
  readonly of: string;
  readonly place: string;
}
