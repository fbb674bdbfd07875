import type { HitStatus } from './hit.js';
import type { ListKind } from './lists/list-entry.js';
import type { ListFormat } from './lists/list-formats.js';
import type { PartyRole } from './party-role.js';
import type { Qualifier } from './qualify.js';

export interface ListRow {
  readonly id: string;
  readonly organisationId: string;
  readonly key: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly format: ListFormat;
  readonly evidenceThreshold: number;
  readonly mandatoryThreshold: number;
  readonly staleAfterDays: number | null;
  /** Number of the snapshot in force; 0 before the first. */
  readonly sequence: number;
  readonly snapshotId: string | null;
  readonly publishedAt: Date | null;
  readonly entries: number;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  /** True if one person alone set the terms in force. */
  readonly singleControl: boolean;
  /** True if one person alone published an import that weakened the list, and two people have approved none since. */
  readonly importSingleControl: boolean;
}

/** An unreadable field of a file; without a column, the whole line. */
export interface UnreadableField {
  readonly line: number;
  readonly column: string | null;
  readonly problem: string;
}

/** One import of a file: its progress, its changes to the list, and its outcome. */
export interface SnapshotRow {
  readonly id: string;
  readonly organisationId: string;
  readonly listId: string;
  readonly sequence: number | null;
  readonly status: 'READING' | 'AWAITING_CONFIRMATION' | 'PUBLISHED' | 'UNCHANGED' | 'REJECTED' | 'FAILED';
  readonly reason: string | null;
  readonly sha256: string | null;
  readonly bytesTotal: string | null;
  readonly bytesRead: string;
  readonly linesBroken: number;
  readonly broken: readonly UnreadableField[];
  readonly lines: number;
  readonly linesMerged: number;
  readonly fieldsDropped: number;
  readonly dropped: readonly UnreadableField[];
  readonly entries: number;
  readonly names: number;
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
  readonly unchanged: number | null;
  readonly requestedBy: string;
  readonly decidedBy: string | null;
  readonly createdAt: Date;
  readonly touchedAt: Date;
  readonly endedAt: Date | null;
  /** The day on which the file says that it was made; null where it says none. */
  readonly fileDatedAt: Date | null;
}

/** A customer or party that resembles an entry of a list, and the decision on it. */
export interface StoredHit {
  readonly id: string;
  readonly organisationId: string;
  readonly customerId: string | null;
  readonly transactionRef: string | null;
  readonly role: PartyRole;
  readonly listId: string;
  readonly entryKey: string;
  readonly entryId: string;
  readonly snapshotId: string;
  readonly scorerVersion: string;
  readonly score: number;
  readonly nameScore: number;
  readonly strength: 'DOCUMENT' | 'STRONG' | 'NAME' | 'CONTRADICTED';
  readonly mandatory: boolean;
  readonly qualifiers: readonly Qualifier[];
  readonly sealedExplanation: Buffer;
  readonly status: HitStatus;
  readonly reopened: number;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly justification: Buffer | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** The hit of a merged customer record whose disposition this hit took over. */
  readonly decidedAs: string | null;
  /** The customer whose transaction names the person; null if the person is the customer, or no customer is known. */
  readonly forCustomerId: string | null;
  /** The time at which a dismissal expires. */
  readonly expiresAt: Date | null;
  /** True if no independent second person existed to approve the disposition. */
  readonly singleControl: boolean;
}

export interface HitRow extends StoredHit {
  readonly entryHash: string;
  readonly listKey: string;
  readonly listKind: string;
}
