import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { lockRow, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, newUuid } from '../../../platform/kernel/index.js';
import { contentHashOf } from '../domain/content-hash.js';
import { pinCustomFields } from '../domain/custom-fields/custom-field-pins.js';
import { inspectForRelease, refuseFaults } from './inspection.js';
import { currentCustomFields } from '../custom-fields/current-custom-fields.js';
import { type RuleVocabulary, RuleVocabularyService } from './rule-vocabulary.service.js';
import type { RuleDefinition } from '../language/index.js';
import { RuleEntity, type RuleRow } from '../store/entities.js';

/** A rule as an operator writes it; the library gives it a version. */
export type RuleDraft = Omit<RuleDefinition, 'version'>;

/** The rules of an organisation: at most one draft of each, and released versions that never change. */
@Injectable()
export class RuleLibraryService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly ruleVocabulary: RuleVocabularyService,
  ) {}

  /** Returns the fields and lists that rules of an organisation may read. */
  async readVocabulary(organisationId: string): Promise<RuleVocabulary> {
    return this.uow.run(organisationId, (tx) => this.ruleVocabulary.read(tx, organisationId));
  }

  /**
   * Creates or replaces the draft of a rule. A draft may have faults in its texts (`check` shows them), but not in its
   * form. Throws STATE_CONFLICT if `revision`, which the author has read, is not the stored revision.
   */
  async saveDraft(ctx: ActorContext, draft: RuleDraft, revision: number | null): Promise<RuleRow> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const open: RuleRow | null = await tx.findOneBy(RuleEntity, {
        organisationId,
        key: draft.key,
        status: 'DRAFT',
      });
      if (revision !== null && revision !== (open?.revision ?? 0)) throw outdatedError(open?.revision ?? 0);
      const version = open?.version ?? (await this.newestVersion(tx, organisationId, draft.key)) + 1;
      const content: RuleDefinition = {
        ...pinCustomFields(draft, await currentCustomFields(tx, organisationId)),
        version,
      };
      const draftContent = {
        content,
        contentHash: Buffer.from(contentHashOf(content), 'hex'),
        author: formatActor(ctx),
        updatedAt: now,
      };
      const row: RuleRow = open
        ? { ...open, ...draftContent, revision: open.revision + 1 }
        : {
            id: newUuid(),
            organisationId,
            key: draft.key,
            version,
            status: 'DRAFT',
            revision: 1,
            createdAt: now,
            releasedAt: null,
            ...draftContent,
          };
      if (open) await overwrite(tx, open, row);
      else await tx.insert(RuleEntity, row);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'rule', row.id, 'rule.drafted', now, {
          key: row.key,
          version,
          revision: row.revision,
          contentHash: row.contentHash.toString('hex'),
        }),
      );
      return row;
    });
  }

  /** Releases the draft as a version that never changes again and that rulesets may contain. */
  async release(ctx: ActorContext, key: string): Promise<RuleRow> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const draft: RuleRow | null = await lockRow(
        tx,
        RuleEntity,
        { organisationId, key, status: 'DRAFT' },
        'pessimistic_write',
      );
      if (!draft) throw new DomainError('RULE_NOT_FOUND');
      refuseFaults(inspectForRelease(draft.content, await this.ruleVocabulary.read(tx, organisationId)));
      await tx.update(RuleEntity, { id: draft.id, organisationId }, { status: 'RELEASED', releasedAt: now });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'rule', draft.id, 'rule.released', now, {
          key,
          version: draft.version,
          contentHash: draft.contentHash.toString('hex'),
        }),
      );
      return { ...draft, status: 'RELEASED', releasedAt: now };
    });
  }

  /** Adds the rules of a ruleset to the library as released versions; existing versions do not change. */
  async addReleasedRules(tx: Tx, ctx: ActorContext, rules: readonly RuleDefinition[]): Promise<void> {
    const now = new Date(this.clock.now());
    for (const content of rules) {
      const { organisationId } = ctx;
      const { key, version } = content;
      if (await tx.existsBy(RuleEntity, { organisationId, key, version })) continue;
      const row: RuleRow = {
        id: newUuid(),
        organisationId,
        key,
        version,
        status: 'RELEASED',
        revision: 1,
        content,
        contentHash: Buffer.from(contentHashOf(content), 'hex'),
        author: formatActor(ctx),
        createdAt: now,
        updatedAt: now,
        releasedAt: now,
      };
      await tx.insert(RuleEntity, row);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'rule', row.id, 'rule.released', now, {
          key,
          version,
          contentHash: row.contentHash.toString('hex'),
        }),
      );
    }
  }

  private async newestVersion(tx: Tx, organisationId: string, key: string): Promise<number> {
    return (await tx.maximum(RuleEntity, 'version', { organisationId, key })) ?? 0;
  }
}

async function overwrite(tx: Tx, { id, revision }: RuleRow, row: RuleRow): Promise<void> {
  const { affected } = await tx.update(RuleEntity, { id, revision, status: 'DRAFT' }, row);
  if (affected !== 1) throw outdatedError(revision + 1);
}

const outdatedError = (present: number): DomainError =>
  conflict('revision', 'OUTDATED', `The draft is at revision ${present} now.`);
