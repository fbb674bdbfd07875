import type { SealedLeaf, StoredEntry, TrailGap } from '../domain/trail.js';
import type { StoredRepair } from '../store/repair.queries.js';
import type { EntryWithLeaf } from '../store/trail.statements.js';

// An entry that waited longer than this for its seal is late: the seal does not prove the time of the entry.
const LATE_SECONDS = 60;

/** A stored trail, with the findings of the log and the repairs that apply to it. */
export class StoredTrail {
  readonly stored: StoredEntry[] = [];
  readonly sealed: SealedLeaf[] = [];
  /** Leaves whose entry was deleted. */
  readonly bare: SealedLeaf[] = [];
  readonly late: TrailGap[] = [];
  repairs: readonly StoredRepair[] = [];
  /** Leaves in `bare` that a pruning names. */
  pruned: readonly SealedLeaf[] = [];
  /** Gaps for state entries that no step of the service wrote. */
  unstepped: readonly TrailGap[] = [];
  /** Gaps that the log shows. */
  beyond: readonly TrailGap[] = [];

  keep(row: EntryWithLeaf): void {
    const { subject_seq: seq, action, canonical, hash, previous_hash: previousHash } = row;
    if (seq !== null && action !== null && canonical && hash && row.recorded_at) {
      this.stored.push({ seq, action, canonical, hash, previousHash, recordedAt: row.recorded_at });
    }
    if (row.leaf_seq !== null && row.leaf_hash) {
      const leaf = { seq: row.leaf_seq, index: Number(row.leaf_index), hash: row.leaf_hash };
      this.sealed.push(leaf);
      if (seq === null) this.bare.push(leaf);
    }
    if (row.late_seq !== null && row.waited_seconds !== null && row.waited_seconds >= LATE_SECONDS) {
      const detail = `nothing awaited its seal for ${row.waited_seconds} seconds`;
      this.late.push({ kind: 'SEALED_LATE', seq: row.late_seq, detail });
    }
  }
}

/** Replaces changed and missing entries by the restored entries. */
export function withRestored(
  stored: readonly StoredEntry[],
  restored: readonly StoredEntry[],
): readonly StoredEntry[] {
  if (restored.length === 0) return stored;
  const bySeq = new Map(stored.map((entry) => [entry.seq, entry]));
  for (const entry of restored) bySeq.set(entry.seq, entry);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}
