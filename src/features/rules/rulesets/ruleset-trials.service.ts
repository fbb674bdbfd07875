import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../../platform/database/index.js';
import { DomainError, type ErrorDetail } from '../../../platform/kernel/index.js';
import { compileRuleset } from '../domain/compiled-ruleset.js';
import { contentHashOf } from '../domain/content-hash.js';
import type { PublishedRuleset } from '../domain/ruleset.js';
import type { SelectionKey } from '../domain/selection.js';
import { inspectRuleset, refuseFaults } from './inspection.js';
import type { RuleDefinition, RulesetDefinition } from '../language/index.js';
import { RulesetRegistryService } from './ruleset-registry.service.js';
import { RuleEntity, RulesetEntity } from '../store/entities.js';

/** A ruleset to dry-run on a transaction. */
export interface DryRunRuleset {
  /** A version of any status; null means the ruleset that is live for the transaction. */
  readonly ruleset: { readonly key: string; readonly version: number } | null;
  /** Keys of rules whose drafts are added, or replace the released versions. */
  readonly draftRules: readonly string[];
  readonly transaction: SelectionKey;
}

/** Composes rulesets for dry-runs; nothing of them is stored or live. */
@Injectable()
export class RulesetTrialsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly registry: RulesetRegistryService,
  ) {}

  /** Composes the ruleset of a trial; null when none is live for the transaction. */
  async compose(
    organisationId: string,
    { ruleset, draftRules, transaction }: DryRunRuleset,
  ): Promise<PublishedRuleset | null> {
    const base = await this.findBase(organisationId, ruleset, transaction);
    if (!base) return null;
    const drafts = await this.readDrafts(organisationId, draftRules);
    const content: RulesetDefinition = {
      ...base,
      rules: [
        ...base.rules.map((rule) => drafts.get(rule.key) ?? rule),
        ...[...drafts.values()].filter(({ key }) => !base.rules.some((rule) => rule.key === key)),
      ],
    };
    refuseFaults(inspectRuleset(content));
    const compilation = compileRuleset(content);
    if (!compilation.ok) throw new Error('a ruleset without faults does not compile');
    return { id: '', contentHash: contentHashOf(content), content, compiled: compilation.ruleset };
  }

  private async findBase(
    organisationId: string,
    ref: DryRunRuleset['ruleset'],
    transaction: SelectionKey,
  ): Promise<RulesetDefinition | null> {
    if (ref === null) {
      const liveRulesets = await this.registry.readLive(organisationId);
      return liveRulesets.select(transaction).deciding?.content ?? null;
    }
    const row = await this.uow.read(organisationId, (db) =>
      db.findOneBy(RulesetEntity, { organisationId, key: ref.key, version: ref.version }),
    );
    if (!row) throw new DomainError('RULESET_NOT_FOUND');
    return row.content;
  }

  private async readDrafts(
    organisationId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, RuleDefinition>> {
    if (keys.length === 0) return new Map();
    const rows = await this.uow.read(organisationId, (db) =>
      db.findBy(RuleEntity, { organisationId, status: 'DRAFT', key: In([...keys]) }),
    );
    const drafts = new Map(rows.map(({ key, content }) => [key, content]));
    const unknown = keys.flatMap((key, i): ErrorDetail[] =>
      drafts.has(key)
        ? []
        : [{ path: `draftRules[${i}]`, code: 'UNKNOWN_RULE', message: 'There is no draft of such a rule.' }],
    );
    refuseFaults(unknown);
    return drafts;
  }
}
