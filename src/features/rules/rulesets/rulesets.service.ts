import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  SummarizeSubjects,
  type Approval,
  type SubjectSummary,
  type SummaryLine,
} from '../../approvals/index.js';
import { AuditTrail, formatActor, auditDraftOf, systemActor } from '../../audit/index.js';
import { afterCommit, lockRow, UnitOfWork, type Reader } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { Clock, newUuid } from '../../../platform/kernel/index.js';
import { backtestInWords, changesInWords, ruleInWords } from '../domain/change-in-words.js';
import { contentHashOf } from '../domain/content-hash.js';
import type { PublishedRuleset } from '../domain/ruleset.js';
import type { RulesetDefinition } from '../language/index.js';
import { RuleLibraryService } from './rule-library.service.js';
import { RulesetRegistryService } from './ruleset-registry.service.js';
import { widenReaches } from '../store/aggregate-reach.statements.js';
import { BacktestEntity, RulesetEntity } from '../store/entities.js';

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

  /** Says in words what a publication or a snooze changes. */
  @SummarizeSubjects('ruleset')
  async summarize(
    { organisationId, permissions }: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ReadonlyMap<string, Partial<SubjectSummary>>> {
    if (!permissions.has('rules:read')) return new Map();
    return this.uow.read(organisationId, async (db) => {
      const summaries = new Map<string, Partial<SubjectSummary>>();
      for (const approval of approvals) {
        const lines =
          approval.act === 'rule.snooze' ? linesOfSnooze(db, approval) : linesOfVersion(db, approval);
        summaries.set(approval.id, { lines: await lines });
      }
      return summaries;
    });
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

/** Says what a version changes and what its back-test found; nothing if the draft has changed since the request. */
async function linesOfVersion(
  db: Reader,
  { organisationId, subjectId, change: { before, after } }: Approval,
): Promise<readonly SummaryLine[]> {
  const version = await db.findOneBy(RulesetEntity, { organisationId, id: subjectId });
  if (!version || version.contentHash.toString('hex') !== before['contentHash']) return [];
  const { key, content } = version;
  const liveVersion = before['live'];
  const former =
    typeof liveVersion === 'number'
      ? await db.findOneBy(RulesetEntity, { organisationId, key, version: liveVersion })
      : null;
  const id = after['backtestId'];
  const backtest = typeof id === 'string' ? await db.findOneBy(BacktestEntity, { organisationId, id }) : null;
  return [
    ...changesInWords(former?.content ?? null, content),
    ...(backtest?.report ? [backtestInWords(backtest.report)] : []),
  ];
}

async function linesOfSnooze(
  db: Reader,
  { organisationId, change: { before, after } }: Approval,
): Promise<readonly SummaryLine[]> {
  const [key, version] = [after['ruleset'], before['version']];
  if (typeof key !== 'string' || typeof version !== 'number') return [];
  const ruleset = await db.findOneBy(RulesetEntity, { organisationId, key, version });
  const rule = ruleset?.content.rules.find((held) => held.key === after['rule']);
  if (!rule) return [];
  return [
    {
      what: { 'pt-BR': `${rule.key} · ${rule.name['pt-BR']}`, en: `${rule.key} · ${rule.name.en}` },
      before: ruleInWords(rule),
      after: {
        'pt-BR': 'registrada sem pontos até o fim do prazo',
        en: 'recorded without points until then',
      },
    },
  ];
}
