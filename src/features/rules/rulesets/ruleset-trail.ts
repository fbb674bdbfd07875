import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  WatchedSubjects,
  type Subject,
  type AuditSubject,
  type TrailExpectation,
  type TrailActionOrder,
} from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { contentHashOf } from '../domain/content-hash.js';
import type { BacktestStatus, RulesetStatus } from '../domain/life-cycle.js';
import { BacktestEntity } from '../store/entities/backtest.entity.js';
import { RuleEntity } from '../store/entities/rule.entity.js';
import { RulesetEntity } from '../store/entities/ruleset.entity.js';

type Order = Omit<TrailActionOrder, 'last'>;

const rulesetOrder: Order = {
  // A seeded version is published at its creation.
  first: ['ruleset.drafted', 'ruleset.published'],
  follows: {
    'ruleset.drafted': ['ruleset.drafted', 'ruleset.publication_requested', 'ruleset.archived'],
    'ruleset.publication_requested': [
      'ruleset.published',
      'ruleset.publication_withdrawn',
      'ruleset.drafted',
      'ruleset.archived',
    ],
    'ruleset.publication_withdrawn': ['ruleset.drafted', 'ruleset.publication_requested', 'ruleset.archived'],
    'ruleset.published': ['ruleset.rule_snoozed', 'ruleset.snooze_lifted', 'ruleset.archived'],
    'ruleset.rule_snoozed': ['ruleset.rule_snoozed', 'ruleset.snooze_lifted', 'ruleset.archived'],
    'ruleset.snooze_lifted': ['ruleset.rule_snoozed', 'ruleset.snooze_lifted', 'ruleset.archived'],
    'ruleset.archived': [],
  },
};

const rulesetEnds: Readonly<Record<RulesetStatus, TrailActionOrder['last']>> = {
  DRAFT: ['ruleset.drafted', 'ruleset.publication_requested', 'ruleset.publication_withdrawn'],
  PUBLISHED: ['ruleset.published', 'ruleset.rule_snoozed', 'ruleset.snooze_lifted'],
  ARCHIVED: ['ruleset.archived'],
};

const ruleOrder: Order = {
  // A rule that comes with a ruleset is released when it is adopted.
  first: ['rule.drafted', 'rule.released'],
  follows: { 'rule.drafted': ['rule.drafted', 'rule.released'], 'rule.released': [] },
};

const backtestOrder: Order = {
  first: ['backtest.requested'],
  follows: { 'backtest.requested': ['backtest.finished', 'backtest.failed', 'backtest.cancelled'] },
};

const backtestEnds: Readonly<Record<BacktestStatus, TrailActionOrder['last']>> = {
  QUEUED: ['backtest.requested'],
  RUNNING: ['backtest.requested'],
  FINISHED: ['backtest.finished'],
  FAILED: ['backtest.failed'],
  CANCELLED: ['backtest.cancelled'],
};

/** Declares the steps that the audit trails of rules, rulesets and back-tests may have, by their status. */
@Injectable()
export class RulesetTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('ruleset')
  async expectationOfRuleset(subject: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(subject.organisationId, (db) =>
      db.findOne(RulesetEntity, {
        select: { id: true, organisationId: true, status: true, publishedAt: true, content: true },
        where: { id: subject.id, organisationId: subject.organisationId },
      }),
    );
    if (!row) return null;
    const expected = expectation(rulesetOrder, rulesetEnds[row.status]);
    if (row.publishedAt === null) return expected;
    const says = { contentHash: contentHashOf(row.content) };
    return { ...expected, told: [{ action: 'ruleset.published', says }] };
  }

  @WatchedSubjects('rulesets')
  async listLiveSubjects(organisationId: string): Promise<readonly Subject[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(RulesetEntity, { select: { id: true }, where: { organisationId, status: 'PUBLISHED' } }),
    );
    return rows.map(({ id }) => ({ type: 'ruleset', id }));
  }

  @TrailContract('rule')
  async expectationOfRule(subject: AuditSubject): Promise<TrailExpectation | null> {
    const status = await this.statusOf<'DRAFT' | 'RELEASED'>(RuleEntity, subject);
    return status && expectation(ruleOrder, [status === 'DRAFT' ? 'rule.drafted' : 'rule.released']);
  }

  @TrailContract('backtest')
  async expectationOfBacktest(subject: AuditSubject): Promise<TrailExpectation | null> {
    const status = await this.statusOf<BacktestStatus>(BacktestEntity, subject);
    return status && expectation(backtestOrder, backtestEnds[status]);
  }

  private async statusOf<S>(
    entity: typeof RuleEntity | typeof BacktestEntity,
    { id, organisationId }: AuditSubject,
  ): Promise<S | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db.findOne<{ id: string; organisationId: string; status: string }>(entity, {
        select: { status: true },
        where: { id, organisationId },
      }),
    );
    return row && (row.status as S);
  }
}

const expectation = (order: Order, last: TrailActionOrder['last']): TrailExpectation => ({
  grammar: { ...order, last },
  anchors: [],
});
