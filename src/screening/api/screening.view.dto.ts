import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import { instantText } from '../../kernel/instant.js';
import type { HitExplanation } from '../hit-desk.service.js';
import { hitStatuses } from '../domain/hit.js';
import { listKinds, type ListEntry } from '../domain/list-entry.js';
import { listFormats } from '../domain/list-formats.js';
import type { Candidate } from '../domain/list-segment.js';
import type { Aligned } from '../domain/pair-scorer.js';
import type { HeldList } from '../index-keeper.js';
import type { HitRow, ListRow, RoundRow, SnapshotRow } from '../domain/records.js';

const shownActor = (actor: string): string => {
  const [type = '', id = ''] = actor.split(':');
  return type === 'operator' && /^[0-9a-f-]{36}$/.test(id) ? publicId('opr', id) : actor;
};
const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

export class ListView {
  @ApiProperty({ example: 'lst_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'ofac-sdn' })
  key: string;

  @ApiProperty({ example: 'OFAC Specially Designated Nationals' })
  name: string;

  @ApiProperty({ enum: listKinds, example: 'SANCTIONS' })
  kind: string;

  @ApiProperty({ enum: listFormats, example: 'OFAC_SDN_CSV' })
  format: string;

  @ApiProperty({ example: 0.8 })
  evidenceThreshold: number;

  @ApiProperty({ example: 0.85 })
  mandatoryThreshold: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 7 })
  staleAfterDays: number | null;

  @ApiProperty({
    type: 'integer',
    example: 12,
    description: 'Number of the snapshot in force; 0 before the first.',
  })
  sequence: number;

  @ApiProperty({ type: String, nullable: true, example: 'imp_019364d0c0de7000a000000000000002' })
  snapshotId: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  publishedAt: string | null;

  @ApiProperty({ type: 'integer', example: 8976 })
  entries: number;

  @ApiProperty({ example: true, description: 'Whether this process has the snapshot in its index.' })
  indexed: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  archivedAt: string | null;

  static of(row: ListRow, held: HeldList | undefined): ListView {
    return {
      id: publicId('lst', row.id),
      key: row.key,
      name: row.name,
      kind: row.kind,
      format: row.format,
      evidenceThreshold: rounded(row.evidenceThreshold),
      mandatoryThreshold: rounded(row.mandatoryThreshold),
      staleAfterDays: row.staleAfterDays,
      sequence: row.sequence,
      snapshotId: row.snapshotId === null ? null : publicId('imp', row.snapshotId),
      publishedAt: instantText(row.publishedAt),
      entries: row.entries,
      indexed: held?.row.sequence === row.sequence,
      archivedAt: instantText(row.archivedAt),
    };
  }
}

export class BrokenLineView {
  @ApiProperty({ type: 'integer', example: 4711 })
  line: number;

  @ApiProperty({ example: 'TOO_FEW_COLUMNS' })
  problem: string;
}

export class RoundView {
  @ApiProperty({ enum: ['RUNNING', 'FINISHED'], example: 'FINISHED' })
  status: string;

  @ApiProperty({
    type: 'integer',
    example: 100_000,
    description: 'Customers known when the snapshot was published.',
  })
  total: number;

  @ApiProperty({ type: 'integer', example: 100_000 })
  done: number;

  @ApiProperty({ type: 'integer', example: 3, description: 'Hits found, those that were known included.' })
  hits: number;
}

export class ChangedEntryView {
  @ApiProperty({ example: '2674' })
  key: string;

  @ApiProperty({ enum: ['ADDED', 'CHANGED', 'REMOVED'], example: 'REMOVED' })
  change: string;
}

export class ImportView {
  @ApiProperty({ example: 'imp_019364d0c0de7000a000000000000002' })
  id: string;

  @ApiProperty({
    enum: ['READING', 'AWAITING_CONFIRMATION', 'PUBLISHED', 'UNCHANGED', 'REJECTED', 'FAILED'],
    example: 'PUBLISHED',
  })
  status: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'LIST_SHRINKS, PREVIEW, NOT_THIS_FORMAT, NO_ENTRIES, READING_FAILED or INTERRUPTED.',
  })
  reason: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 12 })
  sequence: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'SHA-256 of the bytes of the file or files.' })
  sha256: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 2_013_896 })
  bytesTotal: number | null;

  @ApiProperty({ type: 'integer', example: 2_013_896 })
  bytesRead: number;

  @ApiProperty({ type: 'integer', example: 8976 })
  entries: number;

  @ApiProperty({ type: 'integer', example: 20_886 })
  names: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 12 })
  added: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  changed: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  removed: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 8960 })
  unchanged: number | null;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Lines that could not be read; the rest is imported.',
  })
  linesBroken: number;

  @ApiProperty({ type: [BrokenLineView], description: 'The first 200 of them.' })
  broken: readonly BrokenLineView[];

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000003' })
  requestedBy: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  decidedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  endedAt: string | null;

  static of(row: SnapshotRow): ImportView {
    return {
      id: publicId('imp', row.id),
      status: row.status,
      reason: row.reason,
      sequence: row.sequence,
      sha256: row.sha256,
      bytesTotal: row.bytesTotal === null ? null : Number(row.bytesTotal),
      bytesRead: Number(row.bytesRead),
      entries: row.entries,
      names: row.names,
      added: row.added,
      changed: row.changed,
      removed: row.removed,
      unchanged: row.unchanged,
      linesBroken: row.linesBroken,
      broken: row.broken,
      requestedBy: shownActor(row.requestedBy),
      decidedBy: row.decidedBy === null ? null : shownActor(row.decidedBy),
      createdAt: row.createdAt.toISOString(),
      endedAt: instantText(row.endedAt),
    };
  }
}

export class ImportDetailView extends ImportView {
  @ApiProperty({
    type: [ChangedEntryView],
    description: 'While it waits: up to 100 of the entries that would change.',
  })
  preview: readonly ChangedEntryView[];

  @ApiProperty({
    type: RoundView,
    nullable: true,
    description: 'The screening of known customers against it.',
  })
  round: RoundView | null;

  static detailOf(
    row: SnapshotRow,
    preview: readonly ChangedEntryView[],
    round: RoundRow | null,
  ): ImportDetailView {
    return Object.assign(ImportView.of(row), {
      preview,
      round: round && { status: round.status, total: round.total, done: round.done, hits: round.hits },
    });
  }
}

export class ListedValueView {
  @ApiProperty({
    enum: ['DOCUMENT', 'ACCOUNT', 'PIX_KEY', 'WALLET', 'DEVICE', 'IP', 'COUNTRY'],
    example: 'IP',
  })
  type: string;

  @ApiProperty({ example: '10.0.0.0/8' })
  value: string;
}

export class EntryView {
  @ApiProperty({ example: '2674' })
  key: string;

  @ApiProperty({ enum: ['PERSON', 'ORGANISATION', 'OTHER', 'UNKNOWN'], example: 'PERSON' })
  kind: string;

  @ApiProperty({ type: [String], example: ['EXEMPLO, Ali', 'ABU EXEMPLO'] })
  names: readonly string[];

  @ApiProperty({ type: [ListedValueView] })
  values: readonly ListedValueView[];

  @ApiProperty({ type: String, nullable: true, example: '***.456.789-**' })
  maskedDocument: string | null;

  @ApiProperty({ type: [String], example: ['1970-01-31', '1971'] })
  birthDates: readonly string[];

  @ApiProperty({ type: [String], example: ['BR'] })
  countries: readonly string[];

  @ApiProperty({ type: String, format: 'date', nullable: true })
  validFrom: string | null;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'The last day on which it counts.',
  })
  validUntil: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'SDGT' })
  remarks: string | null;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'The snapshot that this version of the entry came with.',
  })
  since: number;

  static of(entry: ListEntry, since: number): EntryView {
    const digits = entry.maskedDocument;
    return {
      ...entry,
      maskedDocument: digits === null ? null : `***.${digits.slice(0, 3)}.${digits.slice(3)}-**`,
      since,
    };
  }
}

export class AlignedView implements Aligned {
  @ApiProperty({ type: String, nullable: true, example: 'souza' })
  left: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'sousa' })
  right: string | null;

  @ApiProperty({
    example: 'PHONETIC',
    description: 'How the two were found to be alike, or what speaks against.',
  })
  how: Aligned['how'];

  @ApiProperty({ example: 0.95 })
  similarity: number;

  @ApiProperty({ example: 0.88 })
  weight: number;
}

export class SearchResultView {
  @ApiProperty({ example: 'ofac-sdn' })
  list: string;

  @ApiProperty({ enum: listKinds, example: 'SANCTIONS' })
  listKind: string;

  @ApiProperty({ example: 0.9312 })
  score: number;

  @ApiProperty({ example: 0.9312, description: 'Of the names alone.' })
  nameScore: number;

  @ApiProperty({ enum: ['DOCUMENT', 'STRONG', 'NAME', 'CONTRADICTED'], example: 'NAME' })
  strength: string;

  @ApiProperty({ example: true, description: 'Whether it would force a review.' })
  mandatory: boolean;

  @ApiProperty({ type: [String], example: ['NAME_RARE'] })
  qualifiers: readonly string[];

  @ApiProperty({ type: [AlignedView], description: 'Word by word, how the score came about.' })
  alignment: readonly AlignedView[];

  @ApiProperty({ type: EntryView })
  entry: EntryView;

  static of(candidate: Candidate, { row }: HeldList, entry: ListEntry, since: number): SearchResultView {
    return {
      list: row.key,
      listKind: row.kind,
      score: candidate.score,
      nameScore: candidate.nameScore,
      strength: candidate.strength,
      mandatory: candidate.mandatory,
      qualifiers: candidate.qualifiers,
      alignment: candidate.alignment,
      entry: EntryView.of(entry, since),
    };
  }
}

export class HitView {
  @ApiProperty({ example: 'hit_019364d0c0de7000a000000000000004' })
  id: string;

  @ApiProperty({ enum: hitStatuses, example: 'PENDING' })
  status: string;

  @ApiProperty({ type: String, nullable: true, example: 'cus_019364d0c0de7000a000000000000005' })
  customerId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'txn_019364d0c0de7000a000000000000006' })
  transactionRef: string | null;

  @ApiProperty({ enum: ['CUSTOMER', 'ORIGIN', 'DESTINATION'], example: 'CUSTOMER' })
  role: string;

  @ApiProperty({ example: 'lst_019364d0c0de7000a000000000000001' })
  listId: string;

  @ApiProperty({ example: 'ofac-sdn' })
  list: string;

  @ApiProperty({ enum: listKinds, example: 'SANCTIONS' })
  listKind: string;

  @ApiProperty({ example: '2674', description: 'What the list calls the entry.' })
  entryKey: string;

  @ApiProperty({ description: 'Of the content of the entry; a decision stands as long as it is the same.' })
  entryHash: string;

  @ApiProperty({ example: 'imp_019364d0c0de7000a000000000000002' })
  snapshotId: string;

  @ApiProperty({ example: '1' })
  scorerVersion: string;

  @ApiProperty({ example: 0.9312 })
  score: number;

  @ApiProperty({ example: 0.9312 })
  nameScore: number;

  @ApiProperty({ enum: ['DOCUMENT', 'STRONG', 'NAME', 'CONTRADICTED'], example: 'NAME' })
  strength: string;

  @ApiProperty({ example: true })
  mandatory: boolean;

  @ApiProperty({ type: [String], example: ['NAME_RARE'] })
  qualifiers: readonly string[];

  @ApiProperty({ type: String, nullable: true, description: 'The name that was screened; null once erased.' })
  asked: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The name of the entry, as its words.' })
  found: string | null;

  @ApiProperty({ type: [AlignedView] })
  alignment: readonly AlignedView[];

  @ApiProperty({ type: [String], example: [], description: 'Kinds of values that are equal.' })
  equal: readonly string[];

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'How often a change of the entry has reopened it.',
  })
  reopened: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  decidedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  decidedAt: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  justification: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt: string;

  static of(row: HitRow, explanation: HitExplanation | null, justification: string | null): HitView {
    return {
      id: publicId('hit', row.id),
      status: row.status,
      customerId: row.customerId === null ? null : publicId('cus', row.customerId),
      transactionRef: row.transactionRef === null ? null : publicId('txn', row.transactionRef),
      role: row.role,
      listId: publicId('lst', row.listId),
      list: row.listKey,
      listKind: row.listKind,
      entryKey: row.entryKey,
      entryHash: row.entryHash,
      snapshotId: publicId('imp', row.snapshotId),
      scorerVersion: row.scorerVersion,
      score: rounded(row.score),
      nameScore: rounded(row.nameScore),
      strength: row.strength,
      mandatory: row.mandatory,
      qualifiers: row.qualifiers,
      asked: explanation?.asked ?? null,
      found: explanation?.found ?? null,
      alignment: explanation?.alignment ?? [],
      equal: explanation?.equal ?? [],
      reopened: row.reopened,
      decidedBy: row.decidedBy === null ? null : shownActor(row.decidedBy),
      decidedAt: instantText(row.decidedAt),
      justification,
      createdAt: row.createdAt.toISOString(),
    };
  }
}
