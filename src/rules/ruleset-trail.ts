import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  TrailContracts,
  type AuditSubject,
  type TrailExpectation,
  type TrailGrammar,
} from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import type { BacktestStatus, RulesetStatus } from './domain/life-cycle.js';

type Order = Omit<TrailGrammar, 'last'>;

const rulesetOrder: Order = {
  // A version that is seeded is published when it is made.
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

const rulesetEnds: Readonly<Record<RulesetStatus, TrailGrammar['last']>> = {
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

const backtestEnds: Readonly<Record<BacktestStatus, TrailGrammar['last']>> = {
  QUEUED: ['backtest.requested'],
  RUNNING: ['backtest.requested'],
  FINISHED: ['backtest.finished'],
  FAILED: ['backtest.failed'],
  CANCELLED: ['backtest.cancelled'],
};

/** Tells Audit what the trails of rules, rulesets and back-tests must look like in their present states. */
@Injectable()
export class RulesetTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.contracts.register('ruleset', async (subject) => {
      const status = await this.statusOf<RulesetStatus>('rulesets', subject);
      return status && expectation(rulesetOrder, rulesetEnds[status]);
    });
    this.contracts.register('rule', async (subject) => {
      const status = await this.statusOf<'DRAFT' | 'RELEASED'>('rules', subject);
      return status && expectation(ruleOrder, [status === 'DRAFT' ? 'rule.drafted' : 'rule.released']);
    });
    this.contracts.register('backtest', async (subject) => {
      const status = await this.statusOf<BacktestStatus>('backtests', subject);
      return status && expectation(backtestOrder, backtestEnds[status]);
    });
  }

  private async statusOf<S>(
    table: 'rules' | 'rulesets' | 'backtests',
    { id, organisationId }: AuditSubject,
  ): Promise<S | null> {
    const [row]: { status: S }[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT status FROM ${table} WHERE id = $1 AND organisation_id = $2`, [id, organisationId]),
    );
    return row?.status ?? null;
  }
}

const expectation = (order: Order, last: TrailGrammar['last']): TrailExpectation => ({
  grammar: { ...order, last },
  anchors: [],
});
