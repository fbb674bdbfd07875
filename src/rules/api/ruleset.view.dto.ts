import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import type { Snooze } from '../snoozes.service.js';
import type { BacktestRecord, RulesetRecord } from '../store/rules.queries.js';
import { LocalisedBody } from './rule.dto.js';
import { shownActor } from './rule.view.dto.js';
import { CompositionBody, DampenerBody, ExperimentBody, ScoringBody, SelectorBody } from './ruleset.dto.js';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
const named = (actor: string | null): string | null => (actor === null ? null : shownActor(actor));

export class HeldRuleView {
  @ApiProperty({ example: 'BR-STR-08' })
  key: string;

  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ enum: ['LIVE', 'SHADOW', 'DISABLED'], example: 'LIVE' })
  mode: string;
}

export class PublicationView {
  @ApiProperty({ type: String, nullable: true, example: 'opr_019364d0c0de7000a000000000000001' })
  requestedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  requestedAt: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'opr_019364d0c0de7000a000000000000002' })
  approvedBy: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  approvedAt: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'bkt_019364d0c0de7000a000000000000003' })
  backtestId: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  publishedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  archivedAt: string | null;
}

export class RulesetView {
  @ApiProperty({ example: 'rst_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'br-starter' })
  key: string;

  @ApiProperty({ type: 'integer', example: 2 })
  version: number;

  @ApiProperty({ enum: ['DRAFT', 'PUBLISHED', 'ARCHIVED'], example: 'PUBLISHED' })
  status: string;

  @ApiProperty({ enum: ['SEED', 'DRAFT', 'ROLLBACK'], example: 'DRAFT' })
  origin: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows with each change of a draft.' })
  revision: number;

  @ApiProperty({
    description: 'SHA-256 of the canonical content; every evaluation names it.',
    example: 'b5bb9d8014a0f9b1d61e21e796d78dcc...',
  })
  contentHash: string;

  @ApiProperty({ type: LocalisedBody })
  name: unknown;

  @ApiProperty({ type: SelectorBody })
  selector: unknown;

  @ApiProperty({ type: ExperimentBody, nullable: true, description: 'Only on a challenger.' })
  experiment: unknown;

  @ApiProperty({ type: [HeldRuleView] })
  rules: HeldRuleView[];

  @ApiProperty({ type: [DampenerBody] })
  dampeners: unknown;

  @ApiProperty({ type: ScoringBody })
  scoring: unknown;

  @ApiProperty({ type: CompositionBody })
  composition: unknown;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The version that a roll-back brought back.' })
  rollbackOf: number | null;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  author: string;

  @ApiProperty({ type: PublicationView })
  publication: PublicationView;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt: string;

  static of(row: RulesetRecord): RulesetView {
    const { content } = row;
    return {
      id: publicId('rst', row.id),
      key: row.key,
      version: row.version,
      status: row.status,
      origin: row.origin,
      revision: row.revision,
      contentHash: row.contentHash.toString('hex'),
      name: content.name,
      selector: content.selector,
      experiment: content.experiment ?? null,
      rules: content.rules.map(({ key, version, mode }) => ({ key, version, mode })),
      dampeners: content.dampeners,
      scoring: content.scoring,
      composition: content.composition,
      rollbackOf: row.rollbackOf,
      author: shownActor(row.author),
      publication: {
        requestedBy: named(row.requestedBy),
        requestedAt: instant(row.requestedAt),
        approvedBy: named(row.approvedBy),
        approvedAt: instant(row.approvedAt),
        backtestId: row.backtestId === null ? null : publicId('bkt', row.backtestId),
        publishedAt: instant(row.publishedAt),
        archivedAt: instant(row.archivedAt),
      },
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

export class SnoozeView {
  @ApiProperty({ example: 'snz_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'br-starter' })
  ruleset: string;

  @ApiProperty({ example: 'BR-STR-08' })
  rule: string;

  @ApiProperty({ example: 'Payroll run of 25 November.' })
  reason: string;

  @ApiProperty({ type: String, format: 'date-time' })
  beginsAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  endsAt: string;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  createdBy: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Ended by somebody before its time.',
  })
  liftedAt: string | null;

  @ApiProperty({ type: String, nullable: true })
  liftedBy: string | null;

  static of(snooze: Snooze): SnoozeView {
    return {
      id: publicId('snz', snooze.id),
      ruleset: snooze.rulesetKey,
      rule: snooze.ruleKey,
      reason: snooze.reason,
      beginsAt: snooze.beginsAt.toISOString(),
      endsAt: snooze.endsAt.toISOString(),
      createdBy: shownActor(snooze.createdBy),
      liftedAt: instant(snooze.liftedAt),
      liftedBy: named(snooze.liftedBy),
    };
  }
}

export class RuleTallyView {
  @ApiProperty({ example: 'BR-STR-08' })
  key: string;

  @ApiProperty({ type: 'integer', example: 412 })
  hits: number;

  @ApiProperty({
    type: 'integer',
    example: 17,
    description: 'Hits that there were not when it was evaluated.',
  })
  newHits: number;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'Hits that there were, and would not be any more.',
  })
  lostHits: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Hits while it is only watched.' })
  shadowHits: number;

  @ApiProperty({ type: 'integer', example: 5, description: 'Could not be decided for want of a fact.' })
  indeterminate: number;

  @ApiProperty({ type: 'integer', example: 250, description: 'Hits where no other rule hit.' })
  hitsAlone: number;

  @ApiProperty({ example: 0.0041, description: 'Share of the transactions that it hits.' })
  hitRate: number;
}

export class FlipView {
  @ApiProperty({ enum: ['APPROVED', 'REVIEW', 'REJECTED'], example: 'APPROVED' })
  from: string;

  @ApiProperty({ enum: ['APPROVED', 'REVIEW', 'REJECTED'], example: 'REVIEW' })
  to: string;

  @ApiProperty({ type: 'integer', example: 17 })
  count: number;

  @ApiProperty({
    type: [String],
    example: ['txn_019364d0c0de7000a000000000000001'],
    description: 'Some of them.',
  })
  examples: string[];
}

export class OutcomesView {
  @ApiProperty({ type: 'integer', example: 99_980 })
  unchanged: number;

  @ApiProperty({ type: [FlipView] })
  flips: FlipView[];
}

export class HistogramBarView {
  @ApiProperty({ type: 'integer', example: 0 })
  from: number;

  @ApiProperty({ type: 'integer', example: 9 })
  to: number;

  @ApiProperty({ type: 'integer', example: 91_000 })
  live: number;

  @ApiProperty({ type: 'integer', example: 90_500 })
  tested: number;
}

export class AlertDayView {
  @ApiProperty({ example: '2026-11-20', description: 'Local day, America/Sao_Paulo.' })
  day: string;

  @ApiProperty({ type: 'integer', example: 12_000 })
  transactions: number;

  @ApiProperty({ type: 'integer', example: 80 })
  live: number;

  @ApiProperty({ type: 'integer', example: 84 })
  tested: number;
}

export class OverlapView {
  @ApiProperty({ type: [String], example: ['BR-STR-08', 'BR-STR-09'] })
  rules: readonly string[];

  @ApiProperty({ type: 'integer', example: 120 })
  both: number;

  @ApiProperty({
    example: 0.29,
    description: 'Hits of both over hits of either; 1: one of them adds nothing.',
  })
  likeness: number;
}

export class BacktestReportView {
  @ApiProperty({ type: 'integer', example: 100_000 })
  snapshots: number;

  @ApiProperty({ type: [RuleTallyView] })
  rules: RuleTallyView[];

  @ApiProperty({ type: OutcomesView })
  outcomes: OutcomesView;

  @ApiProperty({ type: [HistogramBarView] })
  scoreHistogram: HistogramBarView[];

  @ApiProperty({
    type: [AlertDayView],
    description: 'Transactions per day that a person would have to look at.',
  })
  alertsPerDay: AlertDayView[];

  @ApiProperty({ type: [OverlapView], description: 'Pairs of rules that hit the same transactions.' })
  overlap: OverlapView[];
}

export class BacktestView {
  @ApiProperty({ example: 'bkt_019364d0c0de7000a000000000000001' })
  id: string;

  @ApiProperty({ example: 'br-starter' })
  ruleset: string;

  @ApiProperty({ type: 'integer', example: 2 })
  version: number;

  @ApiProperty({
    description: 'Of the content that is tested; a draft that was changed since has another one.',
  })
  contentHash: string;

  @ApiProperty({ enum: ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'], example: 'RUNNING' })
  status: string;

  @ApiProperty({ type: String, format: 'date-time' })
  from: string;

  @ApiProperty({ type: String, format: 'date-time' })
  to: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 100_000, description: 'Snapshots to go through.' })
  total: number | null;

  @ApiProperty({ type: 'integer', example: 42_000 })
  done: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  failureCode: string | null;

  @ApiProperty({ example: 'opr_019364d0c0de7000a000000000000001' })
  requestedBy: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  startedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finishedAt: string | null;

  @ApiProperty({ type: BacktestReportView, nullable: true, description: 'Once it is finished.' })
  report: BacktestReportView | null;

  static of(row: BacktestRecord): BacktestView {
    return {
      id: publicId('bkt', row.id),
      ruleset: row.rulesetKey,
      version: row.rulesetVersion,
      contentHash: row.contentHash.toString('hex'),
      status: row.status,
      from: row.fromAt.toISOString(),
      to: row.toAt.toISOString(),
      total: row.total,
      done: row.done,
      failureCode: row.failureCode,
      requestedBy: shownActor(row.requestedBy),
      createdAt: row.createdAt.toISOString(),
      startedAt: instant(row.startedAt),
      finishedAt: instant(row.finishedAt),
      report: row.report && shownReport(row.report),
    };
  }
}

const shownReport = (report: NonNullable<BacktestRecord['report']>): BacktestReportView => ({
  snapshots: report.snapshots,
  rules: [...report.rules],
  outcomes: {
    unchanged: report.outcomes.unchanged,
    flips: report.outcomes.flips.map((flip) => ({
      ...flip,
      examples: flip.examples.map((ref) => publicId('txn', ref)),
    })),
  },
  scoreHistogram: [...report.scoreHistogram],
  alertsPerDay: [...report.alertsPerDay],
  overlap: [...report.overlap],
});
