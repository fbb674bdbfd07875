import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';
import { entryHash, type AuditAction, type AuditContent } from './entry.js';
import {
  trailStatuses,
  type SealedLeaf,
  type StoredEntry,
  type TrailAnchor,
  type TrailExpectation,
  type TrailGap,
  type TrailActionOrder,
  type TrailStatus,
} from './trail-parts.js';

export * from './trail-parts.js';

export const repairKinds = ['RECONSTRUCT', 'RE_DERIVE', 'RESTORE', 'ATTEST'] as const;
export type RepairKind = (typeof repairKinds)[number];

/** A repair that two people have agreed on, and the gaps that it explains. */
export interface AppliedRepair {
  readonly id: string;
  readonly kind: RepairKind;
  readonly gaps: readonly TrailGap[];
}

export interface TrailVerdict {
  readonly status: TrailStatus;
  readonly length: number;
  /** Gaps that no repair explains. */
  readonly gaps: readonly TrailGap[];
  readonly repairs: readonly AppliedRepair[];
  /** Number of entries that were pruned after their retention. */
  readonly pruned: number;
}

/** True if the gaps block decisions and exports until a repair. */
export const isBlocking = ({ status }: Pick<TrailVerdict, 'status'>): boolean =>
  status !== 'COMPLETE' && status !== 'PRUNED' && status !== 'ATTESTED_GAP';

const ALTERED: ReadonlySet<TrailStatus> = new Set([
  'MISSING_EVENTS',
  'MISSING',
  'STATE_MISMATCH',
  'CHAIN_BROKEN',
  'TAMPERED',
]);

/** True if rows or entries were changed or deleted, so that no evaluation may rely on the rows. */
export const isAltered = ({ gaps }: Pick<TrailVerdict, 'gaps'>): boolean =>
  gaps.some(({ kind }) => ALTERED.has(kind));

// The worst gap gives the status of the verdict: changed bytes matter more than a missing entry.
const GRAVITY: readonly TrailStatus[] = trailStatuses.toReversed();

/** Adds gaps from other checks to a verdict. */
export function addGaps(verdict: TrailVerdict, beside: readonly TrailGap[]): TrailVerdict {
  const gaps = [...new Map([...verdict.gaps, ...beside].map((gap) => [nameOf(gap), gap])).values()];
  const worst = GRAVITY.find((kind) => gaps.some((gap) => gap.kind === kind));
  return { ...verdict, gaps, status: worst ?? verdict.status };
}

export interface EntriesBeyondState {
  /** Gaps from other checks. */
  readonly beyond?: readonly TrailGap[];
  /** Applied repairs. Each repair explains only the gaps that it was requested for. */
  readonly repairs?: readonly AppliedRepair[];
  /** Leaves of entries that were pruned after their retention. */
  readonly pruned?: readonly SealedLeaf[];
}

/**
 * Verifies the trail of one subject: consecutive numbers, the hash chain, the order of actions (`TrailActionOrder`), the
 * anchors in business rows, and the sealed leaves. Of pruned entries it verifies only the hashes.
 */
export function verifyTrail(
  entries: readonly StoredEntry[],
  expected: TrailExpectation | null,
  sealed: readonly SealedLeaf[] = [],
  { beyond = [], repairs = [], pruned = [] }: EntriesBeyondState = {},
): TrailVerdict {
  const found = [
    ...chainGaps(entries, pruned),
    ...(expected
      ? expectationGaps(entries, pruned.length > 0 ? withoutPrunedBeginning(expected, pruned) : expected)
      : []),
    ...sealGaps(entries, sealed, pruned),
    ...beyond,
  ];
  const gaps = [...new Map(found.map((gap) => [nameOf(gap), gap])).values()];
  const answered = new Map(
    repairs.flatMap((repair) => repair.gaps.filter(explains(repair)).map((gap) => [nameOf(gap), repair])),
  );
  const open = gaps.filter((gap) => !answered.has(nameOf(gap)));
  const worst = GRAVITY.find((kind) => open.some((gap) => gap.kind === kind));
  const attested = gaps.some((gap) => answered.get(nameOf(gap))?.kind === 'ATTEST');
  return {
    status: worst ?? (attested ? 'ATTESTED_GAP' : pruned.length > 0 ? 'PRUNED' : 'COMPLETE'),
    length: pruned.length + entries.length,
    gaps: open,
    repairs,
    pruned: pruned.length,
  };
}

// Matches actions that remove a subject on purpose. A trail that ends with one has no row.
const REMOVAL = /\.(erased|merged|discarded)$/;

/** Finds the gap of a subject that has entries and no row, unless it was removed on purpose. */
export function missingEntryGaps(entries: readonly StoredEntry[]): TrailGap[] {
  const last = entries.at(-1);
  if (!last || REMOVAL.test(last.action)) return [];
  return [{ kind: 'MISSING', seq: last.seq, detail: 'its row is not there, and no entry says why' }];
}

const nameOf = ({ kind, seq, detail }: TrailGap): string => `${kind}|${seq ?? ''}|${detail}`;

/**
 * True if the repair explains the gap. RE_DERIVE never explains a STATE_MISMATCH: it restored the columns, so they were
 * changed again after the repair.
 */
const explains =
  (repair: AppliedRepair) =>
  ({ kind }: TrailGap): boolean =>
    repair.kind !== 'RE_DERIVE' || kind !== 'STATE_MISMATCH';

/** Finds sealed entries that are missing or changed, and unsealed entries that precede a sealed entry. */
function sealGaps(
  entries: readonly StoredEntry[],
  sealed: readonly SealedLeaf[],
  pruned: readonly SealedLeaf[],
): TrailGap[] {
  const prunedSeqs = new Set(pruned.map(({ seq }) => seq));
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const leaves = new Set(sealed.map(({ seq }) => seq));
  const newest = Math.max(0, ...leaves);
  const gaps: TrailGap[] = [];
  for (const { seq, hash } of sealed) {
    const entry = bySeq.get(seq);
    if (!entry) {
      if (!prunedSeqs.has(seq)) gaps.push({ kind: 'MISSING_EVENTS', seq, detail: `entry ${seq} is missing` });
    } else if (!entry.hash.equals(hash)) {
      gaps.push({ kind: 'TAMPERED', seq, detail: 'the log sealed other bytes' });
    }
  }
  for (const { seq } of entries) {
    if (seq < newest && !leaves.has(seq)) {
      gaps.push({ kind: 'TAMPERED', seq, detail: 'the log never sealed it, but what came later' });
    }
  }
  return gaps;
}

const EMPTY = 'the trail is empty';

/** True if rows or entries are lost. An empty trail does not count: the subject may never have existed. */
export const hasMissingEntries = ({ gaps }: Pick<TrailVerdict, 'gaps'>): boolean =>
  gaps.some(({ kind, detail }) => kind === 'MISSING' || (kind === 'MISSING_EVENTS' && detail !== EMPTY));

function chainGaps(entries: readonly StoredEntry[], pruned: readonly SealedLeaf[]): TrailGap[] {
  const gaps: TrailGap[] = [];
  let previous: Pick<StoredEntry, 'seq' | 'hash'> | null = null;
  for (const leaf of pruned) {
    const expectedSeq = (previous?.seq ?? 0) + 1;
    if (leaf.seq !== expectedSeq) {
      gaps.push({ kind: 'MISSING_EVENTS', seq: expectedSeq, detail: `entry ${expectedSeq} is missing` });
    }
    previous = leaf;
  }
  if (entries.length === 0 && !previous) {
    gaps.push({ kind: 'MISSING_EVENTS', seq: 1, detail: EMPTY });
  }
  for (const entry of entries) {
    const expectedSeq = (previous?.seq ?? 0) + 1;
    if (entry.seq !== expectedSeq) {
      gaps.push({ kind: 'MISSING_EVENTS', seq: expectedSeq, detail: `entry ${expectedSeq} is missing` });
    }
    if (!entryHash(entry.canonical).equals(entry.hash) || !matchesColumns(entry)) {
      gaps.push({ kind: 'TAMPERED', seq: entry.seq, detail: 'the stored bytes do not give the stored hash' });
    }
    if (entry.seq === expectedSeq && previous && !entry.previousHash?.equals(previous.hash)) {
      gaps.push({
        kind: 'CHAIN_BROKEN',
        seq: entry.seq,
        detail: 'the entry does not link to the one before it',
      });
    }
    previous = entry;
  }
  return gaps;
}

/** True if the columns of an entry, which exist for queries, have the same values as its hashed bytes. */
function matchesColumns(entry: StoredEntry): boolean {
  const content = parseCanonical(entry.canonical);
  return (
    content?.['seq'] === entry.seq &&
    content['action'] === entry.action &&
    content['previous'] === (entry.previousHash?.toString('hex') ?? null) &&
    (!entry.recordedAt || content['occurredAt'] === entry.recordedAt.toISOString())
  );
}

/** Adapts the expectation to pruned entries: any action may be first, and anchors to pruned hashes are accepted. */
function withoutPrunedBeginning(
  { grammar, anchors, ...rest }: TrailExpectation,
  pruned: readonly SealedLeaf[],
): TrailExpectation {
  return {
    ...rest,
    ...(grammar && { grammar: { ...grammar, first: allActionsOf(grammar) } }),
    anchors: anchors.filter(({ hash }) => !pruned.some((leaf) => leaf.hash.equals(hash))),
  };
}

const allActionsOf = ({ follows, last }: TrailActionOrder): AuditAction[] =>
  [...Object.keys(follows), ...Object.values(follows).flat(), ...last] as AuditAction[];

function expectationGaps(entries: readonly StoredEntry[], expected: TrailExpectation): TrailGap[] {
  const gaps = expected.grammar ? orderGaps(entries, expected.grammar) : [];
  return [
    ...gaps,
    ...expected.anchors.flatMap((anchor) => anchorGaps(entries, anchor, expected.anchors)),
    ...strayGaps(entries, expected),
    ...eventGaps(entries, expected),
    ...toldGaps(entries, expected),
    ...(expected.found ?? []),
  ];
}

/** Finds actions in an order that the grammar forbids, and a last action that the current state forbids. */
function orderGaps(entries: readonly StoredEntry[], grammar: TrailActionOrder): readonly TrailGap[] {
  const gaps: TrailGap[] = [];
  const beside: readonly string[] = grammar.beside ?? [];
  const steps = entries.filter(({ action }, i) => i === 0 || !beside.includes(action));
  let allowed: readonly string[] = grammar.first;
  for (const entry of steps) {
    if (!allowed.includes(entry.action)) {
      gaps.push({ kind: 'MISSING_EVENTS', seq: entry.seq, detail: `${entry.action} cannot stand here` });
    }
    allowed = grammar.follows[entry.action as AuditAction] ?? [];
  }
  const lastAction = steps.at(-1)?.action;
  if (lastAction !== undefined && !grammar.last.some((action) => action === lastAction)) {
    gaps.push({
      kind: 'MISSING_EVENTS',
      seq: entries.length + 1,
      detail: `the state needs the trail to end with ${grammar.last.join(' or ')}`,
    });
  }
  return gaps;
}

/** Finds rows that contradict the newest entry of an action. */
function toldGaps(
  entries: readonly StoredEntry[],
  { told = [] }: Pick<TrailExpectation, 'told'>,
): readonly TrailGap[] {
  return told.flatMap(({ action, says: state }) => {
    const actions: readonly string[] = typeof action === 'string' ? [action] : action;
    const newest = entries.findLast((entry) => actions.includes(entry.action));
    if (newest && containsValues(newest, state)) return [];
    const detail = `what is stored is not what the ${actions.join(' or ')} entry says`;
    return [{ kind: 'STATE_MISMATCH' as const, seq: newest?.seq ?? null, detail }];
  });
}

/** Finds a gap if fewer events are stored than the entries record. */
function eventGaps(
  entries: readonly StoredEntry[],
  { counted }: Pick<TrailExpectation, 'counted'>,
): readonly TrailGap[] {
  if (!counted) return [];
  const { rows, by } = counted;
  const expectedEvents = entries.filter(
    (entry) => by.some((one) => one === entry.action) && !containsValues(entry, { event: false }),
  ).length;
  if (rows >= expectedEvents) return [];
  return [{ kind: 'MISSING', seq: null, detail: `${rows} of ${expectedEvents} events are there` }];
}

/** Finds entries of a `bound` action without an anchor. */
function strayGaps(
  entries: readonly StoredEntry[],
  { anchors, bound = [] }: TrailExpectation,
): readonly TrailGap[] {
  return bound.flatMap((action) => {
    const actionEntries = entries.filter((entry) => entry.action === action);
    const rows = anchors.filter((anchor) => anchor.action === action);
    if (actionEntries.length <= rows.length) return [];
    const stray = actionEntries.find(({ hash }) => !rows.some((row) => row.hash.equals(hash)));
    const detail = `a ${action} entry that no stored state was written with`;
    return [{ kind: 'STATE_MISMATCH' as const, seq: stray?.seq ?? null, detail }];
  });
}

function anchorGaps(
  entries: readonly StoredEntry[],
  anchor: TrailAnchor,
  anchors: readonly TrailAnchor[],
): readonly TrailGap[] {
  const { action } = anchor;
  const actionEntries = entries.filter((entry) => entry.action === action);
  const bound = actionEntries.find((entry) => entry.hash.equals(anchor.hash));
  if (bound) {
    if (containsValues(bound, anchor.says)) return [];
    return [
      {
        kind: 'STATE_MISMATCH',
        seq: bound.seq,
        detail: `the stored state is not what the ${action} entry says`,
      },
    ];
  }
  // If there are fewer entries than rows, the entry was deleted, not changed.
  if (actionEntries.length < anchors.filter((other) => other.action === action).length) {
    return [{ kind: 'MISSING_EVENTS', seq: null, detail: `a ${action} entry is missing` }];
  }
  const detail = `no ${action} entry has the hash that the stored state committed to`;
  return [{ kind: 'STATE_MISMATCH', seq: null, detail }];
}

function containsValues(entry: StoredEntry, state: AuditContent = {}): boolean {
  const content = (parseCanonical(entry.canonical)?.['content'] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(state).every(
    ([name, value]) => canonicalJson(content[name] ?? null) === canonicalJson(value),
  );
}

function parseCanonical(canonical: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(canonical.toString('utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return null; // bytes that are no JSON were not written by this service
  }
}
