import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { ExportRow } from '../exports/audit-exports.service.js';
import { subjectTypes, type SubjectType } from '../domain/entry.js';
import {
  exportLanguages,
  exportStatuses,
  type ExportLanguage,
  type ExportStatus,
  type ReportedTrail,
} from '../domain/export.js';
import { trailStatuses } from '../domain/trail.js';
import type { TrailFinding } from '../trail/findings.service.js';
import { ACTION } from './audit.queries.dto.js';
import { TrailGapView } from './audit.view.dto.js';
import { ExportResultView } from './export-result.view.dto.js';

const EXPORT_ID = 'aex_01999e8e7c4a7a0e8a1b2c3d4e5f6071';

export class ExportBody {
  @Field.string('Why; stands in the package and in the list of exports.', {
    minLength: 10,
    maxLength: 2000,
    example: 'Annual examination by the central bank',
  })
  reason: string;

  @Field.instant('Recorded at or after.', { optional: true }) from?: string;
  @Field.instant('Recorded before.', { optional: true }) to?: string;
  @Field.enum(subjectTypes, 'Only entries about this kind of subject.', {
    optional: true,
    example: 'transaction',
  })
  subjectType?: SubjectType;

  @Field.text('One subject of that type, as in the events; a prefixed id (`txn_…`) is understood too.', {
    optional: true,
    maxLength: 128,
  })
  subjectId?: string;

  @Field.matching(ACTION, 'Only entries of this action.', {
    optional: true,
    example: 'transaction.evaluated',
  })
  action?: string;

  @Field.matching(
    /^\S{1,64}$/,
    'Everything about one customer: the record, transactions, cases, hits, sessions, files.',
    { optional: true, example: 'cus_01999e8e7c4a7a0e8a1b2c3d4e5f6071' },
  )
  customerId?: string;

  @Field.matching(/^\S{1,64}$/, 'Everything about one case.', {
    optional: true,
    example: 'rev_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  reviewId?: string;

  @Field.flag(
    'Refuse it when a trail in it has a gap. false makes it nevertheless, with the gaps in `trail-status.jsonl`.',
    { optional: true, default: true },
  )
  auditReady?: boolean;

  @Field.enum(exportLanguages, 'Of the printable summary.', { optional: true, default: 'pt-BR' })
  language?: ExportLanguage;
}

export class ExportsQuery extends PageQuery {
  @Field.enum(exportStatuses, 'Only those with this status.', { optional: true }) status?: ExportStatus;
}

export class ExportParams {
  @Field.matching(/^\S{1,64}$/, 'The id of the export.', { example: EXPORT_ID }) id: string;
}

export class TrailNoteView {
  @View.text('What the trail is about.', { example: 'transaction:01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' })
  subject: string;
  @View.enum(trailStatuses, 'The status of the trail.', { example: 'TAMPERED' }) status: string;
  @View.list(TrailGapView, 'What is missing, moved or changed in the trail.') gaps: readonly TrailGapView[];

  static of({ subject, status, gaps }: ReportedTrail): TrailNoteView {
    return { subject, status, gaps: gaps.map((gap) => TrailGapView.of(gap)) };
  }
}

export class ExportView {
  @View.id('aex', 'The id of the export.', { example: EXPORT_ID }) id: string;

  @View.enum(
    exportStatuses,
    'READY: `GET …/content` gives the file. BLOCKED: a trail in it has a gap, see `gaps`. FAILED: ask again. ' +
      'EXPIRED: it was made, and is no longer kept.',
  )
  status: string;

  @View.integer('Percent.', { minimum: 0, maximum: 100, example: 40 }) progress: number;

  @View.textByName('What was asked for; nothing for the whole log.', {
    example: { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' },
  })
  filter: Readonly<Record<string, string>>;

  @View.text('The reason that was given.', { example: 'Annual examination by the central bank' })
  reason: string;
  @View.flag('Whether every trail in it is whole.', { example: true }) auditReady: boolean;
  @View.enum(exportLanguages, 'The language.') language: string;

  @View.text('Who: `kind:id`.', { example: 'operator:01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' })
  requestedBy: string;

  @View.instant('When the export was asked for.') requestedAt: string;
  @View.instantOrNull('When the export began.', { example: '2026-11-20T12:00:00.500Z' }) startedAt:
    string | null;
  @View.instantOrNull('When the export finished; null before.', { example: '2026-11-20T12:03:00.000Z' })
  finishedAt: string | null;

  @View.instantOrNull('Until when the file is kept.', { example: '2026-11-27T12:03:00.000Z' })
  expiresAt: string | null;

  @View.integer('How often it was taken.', { minimum: 0, example: 1 }) downloads: number;
  @View.objectOrNull(ExportResultView, 'What came of it.') result: ExportResultView | null;
  @View.list(TrailNoteView, 'Why it is BLOCKED; the first thousand.') gaps: readonly TrailNoteView[];
  @View.textOrNull('Why it failed; null when it did not.', { example: null }) failureCode: string | null;

  static of(row: ExportRow): ExportView {
    return viewOf(ExportView, row, {
      progress: progressOf(row),
      filter: shownFilter(row),
      result: resultOf(row.result),
      gaps: (row.gaps ?? []).map((note) => TrailNoteView.of(note)),
    });
  }
}

const progressOf = ({ status, done, total }: ExportRow): number => {
  if (status === 'READY' || status === 'EXPIRED') return 100;
  return Math.floor((100 * Number(done)) / Math.max(1, Number(total)));
};

const resultOf = (result: Readonly<ExportResultView> | null): ExportResultView | null =>
  // Exports made before pruning existed have no `pruned` stored.
  result && { ...result, trails: { ...{ pruned: 0 }, ...result.trails } };

function shownFilter({ filter }: ExportRow): Readonly<Record<string, string>> {
  const { customerId, reviewId, ...rest } = filter;
  const status = {
    ...rest,
    ...(customerId === undefined ? {} : { customerId: publicId('cus', customerId) }),
    ...(reviewId === undefined ? {} : { reviewId: publicId('rev', reviewId) }),
  };
  return Object.fromEntries(
    Object.entries(status).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

export class FindingView {
  @View.enum(subjectTypes, 'The kind of subject.', { example: 'transaction' }) subjectType: string;
  @View.text('The id of the subject.', { example: '01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' }) subjectId: string;
  @View.enum(trailStatuses, 'The status of the trail.', { example: 'STATE_MISMATCH' }) status: string;
  @View.list(TrailGapView, 'What is missing, moved or changed in the trail.') gaps: readonly TrailGapView[];
  @View.instant('When it was found.', { example: '2026-11-20T12:00:01.256Z' }) foundAt: string;

  static of(finding: TrailFinding): FindingView {
    const { subjectType, subjectId, status, foundAt } = finding;
    const gaps = finding.gaps.map((gap) => TrailGapView.of(gap));
    return { subjectType, subjectId, status, gaps, foundAt: foundAt.toISOString() };
  }
}
