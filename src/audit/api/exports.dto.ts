import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';
import { IsInstant, IsText, PageQuery } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import type { ExportRow } from '../audit-exports.service.js';
import { subjectTypes, type SubjectType } from '../domain/entry.js';
import {
  exportLanguages,
  exportStatuses,
  type ExportLanguage,
  type ExportResult,
  type ExportStatus,
  type TrailNote,
} from '../domain/export.js';
import type { Finding } from '../findings.js';
import { ACTION } from './audit.queries.dto.js';
import { TrailGapView } from './audit.view.dto.js';

const EXPORT_ID = 'aex_01999e8e7c4a7a0e8a1b2c3d4e5f6071';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class ExportBody {
  @ApiProperty({
    minLength: 10,
    maxLength: 2000,
    example: 'Annual examination by the central bank',
    description: 'Why; stands in the package and in the list of exports.',
  })
  @IsString()
  @Length(10, 2000)
  reason: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Recorded at or after.' })
  @IsOptional()
  @IsInstant()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Recorded before.' })
  @IsOptional()
  @IsInstant()
  to?: string;

  @ApiPropertyOptional({ enum: subjectTypes, example: 'transaction' })
  @IsOptional()
  @IsIn(subjectTypes)
  subjectType?: SubjectType;

  @ApiPropertyOptional({
    maxLength: 128,
    description: 'One subject of that type, as in the events; a prefixed id (`txn_…`) is understood too.',
  })
  @IsOptional()
  @IsText({ max: 128 })
  subjectId?: string;

  @ApiPropertyOptional({ example: 'transaction.evaluated', pattern: ACTION.source })
  @IsOptional()
  @Matches(ACTION)
  action?: string;

  @ApiPropertyOptional({
    description: 'Everything about one customer: the record, transactions, cases, hits, sessions, files.',
    example: 'cus_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  @IsOptional()
  @Matches(/^\S{1,64}$/)
  customerId?: string;

  @ApiPropertyOptional({
    description: 'Everything about one case.',
    example: 'rev_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  @IsOptional()
  @Matches(/^\S{1,64}$/)
  reviewId?: string;

  @ApiPropertyOptional({
    default: true,
    description:
      'Refuse it when a trail in it has a gap. false makes it nevertheless, with the gaps in `trail-status.jsonl`.',
  })
  @IsOptional()
  @IsBoolean()
  auditReady?: boolean;

  @ApiPropertyOptional({ enum: exportLanguages, default: 'pt-BR', description: 'Of the printable summary.' })
  @IsOptional()
  @IsIn(exportLanguages)
  language?: ExportLanguage;
}

export class ExportsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: exportStatuses })
  @IsOptional()
  @IsIn(exportStatuses)
  status?: ExportStatus;
}

export class ExportParams {
  @ApiProperty({ example: EXPORT_ID })
  @Matches(/^\S{1,64}$/)
  id: string;
}

export class TrailSummaryView {
  @ApiProperty({ type: 'integer', minimum: 0, example: 500_000 })
  subjects: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 500_000 })
  complete: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  attested: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  incomplete: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 0, description: 'Their time of keeping is over.' })
  pruned: number;
}

export class ExportResultView {
  @ApiProperty({ type: 'integer', minimum: 0, example: 1_000_000, description: 'Entries in it.' })
  entries: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 310_000_000, description: 'Length of the file.' })
  bytes: number;

  @ApiProperty({ example: SHA256, description: 'Of the file, hexadecimal.' })
  sha256: string;

  @ApiProperty({ example: SHA256, description: 'Of the signed manifest in it, hexadecimal.' })
  manifestSha256: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1_000_000, description: 'Entries of the log then.' })
  treeSize: number;

  @ApiProperty({
    example: 'qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=',
    description: 'Signed root, base64.',
  })
  root: string;

  @ApiProperty({ type: TrailSummaryView })
  trails: TrailSummaryView;
}

export class TrailNoteView {
  @ApiProperty({ example: 'transaction:01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' })
  subject: string;

  @ApiProperty({ example: 'TAMPERED' })
  status: string;

  @ApiProperty({ type: [TrailGapView] })
  gaps: readonly TrailGapView[];

  static of({ subject, status, gaps }: TrailNote): TrailNoteView {
    return { subject, status, gaps: [...gaps] };
  }
}

export class ExportView {
  @ApiProperty({ example: EXPORT_ID })
  id: string;

  @ApiProperty({
    enum: exportStatuses,
    description:
      'READY: `GET …/content` gives the file. BLOCKED: a trail in it has a gap, see `gaps`. FAILED: ask again. ' +
      'EXPIRED: it was made, and is no longer kept.',
  })
  status: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 40, description: 'Percent.' })
  progress: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' },
    description: 'What was asked for; nothing for the whole log.',
  })
  filter: Readonly<Record<string, string>>;

  @ApiProperty({ example: 'Annual examination by the central bank' })
  reason: string;

  @ApiProperty({ example: true })
  auditReady: boolean;

  @ApiProperty({ enum: exportLanguages })
  language: string;

  @ApiProperty({ example: 'operator:01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071', description: 'Who: `kind:id`.' })
  requestedBy: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  requestedAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-20T12:00:00.500Z' })
  startedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-20T12:03:00.000Z' })
  finishedAt: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-11-27T12:03:00.000Z',
    description: 'Until when the file is kept.',
  })
  expiresAt: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, example: 1, description: 'How often it was taken.' })
  downloads: number;

  @ApiProperty({ type: ExportResultView, nullable: true })
  result: ExportResultView | null;

  @ApiProperty({ type: [TrailNoteView], description: 'Why it is BLOCKED; the first thousand.' })
  gaps: readonly TrailNoteView[];

  @ApiProperty({ type: String, nullable: true, example: null })
  failureCode: string | null;

  static of(row: ExportRow): ExportView {
    return {
      id: publicId('aex', row.id),
      status: row.status,
      progress: progressOf(row),
      filter: shownFilter(row),
      reason: row.reason,
      auditReady: row.auditReady,
      language: row.language,
      requestedBy: row.requestedBy,
      requestedAt: row.requestedAt.toISOString(),
      startedAt: row.startedAt?.toISOString() ?? null,
      finishedAt: row.finishedAt?.toISOString() ?? null,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      downloads: row.downloads,
      result: resultOf(row.result),
      gaps: (row.gaps ?? []).map((note) => TrailNoteView.of(note)),
      failureCode: row.failureCode,
    };
  }
}

const progressOf = ({ status, done, total }: ExportRow): number => {
  if (status === 'READY' || status === 'EXPIRED') return 100;
  return total === null || total === 0 ? 0 : Math.floor((100 * done) / total);
};

const resultOf = (result: ExportResult | null): ExportResultView | null =>
  // Of exports that were made before anything could be pruned the number is not stored.
  result && { ...result, trails: { ...{ pruned: 0 }, ...result.trails } };

function shownFilter({ filter }: ExportRow): Readonly<Record<string, string>> {
  const { customerId, reviewId, ...rest } = filter;
  const said = {
    ...rest,
    ...(customerId === undefined ? {} : { customerId: publicId('cus', customerId) }),
    ...(reviewId === undefined ? {} : { reviewId: publicId('rev', reviewId) }),
  };
  return Object.fromEntries(
    Object.entries(said).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

export class FindingView {
  @ApiProperty({ example: 'transaction' })
  subjectType: string;

  @ApiProperty({ example: '01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' })
  subjectId: string;

  @ApiProperty({ example: 'STATE_MISMATCH' })
  status: string;

  @ApiProperty({ type: [TrailGapView] })
  gaps: readonly TrailGapView[];

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:01.256Z' })
  foundAt: string;

  static of(finding: Finding): FindingView {
    const { subjectType, subjectId, status, gaps, foundAt } = finding;
    return { subjectType, subjectId, status, gaps: [...gaps], foundAt: foundAt.toISOString() };
  }
}
