import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import type { RuleDefinition, RulesetDefinition } from '../language/index.js';
import type { BacktestReport } from '../domain/backtest-tally.js';
import type { BacktestStatus, RulesetOrigin, RulesetStatus } from '../domain/life-cycle.js';
import type { Snooze } from '../snoozes.service.js';

export interface RuleRecord {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly status: 'DRAFT' | 'RELEASED';
  readonly revision: number;
  readonly contentHash: Buffer;
  readonly content: RuleDefinition;
  readonly author: string;
  readonly updatedAt: Date;
  readonly releasedAt: Date | null;
}

export interface RulesetRecord {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly status: RulesetStatus;
  readonly origin: RulesetOrigin;
  readonly revision: number;
  readonly content: RulesetDefinition;
  readonly contentHash: Buffer;
  readonly author: string;
  readonly rollbackOf: number | null;
  readonly requestedBy: string | null;
  readonly requestedAt: Date | null;
  readonly approvedBy: string | null;
  readonly approvedAt: Date | null;
  readonly backtestId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  readonly archivedAt: Date | null;
}

export interface BacktestRecord {
  readonly id: string;
  readonly rulesetKey: string;
  readonly rulesetVersion: number;
  readonly contentHash: Buffer;
  readonly status: BacktestStatus;
  readonly fromAt: Date;
  readonly toAt: Date;
  readonly total: number | null;
  readonly done: number;
  readonly report: BacktestReport | null;
  readonly failureCode: string | null;
  readonly requestedBy: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

interface VersionFilter {
  readonly key?: string | null | undefined;
  readonly status?: string | null | undefined;
}

export interface Paged {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before: string | null;
}

const RULE = `id, key, version, status, revision, content, content_hash AS "contentHash", author,
  updated_at AS "updatedAt", released_at AS "releasedAt"`;
const RULESET = `id, key, version, status, origin, revision, content, content_hash AS "contentHash", author,
  rollback_of AS "rollbackOf", requested_by AS "requestedBy", requested_at AS "requestedAt",
  approved_by AS "approvedBy", approved_at AS "approvedAt", backtest_id AS "backtestId", created_at AS "createdAt",
  updated_at AS "updatedAt", published_at AS "publishedAt", archived_at AS "archivedAt"`;
const BACKTEST = `id, ruleset_key AS "rulesetKey", ruleset_version AS "rulesetVersion", content_hash AS "contentHash",
  status, from_at AS "fromAt", to_at AS "toAt", total::float8 AS total, done::float8 AS done, report,
  failure_code AS "failureCode", requested_by AS "requestedBy", created_at AS "createdAt", started_at AS "startedAt",
  finished_at AS "finishedAt"`;
const SNOOZE = `id, ruleset_key AS "rulesetKey", rule_key AS "ruleKey", reason, begins_at AS "beginsAt",
  ends_at AS "endsAt", created_by AS "createdBy", lifted_at AS "liftedAt", lifted_by AS "liftedBy"`;

/** Reads rules, rulesets, back-tests and snoozes of one organisation, newest first. */
@Injectable()
export class RulesQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Versions of rules. */
  rules(organisationId: string, filter: VersionFilter, paged: Paged): Promise<RuleRecord[]> {
    return this.versions(`SELECT ${RULE} FROM rules`, organisationId, filter, paged);
  }

  async rule(organisationId: string, key: string, version: number): Promise<RuleRecord | null> {
    return this.version(`SELECT ${RULE} FROM rules`, organisationId, key, version);
  }

  /** Versions of rulesets. */
  rulesets(organisationId: string, filter: VersionFilter, paged: Paged): Promise<RulesetRecord[]> {
    return this.versions(`SELECT ${RULESET} FROM rulesets`, organisationId, filter, paged);
  }

  async ruleset(organisationId: string, key: string, version: number): Promise<RulesetRecord | null> {
    return this.version(`SELECT ${RULESET} FROM rulesets`, organisationId, key, version);
  }

  /** The back-tests of one version. */
  backtests(
    organisationId: string,
    { key, version }: { readonly key: string; readonly version: number },
    { limit, before }: Paged,
  ): Promise<BacktestRecord[]> {
    return this.query(
      organisationId,
      `SELECT ${BACKTEST} FROM backtests
       WHERE organisation_id = $1 AND ruleset_key = $2 AND ruleset_version = $3 AND ($4::uuid IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $5`,
      [organisationId, key, version, before, limit],
    );
  }

  async backtest(organisationId: string, id: string): Promise<BacktestRecord | null> {
    const rows = await this.query<BacktestRecord>(
      organisationId,
      `SELECT ${BACKTEST} FROM backtests WHERE organisation_id = $1 AND id = $2`,
      [organisationId, id],
    );
    return rows[0] ?? null;
  }

  /** The snoozes of a ruleset's rules, those that ended included. */
  snoozes(organisationId: string, rulesetKey: string, { limit, before }: Paged): Promise<Snooze[]> {
    return this.query(
      organisationId,
      `SELECT ${SNOOZE} FROM rule_snoozes
       WHERE organisation_id = $1 AND ruleset_key = $2 AND ($3::uuid IS NULL OR id < $3)
       ORDER BY id DESC LIMIT $4`,
      [organisationId, rulesetKey, before, limit],
    );
  }

  private versions<Row>(
    select: string,
    organisationId: string,
    { key = null, status = null }: VersionFilter,
    { limit, before }: Paged,
  ): Promise<Row[]> {
    return this.query(
      organisationId,
      `${select}
       WHERE organisation_id = $1 AND ($2::text IS NULL OR key = $2) AND ($3::text IS NULL OR status = $3)
         AND ($4::uuid IS NULL OR id < $4)
       ORDER BY id DESC LIMIT $5`,
      [organisationId, key, status, before, limit],
    );
  }

  private async version<Row>(
    select: string,
    organisationId: string,
    key: string,
    version: number,
  ): Promise<Row | null> {
    const rows = await this.query<Row>(
      organisationId,
      `${select} WHERE organisation_id = $1 AND key = $2 AND version = $3`,
      [organisationId, key, version],
    );
    return rows[0] ?? null;
  }

  private query<Row>(organisationId: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.uow.read(organisationId, (db) => db.query<Row[]>(text, [...values]));
  }
}
