import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditTrail } from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { Clock, newUuid } from '../kernel/index.js';
import type { PublishedRuleset, RulesetContent } from './domain/ruleset.js';
import { RulesetEntity } from './store/ruleset.entity.js';

interface Cached {
  readonly ruleset: PublishedRuleset | null;
  readonly loadedAt: number;
}

// A newly published ruleset takes effect in every process within a second.
const FRESH_MS = 900;

/** The published rulesets of organisations. */
@Injectable()
export class RulesetsService {
  private readonly live = new Map<string, Cached>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    @InjectRepository(RulesetEntity) private readonly rulesets: Repository<RulesetEntity>,
  ) {}

  /** The ruleset that evaluates the organisation's transactions now, or null when none is published. */
  async liveFor(organisationId: string): Promise<PublishedRuleset | null> {
    const cached = this.live.get(organisationId);
    if (cached && performance.now() - cached.loadedAt < FRESH_MS) return cached.ruleset;
    const row = await this.rulesets.findOne({
      where: { organisationId, status: 'PUBLISHED' },
      order: { publishedAt: 'DESC' },
    });
    const ruleset = row ? pinned(row) : null;
    this.live.set(organisationId, { ruleset, loadedAt: performance.now() });
    return ruleset;
  }

  /** Publishes a ruleset unless this version is there already; the former live version is archived with it. */
  async publish(organisationId: string, content: RulesetContent, actor: string): Promise<boolean> {
    const hash = hashOf(content);
    return this.uow.run(async (tx) => {
      if (await tx.existsBy(RulesetEntity, { organisationId, key: content.key, version: content.version })) {
        return false;
      }
      const publishedAt = new Date(this.clock.now());
      await tx.update(
        RulesetEntity,
        { organisationId, key: content.key, status: 'PUBLISHED' },
        { status: 'ARCHIVED' },
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
      return true;
    });
  }
}

const hashOf = (content: RulesetContent): Buffer =>
  createHash('sha256').update(canonicalJson(content)).digest();

/** A stored ruleset whose content no longer gives its hash is not the one that was published. */
function pinned(row: RulesetEntity): PublishedRuleset {
  if (!hashOf(row.content).equals(row.contentHash)) {
    throw new Error(`ruleset ${row.key} version ${row.version} does not match its published hash`);
  }
  return { id: row.id, contentHash: row.contentHash.toString('hex'), content: row.content };
}
