import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Approval } from '../../approvals/index.js';
import { AuditTrail, formatActor, auditDraftOf } from '../../audit/index.js';
import { baseUrlOf, Settings } from '../../../platform/config/index.js';
import { system, waitForLock, UnitOfWork } from '../../../platform/database/index.js';
import { Clock, conflict, DomainError, newUuid, publicId, uuidOf } from '../../../platform/kernel/index.js';
import { today } from '../../screening/index.js';
import type { SessionActorContext } from '../actor-context.js';
import type { PublicSession } from '../domain/public-session.js';
import { compareFlows, type FlowDifference } from '../domain/flow-life/difference.js';
import { sampleAnswers } from '../domain/flow-life/sample-answers.js';
import { validateAnswers } from '../domain/flow/answers.js';
import { textInLanguage, type Answers, type FlowDefinition, type FlowLanguage } from '../domain/flow/flow.js';
import { asFlow, validateFlow } from '../domain/flow/flow-validation.js';
import type { FlowProblem } from '../domain/flow/flow-validator.js';
import { planSession } from '../domain/plan.js';
import { publicSteps } from '../domain/public-view.js';
import { UPLOAD_LIMITS } from '../link/public-session-page.service.js';
import { FlowDraftEntity } from '../store/entities.js';
import { FlowsService } from './flows.service.js';

const PREVIEW_MS = 24 * 3_600_000;
const PREVIEW_ID = /^pre_([0-9a-f]{32})_([0-9a-z]{6,12})_([A-Za-z0-9_-]{22})$/;
const MAC_CHARACTERS = 22;

/** A draft with its problems, which do not prevent saving. */
export interface ValidatedDraft {
  readonly draft: FlowDraftEntity;
  readonly problems: readonly FlowProblem[];
}

/**
 * Stores drafts of flows, one for each key: saved even with problems, previewed with sample answers, compared with the
 * current version, and submitted for approval.
 */
@Injectable()
export class FlowDraftsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly flows: FlowsService,
  ) {}

  async get(organisationId: string, key: string): Promise<ValidatedDraft> {
    const draft = key.includes('\0')
      ? null
      : await this.uow.read(organisationId, (db) => db.findOneBy(FlowDraftEntity, { organisationId, key }));
    if (!draft) throw new DomainError('FLOW_NOT_FOUND');
    return { draft, problems: validateFlow(draft.definition) };
  }

  /** Saves a draft even with problems. Throws STATE_CONFLICT unless `revision` is the stored revision. */
  async save(
    ctx: SessionActorContext,
    key: string,
    definition: object,
    sample: Record<string, unknown>,
    revision: number | null,
  ): Promise<ValidatedDraft> {
    const { organisationId } = ctx;
    const updatedAt = new Date(this.clock.now());
    const draft = await this.uow.run(organisationId, async (tx) => {
      await waitForLock(tx, `flow-draft:${organisationId}:${key}`);
      const storedDraft = await tx.findOneBy(FlowDraftEntity, { organisationId, key });
      if ((storedDraft?.revision ?? null) !== revision) {
        throw conflict('revision', 'OUTDATED', 'Somebody else has changed the draft; read it again.');
      }
      const next = {
        ...{ id: storedDraft?.id ?? newUuid(), organisationId, key, definition, sample },
        ...{ revision: (storedDraft?.revision ?? 0) + 1, author: formatActor(ctx), updatedAt },
      };
      await tx.upsert(FlowDraftEntity, next, ['id', 'organisationId']);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'flow_draft', next.id, 'flow.drafted', updatedAt, { key, revision: next.revision }),
      );
      return next;
    });
    return { draft, problems: validateFlow(definition) };
  }

  async discard(ctx: SessionActorContext, key: string): Promise<void> {
    const { draft } = await this.get(ctx.organisationId, key);
    await this.uow.run(ctx.organisationId, async (tx) => {
      await tx.delete(FlowDraftEntity, { id: draft.id, organisationId: ctx.organisationId });
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'flow_draft', draft.id, 'flow.draft_discarded', new Date(this.clock.now()), {
          key,
        }),
      );
    });
  }

  /** Compares a draft with the current version. */
  async compareWithPublished(organisationId: string, key: string): Promise<FlowDifference> {
    const { draft, problems } = await this.get(organisationId, key);
    requireNoProblems(problems);
    const current = await this.flows.find(organisationId, key);
    return compareFlows(current?.definition ?? null, asFlow(draft.definition));
  }

  /** Requests the approval to publish exactly this revision. */
  async publish(ctx: SessionActorContext, key: string, revision: number, reason: string): Promise<Approval> {
    const { draft, problems } = await this.get(ctx.organisationId, key);
    requireNoProblems(problems);
    if (draft.revision !== revision) {
      throw conflict('revision', 'OUTDATED', 'Somebody else has changed the draft; read it again.');
    }
    const current = await this.flows.find(ctx.organisationId, key);
    return current
      ? this.flows.requestNext(ctx, key, asFlow(draft.definition), reason)
      : this.flows.requestNew(ctx, key, asFlow(draft.definition), reason);
  }

  /** Returns a link to a preview, valid for one day; nothing typed there is stored. */
  async preview(
    organisationId: string,
    key: string,
  ): Promise<{ readonly url: string; readonly expiresAt: Date }> {
    const { draft, problems } = await this.get(organisationId, key);
    requireNoProblems(problems);
    const wrong = validateAnswers(
      asFlow(draft.definition),
      draft.sample as Record<string, unknown>,
      today(this.clock.now()),
      'sample',
    );
    if (wrong.length > 0) throw new DomainError('VALIDATION_FAILED', { details: wrong });
    const until = this.clock.now() + PREVIEW_MS;
    const body = `${publicId('flw', draft.id).slice(4)}_${until.toString(36)}`;
    const url = new URL(`/verify/pre_${body}_${this.computeMac(body)}`, baseUrlOf(this.settings)).href;
    return { url, expiresAt: new Date(until) };
  }

  /** Returns the page of a preview; null if the id is invalid or the preview has expired. */
  async publicPreview(id: string, language: FlowLanguage): Promise<PublicSession | null> {
    const [, hex = '', until = '', mac = ''] = PREVIEW_ID.exec(id) ?? [];
    const draftId = uuidOf('flw', `flw_${hex}`);
    const expected = Buffer.from(this.computeMac(`${hex}_${until}`));
    const macBytes = Buffer.from(mac);
    if (draftId === null || macBytes.length !== expected.length || !timingSafeEqual(macBytes, expected)) {
      return null;
    }
    if (Number.parseInt(until, 36) < this.clock.now()) return null;
    const draft = await this.uow.read(system('sessions.by-link'), (db) =>
      db.findOneBy(FlowDraftEntity, { id: draftId }),
    );
    if (!draft || validateFlow(draft.definition).length > 0) return null;
    return previewOf(asFlow(draft.definition), draft.sample as Answers, language, {
      day: today(this.clock.now()),
      expiresAt: new Date(Number.parseInt(until, 36)),
    });
  }

  private computeMac(body: string): string {
    return createHmac('sha256', this.settings.clientSecretPepper)
      .update(`flow-preview\0${body}`)
      .digest('base64url')
      .slice(0, MAC_CHARACTERS);
  }
}

function previewOf(
  flow: FlowDefinition,
  chosen: Answers,
  language: FlowLanguage,
  { day, expiresAt }: { readonly day: string; readonly expiresAt: Date },
): PublicSession {
  const sample = sampleAnswers(flow, chosen);
  const { steps } = planSession({ flow, evidence: [] }, { answers: sample, taken: [], reopened: null }, day);
  // The sample answers decide which steps are shown; the page does not contain them.
  const nothing = { answers: {}, taken: [], prefill: {} };
  return {
    ...publicSteps(steps, nothing, new Map(), UPLOAD_LIMITS, language),
    ...{ flowName: textInLanguage(flow.name, language), status: 'PENDING', preview: true },
    branding: { name: textInLanguage(flow.name, language), logoUrl: null, primaryColor: null },
    expiresAt: expiresAt.toISOString(),
  };
}

function requireNoProblems(problems: readonly FlowProblem[]): void {
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', { details: problems });
}
