import { entryHash, type AuditAction } from './entry.js';

/** One stored entry of a subject, as it was read back. */
export interface StoredEntry {
  readonly seq: number;
  readonly action: string;
  readonly canonical: Buffer;
  readonly hash: Buffer;
  readonly previousHash: Buffer | null;
}

/** What a subject must show for the stage of life it is in. */
export interface TrailExpectation {
  /** Patterns over the actions in order, as a regular grammar: one alternative has to match. */
  readonly grammar: TrailGrammar;
  /** Hashes that the business rows committed to, by the action that they were written with. */
  readonly anchors: readonly { readonly action: AuditAction; readonly hash: Buffer }[];
}

/** The order in which actions may follow each other, and which of them may be the last one now. */
export interface TrailGrammar {
  readonly first: readonly AuditAction[];
  readonly follows: Readonly<Partial<Record<AuditAction, readonly AuditAction[]>>>;
  readonly last: readonly AuditAction[];
}

export type TrailStatus = 'COMPLETE' | 'MISSING_EVENTS' | 'CHAIN_BROKEN' | 'TAMPERED' | 'STATE_MISMATCH';

export interface TrailGap {
  readonly kind: TrailStatus;
  readonly seq: number | null;
  readonly detail: string;
}

export interface TrailVerdict {
  readonly status: TrailStatus;
  readonly length: number;
  readonly gaps: readonly TrailGap[];
}

// The gravest finding names the verdict: bytes that changed matter more than an entry that is missing.
const GRAVITY: readonly TrailStatus[] = ['TAMPERED', 'CHAIN_BROKEN', 'STATE_MISMATCH', 'MISSING_EVENTS'];

/** Judges one subject's trail: density, chain, hashes, grammar, and what the business rows committed to. */
export function judgeTrail(entries: readonly StoredEntry[], expected: TrailExpectation | null): TrailVerdict {
  const gaps = [...chainGaps(entries), ...(expected ? expectationGaps(entries, expected) : [])];
  const status = GRAVITY.find((kind) => gaps.some((gap) => gap.kind === kind)) ?? 'COMPLETE';
  return { status, length: entries.length, gaps };
}

function chainGaps(entries: readonly StoredEntry[]): TrailGap[] {
  const gaps: TrailGap[] = [];
  if (entries.length === 0) gaps.push({ kind: 'MISSING_EVENTS', seq: 1, detail: 'the trail is empty' });
  let previous: StoredEntry | null = null;
  for (const entry of entries) {
    const wanted = (previous?.seq ?? 0) + 1;
    if (entry.seq !== wanted) gaps.push({ kind: 'MISSING_EVENTS', seq: wanted, detail: `entry ${wanted} is missing` });
    if (!entryHash(entry.canonical).equals(entry.hash) || !agrees(entry)) {
      gaps.push({ kind: 'TAMPERED', seq: entry.seq, detail: 'the stored bytes do not give the stored hash' });
    }
    if (entry.seq === wanted && previous && !entry.previousHash?.equals(previous.hash)) {
      gaps.push({ kind: 'CHAIN_BROKEN', seq: entry.seq, detail: 'the entry does not link to the one before it' });
    }
    previous = entry;
  }
  return gaps;
}

/** The columns beside the canonical bytes are for queries; they must say what the hashed bytes say. */
function agrees(entry: StoredEntry): boolean {
  let content: unknown;
  try {
    content = JSON.parse(entry.canonical.toString('utf8'));
  } catch {
    return false; // bytes that are no JSON were not written by this service
  }
  const { seq, action, previous } = content as { seq?: unknown; action?: unknown; previous?: unknown };
  return (
    seq === entry.seq && action === entry.action && previous === (entry.previousHash?.toString('hex') ?? null)
  );
}

function expectationGaps(entries: readonly StoredEntry[], expected: TrailExpectation): TrailGap[] {
  const gaps: TrailGap[] = [];
  const { grammar } = expected;
  let allowed: readonly string[] = grammar.first;
  for (const entry of entries) {
    if (!allowed.includes(entry.action)) {
      gaps.push({ kind: 'MISSING_EVENTS', seq: entry.seq, detail: `${entry.action} cannot stand here` });
    }
    allowed = grammar.follows[entry.action as AuditAction] ?? [];
  }
  const lastAction = entries.at(-1)?.action;
  if (lastAction !== undefined && !grammar.last.some((action) => action === lastAction)) {
    gaps.push({
      kind: 'MISSING_EVENTS',
      seq: entries.length + 1,
      detail: `the state needs the trail to end with ${grammar.last.join(' or ')}`,
    });
  }
  for (const anchor of expected.anchors) {
    const bound = entries.some((entry) => entry.action === anchor.action && entry.hash.equals(anchor.hash));
    if (!bound) {
      gaps.push({
        kind: 'STATE_MISMATCH',
        seq: null,
        detail: `no ${anchor.action} entry has the hash that the stored state committed to`,
      });
    }
  }
  return gaps;
}
