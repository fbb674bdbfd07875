import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { In, MoreThanOrEqual } from 'typeorm';
import { UnitOfWork, type Reader, type Tx } from '../../../platform/database/index.js';
import { required } from '../../../platform/kernel/index.js';
import {
  CHAIN_START,
  composeEntry,
  type AuditAction,
  type AuditContent,
  type AuditDraft,
  type AuditSubject,
  type ChainPosition,
  type ComposedEntry,
  type Subject,
} from '../domain/entry.js';
import {
  missingEntryGaps,
  isBlocking,
  hasMissingEntries,
  verifyTrail,
  type StoredEntry,
  type TrailExpectation,
  type TrailGap,
  type TrailVerdict,
} from '../domain/trail.js';
import { rowKinds } from '../../../platform/database/regulated/regulated.js';
import { stateTrailId } from '../domain/state.js';
import {
  appendEntries,
  readChainEnds,
  readEntriesWithLeaves,
  lockChains,
} from '../store/trail.statements.js';
import { AuditEntryEntity } from '../store/entities.js';
import { PruningRepository, type NamedLeaves } from '../store/pruning.repository.js';
import { readAppliedRepairs } from '../store/repair.queries.js';
import { BoundStateVerifier } from './bound-state-verifier.js';
import { StoredTrail, withRestored } from './stored-trail.js';
import { TrailContracts } from './trail-contracts.js';
import { TrailSealVerifier } from './trail-seal-verifier.js';

/** An entry, parsed from its hashed bytes. */
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
// Maximum number of times that a subject is judged. A subject that changes each time gets the last verdict.
const MAX_LOOKS = 4;

// Maximum number of levels of repairs. A repair counts only if its own trail is whole, or if another repair explains
// the gaps of that trail. The limit ends the recursion if a repair explains its own gaps.
const MAX_REPAIRED = 2;

/** The only writer and reader of audit entries. An entry and the change that it records are in one transaction. */
@Injectable()
export class AuditTrail {
  /** Subject types whose missing rows the state trail detects. */
  private readonly byState = rowKinds();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly contracts: TrailContracts,
    private readonly sealVerifier: TrailSealVerifier,
    private readonly prunings: PruningRepository,
    private readonly boundStateVerifier: BoundStateVerifier,
  ) {}

  /** Appends an entry, or several, to the chains of their subjects and returns them, in the order of `given`. */
  async record(tx: Tx, given: AuditDraft | readonly AuditDraft[]): Promise<ComposedEntry[]> {
    const drafts = [given].flat();
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
   * Locks the chains, so that concurrent appends to one chain wait instead of failing and retrying. Above MAX_TURNS
   * chains it takes no lock: such work has locked its own rows, and each lock takes a slot in PostgreSQL's shared lock
   * table.
   */
  private async takeTurn(tx: Tx, subjects: readonly AuditSubject[]): Promise<void> {
    const names = [...new Set(subjects.map(chainName))];
    if (names.length > MAX_TURNS) return;
    await lockChains(tx, names);
  }

  /** Appends entries that were composed before. The transaction fails if a position in a chain is already taken. */
  async append(tx: Tx, entries: readonly ComposedEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await appendEntries(tx, entries);
  }

  /**
   * Returns the next position in the chain of each subject with entries, keyed by `chainName`. Counts leaves, because
   * the entries of an old trail may be pruned.
   */
  async nextPositions(
    reader: Reader,
    subjects: readonly AuditSubject[],
  ): Promise<Map<string, ChainPosition>> {
    const rows = await readChainEnds(reader, subjects);
    const ends = new Map<string, ChainPosition>();
    for (const row of rows) {
      const subject = subjects[Number(row.ordinal) - 1];
      if (subject) ends.set(chainName(subject), { seq: row.seq + 1, previousHash: row.hash });
    }
    return ends;
  }

  /** Returns the verdict like `trailStatus`; null if the subject does not exist (has neither entries nor rows). */
  async findTrailStatus(subject: AuditSubject): Promise<TrailVerdict | null> {
    const { verdict, expected } = await this.judge(subject);
    return verdict.length === 0 && expected === null && !hasMissingEntries(verdict) ? null : verdict;
  }

  /**
   * Verifies the trail of a subject: complete, chained, unchanged, in the order that its life cycle demands, and
   * consistent with the business rows. Decisions and exports call this before they proceed.
   */
  async trailStatus(subject: AuditSubject): Promise<TrailVerdict> {
    return (await this.judge(subject)).verdict;
  }

  /** Returns the verdicts on many subjects of one type, keyed by id. Reads their entries with one query. */
  async trailStatuses(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
  ): Promise<Map<string, TrailVerdict>> {
    const judgedTrails = await this.judgeUntilStable(organisationId, type, ids, (some) =>
      this.contracts.expectationsFor(organisationId, type, some),
    );
    return new Map([...judgedTrails].map(([id, { verdict }]) => [id, verdict]));
  }

  /** Returns the entries of a subject in order, and the verdict on its trail. */
  async readTimeline(
    subject: AuditSubject,
  ): Promise<{ readonly entries: readonly TrailEntry[]; readonly verdict: TrailVerdict }> {
    const { stored, verdict } = await this.judge(subject);
    return { entries: stored.map(parseEntry), verdict };
  }

  /**
   * Returns the entries of a subject in order, without verifying them. If given, `actions` and `since` limit the
   * entries.
   */
  async readEntries(
    subject: AuditSubject,
    actions?: readonly AuditAction[],
    since?: Date,
  ): Promise<TrailEntry[]> {
    const { organisationId, type, id } = subject;
    return (await this.readEntriesOfMany(organisationId, type, [id], actions, since)).get(id) ?? [];
  }

  /** Returns the entries of subjects of one type like `readEntries`, keyed by id; subjects without any are left out. */
  async readEntriesOfMany(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
    actions?: readonly AuditAction[],
    since?: Date,
  ): Promise<Map<string, TrailEntry[]>> {
    const action = {
      ...(actions && { action: In([...actions]) }),
      ...(since && { recordedAt: MoreThanOrEqual(since) }),
    };
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(AuditEntryEntity, {
        where: { organisationId, subjectType: type, subjectId: In([...ids]), ...action },
        order: { subjectSeq: 'ASC' },
      }),
    );
    const entries = new Map<string, TrailEntry[]>(rows.map(({ subjectId }) => [subjectId, []]));
    for (const row of rows) entries.get(row.subjectId)?.push(parseEntry(row));
    return entries;
  }

  private async judge(subject: AuditSubject): Promise<JudgedTrail> {
    const { organisationId, type, id } = subject;
    const judgedTrails = await this.judgeUntilStable(organisationId, type, [id], async () => {
      const expected = await this.contracts.expectationFor(subject);
      return new Map(expected ? [[id, expected]] : []);
    });
    return required(judgedTrails.get(id), 'the verdict on a trail');
  }

  /**
   * Judges subjects. Subjects with a gap are judged again until two verdicts in a row are equal: rows and entries are
   * read one after the other, and a change that commits in between looks like a gap.
   */
  private async judgeUntilStable(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
    expect: (ids: readonly string[]) => Promise<ReadonlyMap<string, TrailExpectation>>,
  ): Promise<Map<string, JudgedTrail>> {
    const judgedTrails = await this.judgeAll(organisationId, type, ids, expect(ids));
    let open = ids.filter((id) => hasBlockingGap(judgedTrails.get(id)));
    for (let look = 2; open.length > 0 && look <= MAX_LOOKS; look += 1) {
      const again = await this.judgeAll(organisationId, type, open, expect(open));
      open = open.filter((id) => {
        const [before, now] = [judgedTrails.get(id), required(again.get(id), 'the verdict on a trail')];
        judgedTrails.set(id, now);
        return hasBlockingGap(now) && !isDeepStrictEqual(before?.verdict.gaps, now.verdict.gaps);
      });
    }
    return judgedTrails;
  }

  private async judgeAll(
    organisationId: string,
    type: AuditSubject['type'],
    ids: readonly string[],
    expectations: ReadonlyMap<string, TrailExpectation> | Promise<ReadonlyMap<string, TrailExpectation>>,
    depth = 0,
  ): Promise<Map<string, JudgedTrail>> {
    const [expectedOf, { gaps, chains }] = await Promise.all([
      expectations,
      this.boundStateVerifier.findGaps(organisationId, type, ids),
    ]);
    const subjects = ids.map((id) => ({ type, id }));
    const states = type === 'state' ? [] : chains.map((id) => ({ type: 'state', id }) as const);
    const trails = await this.readTrails(organisationId, [...subjects, ...states], depth);
    const judgeOne = (
      subject: Subject,
      expected: TrailExpectation | null,
      bound: readonly TrailGap[],
    ): JudgedTrail => {
      const trail = required(trails.get(stateTrailId(subject)), 'a trail that was read');
      return { stored: trail.stored, expected, verdict: this.verdictOn(subject, trail, expected, bound) };
    };
    const ofStates = new Map(
      states.map((one) => [one.id, judgeOne(one, null, []).verdict.gaps.map(toSubjectGap)]),
    );
    return new Map(
      subjects.map((one) => {
        const bound = [...(gaps.get(one.id) ?? []), ...(ofStates.get(stateTrailId(one)) ?? [])];
        return [one.id, judgeOne(one, expectedOf.get(one.id) ?? null, bound)];
      }),
    );
  }

  /** Returns the stored trails of the subjects with the gaps that their log shows, keyed by `stateTrailId`. */
  private async readTrails(
    organisationId: string,
    subjects: readonly Subject[],
    depth: number,
  ): Promise<ReadonlyMap<string, StoredTrail>> {
    const types = [...new Set(subjects.map(({ type }) => type))];
    const ids = subjects.map(({ id }) => id);
    const trails = new Map(subjects.map((subject) => [stateTrailId(subject), new StoredTrail()]));
    const rows = await this.uow.read(organisationId, (db) =>
      readEntriesWithLeaves(db, organisationId, types, ids),
    );
    for (const row of rows) {
      trails.get(stateTrailId({ type: row.subject_type, id: row.subject_id }))?.keep(row);
    }
    const sealed = new Map([...trails].map(([name, trail]) => [name, trail.sealed]));
    const steps = new Map(
      subjects.flatMap((one) =>
        one.type === 'state' ? [[one.id, trails.get(stateTrailId(one))?.stored ?? []] as const] : [],
      ),
    );
    const [unstepped, beyond, repairs] = await Promise.all([
      this.boundStateVerifier.findUnstepped(organisationId, steps),
      this.sealVerifier.findGaps(organisationId, sealed),
      this.repairsOf(organisationId, types, ids, depth),
    ]);
    for (const type of types) {
      const subjectsOfType = subjects.filter((one) => one.type === type);
      const bare = subjectsOfType.filter((one) => (trails.get(stateTrailId(one))?.bare.length ?? 0) > 0);
      const idsWithoutEntry = bare.map(({ id }) => id);
      const namedLeaves =
        idsWithoutEntry.length > 0
          ? await this.prunings.readNamedLeaves(organisationId, type, idsWithoutEntry)
          : NOTHING_NAMED;
      for (const { id } of subjectsOfType) {
        const name = stateTrailId({ type, id });
        const trail = required(trails.get(name), 'a trail that was read');
        trail.repairs = repairs.get(name) ?? [];
        trail.pruned = trail.bare.filter(({ index }) => namedLeaves.get(id)?.(index) === true);
        trail.unstepped = (type === 'state' ? unstepped.get(id) : undefined) ?? [];
        trail.beyond = beyond.get(name) ?? [];
      }
    }
    return trails;
  }

  private verdictOn(
    subject: Subject,
    trail: StoredTrail,
    expected: TrailExpectation | null,
    bound: readonly TrailGap[],
  ): TrailVerdict {
    const { repairs, pruned } = trail;
    const restored = repairs.flatMap((repair) => repair.restored ?? []);
    const entries = withRestored(trail.stored, restored);
    const hasNoRow =
      expected === null && !this.byState.has(subject.type) && this.contracts.hasContract(subject);
    const missingEntries = hasNoRow ? missingEntryGaps(entries) : [];
    const beyond = [...trail.beyond, ...bound, ...trail.unstepped, ...trail.late, ...missingEntries];
    return verifyTrail(entries, expected, trail.sealed, { beyond, repairs, pruned });
  }

  /** Returns the applied repairs of these subjects, without repairs whose own trail has a blocking gap. */
  private async repairsOf(
    organisationId: string,
    types: readonly AuditSubject['type'][],
    ids: readonly string[],
    depth: number,
  ): Promise<Awaited<ReturnType<typeof readAppliedRepairs>>> {
    if (depth === MAX_REPAIRED) return new Map();
    const applied = await this.uow.read(organisationId, (db) =>
      readAppliedRepairs(db, organisationId, types, ids),
    );
    const repairIds = [...applied.values()].flat().map(({ id }) => id);
    if (repairIds.length === 0) return applied;
    const trails = await this.judgeAll(organisationId, 'repair', repairIds, new Map(), depth + 1);
    const isWhole = ({ id }: { readonly id: string }): boolean =>
      !isBlocking(trails.get(id)?.verdict ?? NO_TRAIL);
    return new Map([...applied].map(([id, own]) => [id, own.filter(isWhole)]));
  }
}

const hasBlockingGap = (judged: JudgedTrail | undefined): boolean =>
  judged !== undefined && isBlocking(judged.verdict);

function parseEntry({
  canonical,
  recordedAt,
  hash,
}: Pick<AuditEntryEntity, 'canonical' | 'hash'> & Pick<StoredEntry, 'recordedAt'>): TrailEntry {
  return {
    ...(JSON.parse(canonical.toString('utf8')) as Omit<TrailEntry, 'recordedAt' | 'hash'>),
    recordedAt: required(recordedAt, 'the time of a stored entry'),
    hash: required(hash, 'the hash of a stored entry'),
  };
}

/** The verdict on a repair that has no trail. */
const NO_TRAIL = { status: 'MISSING' } as const;

/** Turns a gap of the state trail into a gap of its subject. */
const toSubjectGap = ({ seq, detail, ...gap }: TrailGap): TrailGap => ({
  ...gap,
  seq: null,
  detail: `state trail, entry ${seq ?? '-'}: ${detail}`,
});

/** The entries of a subject, and the verdict on them. */
interface JudgedTrail {
  readonly stored: readonly StoredEntry[];
  /** Null if the subject has no rows, or its type has no contract. */
  readonly expected: TrailExpectation | null;
  readonly verdict: TrailVerdict;
}

const NOTHING_NAMED: ReadonlyMap<string, NamedLeaves> = new Map();

export const chainName = ({ organisationId, type, id }: AuditSubject): string =>
  `${organisationId}|${type}|${id}`;
