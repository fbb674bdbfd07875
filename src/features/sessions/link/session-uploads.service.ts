import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { Clock, DomainError, errorAt, invalid, pick, publicId } from '../../../platform/kernel/index.js';
import { ReviewsService } from '../../reviews/index.js';
import {
  ArtifactIntake,
  type ArtifactDescription,
  type ArtifactMimeType,
  type UploadResult,
  type UploadFields,
} from '../../uploads/index.js';
import type { SessionActorContext } from '../actor-context.js';
import { hasRejectionText } from '../domain/checks/rejections.js';
import { missingParts } from '../domain/flow/answers.js';
import { documentSides, type UploadStep } from '../domain/flow/flow.js';
import { planSession } from '../domain/plan.js';
import { today } from '../../screening/index.js';
import { isUploadStep, stepKindOf } from '../domain/flow/step-types.js';
import { assessPictures, type AssessedPicture } from '../domain/flow/tries.js';
import type { SessionRow } from '../domain/records.js';
import { SessionAnswersService } from './session-answers.service.js';
import { requirePending } from './public-session.service.js';
import { ProgressRepository } from '../store/progress.repository.js';
import { SessionRepository } from '../store/session.repository.js';

// Errors of the file itself; other errors are about the request or a temporary state.
const ABOUT_THE_FILE = ['FILE_TYPE_UNSUPPORTED', 'FILE_TOO_LARGE', 'TOO_MANY_ARTIFACTS'];

/** A received file with the judgement of its step. */
export type StepUploadResult = UploadResult & Pick<AssessedPicture, 'flaws' | 'triesLeft'>;

/** Receives the files of a session. */
@Injectable()
export class SessionUploadsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly reviews: ReviewsService,
    private readonly intake: ArtifactIntake,
    private readonly sessionAnswers: SessionAnswersService,
    private readonly sessions: SessionRepository,
    private readonly progress: ProgressRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** Stores the file in the request and links it to the dossier of the session's customer. */
  async receive(
    ctx: SessionActorContext,
    session: SessionRow,
    request: IncomingMessage,
  ): Promise<StepUploadResult> {
    requirePending(session);
    const { organisationId, customerId, subjectIndex } = session;
    let stepId: string | null = null;
    try {
      const received = await this.intake.receive(request, {
        organisationId,
        owner: { type: 'SESSION', id: session.id },
        subject: { organisationId, index: subjectIndex },
        ...pick(ctx, 'actor', 'requestId', 'correlationId'),
        customerId,
        describe: async (fields, mimeType) => {
          const description = await this.describe(session, fields, mimeType);
          ({ stepId } = description);
          if (description.kind === 'SELFIE' && mimeType === 'application/pdf') throw noPictureError();
          return description;
        },
        admit: async (tx) => {
          const state = await this.sessions.lockOpen(tx, session);
          if (state === 'SUBMITTED') throw new DomainError('SESSION_ALREADY_SUBMITTED');
          if (state === 'OVER') throw new DomainError('SESSION_EXPIRED');
        },
        unlinked: (tx) => this.askForLink(tx, ctx, session),
      });
      let assessedPicture = await this.assess(session, received);
      // The same file again: the person has no better file, or sent this file in an earlier round.
      if (received.duplicate && assessedPicture?.triesLeft !== 0) {
        await this.noteRepeat(ctx, session, received);
        assessedPicture = await this.assess(session, received);
      }
      const at = received.artifact.stepId;
      const tries = received.duplicate ? 0 : 1;
      if (at !== null) await this.progress.recordVisit(session, at, assessedPicture?.counts === true, tries);
      return { ...received, flaws: assessedPicture?.flaws ?? [], triesLeft: assessedPicture?.triesLeft ?? 0 };
    } catch (error) {
      if (error instanceof DomainError && ABOUT_THE_FILE.includes(error.code)) {
        const [detail] = error.details;
        const code = detail && hasRejectionText(detail.code) ? detail.code : error.code;
        await this.recordRejection(ctx, session, stepId, code);
      }
      throw error;
    }
  }

  private async assess(
    session: SessionRow,
    { artifact }: UploadResult,
  ): Promise<AssessedPicture | undefined> {
    const { current } = await this.sessionAnswers.read(session);
    return assessPictures(current).find(({ file }) => file.id === artifact.id);
  }

  /** Records that a picture was sent again. The person has no better picture, and must not be asked for ever. */
  private async noteRepeat(
    ctx: SessionActorContext,
    session: SessionRow,
    { artifact }: UploadResult,
  ): Promise<void> {
    const { id, stepId, documentType, side } = artifact;
    if (stepId === null) return;
    const { reopened } = await this.sessionAnswers.read(session);
    await this.uow.run(session.organisationId, async (tx) => {
      // The uploads of a session that was submitted meanwhile do not change.
      if ((await this.sessions.lockOpen(tx, session)) !== 'OPEN') return;
      const file = { id, stepId, documentType, side };
      if (!(await this.progress.recordRepeat(tx, session, file, reopened?.askedAt ?? new Date(0)))) return;
      const now = new Date(this.clock.now());
      const content = { step: stepId, artifactId: publicId('art', id) };
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'session', session.id, 'session.upload_repeated', now, content),
      );
    });
  }

  /** Opens one case for all files of the session: a person has to link them to a customer. */
  private async askForLink(tx: Tx, ctx: SessionActorContext, session: SessionRow): Promise<void> {
    const { id, organisationId, clientAppId } = session;
    await this.reviews.openCases(
      tx,
      [
        {
          organisationId,
          kind: 'DATA_GAP',
          theme: 'DATA_GAP',
          // No customer record exists, which is the reason for the case.
          customerId: null,
          clientAppId,
          sessionRef: id,
          priority: 'MEDIUM',
          riskScore: null,
          occurredAt: new Date(this.clock.now()),
          requestId: ctx.requestId,
          correlationId: ctx.correlationId,
        },
      ],
      { type: 'system', id: 'sessions.uploads' },
    );
  }

  /** Describes a file by the form fields of the upload: for the named step, or the first step without a file. */
  private async describe(
    session: SessionRow,
    fields: UploadFields,
    mimeType: ArtifactMimeType,
  ): Promise<ArtifactDescription> {
    const step = await this.stepFor(session, fields.stepId, mimeType);
    if (!step) return { kind: 'ATTACHMENT', stepId: null, documentType: null, side: null };
    const documents = step.type === 'SELFIE' ? [] : step.acceptedDocuments;
    const { documentType, side } = fields;
    if (documentType !== null && !documents.some(({ type }) => type === documentType)) {
      throw notAllowedError('documentType', 'The step does not take this kind of document.');
    }
    const knownSide = documentSides.find((one) => one === side) ?? null;
    if (side !== null && knownSide === null) throw notAllowedError('side', 'Must be FRONT or BACK.');
    return { kind: stepKindOf(step).takes ?? 'ATTACHMENT', stepId: step.id, documentType, side: knownSide };
  }

  /** Finds the step of a file. Without a named step, a PDF prefers steps that do not take pictures only. */
  private async stepFor(
    session: SessionRow,
    named: string | null,
    mimeType: ArtifactMimeType | null = null,
  ): Promise<UploadStep | null> {
    const submittedAnswers = await this.sessionAnswers.read(session);
    const steps = planSession(session, submittedAnswers, today(this.clock.now())).steps.filter(isUploadStep);
    if (named === null) {
      const forAnyFile = steps.filter(({ type }) => type !== 'SELFIE');
      const fitting = mimeType === 'application/pdf' && forAnyFile.length > 0 ? forAnyFile : steps;
      return (
        fitting.find(
          (step) => missingParts(step, submittedAnswers.answers, submittedAnswers.taken).length > 0,
        ) ??
        fitting[0] ??
        null
      );
    }
    const step = steps.find(({ id }) => id === named);
    if (!step) throw notAllowedError('stepId', 'The session has no such step that takes files.');
    return step;
  }

  /** Records a refused file, so that the page can explain it after a reload. If `stepId` is null, the next step shows it. */
  private async recordRejection(
    ctx: SessionActorContext,
    session: SessionRow,
    stepId: string | null,
    code: string,
  ): Promise<void> {
    const { id, organisationId } = session;
    const step = stepId ?? (await this.stepFor(session, null))?.id;
    if (step === undefined) return;
    await this.uow.run(organisationId, async (tx) => {
      if (!(await this.progress.reject(tx, session, step, code))) return;
      const now = new Date(this.clock.now());
      const content = { step, code };
      await this.audit.record(tx, auditDraftOf(ctx, 'session', id, 'session.upload_refused', now, content));
    });
  }
}

const noPictureError = (): DomainError =>
  errorAt(
    'FILE_TYPE_UNSUPPORTED',
    'file',
    'PICTURE_REQUIRED',
    'A selfie is a picture: JPEG, PNG or WebP, not a PDF.',
  );

const notAllowedError = (path: string, message: string): DomainError =>
  invalid(path, 'VALUE_NOT_ALLOWED', message);
