import { ErrorDetailView, View, viewOf } from '../../../platform/http/index.js';
import { pick, publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { instantText } from '../../../platform/kernel/values/instant.js';
import type { BacktestRecord, RulesetRecord, Snooze } from '../store/rules.queries.js';
import { BacktestReportView } from './backtest-report.view.dto.js';
import { LocalisedBody } from './localised.dto.js';
import { CompositionBody, DampenerBody, ExperimentBody, ScoringBody, SelectorBody } from './ruleset.dto.js';

const publicActorOf = (actor: string | null): string | null => (actor === null ? null : toPublicActor(actor));

export class HeldRuleView {
  @View.text('The key of the rule, which never changes.', { example: 'BR-STR-08' }) key: string;
  @View.integer('The version of the rule.', { example: 1 }) version: number;
  @View.enum(['LIVE', 'SHADOW', 'DISABLED'], 'Whether the rule counts, or is only watched.', {
    example: 'LIVE',
  })
  mode: string;
}

export class PublicationView {
  @View.idOrNull('opr', 'Who asked for the publication.') requestedBy: string | null;
  @View.instantOrNull('When the publication was asked for.') requestedAt: string | null;
  @View.idOrNull('opr', 'Who approved it.') approvedBy: string | null;
  @View.instantOrNull('When it was approved.') approvedAt: string | null;
  @View.idOrNull('bkt', 'The back-test that was made of it.') backtestId: string | null;
  @View.instantOrNull('When it went live.') publishedAt: string | null;
  @View.instantOrNull('When it went out of use.') archivedAt: string | null;
}

export class RulesetView {
  @View.id('rst', 'The id of the ruleset.') id: string;
  @View.text('The key of the ruleset, which never changes.', { example: 'br-starter' }) key: string;
  @View.integer('The version of the ruleset.', { example: 2 }) version: number;
  @View.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED'], 'The status of the ruleset.', { example: 'PUBLISHED' })
  status: string;
  @View.enum(['SEED', 'DRAFT', 'ROLLBACK'], 'Where the ruleset comes from.', { example: 'DRAFT' })
  origin: string;
  @View.integer('Grows with each change of a draft.', { example: 1 }) revision: number;

  @View.text('SHA-256 of the canonical content; every evaluation names it.', {
    example: 'b5bb9d8014a0f9b1d61e21e796d78dcc...',
  })
  contentHash: string;

  @View.object(LocalisedBody, 'The name of the ruleset.') name: unknown;
  @View.object(SelectorBody, 'To which transactions it applies.') selector: unknown;
  @View.objectOrNull(ExperimentBody, 'Only on a challenger.') experiment: unknown;
  @View.list(HeldRuleView, 'The rules.') rules: HeldRuleView[];
  @View.list(DampenerBody, 'What lowers the points of hits that belong together.') dampeners: unknown;
  @View.object(ScoringBody, 'How points become a score, a level and an outcome.') scoring: unknown;
  @View.object(CompositionBody, 'Whether the score has all that it needs.') composition: unknown;
  @View.integerOrNull('The version that a roll-back brought back.') rollbackOf: number | null;
  @View.id('opr', 'Who wrote the ruleset.') author: string;
  @View.object(PublicationView, 'How it went live; null before.') publication: PublicationView;
  @View.instant('When the ruleset was created.') createdAt: string;
  @View.instant('When the ruleset was last changed.') updatedAt: string;

  @View.list(
    ErrorDetailView,
    'Of one draft: what stands against its publication, as more steps than a transaction may take. Its back-test apart.',
    { optional: true, example: [] },
  )
  obstacles?: readonly ErrorDetailView[];

  static of(row: RulesetRecord, obstacles?: readonly ErrorDetailView[]): RulesetView {
    const { content } = row;
    return viewOf(RulesetView, row, {
      ...(obstacles && { obstacles }),
      contentHash: row.contentHash.toString('hex'),
      name: content.name,
      selector: content.selector,
      experiment: content.experiment ?? null,
      rules: content.rules.map(({ key, version, mode }) => ({ key, version, mode })),
      ...pick(content, 'dampeners', 'scoring', 'composition'),
      author: toPublicActor(row.author),
      publication: {
        requestedBy: publicActorOf(row.requestedBy),
        requestedAt: instantText(row.requestedAt),
        approvedBy: publicActorOf(row.approvedBy),
        approvedAt: instantText(row.approvedAt),
        backtestId: row.backtestId === null ? null : publicId('bkt', row.backtestId),
        publishedAt: instantText(row.publishedAt),
        archivedAt: instantText(row.archivedAt),
      },
    });
  }
}

export class SnoozeView {
  @View.id('snz', 'The id of the snooze.') id: string;
  @View.text('The ruleset and its version.', { example: 'br-starter' }) ruleset: string;
  @View.text('The key of the rule.', { example: 'BR-STR-08' }) rule: string;
  @View.text('The reason that was given.', { example: 'Payroll run of 25 November.' }) reason: string;
  @View.instant('From when it holds.') beginsAt: string;
  @View.instant('Until when it holds.') endsAt: string;
  @View.id('opr', 'Who created the snooze.') createdBy: string;
  @View.instantOrNull('Ended by somebody before its time.') liftedAt: string | null;
  @View.textOrNull('Who lifted it.') liftedBy: string | null;

  static of(snooze: Snooze): SnoozeView {
    return viewOf(SnoozeView, snooze, {
      ruleset: snooze.rulesetKey,
      rule: snooze.ruleKey,
      createdBy: toPublicActor(snooze.createdBy),
      liftedBy: publicActorOf(snooze.liftedBy),
    });
  }
}

export class BacktestView {
  @View.id('bkt', 'The id of the back-test.') id: string;
  @View.text('The ruleset and its version.', { example: 'br-starter' }) ruleset: string;
  @View.integer('The version of the back-test.', { example: 2 }) version: number;

  @View.text('Of the content that is tested; a draft that was changed since has another one.')
  contentHash: string;

  @View.enum(['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'], 'The status of the back-test.', {
    example: 'RUNNING',
  })
  status: string;
  @View.instant('The first day or instant that is looked at.') from: string;
  @View.instant('The end of what is looked at.') to: string;
  @View.integerOrNull('Snapshots to go through.', { example: 100_000 }) total: number | null;
  @View.integer('How many are done.', { example: 42_000 }) done: number;
  @View.textOrNull('Why it failed; null when it did not.', { example: null }) failureCode: string | null;
  @View.id('opr', 'Who asked for the back-test.') requestedBy: string;
  @View.instant('When the back-test was created.') createdAt: string;
  @View.instantOrNull('When the back-test began.') startedAt: string | null;
  @View.instantOrNull('When the back-test finished; null before.') finishedAt: string | null;
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
      requestedBy: toPublicActor(row.requestedBy),
      report: row.report && toReportView(row.report),
    });
  }
}

const toReportView = ({ outcomes, ...report }: BacktestReportView): BacktestReportView => ({
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
