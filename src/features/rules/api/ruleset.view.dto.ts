import { View, viewOf } from '../../../platform/http/index.js';
import { pick, publicId } from '../../../platform/kernel/index.js';
import { instantText } from '../../../platform/kernel/values/instant.js';
import type { BacktestRecord, RulesetRecord, Snooze } from '../store/rules.queries.js';
import { BacktestReportView } from './backtest-report.view.dto.js';
import { LocalisedBody } from './localised.dto.js';
import { shownActor } from './rule.view.dto.js';
import { CompositionBody, DampenerBody, ExperimentBody, ScoringBody, SelectorBody } from './ruleset.dto.js';

const named = (actor: string | null): string | null => (actor === null ? null : shownActor(actor));

export class HeldRuleView {
  @View.text({ example: 'BR-STR-08' }) key: string;
  @View.integer({ example: 1 }) version: number;
  @View.enum(['LIVE', 'SHADOW', 'DISABLED'], { example: 'LIVE' }) mode: string;
}

export class PublicationView {
  @View.idOrNull('opr') requestedBy: string | null;
  @View.instantOrNull() requestedAt: string | null;
  @View.idOrNull('opr', { example: 'opr_019364d0c0de7000a000000000000002' }) approvedBy: string | null;
  @View.instantOrNull() approvedAt: string | null;
  @View.idOrNull('bkt', { example: 'bkt_019364d0c0de7000a000000000000003' }) backtestId: string | null;
  @View.instantOrNull() publishedAt: string | null;
  @View.instantOrNull() archivedAt: string | null;
}

export class RulesetView {
  @View.id('rst') id: string;
  @View.text({ example: 'br-starter' }) key: string;
  @View.integer({ example: 2 }) version: number;
  @View.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED'], { example: 'PUBLISHED' }) status: string;
  @View.enum(['SEED', 'DRAFT', 'ROLLBACK'], { example: 'DRAFT' }) origin: string;
  @View.integer('Grows with each change of a draft.', { example: 1 }) revision: number;

  @View.text('SHA-256 of the canonical content; every evaluation names it.', {
    example: 'b5bb9d8014a0f9b1d61e21e796d78dcc...',
  })
  contentHash: string;

  @View.object(LocalisedBody) name: unknown;
  @View.object(SelectorBody) selector: unknown;
  @View.objectOrNull(ExperimentBody, 'Only on a challenger.') experiment: unknown;
  @View.list(HeldRuleView) rules: HeldRuleView[];
  @View.list(DampenerBody) dampeners: unknown;
  @View.object(ScoringBody) scoring: unknown;
  @View.object(CompositionBody) composition: unknown;
  @View.integerOrNull('The version that a roll-back brought back.') rollbackOf: number | null;
  @View.id('opr') author: string;
  @View.object(PublicationView) publication: PublicationView;
  @View.instant() createdAt: string;
  @View.instant() updatedAt: string;

  static of(row: RulesetRecord): RulesetView {
    const { content } = row;
    return viewOf(RulesetView, row, {
      contentHash: row.contentHash.toString('hex'),
      name: content.name,
      selector: content.selector,
      experiment: content.experiment ?? null,
      rules: content.rules.map(({ key, version, mode }) => ({ key, version, mode })),
      ...pick(content, 'dampeners', 'scoring', 'composition'),
      author: shownActor(row.author),
      publication: {
        requestedBy: named(row.requestedBy),
        requestedAt: instantText(row.requestedAt),
        approvedBy: named(row.approvedBy),
        approvedAt: instantText(row.approvedAt),
        backtestId: row.backtestId === null ? null : publicId('bkt', row.backtestId),
        publishedAt: instantText(row.publishedAt),
        archivedAt: instantText(row.archivedAt),
      },
    });
  }
}

export class SnoozeView {
  @View.id('snz') id: string;
  @View.text({ example: 'br-starter' }) ruleset: string;
  @View.text({ example: 'BR-STR-08' }) rule: string;
  @View.text({ example: 'Payroll run of 25 November.' }) reason: string;
  @View.instant() beginsAt: string;
  @View.instant() endsAt: string;
  @View.id('opr') createdBy: string;
  @View.instantOrNull('Ended by somebody before its time.') liftedAt: string | null;
  @View.textOrNull() liftedBy: string | null;

  static of(snooze: Snooze): SnoozeView {
    return viewOf(SnoozeView, snooze, {
      ruleset: snooze.rulesetKey,
      rule: snooze.ruleKey,
      createdBy: shownActor(snooze.createdBy),
      liftedBy: named(snooze.liftedBy),
    });
  }
}

export class BacktestView {
  @View.id('bkt') id: string;
  @View.text({ example: 'br-starter' }) ruleset: string;
  @View.integer({ example: 2 }) version: number;

  @View.text('Of the content that is tested; a draft that was changed since has another one.')
  contentHash: string;

  @View.enum(['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'], { example: 'RUNNING' }) status: string;
  @View.instant() from: string;
  @View.instant() to: string;
  @View.integerOrNull('Snapshots to go through.', { example: 100_000 }) total: number | null;
  @View.integer({ example: 42_000 }) done: number;
  @View.textOrNull({ example: null }) failureCode: string | null;
  @View.id('opr') requestedBy: string;
  @View.instant() createdAt: string;
  @View.instantOrNull() startedAt: string | null;
  @View.instantOrNull() finishedAt: string | null;
  @View.objectOrNull(BacktestReportView, 'Once it is finished.') report: BacktestReportView | null;

  static of(row: BacktestRecord): BacktestView {
    return viewOf(BacktestView, row, {
      ruleset: row.rulesetKey,
      version: row.rulesetVersion,
      contentHash: row.contentHash.toString('hex'),
      from: row.fromAt.toISOString(),
      to: row.toAt.toISOString(),
      total: row.total === null ? null : Number(row.total),
      done: Number(row.done),
      requestedBy: shownActor(row.requestedBy),
      report: row.report && shownReport(row.report),
    });
  }
}

const shownReport = ({ outcomes, ...report }: BacktestReportView): BacktestReportView => ({
  snapshots: report.snapshots,
  rules: report.rules,
  outcomes: {
    unchanged: outcomes.unchanged,
    flips: outcomes.flips.map(({ from, to, count, examples }) => ({
      ...{ from, to, count },
      examples: examples.map((ref) => publicId('txn', ref)),
    })),
  },
  ...pick(report, 'scoreHistogram', 'alertsPerDay', 'overlap'),
});
