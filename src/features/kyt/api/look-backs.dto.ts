import { Field, View, viewOf } from '../../../platform/http/index.js';
import { pick, publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { lookBackStatuses, MAX_LOOK_BACK_DAYS, type LookBackCounts } from '../domain/look-back.js';
import type { LookBackRow } from '../look-backs/look-backs.service.js';

export class LookBackBody {
  @Field.integer('Transactions that occurred in so many days before the approval.', {
    ...{ min: 1, max: MAX_LOOK_BACK_DAYS, example: 30 },
  })
  days: number;

  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The rule is new; its pattern is older.',
  })
  reason: string;
}

class UndecidedRuleView {
  @View.text('The key of the rule.', { example: 'BR-PIX-15' }) rule: string;
  @View.integer('How many there are.', { example: 12 }) count: number;
}

class LookBackCountsView {
  @View.integer('Transactions that were looked at.', { example: 42_000 }) looked: number;
  @View.integer('Would have been an alert.', { example: 57 }) alerts: number;
  @View.integer('Of these, had a case before.', { example: 12 }) known: number;
  @View.integer('Of these, opened a case.', { example: 20 }) opened: number;
  @View.integer('Of these, joined a case that was open.', { example: 25 }) joined: number;
  @View.integer('Could not be read: their person was erased.', { example: 0 }) unreadable: number;

  @View.texts('The version, or the snapshots of the list, that judged.', { example: ['br-starter@4'] })
  judgedBy: readonly string[];

  @View.list(UndecidedRuleView, 'Live rules that could not be decided for want of a fact, and how often.')
  undecided: readonly UndecidedRuleView[];

  static of({ undecided, ...counts }: LookBackCounts): LookBackCountsView {
    const rules = Object.entries(undecided).map(([rule, count]) => ({ rule, count }));
    return {
      ...pick(counts, 'looked', 'alerts', 'known', 'opened', 'joined', 'unreadable', 'judgedBy'),
      undecided: rules.sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1)),
    };
  }
}

export class LookBackView {
  @View.id('lbk', 'The id of the look-back.') id: string;
  @View.enum(['RULESET', 'LIST'], 'The kind of look-back.', { example: 'RULESET' }) kind: string;
  @View.textOrNull('The ruleset and its version.', { example: 'br-starter' }) ruleset: string | null;
  @View.integerOrNull('The version of the rules that is tried; null for a list.', { example: 4 }) version:
    number | null;
  @View.textOrNull('The list, by its key.', { example: null }) list: string | null;
  @View.integer('The number of days.', { example: 30 }) days: number;
  @View.instant('The first day or instant that is looked at.') from: string;
  @View.instant('The end of what is looked at.') to: string;
  @View.enum(lookBackStatuses, 'The status of the look-back.', { example: 'RUNNING' }) status: string;
  @View.integerOrNull('Transactions to go through.', { example: 100_000 }) total: number | null;
  @View.integer('How many are done.', { example: 42_000 }) done: number;
  @View.object(LookBackCountsView, 'What it has come to so far.') counts: LookBackCountsView;
  @View.textOrNull('Why it failed; null when it did not.', { example: null }) failureCode: string | null;
  @View.id('opr', 'Who asked for the look-back.') requestedBy: string;
  @View.id('opr', 'Who approved it.') approvedBy: string;
  @View.id('apr', 'The request that two people agreed about.') approvalId: string;
  @View.flag('Nobody independent was there to approve it.') singleControl: boolean;
  @View.textOrNull('Who called it off.') cancelledBy: string | null;
  @View.instant('When the look-back was created.') createdAt: string;
  @View.instantOrNull('When the look-back began.') startedAt: string | null;
  @View.instantOrNull('When the look-back finished; null before.') finishedAt: string | null;

  static of(row: LookBackRow): LookBackView {
    return viewOf(LookBackView, row, {
      ruleset: row.rulesetKey,
      version: row.rulesetVersion,
      list: row.listId && publicId('lst', row.listId),
      from: row.fromAt.toISOString(),
      to: row.toAt.toISOString(),
      total: row.total === null ? null : Number(row.total),
      done: Number(row.done),
      counts: LookBackCountsView.of(row.counts),
      cancelledBy: row.cancelledBy === null ? null : toPublicActor(row.cancelledBy),
    });
  }
}
