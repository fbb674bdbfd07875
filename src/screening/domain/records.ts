import type { HitStatus } from './hit.js';
import type { ListKind } from './list-entry.js';
import type { ListFormat } from './list-formats.js';
import type { PartyRole } from './party.js';
import type { Qualifier, Strength } from './qualify.js';

/** A list as it is stored. */
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
}

export type SnapshotStatus =
  'READING' | 'AWAITING_CONFIRMATION' | 'PUBLISHED' | 'UNCHANGED' | 'REJECTED' | 'FAILED';

export interface BrokenLine {
  readonly line: number;
  readonly problem: string;
}

/** One import of a file: how far it is, what it changes, and what became of it. */
export interface SnapshotRow {
  readonly id: string;
  readonly organisationId: string;
  readonly listId: string;
  readonly sequence: number | null;
  readonly status: SnapshotStatus;
  readonly reason: string | null;
  readonly sha256: string | null;
  readonly bytesTotal: string | null;
  readonly bytesRead: string;
  readonly linesBroken: number;
  readonly broken: readonly BrokenLine[];
  readonly entries: number;
  readonly names: number;
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
  readonly unchanged: number | null;
  readonly requestedBy: string;
  readonly decidedBy: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export interface HitRow {
  readonly id: string;
  readonly organisationId: string;
  readonly customerId: string | null;
  readonly transactionRef: string | null;
  readonly role: PartyRole;
  readonly listId: string;
  readonly listKey: string;
  readonly listKind: string;
  readonly entryKey: string;
  readonly entryId: string;
  readonly entryHash: string;
  readonly snapshotId: string;
  readonly scorerVersion: string;
  readonly score: number;
  readonly nameScore: number;
  readonly strength: Strength;
  readonly mandatory: boolean;
  readonly qualifiers: readonly Qualifier[];
  readonly sealedExplanation: Buffer;
  readonly status: HitStatus;
  readonly reopened: number;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** The hit of the same person, of a record merged into this one, whose disposition this one took over. */
  readonly decidedAs: string | null;
  readonly justification: Buffer | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** Screening the known customers against what a snapshot brought. */
export interface RoundRow {
  readonly id: string;
  readonly organisationId: string;
  readonly listId: string;
  readonly snapshotId: string;
  readonly sequence: number;
  readonly status: 'RUNNING' | 'FINISHED';
  readonly total: number;
  readonly done: number;
  readonly hits: number;
  readonly cursor: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}
