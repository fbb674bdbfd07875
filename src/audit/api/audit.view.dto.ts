import { ApiProperty } from '@nestjs/swagger';
import type { LeafProof } from '../log-auditor.js';
import type { KeptCheckpoint, LoggedEntry } from '../store/log.queries.js';
import { publicId } from '../../kernel/index.js';
import { repairKinds, trailStatuses, type TrailVerdict } from '../domain/trail.js';

const HASH = 'qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=';

/** What an entry says, as its canonical bytes have it. */
interface EntryContent {
  readonly actor: string;
  readonly requestId: string | null;
  readonly correlationId: string | null;
  readonly occurredAt: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export class AuditEventView {
  @ApiProperty({ type: 'integer', minimum: 0, example: 4711, description: 'Place in the log.' })
  index: number;

  @ApiProperty({ example: 'transaction' })
  subjectType: string;

  @ApiProperty({ example: '01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' })
  subjectId: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 2, description: 'Place in the trail of its subject.' })
  subjectSeq: number;

  @ApiProperty({ example: 'transaction.evaluated' })
  action: string;

  @ApiProperty({ example: 'system:kyt.pipeline', description: 'Who did it: `kind:id`.' })
  actor: string;

  @ApiProperty({ type: String, nullable: true, example: 'req_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  requestId: string | null;

  @ApiProperty({ type: String, nullable: true, example: '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11' })
  correlationId: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:01.254Z' })
  occurredAt: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T12:00:01.256Z',
    description: "The database's clock.",
  })
  recordedAt: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { outcome: 'APPROVED', score: 0 } })
  content: Readonly<Record<string, unknown>>;

  @ApiProperty({ example: HASH, description: 'Leaf hash, base64: SHA-256 over a zero byte and `canonical`.' })
  hash: string;

  @ApiProperty({
    description: 'The bytes that are hashed, base64.',
    example: 'eyJhY3Rpb24iOiJ0cmFuc2FjdGlvbi5…',
  })
  canonical: string;

  static of(entry: LoggedEntry): AuditEventView {
    const said = contentOf(entry.canonical);
    return {
      index: entry.index,
      subjectType: entry.subjectType,
      subjectId: entry.subjectId,
      subjectSeq: entry.subjectSeq,
      action: entry.action,
      actor: said?.actor ?? '',
      requestId: said?.requestId ?? null,
      correlationId: said?.correlationId ?? null,
      occurredAt: said?.occurredAt ?? entry.recordedAt.toISOString(),
      recordedAt: entry.recordedAt.toISOString(),
      content: said?.content ?? {},
      hash: entry.hash.toString('base64'),
      canonical: entry.canonical.toString('base64'),
    };
  }
}

/** Bytes that are no entry of ours are shown as bytes; that they are none is the verdict of the trail. */
function contentOf(canonical: Buffer): EntryContent | null {
  try {
    return JSON.parse(canonical.toString('utf8')) as EntryContent;
  } catch {
    return null;
  }
}

export class CheckpointView {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 1,
    description: 'Rises when a log is begun anew after a restore.',
  })
  incarnation: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 4711, description: 'Number of entries.' })
  size: number;

  @ApiProperty({ example: HASH })
  root: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:01.256Z' })
  signedAt: string;

  @ApiProperty({ description: 'The signed note (c2sp.org/tlog-checkpoint), to be kept as it is.' })
  note: string;

  static of(checkpoint: KeptCheckpoint): CheckpointView {
    return {
      incarnation: checkpoint.incarnation,
      size: checkpoint.size,
      root: checkpoint.root.toString('base64'),
      signedAt: checkpoint.signedAt.toISOString(),
      note: checkpoint.note,
    };
  }
}

export class AuditStatusView {
  @ApiProperty({
    type: CheckpointView,
    nullable: true,
    description: 'The newest checkpoint; null before the first.',
  })
  checkpoint: CheckpointView | null;

  @ApiProperty({
    type: [String],
    example: ['vigia/sandbox+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
    description: 'Keys that sign or signed, the present one first. Pin it.',
  })
  verifierKeys: readonly string[];

  @ApiProperty({ type: 'integer', minimum: 0, example: 0, description: 'Entries that wait for their leaf.' })
  pending: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'Entries that are gone because their time of keeping was over; their leaf hashes are there.',
  })
  pruned: number;
}

export class InclusionProofView {
  @ApiProperty({ type: 'integer', minimum: 0, example: 4711 })
  index: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 5000 })
  size: number;

  @ApiProperty({ example: HASH, description: 'Leaf hash, base64.' })
  leaf: string;

  @ApiProperty({
    type: [String],
    example: [HASH],
    description: 'Sibling hashes from the leaf upwards, base64.',
  })
  path: readonly string[];

  @ApiProperty({ example: HASH, description: 'Root that they lead to, base64.' })
  root: string;

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
  @ApiProperty({ type: 'integer', minimum: 0, example: 4711 })
  from: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 5000 })
  to: number;

  @ApiProperty({ type: [String], example: [HASH], description: 'Proof of RFC 6962, 2.1.2, base64.' })
  path: readonly string[];
}

export class TrailGapView {
  @ApiProperty({ enum: ['MISSING_EVENTS', 'CHAIN_BROKEN', 'TAMPERED', 'STATE_MISMATCH'] })
  kind: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 2 })
  seq: number | null;

  @ApiProperty({ example: 'the entry does not give its hash' })
  detail: string;
}

export class TrailRepairView {
  @ApiProperty({ example: 'rep_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  id: string;

  @ApiProperty({ enum: repairKinds })
  kind: string;
}

export class TrailView {
  @ApiProperty({ enum: trailStatuses })
  status: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 2, description: 'Number of entries.' })
  length: number;

  @ApiProperty({ type: [TrailGapView] })
  gaps: readonly TrailGapView[];

  @ApiProperty({ type: [TrailRepairView], description: 'Repairs that two people have applied.' })
  repairs: readonly TrailRepairView[];

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    example: 0,
    description: 'How many of its entries are gone because their time of keeping was over.',
  })
  pruned: number;

  static of({ status, length, gaps, repairs, pruned }: TrailVerdict): TrailView {
    return {
      status,
      length,
      gaps: [...gaps],
      repairs: repairs.map(({ id, kind }) => ({ id: publicId('rep', id), kind })),
      pruned,
    };
  }
}
