import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CHAIN_START,
  composeEntry,
  entryHash,
  type AuditAction,
  type AuditContent,
  type ComposedEntry,
} from './entry.js';
import { verifyTrail, type SealedLeaf, type StoredEntry, type TrailExpectation } from './trail.js';

const subject = {
  organisationId: '019364d0-c0de-7000-a000-000000000001',
  type: 'transaction',
  id: 't-1',
} as const;

function chainOf(...drafts: readonly (readonly [AuditAction, AuditContent])[]): ComposedEntry[] {
  const chain: ComposedEntry[] = [];
  for (const [action, content] of drafts) {
    const last = chain.at(-1);
    const position = last ? { seq: last.position.seq + 1, previousHash: last.hash } : CHAIN_START;
    const rest = {
      requestId: 'req-1',
      correlationId: null,
      occurredAt: new Date('2026-11-20T12:00:00Z'),
      content,
    };
    chain.push(composeEntry({ subject, action, actor: { type: 'client', id: 'app-1' }, ...rest }, position));
  }
  return chain;
}

const stored = ({ position, action, canonical, hash }: ComposedEntry): StoredEntry => ({
  seq: position.seq,
  action,
  canonical,
  hash,
  previousHash: position.previousHash,
});

const received: readonly [AuditAction, AuditContent] = ['transaction.received', { fingerprint: 'f1' }];
const dead: readonly [AuditAction, AuditContent] = ['transaction.dead_lettered', { code: 'X' }];
const replayed: readonly [AuditAction, AuditContent] = ['transaction.replayed', { generation: 2 }];
const evaluated: readonly [AuditAction, AuditContent] = [
  'transaction.evaluated',
  { outcome: 'APPROVED', score: 0 },
];

const grammar: TrailExpectation['grammar'] = {
  first: ['transaction.received'],
  follows: {
    'transaction.received': ['transaction.evaluated', 'transaction.dead_lettered'],
    'transaction.dead_lettered': ['transaction.replayed'],
    'transaction.replayed': ['transaction.evaluated'],
  },
  last: ['transaction.evaluated'],
};

/** Returns the expectation of a completed transaction with this chain. */
function expectationOf(chain: readonly ComposedEntry[]): TrailExpectation {
  const anchored = chain.filter(
    ({ action }) => action === 'transaction.received' || action === 'transaction.evaluated',
  );
  return { grammar, anchors: anchored.map(({ action, hash }) => ({ action, hash })) };
}

const LONG = chainOf(received, dead, replayed, evaluated);
const EXPECTED = expectationOf(LONG);
const without = (seq: number): StoredEntry[] => LONG.map(stored).filter((entry) => entry.seq !== seq);
const statusOf = (entries: readonly StoredEntry[], expected: TrailExpectation | null = EXPECTED): string =>
  verifyTrail(entries, expected).status;

describe('composeEntry', () => {
  it('gives the same bytes for the same draft, and others for whatever is different', () => {
    const [one, same] = [chainOf(received)[0]!, chainOf(received)[0]!];
    const other = chainOf(['transaction.received', { fingerprint: 'f2' }])[0]!;
    expect(one.canonical).toEqual(same.canonical);
    expect(one.hash).not.toEqual(other.hash);
  });

  it('binds place, subject, actor and the hash formula into the bytes', () => {
    const [first, second] = chainOf(received, evaluated) as [ComposedEntry, ComposedEntry];
    expect(JSON.parse(second.canonical.toString())).toEqual({
      v: 1,
      organisation: subject.organisationId,
      subject: 'transaction:t-1',
      seq: 2,
      previous: first.hash.toString('hex'),
      action: 'transaction.evaluated',
      actor: 'client:app-1',
      requestId: 'req-1',
      correlationId: null,
      occurredAt: '2026-11-20T12:00:00.000Z',
      content: { outcome: 'APPROVED', score: 0 },
    });
  });

  it('hashes as RFC 6962 does: a leaf is prefixed with 0x00', () => {
    // SHA-256 of the single byte 0x00: the leaf hash of no bytes, as RFC 6962 test vectors have it.
    expect(entryHash(Buffer.alloc(0)).toString('hex')).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
  });
});

describe('judgeTrail', () => {
  it('finds nothing in a chain that is whole', () => {
    expect(verifyTrail(LONG.map(stored), EXPECTED)).toEqual({
      status: 'COMPLETE',
      length: 4,
      gaps: [],
      repairs: [],
      pruned: 0,
    });
    expect(
      statusOf(chainOf(received, evaluated).map(stored), expectationOf(chainOf(received, evaluated))),
    ).toBe('COMPLETE');
  });

  it('needs no expectation for subjects whose order is free', () => {
    expect(statusOf(chainOf(evaluated, received).map(stored), null)).toBe('COMPLETE');
  });

  it('a refusal may stand anywhere behind the first entry; what follows and what is last stay as demanded', () => {
    const refused: readonly [AuditAction, AuditContent] = ['transaction.conflict_refused', {}];
    const beside: TrailExpectation = { grammar: { ...grammar, beside: [refused[0]] }, anchors: [] };
    const judged = (...drafts: readonly (readonly [AuditAction, AuditContent])[]): string =>
      statusOf(chainOf(...drafts).map(stored), beside);
    expect(judged(received, refused, refused, evaluated, refused)).toBe('COMPLETE');
    expect(judged(refused, received, evaluated)).toBe('MISSING_EVENTS');
    expect(judged(received, dead, refused, evaluated)).toBe('MISSING_EVENTS');
    expect(judged(received, refused)).toBe('MISSING_EVENTS');
  });

  it('an empty trail is missing its events', () => {
    expect(verifyTrail([], null)).toMatchObject({
      status: 'MISSING_EVENTS',
      gaps: [{ kind: 'MISSING_EVENTS', seq: 1 }],
    });
  });

  it.each([1, 2, 3, 4])('without entry %d: MISSING_EVENTS', (seq) => {
    const { status, gaps } = verifyTrail(without(seq), EXPECTED);
    expect(status).toBe('MISSING_EVENTS');
    expect(gaps.every(({ kind }) => kind === 'MISSING_EVENTS')).toBe(true);
  });

  it('names the place of what is missing in the middle', () => {
    expect(verifyTrail(without(2), EXPECTED).gaps).toContainEqual({
      kind: 'MISSING_EVENTS',
      seq: 2,
      detail: 'entry 2 is missing',
    });
  });

  it.each<[string, (entry: StoredEntry) => StoredEntry]>([
    ['another hash', (entry) => ({ ...entry, hash: Buffer.alloc(32, 1) })],
    ['another action in the column', (entry) => ({ ...entry, action: 'transaction.evaluated' })],
    ['another previous hash in the column', (entry) => ({ ...entry, previousHash: Buffer.alloc(32, 1) })],
    [
      'bytes that are no JSON',
      (entry) => ({ ...entry, canonical: Buffer.from('{'), hash: entryHash(Buffer.from('{')) }),
    ],
    [
      'a JSON null',
      (entry) => ({ ...entry, canonical: Buffer.from('null'), hash: entryHash(Buffer.from('null')) }),
    ],
  ])('an entry with %s: TAMPERED', (_what, change) => {
    const entries = LONG.map(stored).map((entry) => (entry.seq === 2 ? change(entry) : entry));
    const { status, gaps } = verifyTrail(entries, EXPECTED);
    expect(status).toBe('TAMPERED');
    expect(gaps).toContainEqual(expect.objectContaining({ kind: 'TAMPERED', seq: 2 }));
  });

  it('any flipped bit of any entry is found', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(), fc.integer({ min: 0, max: 7 }), (at, place, bit) => {
        const entries = LONG.map(stored);
        const { canonical } = entries[at]!;
        const flipped = Buffer.from(canonical);
        flipped[place % flipped.length]! ^= 1 << bit;
        // The database computes the hash anew, so the hash alone does not tell.
        entries[at] = { ...entries[at]!, canonical: flipped, hash: entryHash(flipped) };
        expect(statusOf(entries)).not.toBe('COMPLETE');
      }),
    );
  });

  it('an entry rewritten with a fitting hash: the next one does not link to it', () => {
    const forged = chainOf(['transaction.received', { fingerprint: 'forged' }])[0]!;
    const entries = [stored(forged), ...LONG.slice(1).map(stored)];
    const { status, gaps } = verifyTrail(entries, EXPECTED);
    expect(status).toBe('CHAIN_BROKEN');
    expect(gaps).toContainEqual(expect.objectContaining({ kind: 'CHAIN_BROKEN', seq: 2 }));
  });

  it('a whole chain rewritten: the business rows committed to another one', () => {
    const forged = chainOf(['transaction.received', { fingerprint: 'forged' }], dead, replayed, evaluated);
    expect(statusOf(forged.map(stored))).toBe('STATE_MISMATCH');
  });

  it('a forged entry at the end: it cannot stand there', () => {
    expect(statusOf(chainOf(received, dead, replayed, evaluated, evaluated).map(stored))).not.toBe(
      'COMPLETE',
    );
  });

  it('a trail that stops before the state does: MISSING_EVENTS', () => {
    expect(verifyTrail(chainOf(received).map(stored), { grammar, anchors: [] })).toMatchObject({
      status: 'MISSING_EVENTS',
      gaps: [{ kind: 'MISSING_EVENTS', seq: 2 }],
    });
  });

  it('rows that say something else than their entry: STATE_MISMATCH', () => {
    const saying = (outcome: string | null): TrailExpectation => ({
      grammar,
      anchors: EXPECTED.anchors.map((anchor) =>
        anchor.action === 'transaction.evaluated' ? { ...anchor, says: { outcome, score: 0 } } : anchor,
      ),
    });
    expect(statusOf(LONG.map(stored), saying('APPROVED'))).toBe('COMPLETE');
    expect(statusOf(LONG.map(stored), saying('REJECTED'))).toBe('STATE_MISMATCH');
    expect(statusOf(LONG.map(stored), saying(null))).toBe('STATE_MISMATCH');
  });

  it('the gravest finding names the verdict', () => {
    const entries = without(3).map((entry) =>
      entry.seq === 2 ? { ...entry, hash: Buffer.alloc(32) } : entry,
    );
    const { status, gaps } = verifyTrail(entries, EXPECTED);
    expect([status, gaps.some(({ kind }) => kind === 'MISSING_EVENTS')]).toEqual(['TAMPERED', true]);
  });
});

describe('a trail whose first entries were pruned', () => {
  const drafts = fc.integer({ min: 1, max: 8 }).map((length) => {
    const drawn = Array.from({ length: length - 1 }, (_, i) => (i % 2 === 0 ? dead : replayed));
    return chainOf(received, ...drawn);
  });
  const leafOf = ({ position, hash }: ComposedEntry): SealedLeaf => ({
    seq: position.seq,
    index: position.seq * 3,
    hash,
  });
  const loose: TrailExpectation = {
    grammar: {
      ...grammar,
      follows: { ...grammar.follows, 'transaction.replayed': ['transaction.dead_lettered'] },
      last: ['transaction.received', 'transaction.dead_lettered', 'transaction.replayed'],
    },
    anchors: [],
  };

  it('is PRUNED without a gap, whatever prefix is gone; what remains is judged as before', () => {
    fc.assert(
      fc.property(drafts, fc.nat(), (chain, cut) => {
        const gone = 1 + (cut % chain.length);
        const sealed = chain.map(leafOf);
        const expected = {
          ...loose,
          // The row still binds the pruned entry by its hash.
          anchors: [{ action: 'transaction.received', hash: chain[0]!.hash, says: { fingerprint: 'f1' } }],
        } as const;
        const pruned = sealed.slice(0, gone);
        const kept = chain.slice(gone).map(stored);
        expect(verifyTrail(kept, expected, sealed, { pruned })).toMatchObject({
          status: 'PRUNED',
          gaps: [],
          length: chain.length,
          pruned: gone,
        });
        const [, ...rest] = kept;
        if (kept.length > 0) {
          expect(verifyTrail(rest, expected, sealed, { pruned }).status).toBe('MISSING_EVENTS');
        }
        if (gone > 1) {
          expect(verifyTrail(kept, expected, sealed, { pruned: pruned.slice(1) }).status).toBe(
            'MISSING_EVENTS',
          );
        }
      }),
    );
  });
});
