import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { AuditTrail, formatActor, auditDraftOf, systemActor } from '../../audit/index.js';
import { afterCommit, lockRow, UnitOfWork } from '../../../platform/database/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { contentHashOf } from '../domain/content-hash.js';
import type { PublishedRuleset } from '../domain/ruleset.js';
import type { RulesetDefinition } from '../language/index.js';
import { RuleLibraryService } from './rule-library.service.js';
import { RulesetRegistryService } from './ruleset-registry.service.js';
import { widenReaches } from '../store/aggregate-reach.statements.js';
import { RulesetEntity } from '../store/entities.js';

/** The published rulesets of organisations. */
@Injectable()
export class RulesetsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly library: RuleLibraryService,
    private readonly registry: RulesetRegistryService,
  ) {}

  /** The ruleset that evaluates the organisation's transactions now, or null when none is published. */
  async findLive(organisationId: string): Promise<PublishedRuleset | null> {
    const { rulesets } = await this.registry.readLive(organisationId);
    return rulesets.find((ruleset) => ruleset.experiment === null) ?? null;
  }

  /** Returns contents of versions by their hash; unknown hashes are left out. */
  async readContents(
    organisationId: string,
    hashes: readonly string[],
  ): Promise<Readonly<Record<string, RulesetDefinition>>> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.findBy(RulesetEntity, {
        organisationId,
        contentHash: In(hashes.map((hash) => Buffer.from(hash, 'hex'))),
      }),
    );
    return Object.fromEntries(rows.map((row) => [row.contentHash.toString('hex'), row.content]));
  }

  /**
   * Seeds a ruleset of the product as published, with its rules in the library; false when this version exists already.
   * An earlier version of the same key is archived. Operators publish with a second person instead.
   */
  async publish(organisationId: string, definition: RulesetDefinition, actor: string): Promise<boolean> {
    const ctx = systemActor(organisationId, actor);
    const { key, version } = definition;
    const contentHash = Buffer.from(contentHashOf(definition), 'hex');
    return this.uow.run(organisationId, async (tx) => {
      if (await tx.existsBy(RulesetEntity, { organisationId, key, version })) return false;
      const now = new Date(this.clock.now());
      const former = await lockRow(
        tx,
        RulesetEntity,
        { organisationId, key, status: 'PUBLISHED' },
        'pessimistic_write',
      );
      if (former) {
        await tx.update(RulesetEntity, { id: former.id }, { status: 'ARCHIVED', archivedAt: now });
        await this.audit.record(
          tx,
          auditDraftOf(ctx, 'ruleset', former.id, 'ruleset.archived', now, {
            key,
            version: former.version,
            contentHash: former.contentHash.toString('hex'),
            replacedBy: version,
          }),
        );
      }
      await this.library.addReleasedRules(tx, ctx, definition.rules);
      const id = newUuid();
      await tx.insert(RulesetEntity, {
        id,
        organisationId,
        key,
        version,
        status: 'PUBLISHED',
        content: definition,
        contentHash,
        origin: 'SEED',
        author: formatActor(ctx),
        createdAt: now,
        updatedAt: now,
        publishedAt: now,
      });
      await widenReaches(tx, organisationId, definition);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'ruleset', id, 'ruleset.published', now, {
          key,
          version,
          contentHash: contentHash.toString('hex'),
        }),
      );
      afterCommit(tx, () => {
        this.registry.forget(organisationId);
      });
      return true;
    });
  }
}
