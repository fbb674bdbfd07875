import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Reader, type Tx } from '../../../platform/database/index.js';
import { required } from '../../../platform/kernel/index.js';
import {
  CHAIN_START,
  composeEntry,
  type AuditContent,
  type AuditDraft,
  type AuditSubject,
  type ChainPosition,
  type ComposedEntry,
} from '../domain/entry.js';
import {
  missingEntryGaps,
  isBlocking,
  isMissingEntry,
  verifyTrail,
  type SealedLeaf,
  type StoredEntry,
  type TrailExpectation,
  type TrailGap,
  type TrailVerdict,
} from '../domain/trail.js';
import { rowKinds } from '../../../platform/database/regulated/regulated.js';
import { stateChain } from '../domain/state.js';
import {
  appendEntries,
  chainEnds,
  judgedRows,
  lockChains,
  type JudgedRow,
} from '../store/trail.statements.js';
import { AuditEntryEntity } from '../store/entities/audit-entry.entity.js';
import { PruningRepository, type NamedLeaves } from '../store/pruning.repository.js';
import { appliedRepairs } from '../store/repair.queries.js';
import { BoundStates } from './bound-states.js';
import { TrailContracts } from './trail-contracts.js';
import { TrailSeals } from './trail-seals.js';

/** An entry as its hashed bytes say it. */
export interface TrailEntry {
  readonly seq: number;
  readonly action: string;
  /** `kind:id`. */
  readonly actor: string;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  readonly occurredAt: string;
  readonly content: AuditContent;
  readonly recordedAt: Date;
  readonly hash: Buffer;
}

const MAX_TURNS = 32;

// A repair counts only while its own trail is whole, or another repair answers for it. The depth is bounded, because a
// repair cannot answer for itself.
const MAX_REPAIRED = 2;

/** The only writer and reader of audit entries. An entry commits with what it records, or neither does. */
@Injectable()
export class AuditTrail {
  /** Subject types whose state trail says whether there is a row. */
  private readonly byState = rowKinds();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly contracts: TrailContracts,
    private readonly seals: TrailSeals,
    private readonly prunings: PruningRepository,
    private readonly states: BoundStates,
  ) {}

  /** Records entries at the end of their subjects' chains and returns them, in order. */
  async record(tx: Tx, drafts: readonly AuditDraft[]): Promise<ComposedEntry[]> {
    const subjects = drafts.map(({ subject }) => subject);
    await this.takeTurn(tx, subjects);
    const ends = await this.nextPositions(tx, subjects);
    const composed = drafts.map((draft) => {
      const name = chainName(draft.subject);
      const entry = composeEntry(draft, ends.get(name) ?? CHAIN_START);
      ends.set(name, { seq: entry.position.seq + 1, previousHash: entry.hash });
      return entry;
    });
    await this.append(tx, composed);
    return composed;
  }

  /**
   * Concurrent appends to one chain conflict, so they take turns here instead of retrying. Work on many chains takes no
   * turn: it holds rows of its own, and each turn takes a place in a table that all connections share.
   */
  private async takeTurn(tx: Tx, subjects: readonly AuditSubject[]): Promise<void> {
    const names = [...new Set(subjects.map(chainName))];
    if (names.length > MAX_TURNS) return;
    await lockChains(tx, names);
  }

  /** Appends entries that were composed outside the transaction; a place already taken fails the transaction. */
  async append(tx: Tx, entries: readonly ComposedEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await appendEntries(tx, entries);
  }

  /**
   * Returns the next place in the chain of each subject that has entries, by `chainName`. Leaves count too: the entries
   * of an old trail may be pruned.
   */
  async nextPositions(
    reader: Reader,
    subjects: readonly AuditSubject[],
  ): Promise<Map<string, ChainPosition>> {
    const rows = await chainEnds(reader, subjects);
    const ends = new Map<string, ChainPosition>();
    for (const row of rows) {
      const subject = subjects[Number(row.ordinal) - 1];
      if (subject) ends.set(chainName(subject), { seq: row.seq + 1, previousHash: row.hash });
    }
    return ends;
  }

  /** As `trailStatus`; null for a subject with neither entries nor stored state, which does not exist. */
  async findTrail(subject: AuditSubject): Promise<TrailVerdict | null> {
    const expected = await this.contracts.expectationFor(subject);
    const verdict = await this.judge(subject, expected);
    return verdict.length === 0 && expected === null && !isMissingEntry(verdict) ? null : verdict;
  }

  /**
   * Judges a subject's trail: dense, linked, unchanged, in the order its life cycle demands, and equal to what the
   * business rows committed to. Gates on decisions and exports call this.
   */
  async trailStatus(subject: AuditSubject): Promise<TrailVerdict> {
    return this.judge(subject, await this.contracts.expectationFor(subject));
  }

  /** As `trailStatus`, for many subjects of one kind with one look at their entries; by id. */
  async trailStatuses(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
  ): Promise<Map<string, TrailVerdict>> {
    const expected = await this.contracts.expectationsFor(organisationId, type, ids);
    return this.judgeAll(organisationId, type, ids, (id) => expected.get(id) ?? null);
  }

  /** The entries of a subject in order, as they were written. */
  async entriesOf(subject: AuditSubject): Promise<TrailEntry[]> {
    const { organisationId, type, id } = subject;
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(AuditEntryEntity, {
        where: { organisationId, subjectType: type, subjectId: id },
        order: { subjectSeq: 'ASC' },
      }),
    );
    return rows.map(({ canonical, recordedAt, hash }) => ({
      ...(JSON.parse(canonical.toString('utf8')) as Omit<TrailEntry, 'recordedAt' | 'hash'>),
      recordedAt,
      hash: required(hash, 'the hash of a stored entry'),
    }));
  }

  private async judge(subject: AuditSubject, expected: TrailExpectation | null): Promise<TrailVerdict> {
    const { organisationId, type, id } = subject;
    const verdicts = await this.judgeAll(organisationId, type, [id], () => expected);
    const verdict = verdicts.get(id);
    if (!verdict) throw new Error('a trail was not judged');
    return verdict;
  }

  private async judgeAll(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
    expectedOf: (id: string) => TrailExpectation | null,
    depth = 0,
  ): Promise<Map<string, TrailVerdict>> {
    const { gaps, chains } = await this.states.of(organisationId, type, ids);
    if (type === 'state' || chains.length === 0) {
      return this.judgeEntries(organisationId, type, ids, expectedOf, gaps, depth);
    }
    const trails = await this.judgeEntries(organisationId, 'state', chains, () => null, new Map(), depth);
    const bound = ids.map((id) => {
      const own = trails.get(stateChain({ type, id }))?.gaps ?? [];
      return [id, [...(gaps.get(id) ?? []), ...own.map(ofState)]] as const;
    });
    return this.judgeEntries(organisationId, type, ids, expectedOf, new Map(bound), depth);
  }

  private async judgeEntries(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
    expectedOf: (id: string) => TrailExpectation | null,
    states: ReadonlyMap<string, readonly TrailGap[]>,
    depth: number,
  ): Promise<Map<string, TrailVerdict>> {
    const rows = await this.uow.read(organisationId, (db) => judgedRows(db, organisationId, type, ids));
    const trails = new Map<string, StoredTrail>(ids.map((id) => [id, { stored: [], sealed: [], bare: [] }]));
    for (const row of rows) keep(trails.get(row.subject_id), row);
    const sealed = new Map([...trails].map(([id, trail]) => [id, trail.sealed]));
    const stored = new Map([...trails].map(([id, trail]) => [id, trail.stored]));
    const unstepped = type === 'state' ? await this.states.unstepped(organisationId, stored) : null;
    const beyond = await this.seals.gaps(organisationId, sealed);
    const late = await this.states.findLateSeals(organisationId, type, ids);
    const repairs = await this.repairsOf(organisationId, type, ids, depth);
    const lacking = [...trails].filter(([, trail]) => trail.bare.length > 0).map(([id]) => id);
    const named =
      lacking.length > 0 ? await this.prunings.named(organisationId, type, lacking) : NOTHING_NAMED;
    return new Map(
      [...trails].map(([id, trail]) => {
        const own = repairs.get(id) ?? [];
        const restored = own.flatMap((repair) => repair.restored ?? []);
        const entries = withRestored(trail.stored, restored);
        const pruned = trail.bare.filter(({ index }) => named.get(id)?.(index) === true);
        const expected = expectedOf(id);
        const hasNoRow =
          expected === null && !this.byState.has(type) && this.contracts.hasContract({ type, id });
        const elsewhere = [
          ...(beyond.get(id) ?? []),
          ...(states.get(id) ?? []),
          ...(unstepped?.get(id) ?? []),
          ...(late.get(id) ?? []),
          ...(hasNoRow ? missingEntryGaps(entries) : []),
        ];
        const found = { beyond: elsewhere, repairs: own, pruned };
        return [id, verifyTrail(entries, expected, trail.sealed, found)] as const;
      }),
    );
  }

  /** Returns the applied repairs of these subjects whose own trails block nothing. */
  private async repairsOf(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
    depth: number,
  ): Promise<Awaited<ReturnType<typeof appliedRepairs>>> {
    if (depth === MAX_REPAIRED) return new Map();
    const applied = await this.uow.read(organisationId, (db) =>
      appliedRepairs(db, organisationId, type, ids),
    );
    const repairIds = [...applied.values()].flat().map(({ id }) => id);
    if (repairIds.length === 0) return applied;
    const trails = await this.judgeAll(organisationId, 'repair', repairIds, () => null, depth + 1);
    const isWhole = ({ id }: { readonly id: string }): boolean => !isBlocking(trails.get(id) ?? NO_TRAIL);
    return new Map([...applied].map(([id, own]) => [id, own.filter(isWhole)]));
  }
}

/** The verdict on a repair that was not judged. */
const NO_TRAIL = { status: 'MISSING' } as const;

/** Turns a gap of the state trail into a gap of its subject. */
const ofState = ({ seq, detail, ...gap }: TrailGap): TrailGap => ({
  ...gap,
  seq: null,
  detail: `state trail, entry ${seq ?? '-'}: ${detail}`,
});

interface StoredTrail {
  readonly stored: StoredEntry[];
  readonly sealed: SealedLeaf[];
  /** Leaves whose entry is not stored any more. */
  readonly bare: SealedLeaf[];
}

const NOTHING_NAMED: ReadonlyMap<string, NamedLeaves> = new Map();

function keep(trail: StoredTrail | undefined, row: JudgedRow): void {
  const { subject_seq: seq, action, canonical, hash, previous_hash: previousHash } = row;
  if (seq !== null && action !== null && canonical && hash) {
    trail?.stored.push({ seq, action, canonical, hash, previousHash, recordedAt: row.recorded_at });
  }
  if (row.leaf_seq !== null && row.leaf_hash) {
    const leaf = { seq: row.leaf_seq, index: Number(row.leaf_index), hash: row.leaf_hash };
    trail?.sealed.push(leaf);
    if (seq === null) trail?.bare.push(leaf);
  }
}

/** Puts restored entries in the places of changed and missing ones. */
function withRestored(
  stored: readonly StoredEntry[],
  restored: readonly StoredEntry[],
): readonly StoredEntry[] {
  if (restored.length === 0) return stored;
  const bySeq = new Map(stored.map((entry) => [entry.seq, entry]));
  for (const entry of restored) bySeq.set(entry.seq, entry);
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

export const chainName = ({ organisationId, type, id }: AuditSubject): string =>
  `${organisationId}|${type}|${id}`;
