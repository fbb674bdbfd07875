import { canonicalJson } from '../../kernel/canonical-json.js';
import { entryHash, type AuditAction, type AuditContent } from './entry.js';

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
  readonly anchors: readonly TrailAnchor[];
}

/** What a business row committed to when it was written. */
export interface TrailAnchor {
  /** The action that the row was written with. */
  readonly action: AuditAction;
  /** The hash of that entry. */
  readonly hash: Buffer;
  /** What the row says now; the content of the entry must say the same. */
  readonly says?: AuditContent;
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
  return [...gaps, ...expected.anchors.flatMap((anchor) => anchorGaps(entries, anchor, expected.anchors))];
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
