import { Injectable } from '@nestjs/common';
import { newestFirst, UnitOfWork } from '../../../platform/database/index.js';
import { BacktestEntity, RuleSnoozeEntity, RuleEntity, RulesetEntity } from './entities.js';

interface VersionFilter<Status> {
  readonly key?: string | undefined;
  readonly status?: Status | undefined;
}

export interface PageRequest {
  readonly limit: number;
  /** The last id of the previous page, as cursor. */
  readonly before: string | null;
}

export type RuleRecord = RuleEntity;
export type RulesetRecord = RulesetEntity;
export type Snooze = RuleSnoozeEntity;

/** A back-test without the tested content and the checkpoint. */
export type BacktestRecord = Omit<BacktestEntity, 'content' | 'checkpoint'>;

/** Reads rules, rulesets, back-tests and snoozes of one organisation, newest first. */
@Injectable()
export class RulesQueries {
  constructor(private readonly uow: UnitOfWork) {}

  listRules(
    organisationId: string,
    { key, status }: VersionFilter<RuleEntity['status']>,
    { before, limit }: PageRequest,
  ): Promise<RuleEntity[]> {
    const where = { organisationId, ...(key && { key }), ...(status && { status }) };
    return this.uow.read(organisationId, (db) => db.find(RuleEntity, newestFirst(where, before, limit)));
  }

  async findRule(organisationId: string, key: string, version: number): Promise<RuleEntity | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(RuleEntity, { organisationId, key, version }));
  }

  listRulesets(
    organisationId: string,
    { key, status }: VersionFilter<RulesetEntity['status']>,
    { before, limit }: PageRequest,
  ): Promise<RulesetEntity[]> {
    const where = { organisationId, ...(key && { key }), ...(status && { status }) };
    return this.uow.read(organisationId, (db) => db.find(RulesetEntity, newestFirst(where, before, limit)));
  }

  async findRuleset(organisationId: string, key: string, version: number): Promise<RulesetEntity | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(RulesetEntity, { organisationId, key, version }),
    );
  }

  listBacktests(
    organisationId: string,
    { key, version }: { readonly key: string; readonly version: number },
    { before, limit }: PageRequest,
  ): Promise<BacktestRecord[]> {
    const where = { organisationId, rulesetKey: key, rulesetVersion: version };
    return this.uow.read(organisationId, (db) => db.find(BacktestEntity, newestFirst(where, before, limit)));
  }

  async findBacktest(organisationId: string, id: string): Promise<BacktestRecord | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(BacktestEntity, { organisationId, id }));
  }

  /** Snoozes of a ruleset's rules, ended ones included. */
  listSnoozes(
    organisationId: string,
    rulesetKey: string,
    { before, limit }: PageRequest,
  ): Promise<RuleSnoozeEntity[]> {
    const where = { organisationId, rulesetKey };
    return this.uow.read(organisationId, (db) =>
      db.find(RuleSnoozeEntity, newestFirst(where, before, limit)),
    );
  }
}
