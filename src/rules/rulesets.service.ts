import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/index.js';
import { afterCommit, UnitOfWork } from '../database/index.js';
import { Clock, newUuid } from '../kernel/index.js';
import { contentHashOf } from './domain/content-hash.js';
import type { PublishedRuleset, RulesetContent } from './domain/ruleset.js';
import { RulesetRegistry } from './ruleset-registry.js';
import { RulesetEntity } from './store/ruleset.entity.js';

/** The published rulesets of organisations. */
@Injectable()
export class RulesetsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly registry: RulesetRegistry,
  ) {}

  /** The ruleset that evaluates the organisation's transactions now, or null when none is published. */
  async liveFor(organisationId: string): Promise<PublishedRuleset | null> {
    const { rulesets } = await this.registry.live(organisationId);
    return rulesets.find((ruleset) => ruleset.experiment === null) ?? null;
  }

  /** Publishes a ruleset unless this version is there already; the former live version is archived with it. */
  async publish(organisationId: string, content: RulesetContent, actor: string): Promise<boolean> {
    const hash = Buffer.from(contentHashOf(content), 'hex');
    return this.uow.run(organisationId, async (tx) => {
      if (await tx.existsBy(RulesetEntity, { organisationId, key: content.key, version: content.version })) {
        return false;
      }
      const publishedAt = new Date(this.clock.now());
      await tx.update(
        RulesetEntity,
        { organisationId, key: content.key, status: 'PUBLISHED' },
        { status: 'ARCHIVED', archivedAt: publishedAt },
      );
      const id = newUuid();
      await tx
        .createQueryBuilder()
        .insert()
        .into(RulesetEntity)
        .values({
          id,
          organisationId,
          key: content.key,
          version: content.version,
          status: 'PUBLISHED',
          origin: 'SEED',
          author: `system:${actor}`,
          content: () => ':content::jsonb',
          contentHash: hash,
          publishedAt,
        })
        .setParameter('content', JSON.stringify(content))
        .execute();
      await this.audit.record(tx, [
        {
          subject: { organisationId, type: 'ruleset', id },
          action: 'ruleset.published',
          actor: { type: 'system', id: actor },
          requestId: null,
          correlationId: null,
          occurredAt: publishedAt,
          content: { key: content.key, version: content.version, contentHash: hash.toString('hex') },
        },
      ]);
      afterCommit(tx, () => {
        this.registry.forget(organisationId);
      });
      return true;
    });
  }
}
