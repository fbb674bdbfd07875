import { View, viewOf } from '../../../platform/http/index.js';
import type { LeafProof } from '../log/log-auditor.service.js';
import type { StoredCheckpoint, LoggedEntry } from '../store/log.queries.js';
import { publicId } from '../../../platform/kernel/index.js';
import { subjectTypes } from '../domain/entry.js';
import { repairKinds, trailStatuses, type TrailGap, type TrailVerdict } from '../domain/trail.js';

const HASH = 'qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=';

/** The fields of an entry in its canonical bytes. */
interface CanonicalEntry {
  readonly actor: string;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  readonly occurredAt: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export class AuditEventView {
  @View.integer('Place in the log.', { minimum: 0, example: 4711 }) index: number;
  @View.enum(subjectTypes, 'The kind of subject.', { example: 'transaction' }) subjectType: string;
  @View.text('The id of the subject.', { example: '01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' }) subjectId: string;
  @View.integer('Place in the trail of its subject.', { minimum: 1, example: 2 }) subjectSeq: number;
  @View.text('What was done.', { example: 'transaction.evaluated' }) action: string;
  @View.text('Who did it: `kind:id`.', { example: 'system:kyt.pipeline' }) actor: string;
  @View.idOrNull('req', 'The id of the request, as in `X-Request-Id`.', {
    example: 'req_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  requestId: string | null;
  @View.textOrNull('Ties together what belongs together; yours, if you sent one.', {
    example: '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11',
  })
  correlationId: string | null;
  @View.instant('When it took place.', { example: '2026-11-20T12:00:01.254Z' }) occurredAt: string;
  @View.instant('The hashed bytes say the same.', { example: '2026-11-20T12:00:01.256Z' }) recordedAt: string;
  @View.json('What the entry says.', { example: { outcome: 'APPROVED', score: 0 } }) content: Readonly<
    Record<string, unknown>
  >;
  @View.text('Leaf hash, base64: SHA-256 over a zero byte and `canonical`.', { example: HASH }) hash: string;

  @View.text('The bytes that are hashed, base64.', { example: 'eyJhY3Rpb24iOiJ0cmFuc2FjdGlvbi5…' })
  canonical: string;

  static of(entry: LoggedEntry): AuditEventView {
    const content = contentOf(entry.canonical);
    return viewOf(AuditEventView, entry, {
      actor: content?.actor ?? '',
      requestId: content?.requestId ?? null,
      correlationId: content?.correlationId ?? null,
      occurredAt: content?.occurredAt ?? entry.recordedAt.toISOString(),
      content: content?.content ?? {},
      hash: entry.hash.toString('base64'),
      canonical: entry.canonical.toString('base64'),
    });
  }
}

/** Returns null if the bytes are not an entry of this service; the verdict on the trail reports that. */
function contentOf(canonical: Buffer): CanonicalEntry | null {
  try {
    return JSON.parse(canonical.toString('utf8')) as CanonicalEntry;
  } catch {
    return null;
  }
}

export class CheckpointView {
  @View.integer('Rises when a log is begun anew after a restore.', { minimum: 1, example: 1 })
  incarnation: number;

  @View.integer('Number of entries.', { minimum: 0, example: 4711 }) size: number;
  @View.text('The root of the Merkle tree, base64.', { example: HASH }) root: string;
  @View.instant('When it was signed.', { example: '2026-11-20T12:00:01.256Z' }) signedAt: string;
  @View.text('The signed note (c2sp.org/tlog-checkpoint), to be kept as it is.') note: string;

  static of(checkpoint: StoredCheckpoint): CheckpointView {
    return viewOf(CheckpointView, checkpoint, { root: checkpoint.root.toString('base64') });
  }
}

export class AuditStatusView {
  @View.objectOrNull(CheckpointView, 'The newest checkpoint; null before the first.')
  checkpoint: CheckpointView | null;

  @View.texts('Keys that sign or signed, the present one first. Pin it.', {
    example: ['vigia/sandbox+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
  })
  verifierKeys: readonly string[];

  @View.integer('Entries that wait for their leaf.', { minimum: 0, example: 0 }) pending: number;

  @View.integer(
    'Entries that are gone because their time of keeping was over; their leaf hashes are there.',
    { minimum: 0, example: 0 },
  )
  pruned: number;
}

export class InclusionProofView {
  @View.integer('The place in the log, counted from 0.', { minimum: 0, example: 4711 }) index: number;
  @View.integer('How many entries there are.', { minimum: 1, example: 5000 }) size: number;
  @View.text('Leaf hash, base64.', { example: HASH }) leaf: string;
  @View.texts('Sibling hashes from the leaf upwards, base64.', { example: [HASH] }) path: readonly string[];
  @View.text('Root that they lead to, base64.', { example: HASH }) root: string;

  static of({ index, size, leaf, path, root }: LeafProof): InclusionProofView {
    return {
      index,
      size,
      leaf: leaf.toString('base64'),
      path: path.map((node) => node.toString('base64')),
      root: root.toString('base64'),
    };
  }
}

export class ConsistencyProofView {
  @View.integer('The size of the older tree.', { minimum: 0, example: 4711 }) from: number;
  @View.integer('The size of the newer tree.', { minimum: 0, example: 5000 }) to: number;
  @View.texts('Proof of RFC 6962, 2.1.2, base64.', { example: [HASH] }) path: readonly string[];
}

export class TrailGapView {
  @View.enum(
    [
      'MISSING_EVENTS',
      'CHAIN_BROKEN',
      'TAMPERED',
      'STATE_MISMATCH',
      'MISSING',
      'SEALED_LATE',
      'LOG_ROLLED_BACK',
    ],
    'The kind of gap.',
  )
  kind: string;
  @View.integerOrNull('Counts the entries of a subject from 1.', { example: 2 }) seq: number | null;
  @View.text('More about it, in words.', { example: 'the entry does not give its hash' }) detail: string;

  static of({ kind, seq, detail }: TrailGap): TrailGapView {
    return { kind, seq, detail };
  }
}

export class TrailRepairView {
  @View.id('rep', 'The id of the repair.', { example: 'rep_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) id: string;
  @View.enum(repairKinds, 'The kind of repair.') kind: string;
}

export class TrailView {
  @View.enum(trailStatuses, 'The status of the trail.') status: string;
  @View.integer('Number of entries.', { minimum: 0, example: 2 }) length: number;
  @View.list(TrailGapView, 'What is missing, moved or changed in the trail.') gaps: readonly TrailGapView[];
  @View.list(TrailRepairView, 'Repairs that two people have applied.') repairs: readonly TrailRepairView[];

  @View.integer('How many of its entries are gone because their time of keeping was over.', {
    minimum: 0,
    example: 0,
  })
  pruned: number;

  static of({ status, length, gaps, repairs, pruned }: TrailVerdict): TrailView {
    return {
      status,
      length,
      gaps: gaps.map((gap) => TrailGapView.of(gap)),
      repairs: repairs.map(({ id, kind }) => ({ id: publicId('rep', id), kind })),
      pruned,
    };
  }
}
