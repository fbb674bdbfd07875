import { Injectable } from '@nestjs/common';
import { ApprovalsService } from '../../approvals/index.js';
import { type ActorContext, AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { lockRow, waitForLock, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, invalid, newUuid, pick } from '../../../platform/kernel/index.js';
import { contentHashOf } from '../domain/content-hash.js';
import type { RulesetOrigin } from '../domain/life-cycle.js';
import { isMandatory } from '../domain/mandatory-rules.js';
import { pinCustomFields } from '../domain/custom-fields/custom-field-pins.js';
import { inspectRuleset, refuseFaults } from './inspection.js';
import { currentCustomFields } from '../custom-fields/current-custom-fields.js';
import type { RuleDefinition, RuleMode, RulesetDefinition } from '../language/index.js';
import { RuleEntity, RulesetEntity, type RulesetRow } from '../store/entities.js';

/** A released rule in a ruleset, in the rule's own mode unless `mode` is given. */
export interface DraftedRule {
  readonly key: string;
  readonly version: number;
  readonly mode?: RuleMode;
}

/** The content of a draft; omitted parts are taken from the version that it is based on. */
export interface RulesetDraft {
  readonly basedOn?: { readonly key: string; readonly version: number };
  readonly name?: RulesetDefinition['name'];
  readonly selector?: RulesetDefinition['selector'];
  /** Null turns a challenger into an ordinary ruleset. */
  readonly experiment?: RulesetDefinition['experiment'] | null;
  /** All the rules, or changes to the rules of the base. */
  readonly rules?: readonly DraftedRule[];
  readonly putRules?: readonly DraftedRule[];
  readonly removeRules?: readonly string[];
  readonly dampeners?: RulesetDefinition['dampeners'];
  readonly scoring?: RulesetDefinition['scoring'];
  readonly composition?: RulesetDefinition['composition'];
}

/** A new version, before it is stored. */
export interface NewVersion {
  readonly key: string;
  readonly content: Omit<RulesetDefinition, 'key' | 'version'>;
  readonly origin: Exclude<RulesetOrigin, 'SEED'>;
  readonly rollbackOf: number | null;
}

/** Writes drafts of rulesets. A draft contains its rules in full, so that exactly the tested content is published. */
@Injectable()
export class RulesetDraftsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Creates the first or next version of a ruleset as a draft. */
  async create(ctx: ActorContext, key: string, draft: RulesetDraft): Promise<RulesetRow> {
    return this.uow.run(ctx.organisationId, async (tx) => {
      const base = await this.findBase(tx, ctx.organisationId, key, draft);
      const content = await this.compose(tx, ctx.organisationId, base, draft);
      const row = await this.insert(tx, ctx, { key, content, origin: 'DRAFT', rollbackOf: null });
      await this.recordDraft(tx, ctx, row);
      return row;
    });
  }

  /** Changes a draft; a pending request to publish it is withdrawn and has to be made again. */
  async change(
    ctx: ActorContext,
    key: string,
    version: number,
    draft: RulesetDraft,
    revision: number | null,
  ): Promise<RulesetRow> {
    const { organisationId } = ctx;
    return this.rewrite(ctx, { key, version, revision }, async (tx, { content }) => {
      const base = draft.basedOn ? await this.findBase(tx, organisationId, key, draft) : content;
      return this.compose(tx, organisationId, base, draft);
    });
  }

  /** Sets the mode of one rule in a draft, which like any change withdraws a pending request to publish it. */
  async setModeInDraft(
    ctx: ActorContext,
    key: string,
    version: number,
    rule: string,
    mode: RuleMode,
  ): Promise<RulesetRow> {
    return this.rewrite(
      ctx,
      { key, version, revision: null },
      (_, row) => withMode(row.content, rule, mode),
      {
        rule,
        mode,
      },
    );
  }

  /**
   * Creates a draft that differs from the live version in the mode of one rule. The mode is part of the published
   * content, so it changes like the rest: by a new version, with a back-test and two people.
   */
  async setMode(ctx: ActorContext, key: string, rule: string, mode: RuleMode): Promise<RulesetRow> {
    const { organisationId } = ctx;
    return this.uow.run(organisationId, async (tx) => {
      const liveRuleset = await tx.findOneBy(RulesetEntity, { organisationId, key, status: 'PUBLISHED' });
      if (!liveRuleset) throw new DomainError('RULESET_NOT_FOUND');
      const content = withMode(liveRuleset.content, rule, mode);
      const row = await this.insert(tx, ctx, { key, content, origin: 'DRAFT', rollbackOf: null });
      await this.recordDraft(tx, ctx, row, { rule, mode });
      return row;
    });
  }

  /** Gives a draft the content that `compose` makes of it, under the lock of its row. */
  private async rewrite(
    ctx: ActorContext,
    { key, version, revision }: Pick<RulesetRow, 'key' | 'version'> & { readonly revision: number | null },
    compose: (tx: Tx, row: RulesetRow) => Promise<NewVersion['content']> | NewVersion['content'],
    also: Readonly<Record<string, string>> = {},
  ): Promise<RulesetRow> {
    const { organisationId } = ctx;
    const now = new Date(this.clock.now());
    return this.uow.run(organisationId, async (tx) => {
      const row: RulesetRow | null = await lockRow(
        tx,
        RulesetEntity,
        { organisationId, key, version },
        'pessimistic_write',
      );
      if (!row) throw new DomainError('RULESET_NOT_FOUND');
      if (row.status !== 'DRAFT' || row.origin !== 'DRAFT') throw draftConflict('NOT_A_DRAFT');
      if (revision !== null && revision !== row.revision) throw draftConflict('OUTDATED');
      const content: RulesetDefinition = { ...(await compose(tx, row)), key, version };
      refuseFaults(inspectRuleset(content));
      const newContent = {
        content,
        contentHash: Buffer.from(contentHashOf(content), 'hex'),
        revision: row.revision + 1,
        author: formatActor(ctx),
        updatedAt: now,
        requestedBy: null,
        requestedAt: null,
        backtestId: null,
      };
      if (row.requestedBy !== null) await this.approvals.supersede(tx, ctx, 'ruleset.publish', row.id);
      await tx.update(RulesetEntity, { id: row.id }, newContent);
      const after = { ...row, ...newContent };
      await this.recordDraft(tx, ctx, after, also);
      return after;
    });
  }

  /** Stores a draft under the next free version of its key. */
  async insert(tx: Tx, ctx: ActorContext, version: NewVersion): Promise<RulesetRow> {
    const { organisationId } = ctx;
    const { key } = version;
    const now = new Date(this.clock.now());
    // Inserts take turns per key, so that two drafts cannot take the same number.
    await waitForLock(tx, `ruleset:${organisationId}:${key}`);
    const newest = (await tx.maximum(RulesetEntity, 'version', { organisationId, key })) ?? 0;
    const content: RulesetDefinition = { ...version.content, key, version: newest + 1 };
    refuseFaults(inspectRuleset(content));
    const row: RulesetRow = {
      id: newUuid(),
      organisationId,
      key,
      version: content.version,
      status: 'DRAFT',
      content,
      contentHash: Buffer.from(contentHashOf(content), 'hex'),
      origin: version.origin,
      revision: 1,
      author: formatActor(ctx),
      rollbackOf: version.rollbackOf,
      requestedBy: null,
      requestedAt: null,
      approvedBy: null,
      approvedAt: null,
      singleControl: false,
      backtestId: null,
      createdAt: now,
      updatedAt: now,
      publishedAt: null,
      archivedAt: null,
    };
    await tx.insert(RulesetEntity, row);
    return row;
  }

  private async recordDraft(
    tx: Tx,
    ctx: ActorContext,
    row: RulesetRow,
    also: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.audit.record(
      tx,
      auditDraftOf(ctx, 'ruleset', row.id, 'ruleset.drafted', row.updatedAt, {
        ...pick(row, 'key', 'version', 'revision'),
        contentHash: row.contentHash.toString('hex'),
        ...also,
      }),
    );
  }

  /** Returns the content that a draft starts from: of the named version, else the live, else the newest; or null. */
  private async findBase(
    tx: Tx,
    organisationId: string,
    key: string,
    { basedOn }: RulesetDraft,
  ): Promise<RulesetDefinition | null> {
    if (basedOn) {
      const row = await tx.findOneBy(RulesetEntity, { organisationId, ...basedOn });
      if (!row) throw new DomainError('RULESET_NOT_FOUND');
      return row.content;
    }
    const liveRuleset = await tx.findOneBy(RulesetEntity, { organisationId, key, status: 'PUBLISHED' });
    if (liveRuleset) return liveRuleset.content;
    const newest = await tx.findOne(RulesetEntity, {
      where: { organisationId, key },
      order: { version: 'DESC' },
    });
    return newest?.content ?? null;
  }

  private async compose(
    tx: Tx,
    organisationId: string,
    base: RulesetDefinition | null,
    draft: RulesetDraft,
  ): Promise<NewVersion['content']> {
    const needed = <T>(name: string, value: T | undefined): T => {
      if (value !== undefined) return value;
      throw invalid(name, 'REQUIRED', 'Required, because there is no version to base it on.');
    };
    const experiment = draft.experiment === undefined ? base?.experiment : draft.experiment;
    return {
      name: needed('name', draft.name ?? base?.name),
      selector: draft.selector ?? base?.selector ?? { types: ['*'], clientApps: ['*'] },
      ...(experiment ? { experiment } : {}),
      rules: await this.composeRules(tx, organisationId, base, draft),
      dampeners: draft.dampeners
        ? await this.pinCustomFieldsOfDampeners(tx, organisationId, draft.dampeners)
        : (base?.dampeners ?? []),
      scoring: needed('scoring', draft.scoring ?? base?.scoring),
      composition: needed('composition', draft.composition ?? base?.composition),
    };
  }

  private async pinCustomFieldsOfDampeners(
    tx: Tx,
    organisationId: string,
    dampeners: RulesetDefinition['dampeners'],
  ): Promise<RulesetDefinition['dampeners']> {
    const fields = await currentCustomFields(tx, organisationId);
    return dampeners.map((dampener) => pinCustomFields(dampener, fields));
  }

  private async composeRules(
    tx: Tx,
    organisationId: string,
    base: RulesetDefinition | null,
    draft: RulesetDraft,
  ): Promise<RuleDefinition[]> {
    const rules = new Map<string, RuleDefinition>();
    if (!draft.rules) for (const rule of base?.rules ?? []) rules.set(rule.key, rule);
    for (const key of draft.removeRules ?? []) {
      if (!rules.delete(key)) throw unknownRuleError('removeRules', key);
    }
    for (const [name, list] of [
      ['rules', draft.rules ?? []],
      ['putRules', draft.putRules ?? []],
    ] as const) {
      for (const [i, held] of list.entries()) {
        const rule = await this.findReleased(tx, organisationId, held, base);
        if (!rule) throw unknownRuleError(`${name}[${i}]`, held.key);
        rules.set(held.key, held.mode === undefined ? rule : { ...rule, mode: held.mode });
      }
    }
    return [...rules.values()];
  }

  private async findReleased(
    tx: Tx,
    organisationId: string,
    { key, version }: DraftedRule,
    base: RulesetDefinition | null,
  ): Promise<RuleDefinition | null> {
    const row = await tx.findOneBy(RuleEntity, { organisationId, key, version, status: 'RELEASED' });
    return row?.content ?? base?.rules.find((rule) => rule.key === key && rule.version === version) ?? null;
  }
}

/** Returns a content without key and version: the next version gets its own. */
export function withoutKeyAndVersion(content: RulesetDefinition): NewVersion['content'] {
  const { name, selector, experiment, rules, dampeners, scoring, composition } = content;
  return { name, selector, ...(experiment ? { experiment } : {}), rules, dampeners, scoring, composition };
}

/** Returns the content with another mode of one of its rules; a mandatory rule is always live. */
function withMode(content: RulesetDefinition, rule: string, mode: RuleMode): NewVersion['content'] {
  if (!content.rules.some((held) => held.key === rule)) throw new DomainError('RULE_NOT_FOUND');
  if (isMandatory(rule) && mode !== 'LIVE') throw draftConflict('MANDATORY_RULE');
  const rules = content.rules.map((held) => (held.key === rule ? { ...held, mode } : held));
  return { ...withoutKeyAndVersion(content), rules };
}

const unknownRuleError = (path: string, key: string): DomainError =>
  invalid(path, 'UNKNOWN_RULE', `There is no such released rule (${key.slice(0, 64)}).`);

const CONFLICTS = {
  NOT_A_DRAFT: 'Only a draft can be changed; published versions are frozen.',
  OUTDATED: 'Somebody else has changed the draft; read it again.',
  MANDATORY_RULE: 'A mandatory rule cannot be silenced.',
} as const;

const draftConflict = (code: keyof typeof CONFLICTS): DomainError => conflict('', code, CONFLICTS[code]);
