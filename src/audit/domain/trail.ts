import { canonicalJson } from '../../kernel/values/canonical-json.js';
import { entryHash, type AuditAction, type AuditContent } from './entry.js';

/** One stored entry of a subject, as it was read back. */
export interface StoredEntry {
  readonly seq: number;
  readonly action: string;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  readonly previousHash: Buffer | null;
}

/** The entries that a subject must show for the stage of life it is in. */
export interface TrailExpectation {
  /** Patterns over the actions in order, as a regular grammar: one alternative has to match. */
  readonly grammar: TrailGrammar;
  readonly anchors: readonly TrailAnchor[];
  /** Actions of which each entry has a stored row that names it: an entry without one was not written by the service. */
  readonly bound?: readonly AuditAction[];
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
  'STATE_MISMATCH',
  'CHAIN_BROKEN',
  'TAMPERED',
  'LOG_ROLLED_BACK',
] as const;
/**
 * From the best to the worst. PRUNED: its entries were kept as long as they had to be and are gone, named by the log; their
 * leaf hashes are there. ATTESTED_GAP: two people have answered for what is missing; nothing of it can be defended,
 * but a person may decide. LOG_ROLLED_BACK: the log of the organisation is behind what was handed out of it.
 */
export type TrailStatus = (typeof trailStatuses)[number];

export interface TrailGap {
  readonly kind: TrailStatus;
  readonly seq: number | null;
  readonly detail: string;
}

export const repairKinds = ['RECONSTRUCT', 'RE_DERIVE', 'RESTORE', 'ATTEST'] as const;
export type RepairKind = (typeof repairKinds)[number];

/** A repair that two people have applied, and the gaps that it answers. */
export interface AppliedRepair {
  readonly id: string;
  readonly kind: RepairKind;
  readonly gaps: readonly TrailGap[];
}

export interface TrailVerdict {
  readonly status: TrailStatus;
  readonly length: number;
  /** Gaps that no repair answers. */
  readonly gaps: readonly TrailGap[];
  readonly repairs: readonly AppliedRepair[];
  /** How many entries are gone because their time of keeping was over. */
  readonly pruned: number;
}

/** Whether decisions and exports have to wait for a repair. */
export const isBlocking = ({ status }: Pick<TrailVerdict, 'status'>): boolean =>
  status !== 'COMPLETE' && status !== 'PRUNED' && status !== 'ATTESTED_GAP';

// The gravest finding names the verdict: bytes that changed matter more than an entry that is missing.
const GRAVITY: readonly TrailStatus[] = trailStatuses.toReversed();

export interface Beyond {
  /** Gaps that were found elsewhere. */
  readonly beyond?: readonly TrailGap[];
  /** Repairs answer gaps, each exactly those that it was made for. */
  readonly repairs?: readonly AppliedRepair[];
  /** Leaves of entries that are gone because their time of keeping was over. */
  readonly pruned?: readonly SealedLeaf[];
}

/**
 * Judges one subject's trail: density, chain, hashes, grammar, what the business rows committed to, and what was sealed.
 * Of what was pruned only the hashes are judged.
 */
export function judgeTrail(
  entries: readonly StoredEntry[],
  expected: TrailExpectation | null,
  sealed: readonly SealedLeaf[] = [],
  { beyond = [], repairs = [], pruned = [] }: Beyond = {},
): TrailVerdict {
  const found = [
    ...chainGaps(entries, pruned),
    ...(expected
      ? expectationGaps(entries, pruned.length > 0 ? beginningLost(expected, pruned) : expected)
      : []),
    ...sealGaps(entries, sealed, pruned),
    ...beyond,
  ];
  const gaps = [...new Map(found.map((gap) => [nameOf(gap), gap])).values()];
  const answered = new Map(repairs.flatMap((repair) => repair.gaps.map((gap) => [nameOf(gap), repair])));
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

const nameOf = ({ kind, seq, detail }: TrailGap): string => `${kind}|${seq ?? ''}|${detail}`;

/** Finds sealed entries that are missing or changed, and unsealed entries that stand before a sealed one. */
function sealGaps(
  entries: readonly StoredEntry[],
  sealed: readonly SealedLeaf[],
  pruned: readonly SealedLeaf[],
): TrailGap[] {
  const gone = new Set(pruned.map(({ seq }) => seq));
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const leaves = new Set(sealed.map(({ seq }) => seq));
  const newest = Math.max(0, ...leaves);
  const gaps: TrailGap[] = [];
  for (const { seq, hash } of sealed) {
    const entry = bySeq.get(seq);
    if (!entry) {
      if (!gone.has(seq)) gaps.push({ kind: 'MISSING_EVENTS', seq, detail: `entry ${seq} is missing` });
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

function chainGaps(entries: readonly StoredEntry[], pruned: readonly SealedLeaf[]): TrailGap[] {
  const gaps: TrailGap[] = [];
  let previous: Pick<StoredEntry, 'seq' | 'hash'> | null = null;
  for (const leaf of pruned) {
    const wanted = (previous?.seq ?? 0) + 1;
    if (leaf.seq !== wanted) {
      gaps.push({ kind: 'MISSING_EVENTS', seq: wanted, detail: `entry ${wanted} is missing` });
    }
    previous = leaf;
  }
  if (entries.length === 0 && !previous) {
    gaps.push({ kind: 'MISSING_EVENTS', seq: 1, detail: 'the trail is empty' });
  }
  for (const entry of entries) {
    const wanted = (previous?.seq ?? 0) + 1;
    if (entry.seq !== wanted) {
      gaps.push({ kind: 'MISSING_EVENTS', seq: wanted, detail: `entry ${wanted} is missing` });
    }
    if (!entryHash(entry.canonical).equals(entry.hash) || !agrees(entry)) {
      gaps.push({ kind: 'TAMPERED', seq: entry.seq, detail: 'the stored bytes do not give the stored hash' });
    }
    if (entry.seq === wanted && previous && !entry.previousHash?.equals(previous.hash)) {
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

/** The columns beside the canonical bytes are for queries; they must say what the hashed bytes say. */
function agrees(entry: StoredEntry): boolean {
  const content = parsed(entry.canonical);
  return (
    content?.['seq'] === entry.seq &&
    content['action'] === entry.action &&
    content['previous'] === (entry.previousHash?.toString('hex') ?? null)
  );
}

/** Relaxes the expectation of a trail whose first entries are pruned: any entry may follow, and hashes stay bound. */
function beginningLost(
  { grammar, anchors, ...rest }: TrailExpectation,
  pruned: readonly SealedLeaf[],
): TrailExpectation {
  const any = [...Object.keys(grammar.follows), ...Object.values(grammar.follows).flat(), ...grammar.last];
  return {
    ...rest,
    grammar: { ...grammar, first: any as AuditAction[] },
    anchors: anchors.filter(({ hash }) => !pruned.some((leaf) => leaf.hash.equals(hash))),
  };
}

function expectationGaps(entries: readonly StoredEntry[], expected: TrailExpectation): TrailGap[] {
  const gaps: TrailGap[] = [];
  const { grammar } = expected;
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
  return [
    ...gaps,
    ...expected.anchors.flatMap((anchor) => anchorGaps(entries, anchor, expected.anchors)),
    ...strayGaps(entries, expected),
  ];
}

/** Entries that tell of something that no row knows. */
function strayGaps(
  entries: readonly StoredEntry[],
  { anchors, bound = [] }: TrailExpectation,
): readonly TrailGap[] {
  return bound.flatMap((action) => {
    const written = entries.filter((entry) => entry.action === action);
    const rows = anchors.filter((anchor) => anchor.action === action);
    if (written.length <= rows.length) return [];
    const stray = written.find(({ hash }) => !rows.some((row) => row.hash.equals(hash)));
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
  const written = entries.filter((entry) => entry.action === action);
  const bound = written.find((entry) => entry.hash.equals(anchor.hash));
  if (bound) {
    if (says(bound, anchor.says)) return [];
    return [
      {
        kind: 'STATE_MISMATCH',
        seq: bound.seq,
        detail: `the stored state is not what the ${action} entry says`,
      },
    ];
  }
  // Fewer entries than rows that were written with one: it is gone, not changed.
  if (written.length < anchors.filter((other) => other.action === action).length) {
    return [{ kind: 'MISSING_EVENTS', seq: null, detail: `a ${action} entry is missing` }];
  }
  const detail = `no ${action} entry has the hash that the stored state committed to`;
  return [{ kind: 'STATE_MISMATCH', seq: null, detail }];
}

function says(entry: StoredEntry, state: AuditContent = {}): boolean {
  const content = (parsed(entry.canonical)?.['content'] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(state).every(
    ([name, value]) => canonicalJson(content[name] ?? null) === canonicalJson(value),
  );
}

function parsed(canonical: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(canonical.toString('utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return null; // bytes that are no JSON were not written by this service
  }
}
