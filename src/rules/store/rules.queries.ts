import { Injectable } from '@nestjs/common';
import {
  execute,
  selectedBut,
  statement,
  UnitOfWork,
  type RowOf,
  type Shape,
  type Statement,
} from '../../database/index.js';
import { BacktestEntity } from './entities/backtest.entity.js';
import { RuleSnoozeEntity } from './entities/rule-snooze.entity.js';
import { RuleEntity } from './entities/rule.entity.js';
import { RulesetEntity } from './entities/ruleset.entity.js';

interface VersionFilter {
  readonly key?: string | null | undefined;
  readonly status?: string | null | undefined;
}

export interface Paged {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before: string | null;
}

const RULE = selectedBut(RuleEntity, 't', 'organisationId', 'createdAt');
const RULESET = selectedBut(RulesetEntity, 't', 'organisationId');
export const SNOOZE = selectedBut(RuleSnoozeEntity, 's', 'organisationId');
const TESTED = selectedBut(
  BacktestEntity,
  'b',
  'organisationId',
  'content',
  'total',
  'done',
  'checkpoint',
  'cancelRequestedBy',
  'attempts',
  'fence',
  'leaseUntil',
);
const BACKTEST = {
  sql: `${TESTED.sql}, total::float8 AS total, done::float8 AS done`,
  shape: { ...TESTED.shape, total: 'float8 | null', done: 'float8' },
} as const;

export type RuleRecord = RowOf<typeof RULE.shape>;
export type RulesetRecord = RowOf<typeof RULESET.shape>;
export type BacktestRecord = RowOf<typeof BACKTEST.shape>;

/** A rule that has no effect for a while. */
export type Snooze = RowOf<typeof SNOOZE.shape>;

/** The statements that read versions of rules or of rulesets. */
const versionsIn = <S extends Shape>(
  table: 'rules' | 'rulesets',
  { sql, shape }: { readonly sql: string; readonly shape: S },
): { readonly page: Statement<RowOf<S>>; readonly one: Statement<RowOf<S>> } => ({
  page: statement(
    `rules.page-of-${table}`,
    `SELECT ${sql} FROM ${table} t
     WHERE organisation_id = $1 AND ($2::text IS NULL OR key = $2) AND ($3::text IS NULL OR status = $3)
       AND ($4::uuid IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $5`,
    shape,
  ),
  one: statement(
    `rules.one-of-${table}`,
    `SELECT ${sql} FROM ${table} t WHERE organisation_id = $1 AND key = $2 AND version = $3`,
    shape,
  ),
});
const RULES = versionsIn('rules', RULE);
const RULESETS = versionsIn('rulesets', RULESET);

const BACKTESTS = statement(
  'rules.backtest-page',
  `SELECT ${BACKTEST.sql} FROM backtests b
   WHERE organisation_id = $1 AND ruleset_key = $2 AND ruleset_version = $3 AND ($4::uuid IS NULL OR id < $4)
   ORDER BY id DESC LIMIT $5`,
  BACKTEST.shape,
);

const FIND_BACKTEST = statement(
  'rules.find-backtest',
  `SELECT ${BACKTEST.sql} FROM backtests b WHERE organisation_id = $1 AND id = $2`,
  BACKTEST.shape,
);

const SNOOZES = statement(
  'rules.snooze-page',
  `SELECT ${SNOOZE.sql} FROM rule_snoozes s
   WHERE organisation_id = $1 AND ruleset_key = $2 AND ($3::uuid IS NULL OR id < $3)
   ORDER BY id DESC LIMIT $4`,
  SNOOZE.shape,
);

/** Reads rules, rulesets, back-tests and snoozes of one organisation, newest first. */
@Injectable()
export class RulesQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Versions of rules. */
  rules(organisationId: string, filter: VersionFilter, paged: Paged): Promise<RuleRecord[]> {
    return this.versions(RULES.page, organisationId, filter, paged);
  }

  async rule(organisationId: string, key: string, version: number): Promise<RuleRecord | null> {
    return this.version(RULES.one, organisationId, key, version);
  }

  /** Versions of rulesets. */
  rulesets(organisationId: string, filter: VersionFilter, paged: Paged): Promise<RulesetRecord[]> {
    return this.versions(RULESETS.page, organisationId, filter, paged);
  }

  async ruleset(organisationId: string, key: string, version: number): Promise<RulesetRecord | null> {
    return this.version(RULESETS.one, organisationId, key, version);
  }

  /** The back-tests of one version. */
  backtests(
    organisationId: string,
    { key, version }: { readonly key: string; readonly version: number },
    { limit, before }: Paged,
  ): Promise<BacktestRecord[]> {
    return this.query(organisationId, BACKTESTS, [organisationId, key, version, before, limit]);
  }

  async backtest(organisationId: string, id: string): Promise<BacktestRecord | null> {
    const rows = await this.query(organisationId, FIND_BACKTEST, [organisationId, id]);
    return rows[0] ?? null;
  }

  /** The snoozes of a ruleset's rules, those that ended included. */
  snoozes(organisationId: string, rulesetKey: string, { limit, before }: Paged): Promise<Snooze[]> {
    return this.query(organisationId, SNOOZES, [organisationId, rulesetKey, before, limit]);
  }

  private versions<Row>(
    page: Statement<Row>,
    organisationId: string,
    { key = null, status = null }: VersionFilter,
    { limit, before }: Paged,
  ): Promise<Row[]> {
    return this.query(organisationId, page, [organisationId, key, status, before, limit]);
  }

  private async version<Row>(
    one: Statement<Row>,
    organisationId: string,
    key: string,
    version: number,
  ): Promise<Row | null> {
    const rows = await this.query(organisationId, one, [organisationId, key, version]);
    return rows[0] ?? null;
  }

  private query<Row>(
    organisationId: string,
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.uow.read(organisationId, (db) => execute(db, statement, values));
  }
}
